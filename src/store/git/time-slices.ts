/** Yields to the event loop in long synchronous work. */
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";

const SLICE_MS = 10;

export type Pace = () => Promise<void>;

/** The returned function is awaited between two steps of the work. It yields after every 10 ms of work. */
export function openPace(): Pace {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
