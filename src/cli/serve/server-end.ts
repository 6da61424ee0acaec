/** What ends a server: a signal, or a defect of the program. */
import type { Log } from "../../env.ts";

/** Resolves with exit code 0 on the first signal. A second one ends the process at once. */
export function interrupted(): Promise<number> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(0));
  });
}

/** Milliseconds for running writes and answers after an uncaught exception. */
const LAST_WORK = 20_000;

/**
 * Resolves with exit code 1 on the first uncaught exception. The state of the process is unknown after it, so the process
 * ends when running writes are done, for a supervisor to start again.
 */
export function firstDefect(log: Log): Promise<number> {
  // A closed pipe on stdout or stderr is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  return new Promise((resolve) => {
    const end = (error: unknown): void => {
      log.error("A defect of the program outside of any request: the process ends and has to be started again", error);
      setTimeout(() => process.exit(1), LAST_WORK).unref();
      resolve(1);
    };
    process.on("uncaughtException", end);
    process.on("unhandledRejection", end);
  });
}
