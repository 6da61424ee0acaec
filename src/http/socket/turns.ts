/** Work of many connections, a step of one of them in each turn of the event loop: no other request waits for more. */

const waiting: (() => void)[] = [];
let isScheduled = false;

/** Calls a short function in a later turn of the event loop, in which it calls no other; first come, first served. */
export function inTurn(step: () => void): void {
  waiting.push(step);
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(takeTurn);
}

function takeTurn(): void {
  const step = waiting.shift();
  isScheduled = waiting.length > 0;
  if (isScheduled) setImmediate(takeTurn);
  step?.();
}
