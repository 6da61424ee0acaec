/**
 * The numeric suffix that makes a taken name unique: `about-2`, `about-3`.
 *
 * Exponential search: the number of calls grows with the logarithm of the numbers taken, so that ten thousand records
 * with one name do not take quadratic time.
 *
 * @param taken whether the name with this number is taken; 1 is the name without a number, and must be taken
 * @returns at least 2: a free number whose predecessor is taken
 */
export function freeNumber(taken: (number: number) => boolean): number {
  let last = 1;
  let free = 2;
  for (; taken(free); free *= 2) last = free;
  while (free - last > 1) {
    const middle = Math.floor((last + free) / 2);
    if (taken(middle)) last = middle;
    else free = middle;
  }
  return free;
}
