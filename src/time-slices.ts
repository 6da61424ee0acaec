/** Yields to the event loop in long synchronous work. */
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers";

/** Yielding costs little of it, and a request that waits for several such turns does not wait long. */
const SLICE_MS = 3;

/** When work first asked in the current turn of the event loop; undefined before. */
let turnBegan: number | undefined;
let nextTurn: Promise<void> | undefined;

/**
 * Awaited between two steps of long work. It yields once the turn has lasted 3 ms, whatever other work was done in it:
 * steps that run one after the other, or at the same time, share a turn. All that wait go on in the next turn: of long
 * steps that run at the same time, each must ask again then.
 *
 * @returns undefined while there is time left: loops with thousands of short steps spare themselves to await that
 */
export function pace(): Promise<void> | undefined {
  const now = performance.now();
  turnBegan ??= beginTurn(now);
  return now - turnBegan < SLICE_MS ? undefined : waitForTurn();
}

function beginTurn(now: number): number {
  setImmediate(() => (turnBegan = undefined));
  return now;
}

const waitForTurn = (): Promise<void> =>
  (nextTurn ??= new Promise((resolve) =>
    setImmediate(() => {
      nextTurn = undefined;
      resolve();
    }),
  ));
