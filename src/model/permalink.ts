/**
 * Permalinks: how they come from titles and parents, and how they stay put.
 *
 * A permalink belongs to one language and carries neither language prefix nor final slash; `/` is the home page.
 * Generated ones are recomputed on every save and must come out the same unless title or parent changed.
 */

export const PERMALINK_MAX = 400;

const UUID_SEGMENT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * A path segment from a title, letters of every script kept (contract.md 6.5): NFKC, lower case, everything that is no
 * letter, number, `_`, space or `-` deleted, runs of space and `-` collapsed, `-` and `_` cut off both ends.
 *
 * @returns "" when nothing is left
 */
export function slugify(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\s\x1c-\x1f\x85-]/gu, "")
    .replace(/\ufeff/g, "")
    .replace(/[-\s\x1c-\x1f\x85]+/g, "-")
    .replace(/^[-_]+|[-_]+$/g, "");
}

/** The ASCII form, used for media folders (contract.md 12.7): accents stripped, other scripts dropped. */
export const asciiSlugify = (title: string): string => slugify(title.normalize("NFKD").replace(/[^\x00-\x7f]+/g, ""));

/** A manual permalink brought into shape: each part slugified, empty parts dropped, one leading slash. */
export function sanitizePermalink(text: string): string {
  const parts = text.split("/").map(slugify).filter((part) => part !== "");
  return `/${parts.join("/")}`;
}

/** The last segment; null for none and for the home page (decisions.md 4). */
export const slugOf = (permalink: string | null): string | null => permalink?.split("/").at(-1) || null;

export interface PermalinkWish {
  /** Title of the language, or the fallback's; "" when there is none in any language. */
  readonly title: string;
  /** Permalink of the parent page in this language; null without a parent (or when the parent has none). */
  readonly parent: string | null;
  /** What the page has now; null for a new one. */
  readonly current: string | null;
  /** A last segment besides UUIDs that stays while the plain one is taken: what a page written by hand got in its place. */
  readonly own?: string;
  /** Whether another page has this permalink in this language, or it cannot be reached. */
  taken(permalink: string): boolean;
  uuid(): string;
}

/**
 * The automatic permalink of a page in one language.
 *
 * A taken one gives way to a UUID segment, which then stays as long as the plain one is taken (contract.md 6.5). An
 * empty slug becomes a UUID segment too and never `/` (decisions.md 25).
 */
export function generatePermalink({ title, parent, current, own, taken, uuid }: PermalinkWish): string {
  const above = parent === null || parent === "/" ? "" : parent.replace(/\/+$/, "");
  const slug = shorten(slugify(title), PERMALINK_MAX - above.length - 1);
  const wanted = `${above}/${slug}`;
  if (slug !== "" && !taken(wanted)) return wanted;
  const [head, tail] = current === null ? ["", ""] : splitLast(current);
  if (current !== null && head === above && (UUID_SEGMENT.test(tail) || tail === own) && !taken(current)) return current;
  return `${above}/${uuid()}`;
}

/** Cuts a slug that would make the permalink too long, at a word where there is one (decisions.md 25). */
function shorten(slug: string, room: number): string {
  if (slug.length <= room) return slug;
  // A UUID takes the place of a slug for which a deep parent leaves no room.
  if (room < 1) return "";
  const cut = slug.slice(0, room).replace(/[\ud800-\udbff]$/, "");
  const word = cut.lastIndexOf("-");
  return (slug[room] === "-" || word < room / 2 ? cut : cut.slice(0, word)).replace(/[-_]+$/, "");
}

function splitLast(permalink: string): [string, string] {
  const at = permalink.lastIndexOf("/");
  return [permalink.slice(0, at), permalink.slice(at + 1)];
}
