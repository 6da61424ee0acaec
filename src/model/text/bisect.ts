/**
 * Binary search: the first index below `count` for which a test holds; `count` when it holds for none.
 *
 * @param holds monotonic: false up to some index, true from there on
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
