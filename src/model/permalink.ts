/**
 * Permalinks: how they come from titles and parents, and how they stay put.
 *
 * A permalink belongs to one language and carries neither language prefix nor final slash; `/` is the home page.
 * Generated ones are recomputed on every save and must come out the same unless title or parent changed.
 */

import { freeNumber } from "./free-number.ts";
import { trimBoth, trimEnd } from "./trim.ts";

/** Characters. */
export const PERMALINK_MAX = 400;

/** Bytes of UTF-8 (decisions.md 67): a build makes a folder of each segment, and file systems take 255. */
export const SEGMENT_BYTES_MAX = 200;

/**
 * Characters of a text that its slug is made of. Normalisation sorts runs of combining marks, in time that grows with the
 * square of their number, and most of what is slugified was written by others.
 */
const SLUGIFIED_MAX = 1000;

const UUID_SEGMENT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_LENGTH = 36;

/**
 * A path segment from a title, letters of every script kept (contract.md 6.5): NFKC, lower case, everything that is no
 * letter, number, `_`, space or `-` deleted, runs of space and `-` collapsed, `-` and `_` cut off both ends.
 *
 * @param title of which the first 1,000 characters count
 * @returns "" when nothing is left
 */
export function slugify(title: string): string {
  const slug = title
    .slice(0, SLUGIFIED_MAX)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\s\x1c-\x1f\x85-]/gu, "")
    .replace(/\ufeff/g, "")
    .replace(/[-\s\x1c-\x1f\x85]+/g, "-");
  return trimBoth(slug, "-_");
}

/** The ASCII form, used for media folders (contract.md 12.7): accents stripped, other scripts dropped. */
export const asciiSlugify = (title: string): string =>
  slugify(title.slice(0, SLUGIFIED_MAX).normalize("NFKD").replace(/[^\x00-\x7f]+/g, ""));

/**
 * The name of a record's file: a slug cut short, in bytes too, so that no script makes a name a file system refuses.
 *
 * @param characters at most, as UTF-16 units
 * @returns "" when nothing is left
 */
export const fileSlug = (text: string, characters: number): string =>
  trimEnd(cut(slugify(text), characters, SEGMENT_BYTES_MAX), "-_");

/**
 * A manual permalink brought into shape: each part slugified, empty parts dropped, one leading slash.
 *
 * @param text whose length was judged before
 */
export function sanitizePermalink(text: string): string {
  const parts = text.split("/").map(slugify).filter((part) => part !== "");
  return `/${parts.join("/")}`;
}

/** The permalink that a path without its language prefix means, whatever slashes it ends in. */
export const permalinkOf = (path: string): string => trimEnd(path, "/") || "/";

/** The last segment; null for none and for the home page (decisions.md 4). */
export const slugOf = (permalink: string | null): string | null => permalink?.split("/").at(-1) || null;

/** Whether a build may find no name for one of its folders (decisions.md 67). */
export const hasLongSegment = (permalink: string): boolean =>
  permalink.split("/").some((segment) => Buffer.byteLength(segment) > SEGMENT_BYTES_MAX);

export interface PermalinkWish {
  /** Title of the language, or the fallback's; "" when there is none in any language. */
  readonly title: string;
  /** Permalink of the parent page in this language; null without a parent (or when the parent has none). */
  readonly parent: string | null;
  /** What the page has now; null for a new one. */
  readonly current: string | null;
  /** A last segment besides UUIDs that stays while there is no title: what a page written by hand got in its place. */
  readonly own?: string;
  /** Whether another page has this permalink in this language, or it is reserved. */
  taken(permalink: string): boolean;
  uuid(): string;
}

/**
 * The automatic permalink of a page in one language.
 *
 * A taken one gets a number, which then stays as long as the plain one is taken (decisions.md 48). An empty slug becomes
 * a UUID segment and never `/` (decisions.md 25). Neither the whole nor a segment is ever longer than it may be: below a
 * parent that leaves no room the page stands beside its parent, or further up.
 */
export function generatePermalink({ title, parent, current, own, taken, uuid }: PermalinkWish): string {
  const above = aboveWithRoom(parent);
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

/** As much of a parent's permalink as leaves room for a segment below it; "" for the home page. */
function aboveWithRoom(parent: string | null): string {
  let above = trimEnd(parent ?? "", "/");
  while (above.length + 1 + UUID_LENGTH > PERMALINK_MAX) above = above.slice(0, above.lastIndexOf("/"));
  return above;
}

/** The number a segment ends in; 1 for none. */
function numberIn(segment: string): number {
  const digits = segment.slice(segment.lastIndexOf("-") + 1);
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : 1;
}

/** Cuts a slug that is too long, at a word where there is one (decisions.md 25 and 67). */
function shorten(slug: string, characters: number, bytes: number): string {
  const kept = cut(slug, characters, bytes);
  if (kept.length === slug.length) return slug;
  const word = kept.lastIndexOf("-");
  return trimEnd(slug[kept.length] === "-" || word < kept.length / 2 ? kept : kept.slice(0, word), "-_");
}

/** Cut at a whole character. @param characters UTF-16 units at most */
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
