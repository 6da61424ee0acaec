/**
 * The permalink that a page gets from its title and its parent, and keeps from save to save while they stay.
 */
import { trimEnd } from "../text/trim.ts";
import { freeNumber } from "./free-number.ts";
import { SEGMENT_BYTES_MAX, shortenSlug, slugify } from "./slug.ts";

/** In characters. */
export const PERMALINK_MAX = 400;

const UUID_SEGMENT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_LENGTH = 36;

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
    return `${above}/${shortenSlug(base, room - suffix.length, SEGMENT_BYTES_MAX - suffix.length)}${suffix}`;
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
    return `${head}/${shortenSlug(base, room, SEGMENT_BYTES_MAX - suffix.length)}${suffix}`;
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

function splitLast(permalink: string): [string, string] {
  const at = permalink.lastIndexOf("/");
  return [permalink.slice(0, at), permalink.slice(at + 1)];
}
