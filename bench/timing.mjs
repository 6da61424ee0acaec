// What the benchmarks count with.

/** @returns what the work gave, and how long it took in milliseconds */
export async function timed(work) {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

/** Of an even number, the upper of the two in the middle. */
export const median = (numbers) => percentile(numbers, 0.5);

/** @param share from 0 to below 1 */
export const percentile = (numbers, share) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)];
