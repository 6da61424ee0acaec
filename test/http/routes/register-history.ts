/**
 * Checks whether a history of one record, as seen by its clients, is linearizable: whether the requests could have happened
 * one after the other.
 *
 * The commits give the order of the writes, so no search is needed: each request must fit the state
 * at its position in that order, and the order must agree with real time.
 */

/** A request with its answer. */
export interface Op {
  readonly name: string;
  /** Numbers of events: the request was sent at `start`, its answer was received at `end`. */
  readonly start: number;
  readonly end: number;
  /** Position of the state its commit made; undefined for a read, and for a write that changed nothing or was refused. */
  readonly at?: number;
  /** Whether its answer is right if it takes effect in the state at this position. */
  fits(position: number): boolean;
}

/**
 * The requests that contradict every order.
 *
 * @param last position of the newest state; 0 is the one before any of these requests
 */
export function contradictions(ops: readonly Op[], last: number): string[] {
  const found: string[] = [];
  const places = new Map<Op, number>();
  const writes = ops.filter((op): op is Op & { readonly at: number } => op.at !== undefined);
  for (const write of writes) {
    places.set(write, write.at);
    if (!write.fits(write.at)) found.push(`${write.name} does not fit its own commit at ${write.at}`);
    for (const later of writes) {
      if (write.end < later.start && write.at >= later.at)
        found.push(`${later.name} was sent after ${write.name} was answered, and was committed before it`);
    }
  }
  // In the order of their ends, each at the earliest possible position, which leaves most room for later ones.
  for (const op of ops.filter(({ at }) => at === undefined).sort((a, b) => a.end - b.end)) {
    const earliest = Math.max(0, ...ops.filter((other) => other.end < op.start).map((other) => places.get(other) ?? 0));
    const latest = Math.min(last, ...writes.filter((write) => write.start > op.end).map(({ at }) => at - 1));
    let place = earliest;
    while (place <= latest && !op.fits(place)) place++;
    if (place > latest) found.push(`${op.name} fits no state from ${earliest} to ${latest}`);
    else places.set(op, place);
  }
  return found;
}
