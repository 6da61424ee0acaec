/** A search query: words that must all be found, `"phrases"`, and `-words` that must not. */
import { tokensOf } from "./words.ts";

export interface Wanted {
  /** Folded words in their order; several of them are a phrase. */
  readonly words: readonly string[];
  /** Whether words that begin so are found, too: the last word may be unfinished. */
  readonly isPrefix: boolean;
}

export interface SearchQuery {
  readonly wanted: readonly Wanted[];
  /** None of these may be found. */
  readonly unwanted: readonly (readonly string[])[];
}

/** In characters. */
export const QUERY_MAX = 200;
const WORDS_MAX = 16;

/** @param text at most `QUERY_MAX` of its characters count */
export function readSearchQuery(text: string): SearchQuery {
  const wanted: Wanted[] = [];
  const unwanted: (readonly string[])[] = [];
  const sent = text.slice(0, QUERY_MAX);
  let left = WORDS_MAX;
  let isOpen = false;
  for (const { 1: minus, 2: phrase, 3: single } of sent.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)) {
    const words = [...tokensOf(phrase ?? single ?? "")].map(({ word }) => word).slice(0, left);
    left -= words.length;
    isOpen = false;
    if (words.length === 0) continue;
    isOpen = minus === "" && phrase === undefined && words.length === 1;
    // Unspaced scripts are a phrase of pairs; `sourdough-bread` is two words that stand together.
    if (minus === "-") unwanted.push(words);
    else wanted.push({ words, isPrefix: false });
  }
  if (isOpen && !/\s$/.test(sent)) wanted.push({ ...wanted.pop()!, isPrefix: true });
  return { wanted, unwanted };
}
