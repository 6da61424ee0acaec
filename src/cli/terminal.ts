/** The streams of a command: output, tables and colours. Results go to stdout, everything else to stderr. */
import { Writable } from "node:stream";
import { styleText } from "node:util";
import type { Log } from "../env.ts";
import { asCalled, type ProgramCall } from "./program-name.ts";

export interface Input extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
}

export interface TerminalOutput extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  /** Only terminals have it; respects NO_COLOR. */
  hasColors?(count: number, environment: NodeJS.ProcessEnv): boolean;
}

/** Streams and environment of a command; injected, so that tests control them. */
export interface Io extends ProgramCall {
  readonly stdin: Input;
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  setExitCode(code: number): void;
}

export const processIo: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  program: process.argv[1],
  setExitCode: (code) => {
    process.exitCode = code; // exit() would lose output that a pipe has not taken yet
  },
};

export const say = (io: Io, options: { readonly quiet?: boolean }, line: string): void => {
  if (!options.quiet) io.stderr.write(`${asCalled(io, line)}\n`);
};

/** The same streams, where each line for stderr is a message of the log. */
export const saidInLog = (io: Io, log: Log): Io => ({
  ...io,
  stderr: new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      for (const line of text.split("\n").map((each) => each.replace("➜", "").trim())) if (line !== "") log.info(line);
      done();
    },
  }),
});

/**
 * Rows under a heading, with aligned columns.
 *
 * Control characters in cells are replaced: a name must not be able to control the terminal.
 */
export function table(io: Io, heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heading, ...rows].map((row) => row.map(printable));
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

/** Text of others as it may be printed: its control characters must not control the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, "?");

/** Whether the command can ask questions. */
export const isInteractive = (io: Io): boolean => io.stdin.isTTY === true && io.stdout.isTTY === true;

type Style = "bold" | "red" | "green" | "yellow" | "dim";

/** @param stream the stream that the text is for: only one of the two may be a terminal */
export const paint = (io: Io, stream: TerminalOutput, style: Style, text: string): string =>
  stream.isTTY && stream.hasColors?.(16, io.env) ? styleText(style, text, { validateStream: false }) : text;
