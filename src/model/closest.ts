/** Which known name a mistyped one was probably meant to be. */

/** Longer texts are no slip of the finger; and comparing them would cost their product. */
const LENGTH_MAX = 40;
const SLIPS_MAX = 3;

/**
 * The name that takes the fewest slips (a letter too many, too few, another, or two exchanged), if it takes no more
 * than three, nor than a third of its letters; else the shortest that begins with what was written. Case does not count.
 *
 * @param names in order of preference where two are as near
 */
export function closest(written: string, names: readonly string[]): string | undefined {
  if (written.length === 0 || written.length > LENGTH_MAX) return undefined;
  const lower = written.toLowerCase();
  let best: { readonly name: string; readonly slips: number } | undefined;
  for (const name of names) {
    if (name.length > LENGTH_MAX) continue;
    const most = Math.min(SLIPS_MAX, Math.max(1, Math.floor(name.length / 3)));
    // Each letter too many or too few is a slip.
    if (Math.abs(name.length - lower.length) > most) continue;
    const slips = distance(lower, name.toLowerCase());
    if (slips <= most && slips < (best?.slips ?? Infinity)) best = { name, slips };
  }
  if (best || lower.length < 3) return best?.name;
  return names.filter((name) => name.toLowerCase().startsWith(lower)).sort((a, b) => a.length - b.length)[0];
}

/** Optimal string alignment: Levenshtein's distance with exchanged neighbours as one slip. */
function distance(a: string, b: string): number {
  let [before, above]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let at = 1; at <= b.length; at++) {
      const isSame = a[row - 1] === b[at - 1];
      let slips = Math.min(above![at]! + 1, line[at - 1]! + 1, above![at - 1]! + (isSame ? 0 : 1));
      const isExchange = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
      if (isExchange) slips = Math.min(slips, before![at - 2]! + 1);
      line.push(slips);
    }
    [before, above] = [above, line];
  }
  return above![b.length]!;
}
