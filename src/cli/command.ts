/**
 * Parts of all commands: common options, the site's root, error messages and exit codes.
 *
 * Exit codes: 0 done, 1 the work found problems or failed, 2 wrong use of the command line only; of `cms due`, 2 is every error.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { CommanderError, type Command } from "commander";
import type { Cms, CmsOptions } from "../cms.ts";
import { findRoot } from "../config.ts";
import { silentLog, systemEnv } from "../env.ts";
import { CmsError, messageOf, type FieldErrors } from "../errors.ts";
import { systemErrorReason } from "../store/git/disk-error.ts";
import { asCalled, helpAsCalled } from "./program-name.ts";
import { paint, processIo, type Io } from "./terminal.ts";

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

/** Reads an option that may be repeated. */
export const collect = (value: string, values: readonly string[] = []): readonly string[] => [...values, value];

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

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span as `30m`, `1h` or `2d`, in milliseconds. @throws UsageError that names the flag */
export function spanOf(flag: string, text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (unit === undefined) throw new UsageError(`${flag} takes a span as 30m, 1h or 2d, not "${text}".`);
  return Number(count) * UNITS[unit]!;
}

/** Opens the site of a command, and closes it when the work has ended. */
export async function withSite<T>(
  flags: SiteOptions,
  options: CmsOptions,
  work: (cms: Cms) => Promise<T> | T,
): Promise<T> {
  const root = siteRoot(flags);
  const { openCms } = await import("../cms.ts");
  const cms = await openCms(root, options);
  try {
    return await work(cms);
  } finally {
    await cms.close();
  }
}

/** `withSite` for a command that only reads. Problems of files are not logged: `cms check` tells them. */
export const readSite = <T>(flags: SiteOptions, work: (cms: Cms) => Promise<T> | T): Promise<T> =>
  withSite(flags, { env: systemEnv(silentLog), readOnly: true }, work);

/**
 * Wraps a command's work for `action()`: an error becomes one line on stderr and an exit code.
 *
 * @param work may return an exit code; undefined is 0
 * @param failed the exit code of an error other than wrong use
 */
export const run =
  <Args extends unknown[]>(io: Io, work: (...args: Args) => Promise<number | void>, failed = 1) =>
  async (...args: Args): Promise<void> => {
    try {
      io.setExitCode((await work(...args)) ?? 0);
    } catch (error) {
      io.stderr.write(`${paint(io, io.stderr, "red", "error:")} ${asCalled(io, sentenceOf(error))}\n`);
      io.setExitCode(error instanceof UsageError ? 2 : failed);
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

/** Sets each command separately: a command inherits from its parent only settings made before it was added. */
function prepare(command: Command, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.stdout.write(helpAsCalled(io, text)),
    writeErr: (text) => io.stderr.write(helpAsCalled(io, text)),
  });
  for (const inner of command.commands) prepare(inner, io);
}

export function sentenceOf(error: unknown): string {
  const reason = error instanceof CmsError ? undefined : systemErrorReason(error);
  const { path, code } = error as NodeJS.ErrnoException;
  if (reason !== undefined && path !== undefined) return `${path}: ${reason} (${code}).`;
  if (!(error instanceof CmsError) || Object.keys(error.fields).length === 0) return messageOf(error);
  return fieldSentences(error.fields).join(" ");
}

const fieldSentences = (fields: FieldErrors, prefix = ""): string[] =>
  Object.entries(fields).flatMap(([field, value]): string[] => {
    if (typeof value === "string") return [`${prefix}${field}: ${value}`];
    if (Array.isArray(value)) return [`${prefix}${field}: ${value.join(" ")}`];
    return fieldSentences(value as FieldErrors, `${prefix}${field}.`);
  });
