/** Differences of texts, word by word. */
import { hunksOf } from "../../model/merge/alignment.ts";

export interface TextPart {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** Words, white space, and single other characters. */
const TOKEN = /\s+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;

const part = (kind: TextPart["kind"], tokens: readonly string[]): TextPart[] =>
  tokens.length === 0 ? [] : [{ kind, text: tokens.join("") }];

/** @returns parts in order: without the new ones they are the old text, without the gone ones the new text */
export function textDifference(before: string, after: string): readonly TextPart[] {
  const old = before.match(TOKEN) ?? [];
  const now = after.match(TOKEN) ?? [];
  const parts: TextPart[] = [];
  let at = 0;
  for (const { base, side } of hunksOf(old, now)) {
    parts.push(...part("same", old.slice(at, base[0])));
    parts.push(...part("gone", old.slice(...base)), ...part("new", now.slice(...side)));
    [, at] = base;
  }
  return [...parts, ...part("same", old.slice(at))];
}
