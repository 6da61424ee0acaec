/** The environment besides files: clock, random numbers and log. Injected, so that tests control it. */
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
  /** A random integer from 1 to 2^31 - 1; the caller must check that it is not in use. */
  randomId(): number;
  uuid(): string;
  readonly log: Log;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** Logs to stderr, so that stdout only has the output of a command. */
export const stderrLog: Log = {
  info: (message) => process.stderr.write(`${message}\n`),
  warn: (message) => process.stderr.write(`warning: ${message}\n`),
  error: (message, cause) =>
    process.stderr.write(`error: ${message}${cause instanceof Error ? `\n${cause.stack}` : ""}\n`),
};

export function systemEnv(log: Log = stderrLog): Env {
  let latest = 0;
  let text = instantOf(latest);
  return {
    now() {
      const ms = Date.now();
      // Never goes back: a clock set back must not take a published page offline.
      if (ms > latest) text = instantOf((latest = ms));
      return text;
    },
    randomId: () => randomInt(1, 2 ** 31),
    uuid: () => randomUUID(),
    log,
  };
}
