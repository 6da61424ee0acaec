/**
 * What every command shares: streams, the site's root, tables, and how an end is told.
 *
 * Answers go to stdout, everything else to stderr. Exit codes: 0 done, 1 the work found or met problems, 2 wrong use of
 * the command line and nothing else (decisions.md 57).
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
  /** Of terminals only; knows of NO_COLOR and of terminals without colours. */
  hasColors?(count: number, environment: NodeJS.ProcessEnv): boolean;
}

/** The world a command runs in, so that tests can be one. */
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
    process.exitCode = code; // instead of exit(), which would cut off what a pipe has not yet taken
  },
};

/** The command was called in a way that cannot be meant. */
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
    .option("--quiet", "say nothing but what was asked for, and errors");

/**
 * The site a command works on: `--root` as it is, else the nearest folder upwards with a configuration.
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
 * Wraps a command's work for `action()`: what it throws becomes one sentence on stderr and an exit code.
 *
 * @param work may return an exit code; nothing is 0
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

/** Parses the command line and runs its command. Wrong use is 2, where commander by itself says 1. */
export async function runProgram(program: Command, args: readonly string[], io: Io = processIo): Promise<void> {
  prepare(program, io);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    io.setExitCode(error.exitCode === 0 ? 0 : 2); // commander has said why
  }
}

export const say = (io: Io, options: SiteOptions, line: string): void => {
  if (!options.quiet) io.stderr.write(`${line}\n`);
};

/**
 * Rows under a heading, columns aligned, two spaces between them.
 *
 * Control characters in cells are replaced: a name from the outside must not steer the terminal.
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

/** Whether somebody is there to be asked. */
export const isInteractive = (io: Io): boolean => io.stdin.isTTY === true && io.stdout.isTTY === true;

/** The first line of what is piped in, without its end; empty when there is none. */
export async function readLine(io: Io): Promise<string> {
  let text = "";
  for await (const chunk of io.stdin) {
    text += String(chunk);
    if (text.includes("\n") || text.length > 64 * 1024) break;
  }
  return text.split(/\r?\n/)[0]!;
}

/** Asks on the terminal without showing what is typed. @throws UsageError when it is broken off */
export async function askHidden(io: Io, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: io.stdin, output: nowhere, terminal: true, historySize: 0 });
  const answered = new Promise<string>((answer, giveUp) => {
    reader.once("line", answer);
    reader.once("SIGINT", () => reader.close());
    reader.once("close", () => giveUp(new UsageError("Broken off.")));
  });
  io.stderr.write(question); // only now that the terminal no longer echoes
  try {
    return await answered;
  } finally {
    reader.close();
    io.stderr.write("\n");
  }
}

type Style = "bold" | "red" | "green" | "yellow" | "dim";

/** @param stream where the text goes, since only one of the two may be a terminal */
export const paint = (io: Io, stream: Output, style: Style, text: string): string =>
  stream.isTTY && stream.hasColors?.(16, io.env) ? styleText(style, text, { validateStream: false }) : text;

/** Commands take these settings from their parent only when they are made after them, so each gets its own. */
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
