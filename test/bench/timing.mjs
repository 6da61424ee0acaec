/** @returns the result of `work`, and its time in milliseconds */
export async function timed(work) {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

/** Of an even count, the upper of the two middle values. */
export const median = (numbers) => percentile(numbers, 0.5);

/** @param share from 0 to below 1 */
export const percentile = (numbers, share) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)];
