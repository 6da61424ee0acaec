/** The environment besides files: clock, random numbers and log. Injected, so that tests control it. */
import { randomInt, randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { instantOf, type Instant } from "./model/time/instant.ts";

export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}

export interface Env {
  /** Follows the system's clock, but does not go back by steps of up to five seconds. */
  now(): Instant;
  /** Milliseconds of a clock that cannot be set, for durations. */
  elapsed(): number;
  /** Whether the system's clock was set back by more than that while the process ran. */
  hasStepped(): boolean;
  /** A random integer from 1 to 2^31 - 1; the caller must check that it is not in use. */
  randomId(): number;
  uuid(): string;
  readonly log: Log;
}

/** Timers of work that recurs while a server runs. They do not keep the process alive. */
export interface Timers {
  /** Calls the function once, after this many milliseconds (at most 2^31 - 1). @returns the way to cancel it */
  start(work: () => void, ms: number): () => void;
}

export const systemTimers: Timers = {
  start(work, ms) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** Logs to stderr, so that stdout only has the output of a command. */
export const stderrLog: Log = {
  info: (message) => process.stderr.write(`${message}\n`),
  warn: (message) => process.stderr.write(`warning: ${message}\n`),
  error: (message, cause) => process.stderr.write(`error: ${message}${cause instanceof Error ? told(cause) : ""}\n`),
};

const told = (cause: Error): string => (isOfSystem(cause) ? `: ${cause.message}` : `\n${cause.stack}`);

/** An error of the operating system, whose stack says less than its message: what was called, and on which file. */
const isOfSystem = (cause: Error): boolean => "syscall" in cause;

/** As `stderrLog`, each message as one line of JSON. */
export const jsonLog: Log = {
  info: (message) => writeJson("info", message),
  warn: (message) => writeJson("warn", message),
  error: (message, cause) => writeJson("error", message, cause),
};

function writeJson(level: string, message: string, cause?: unknown): void {
  const stack = cause instanceof Error ? (isOfSystem(cause) ? { cause: cause.message } : { stack: cause.stack }) : {};
  process.stderr.write(`${JSON.stringify({ level, time: new Date().toISOString(), message, ...stack })}\n`);
}

/** In milliseconds: how far the system's clock may go back without being followed. */
const HELD_MAX = 5000;

/** The clocks of the system; replaced in tests. */
const SYSTEM_CLOCKS = { wall: (): number => Date.now(), steady: (): number => performance.now() };

export function systemEnv(log: Log = stderrLog, { wall, steady } = SYSTEM_CLOCKS): Env {
  let latest = 0;
  let text = instantOf(latest);
  let hasStepped = false;
  const follow = (ms: number): void => {
    if (latest - ms > HELD_MAX && !hasStepped) {
      hasStepped = true;
      log.warn(
        `The clock was set back from ${text} to ${instantOf(ms)}. What was stamped meanwhile keeps its moment: ` +
          "pages that were published then may be public only from that moment on.",
      );
    }
    text = instantOf((latest = ms));
  };
  return {
    now() {
      const ms = wall();
      // A small step back, as of a clock that is kept right by the network, must not take a published page offline.
      if (ms > latest || latest - ms > HELD_MAX) follow(ms);
      return text;
    },
    elapsed: steady,
    hasStepped: () => hasStepped,
    randomId: () => randomInt(1, 2 ** 31),
    uuid: () => randomUUID(),
    log,
  };
}
