/**
 * How values stand to each other in a sorted list: nothing first, then false before true, numbers, texts.
 *
 * Texts sort as people look them up: neither case nor accents count.
 */
export type SortKey = null | boolean | number | string;

/** What of a value decides its place. Objects and arrays have none of their own. */
export function sortKey(value: unknown): SortKey {
  if (typeof value === "string") return fold(value);
  return typeof value === "number" || typeof value === "boolean" ? value : null;
}

export function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === typeof b ? Number(a) - Number(b) : RANKS.indexOf(typeof a) - RANKS.indexOf(typeof b);
}

/** `typeof null` is "object". */
const RANKS = ["object", "boolean", "number", "string"];

/** Characters that decide. Normalisation takes time that grows with the square of the combining marks in a row. */
const FOLDED_MAX = 1000;

function fold(text: string): string {
  const start = text.slice(0, FOLDED_MAX);
  return /^[\x00-\x7f]*$/.test(start) ? start.toLowerCase() : start.normalize("NFD").replace(/\p{M}+/gu, "").toLowerCase();
}
