/** Long work in short turns. */
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";

const TURN_MS = 10;

export type Pace = () => Promise<void>;

/**
 * To be awaited between two steps of work that never waits for anything: lets others have a turn when this has been at
 * it for a while.
 */
export function openPace(): Pace {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
