/**
 * The order of values in sorted lists: missing values, then booleans (false first), numbers, texts.
 *
 * Texts are compared without regard to case and accents.
 */
export type SortKey = null | boolean | number | string;

/** The sort key of a value; objects and arrays count as missing. */
export function sortKey(value: unknown): SortKey {
  if (typeof value === "string") return fold(value);
  return typeof value === "number" || typeof value === "boolean" ? value : null;
}

export function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === typeof b ? Number(a) - Number(b) : RANKS.indexOf(typeof a) - RANKS.indexOf(typeof b);
}

/** Type order; null is first, since `typeof null` is "object". */
const RANKS = ["object", "boolean", "number", "string"];

/** The number of leading characters compared. Normalization takes quadratic time for a run of combining marks. */
const FOLDED_MAX = 1000;

function fold(text: string): string {
  const start = text.slice(0, FOLDED_MAX);
  return /^[\x00-\x7f]*$/.test(start)
    ? start.toLowerCase()
    : start
        .normalize("NFD")
        .replace(/\p{M}+/gu, "")
        .toLowerCase();
}
