/** Differences of texts, word by word. */

export interface TextPart {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** Words, white space, and single other characters. */
const TOKEN = /\s+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;
/** Comparisons of words; longer texts are one difference. */
const COMPARED_MAX = 4_000_000;

/** @returns parts in order: without the new ones they are the old text, without the gone ones the new text */
export function textDifference(before: string, after: string): readonly TextPart[] {
  const old = before.match(TOKEN) ?? [];
  const now = after.match(TOKEN) ?? [];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const parts = [
    ...part("same", old.slice(0, start)),
    ...changedParts(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...part("same", old.slice(old.length - end)),
  ];
  return joined(parts);
}

const part = (kind: TextPart["kind"], tokens: readonly string[]): TextPart[] =>
  tokens.length === 0 ? [] : [{ kind, text: tokens.join("") }];

/** Along a longest common subsequence. */
function changedParts(old: readonly string[], now: readonly string[]): TextPart[] {
  if (old.length * now.length > COMPARED_MAX) return [...part("gone", old), ...part("new", now)];
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const parts: TextPart[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      parts.push({ kind: "same", text: old[i]! });
      i++;
      j++;
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
      parts.push({ kind: "gone", text: old[i++]! });
    else parts.push({ kind: "new", text: now[j++]! });
  }
  return [...parts, ...part("gone", old.slice(i)), ...part("new", now.slice(j))];
}

function joined(parts: readonly TextPart[]): TextPart[] {
  const result: TextPart[] = [];
  for (const { kind, text } of parts) {
    const last = result.at(-1);
    if (last?.kind === kind) result[result.length - 1] = { kind, text: last.text + text };
    else result.push({ kind, text });
  }
  return result;
}
