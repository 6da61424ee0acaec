/**
 * By halves: the first of so many places for which a test holds; their number when it holds for none.
 *
 * @param holds false up to some place, and true from there on
 */
export function firstWhere(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
