/** Slugs: a part of a permalink, or the name of a file, from a title. */
import { trimBoth, trimEnd } from "../text/trim.ts";

/** In bytes of UTF-8: a build creates a directory per segment, and file systems allow 255. */
export const SEGMENT_BYTES_MAX = 200;

/**
 * The number of leading characters that a slug is made from. NFKC sorts runs of combining marks in quadratic time, and
 * the text is untrusted.
 */
export const SLUGIFIED_MAX = 1000;

/** Nearly every part of a stored permalink. */
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Nearly every title in English: it is its own NFKC. */
const ASCII = /^[ -~]*$/;

/**
 * A path segment from a title, in any script: NFKC, lower case, all but letters, numbers, `_`, spaces
 * and `-` removed, runs of spaces and `-` collapsed to `-`, `-` and `_` trimmed.
 *
 * @param title only the first 1,000 characters are used
 * @returns "" when nothing is left
 */
export function slugify(title: string): string {
  if (title.length <= SLUGIFIED_MAX && SLUG.test(title)) return title;
  // In a third of the time: classes of Unicode are slow.
  if (title.length <= SLUGIFIED_MAX && ASCII.test(title)) {
    const words = title.toLowerCase().replace(/[^a-z0-9_ -]+/g, "");
    return trimBoth(words.replace(/[ -]+/g, "-"), "-_");
  }
  const slug = title
    .slice(0, SLUGIFIED_MAX)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\s\x1c-\x1f\x85-]/gu, "")
    .replace(/\ufeff/g, "")
    .replace(/[-\s\x1c-\x1f\x85]+/g, "-");
  return trimBoth(slug, "-_");
}

/** The ASCII form, used for media folders: accents stripped, other scripts dropped. */
export const asciiSlugify = (title: string): string =>
  slugify(
    title
      .slice(0, SLUGIFIED_MAX)
      .normalize("NFKD")
      .replace(/[^\x00-\x7f]+/g, ""),
  );

/**
 * The name of a record's file: a slug truncated to a number of characters and to `SEGMENT_BYTES_MAX`.
 *
 * @param characters maximum, in UTF-16 units
 * @returns "" when nothing is left
 */
export const fileSlug = (text: string, characters: number): string =>
  trimEnd(cutText(slugify(text), SEGMENT_BYTES_MAX, characters), "-_");

/** Truncates a slug, at the end of a word if possible. */
export function shortenSlug(slug: string, characters: number, bytes: number): string {
  const kept = cutText(slug, bytes, characters);
  if (kept.length === slug.length) return slug;
  const word = kept.lastIndexOf("-");
  return trimEnd(slug[kept.length] === "-" || word < kept.length / 2 ? kept : kept.slice(0, word), "-_");
}

/** In UTF-8. Counted here, since browsers have no function for it that makes no copy. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // Each half of a pair counts two.
    const isPaired =
      (code & 0xf800) === 0xd800 && (text.codePointAt(at)! > 0xffff || text.codePointAt(at - 1)! > 0xffff);
    bytes += code < 0x800 || isPaired ? 1 : 2;
  }
  return bytes;
}

/**
 * Truncates between characters.
 *
 * @param bytes of UTF-8, at most
 * @param units of UTF-16, at most
 */
export function cutText(text: string, bytes: number, units = Infinity): string {
  if (text.length <= units && bytesOf(text) <= bytes) return text;
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += bytesOf(character);
    if (used > bytes || kept.length + character.length > units) break;
    kept += character;
  }
  return kept;
}
