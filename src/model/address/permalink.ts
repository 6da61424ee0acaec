/**
 * The form of permalinks. One belongs to one language and has neither a language prefix nor a final slash; `/` is the home
 * page.
 */
import { splitLang, type Lang, type Locales } from "../language/locale.ts";
import { trimEnd } from "../text/trim.ts";
import { SEGMENT_BYTES_MAX, SLUGIFIED_MAX, slugify } from "./slug.ts";

/** Nearly every stored permalink. */
const PERMALINK = /^(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)+$/;

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
