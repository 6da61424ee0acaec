/** Work that several threads share, a turn at a time. */

/** A counter that all have in common. */
export type Turns = Int32Array<SharedArrayBuffer>;

export const openTurns = (): Turns => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Gives the number of the next turn nobody else has taken. @param turns undefined for one alone */
export function taking(turns: Turns | undefined): () => number {
  let own = 0;
  return () => (turns ? Atomics.add(turns, 0, 1) : own++);
}
