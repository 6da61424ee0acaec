/**
 * Permalinks: generated from titles and parents, and stable across saves.
 *
 * A permalink belongs to one language and has neither a language prefix nor a final slash; `/` is the home page.
 * Automatic ones are recomputed on every save and must not change unless title or parent changed.
 */

import { freeNumber } from "./free-number.ts";
import { splitLang, type Lang, type Locales } from "../language/locale.ts";
import { trimBoth, trimEnd } from "../text/trim.ts";

/** In characters. */
export const PERMALINK_MAX = 400;

/** In bytes of UTF-8: a build creates a directory per segment, and file systems allow 255. */
export const SEGMENT_BYTES_MAX = 200;

/**
 * The number of leading characters that a slug is made from. NFKC sorts runs of combining marks in quadratic time, and
 * the text is untrusted.
 */
const SLUGIFIED_MAX = 1000;

/** Nearly every part of a stored permalink. */
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Nearly every title in English: it is its own NFKC. */
const ASCII = /^[ -~]*$/;

/** Nearly every stored permalink. */
const PERMALINK = /^(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)+$/;

const UUID_SEGMENT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_LENGTH = 36;

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
  trimEnd(cut(slugify(text), characters, SEGMENT_BYTES_MAX), "-_");

/**
 * The canonical form of a manual permalink: each part slugified, empty parts dropped, one leading slash.
 *
 * @param text of validated length
 */
export function sanitizePermalink(text: string): string {
  if (text.length <= SLUGIFIED_MAX && PERMALINK.test(text)) return text;
  const parts = text
    .split("/")
    .map(slugify)
    .filter((part) => part !== "");
  return `/${parts.join("/")}`;
}

/** The language and the permalink that a path of the site stands for: `/it/pane` is `/pane` in Italian. */
export function permalinkNamed(locales: Locales, path: string): { readonly lang: Lang; readonly permalink: string } {
  const { lang, rest } = splitLang(locales, path.trim().startsWith("/") ? path.trim() : `/${path.trim()}`);
  return { lang, permalink: sanitizePermalink(rest) };
}

/** The permalink of a path without language prefix: without its trailing slashes. */
export const permalinkOf = (path: string): string => trimEnd(path, "/") || "/";

/** The last segment; null without a permalink and for the home page. */
export const slugOf = (permalink: string | null): string | null =>
  permalink?.slice(permalink.lastIndexOf("/") + 1) || null;

/** Whether a segment is too long for the name of a directory. */
export const hasLongSegment = (permalink: string): boolean =>
  // A UTF-16 unit takes at most three bytes.
  3 * permalink.length > SEGMENT_BYTES_MAX &&
  permalink.split("/").some((segment) => Buffer.byteLength(segment) > SEGMENT_BYTES_MAX);

export interface PermalinkRequest {
  /** Title of the language, with fallback; "" when no language has one. */
  readonly title: string;
  /** Permalink of the parent page in this language; null without a parent, or when the parent has none. */
  readonly parent: string | null;
  /** The current permalink; null for a new page. */
  readonly current: string | null;
  /** A last segment that is kept like a UUID while there is no title: the id, for a hand-written page. */
  readonly own?: string;
  /** Whether another page has this permalink in this language, or it is reserved. */
  taken(permalink: string): boolean;
  uuid(): string;
}

/**
 * The automatic permalink of a page in one language.
 *
 * A taken permalink gets a number, which is kept as long as the plain permalink is taken. An empty
 * slug becomes a UUID segment and never `/`. The result keeps to the maximum lengths: if the
 * permalink of the parent leaves no room for a segment, an ancestor's is used.
 */
export function generatePermalink({ title, parent, current, own, taken, uuid }: PermalinkRequest): string {
  const above = parentPathWithRoom(parent);
  const slug = slugify(title);
  const [head, tail] = current === null ? ["", ""] : splitLast(current);
  const mayStay = current !== null && head === above && !taken(current);
  if (slug === "" && mayStay && (UUID_SEGMENT.test(tail) || tail === own)) return current;
  const base = slug === "" ? uuid() : slug;
  const room = PERMALINK_MAX - above.length - 1;
  const numbered = (number: number): string => {
    const suffix = number === 1 ? "" : `-${number}`;
    return `${above}/${shorten(base, room - suffix.length, SEGMENT_BYTES_MAX - suffix.length)}${suffix}`;
  };
  const plain = numbered(1);
  if (!taken(plain)) return plain;
  if (mayStay && numbered(numberIn(tail)) === current) return current;
  return numbered(freeNumber((number) => taken(numbered(number))));
}

/**
 * A taken permalink with the first number that makes it free: `/about-2`.
 *
 * @param taken whether a page has a permalink, or it is reserved
 */
export function numberedPermalink(permalink: string, taken: (permalink: string) => boolean): string {
  const [head, tail] = splitLast(permalink);
  const base = tail === "" ? "home" : tail;
  const numbered = (number: number): string => {
    const suffix = `-${number}`;
    const room = PERMALINK_MAX - head.length - 1 - suffix.length;
    return `${head}/${shorten(base, room, SEGMENT_BYTES_MAX - suffix.length)}${suffix}`;
  };
  return numbered(freeNumber((number) => number === 1 || taken(numbered(number))));
}

/** The parent's permalink, shortened by segments until there is room for one below it; "" for the home page. */
function parentPathWithRoom(parent: string | null): string {
  let above = trimEnd(parent ?? "", "/");
  while (above.length + 1 + UUID_LENGTH > PERMALINK_MAX) above = above.slice(0, above.lastIndexOf("/"));
  return above;
}

/** The numeric suffix of a segment; 1 without one. */
function numberIn(segment: string): number {
  const digits = segment.slice(segment.lastIndexOf("-") + 1);
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : 1;
}

/** Truncates a slug, at the end of a word if possible. */
function shorten(slug: string, characters: number, bytes: number): string {
  const kept = cut(slug, characters, bytes);
  if (kept.length === slug.length) return slug;
  const word = kept.lastIndexOf("-");
  return trimEnd(slug[kept.length] === "-" || word < kept.length / 2 ? kept : kept.slice(0, word), "-_");
}

/** Truncates between characters. @param characters maximum, in UTF-16 units */
function cut(text: string, characters: number, bytes: number): string {
  if (text.length <= characters && Buffer.byteLength(text) <= bytes) return text;
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes || kept.length + character.length > characters) break;
    kept += character;
  }
  return kept;
}

function splitLast(permalink: string): [string, string] {
  const at = permalink.lastIndexOf("/");
  return [permalink.slice(0, at), permalink.slice(at + 1)];
}
