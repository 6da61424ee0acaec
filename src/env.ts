/** What the program takes from the world besides files: time, chance and a place to complain. Injected, so tests decide. */
import { randomInt, randomUUID } from "node:crypto";
import { instantOf, type Instant } from "./model/instant.ts";

export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}

export interface Env {
  /** Never goes backwards within one process. */
  now(): Instant;
  /** A positive integer below 2^31, at random; the caller checks it against what exists. */
  randomId(): number;
  uuid(): string;
  readonly log: Log;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** One line each on stderr, so that stdout stays for what a command was asked for. */
export const stderrLog: Log = {
  info: (message) => process.stderr.write(`${message}\n`),
  warn: (message) => process.stderr.write(`warning: ${message}\n`),
  error: (message, cause) =>
    process.stderr.write(`error: ${message}${cause instanceof Error ? `\n${cause.stack}` : ""}\n`),
};

export function systemEnv(log: Log = stderrLog): Env {
  let latest = 0;
  return {
    // A clock set back must not take a page offline that has been served already.
    now: () => instantOf((latest = Math.max(latest, Date.now()))),
    randomId: () => randomInt(1, 2 ** 31),
    uuid: () => randomUUID(),
    log,
  };
}
