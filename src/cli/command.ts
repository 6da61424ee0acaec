/**
 * What every command shares: streams, the site's root, tables, error messages and exit codes.
 *
 * Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 the work found problems or failed, 2 wrong use
 * of the command line only (decisions.md 57).
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { styleText } from "node:util";
import { CommanderError, type Command } from "commander";
import { findRoot } from "../config.ts";
import { CmsError, messageOf, type FieldErrors } from "../errors.ts";

export interface Input extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
}

export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  /** Only terminals have it; respects NO_COLOR. */
  hasColors?(count: number, environment: NodeJS.ProcessEnv): boolean;
}

/** Streams and environment of a command; injected, so that tests control them. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  setExitCode(code: number): void;
}

export const processIo: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  setExitCode: (code) => {
    process.exitCode = code; // exit() would lose output that a pipe has not taken yet
  },
};

/** Wrong use of the command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export interface SiteOptions {
  readonly root?: string;
  readonly quiet?: boolean;
}

/** The options every command has. */
export const withSiteOptions = (command: Command): Command =>
  command
    .option("--root <dir>", "the site's folder (default: upwards to the next cms.config.*)")
    .option("--quiet", "print only results and errors");

/**
 * The site a command works on: `--root`, else the nearest folder with a configuration, upwards from the current one.
 *
 * @throws UsageError when there is none
 */
export function siteRoot(options: SiteOptions): string {
  if (options.root === undefined) {
    const found = findRoot(process.cwd());
    if (found) return found;
    throw new UsageError(
      "There is no cms.config.* here or above: run `cms init`, or name the site's folder with --root.",
    );
  }
  const root = resolve(options.root);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return root;
  throw new UsageError(`There is no folder ${root}.`);
}

/**
 * Wraps a command's work for `action()`: an error becomes one line on stderr and an exit code.
 *
 * @param work may return an exit code; undefined is 0
 */
export const run =
  <Args extends unknown[]>(io: Io, work: (...args: Args) => Promise<number | void>) =>
  async (...args: Args): Promise<void> => {
    try {
      io.setExitCode((await work(...args)) ?? 0);
    } catch (error) {
      io.stderr.write(`${paint(io, io.stderr, "red", "error:")} ${sentenceOf(error)}\n`);
      io.setExitCode(error instanceof UsageError ? 2 : 1);
    }
  };

/** Parses the command line and runs its command. Wrong use exits with 2; the default of commander is 1. */
export async function runProgram(program: Command, args: readonly string[], io: Io = processIo): Promise<void> {
  prepare(program, io);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    io.setExitCode(error.exitCode === 0 ? 0 : 2); // commander has printed the reason
  }
}

export const say = (io: Io, options: SiteOptions, line: string): void => {
  if (!options.quiet) io.stderr.write(`${line}\n`);
};

/**
 * Rows under a heading, with aligned columns.
 *
 * Control characters in cells are replaced: a name must not be able to control the terminal.
 */
export function table(io: Io, heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heading, ...rows].map((row) => row.map((cell) => cell.replace(/\p{Cc}/gu, "?")));
  const widths = heading.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0)));
  return lines
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .map((line, index) => `${index === 0 ? paint(io, io.stdout, "bold", line) : line}\n`)
    .join("");
}

/** Whether the command can ask questions. */
export const isInteractive = (io: Io): boolean => io.stdin.isTTY === true && io.stdout.isTTY === true;

/** The first line of standard input, without its line end; "" when there is none. */
export async function readLine(io: Io): Promise<string> {
  let text = "";
  for await (const chunk of io.stdin) {
    text += String(chunk);
    if (text.includes("\n") || text.length > 64 * 1024) break;
  }
  return text.split(/\r?\n/)[0]!;
}

/** Asks on the terminal without echo. @throws UsageError when the user cancels */
export async function askHidden(io: Io, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: io.stdin, output: nowhere, terminal: true, historySize: 0 });
  const answered = new Promise<string>((answer, giveUp) => {
    reader.once("line", answer);
    reader.once("SIGINT", () => reader.close());
    reader.once("close", () => giveUp(new UsageError("Broken off.")));
  });
  io.stderr.write(question); // after the terminal stopped echoing
  try {
    return await answered;
  } finally {
    reader.close();
    io.stderr.write("\n");
  }
}

type Style = "bold" | "red" | "green" | "yellow" | "dim";

/** @param stream the stream that the text is for: only one of the two may be a terminal */
export const paint = (io: Io, stream: Output, style: Style, text: string): string =>
  stream.isTTY && stream.hasColors?.(16, io.env) ? styleText(style, text, { validateStream: false }) : text;

/** Sets each command separately: a command inherits from its parent only settings made before it was added. */
function prepare(command: Command, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.stdout.write(text),
    writeErr: (text) => io.stderr.write(text),
  });
  for (const inner of command.commands) prepare(inner, io);
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof CmsError) || Object.keys(error.fields).length === 0) return messageOf(error);
  return fieldSentences(error.fields).join(" ");
}

const fieldSentences = (fields: FieldErrors, prefix = ""): string[] =>
  Object.entries(fields).flatMap(([field, value]): string[] => {
    if (typeof value === "string") return [`${prefix}${field}: ${value}`];
    if (Array.isArray(value)) return [`${prefix}${field}: ${value.join(" ")}`];
    return fieldSentences(value as FieldErrors, `${prefix}${field}.`);
  });
