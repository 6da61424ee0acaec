/** Suggests the known name closest to a mistyped one. */

/** Longer texts are not compared: the time grows with the product of the lengths. */
const LENGTH_MAX = 40;
const EDITS_MAX = 3;

/**
 * The name with the smallest edit distance, of at most three edits and at most a third of its length; else the shortest
 * name that begins with the text. Ignores case.
 *
 * @param names the first of several equally close names wins
 */
export function closest(written: string, names: readonly string[]): string | undefined {
  if (written.length === 0 || written.length > LENGTH_MAX) return undefined;
  const lower = written.toLowerCase();
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    if (name.length > LENGTH_MAX) continue;
    const most = Math.min(EDITS_MAX, Math.max(1, Math.floor(name.length / 3)));
    if (Math.abs(name.length - lower.length) > most) continue;
    const edits = distance(lower, name.toLowerCase());
    if (edits <= most && edits < (best?.edits ?? Infinity)) best = { name, edits };
  }
  if (best || lower.length < 3) return best?.name;
  return names.filter((name) => name.toLowerCase().startsWith(lower)).sort((a, b) => a.length - b.length)[0];
}

/** Optimal string alignment: Levenshtein distance with a transposition counted as one edit. */
function distance(a: string, b: string): number {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let at = 1; at <= b.length; at++) {
      const isSame = a[row - 1] === b[at - 1];
      let edits = Math.min(cell(above, at) + 1, cell(line, at - 1) + 1, cell(above, at - 1) + (isSame ? 0 : 1));
      const isExchange = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
      if (isExchange) edits = Math.min(edits, cell(before, at - 2) + 1);
      line.push(edits);
    }
    [before, above] = [above, line];
  }
  return cell(above, b.length);
}

const cell = (line: readonly number[], at: number): number => line[at] ?? Infinity;
