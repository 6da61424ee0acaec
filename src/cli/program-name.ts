/** The name by which this program was called, so that the commands it prints work as they are printed. */
import { basename, delimiter, dirname } from "node:path";
import type { Log } from "../env.ts";

/** How this program was called. */
export interface ProgramCall {
  readonly env: NodeJS.ProcessEnv;
  /** The path that it was called by. */
  readonly program?: string | undefined;
}

/** In messages, examples and help. */
const NAME = "cms";
const BY_NPX = "npx git-cms";

/** Behind the beginning of a line, a space, a bracket or a backtick, and before a command or a flag. */
const COMMAND = /(?<=^|[\s(`])cms(?= [a-z[<-])/gm;
const QUOTED = /(?<=`)cms(?= [a-z])/g;

/**
 * A program called by npx or by a script of npm is in no folder of the shell's path, nor is one in `node_modules`: npx finds
 * it from the site's folder.
 */
export function programName({ env, program = "" }: ProgramCall): string {
  if (env.npm_command !== undefined) return BY_NPX;
  const name = basename(program);
  const isInPath = (env.PATH ?? "").split(delimiter).includes(dirname(program));
  if (isInPath && (name === NAME || name === "git-cms")) return name;
  return /[\\/]node_modules[\\/]/.test(program) ? BY_NPX : NAME;
}

/** A message with its commands as they can be called; in a message they are in backticks: `cms check`. */
export const asCalled = (call: ProgramCall, message: string): string =>
  message.replace(QUOTED, () => programName(call));

/** The log with such messages. */
export const logAsCalled = (call: ProgramCall, log: Log): Log => ({
  info: (message) => log.info(asCalled(call, message)),
  warn: (message) => log.warn(asCalled(call, message)),
  error: (message, cause) => log.error(asCalled(call, message), cause),
});

/** A help text with its commands as they can be called. */
export const helpAsCalled = (call: ProgramCall, help: string): string => help.replace(COMMAND, () => programName(call));
