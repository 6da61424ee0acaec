/** A seeded source of randomness, one per actor, so that a run's sequence of operations can be repeated. */

/**
 * @param {number} seed any integer
 * @param {string} name of the actor: each name has a sequence of its own
 */
export function randomOf(seed, name) {
  let state = seed >>> 0;
  for (const char of name) state = Math.imul(state ^ char.charCodeAt(0), 0x9e3779b1) >>> 0;

  /** A number from 0 (inclusive) to 1 (exclusive), by mulberry32. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  return {
    next,
    /** An integer from `low` to `high`, both included. */
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
    /** One of the keys of `weights`, as often as its number says against the sum of all. */
    weighted(weights) {
      const entries = Object.entries(weights);
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) if ((left -= weight) < 0) return name;
      return entries.at(-1)[0];
    },
  };
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
