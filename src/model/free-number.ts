/**
 * The number that tells a name from those it shares its text with: `about-2`, `about-3`.
 *
 * Asks a number of times that grows with the logarithm of what is taken, so that ten thousand records of one name do
 * not each ask about all others.
 *
 * @param taken whether the name with this number is taken; the one without a number counts as 1, and is
 * @returns from 2 upwards: free, and the one before it is taken
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
