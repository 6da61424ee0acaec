/**
 * Files below `static/`: the site's own code and assets, published at the root of the site under their own paths.
 *
 * An address with a file extension belongs to the file, any other one to a page if there is one (DECISIONS.md, "Static files and feeds").
 */
import { firstSegment, type Locales } from "../language/locale.ts";
import { extensionOf, typeByName } from "../media/media-type.ts";
import { folded, outsideError, SERVICE_PATHS } from "./possible-names.ts";
import { trimEnd } from "../text/trim.ts";

export const STATIC_DIR = "static";

/** Names at the top of the site that the build uses itself, and `static/` cannot replace; in lower case. */
export const BUILD_NAMES = [
  "404.html",
  "_headers",
  "_redirects",
  "_data",
  "redirects.json",
  "redirects.nginx.conf",
  "redirects.caddy",
  "index.html",
  "index.json",
];

/** The names of the files that a build writes for a page into the page's folder. */
const OF_PAGES = /(^|\/)index\.(html|json)$/;

/**
 * Why a file is not published; undefined for one that is.
 *
 * @param path below `static/`, without hidden segments
 */
export function staticPathError(path: string, site: Pick<Locales, "taken">): string | undefined {
  const [first = ""] = path.split("/");
  if ([...BUILD_NAMES, ...SERVICE_PATHS.map(firstSegment)].includes(first.toLowerCase()))
    return `The address /${first} is used by git-cms itself.`;
  const outside = outsideError(`/${path}`, site);
  if (outside !== undefined) return outside;
  if (/[\\\p{Cc}]/u.test(path) || path !== path.normalize("NFC"))
    return "Its name has a backslash, a control character or an accent that is not in Unicode form NFC: rename it.";
  return undefined;
}

/** Whether the file goes before a page at the same address. */
export const precedesPages = (path: string): boolean => extensionOf(path) !== "" && !OF_PAGES.test(path);

/**
 * What no file of `static/` can be beside pages: their folders, and those above them. Folded, so that it holds where names
 * that differ by case are one.
 *
 * @param paths of public pages, as they are served
 */
export function foldersOfPages(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = trimEnd(folded(path), "/"); at !== "" && !folders.has(at); at = at.slice(0, at.lastIndexOf("/")))
      folders.add(at);
  return folders;
}

/** Whether a page takes the place of a file. @param pages see `foldersOfPages` */
export const isPageInPlace = (path: string, pages: ReadonlySet<string>): boolean =>
  !precedesPages(path) && pages.has(trimEnd(folded(pageAddressOf(`/${path}`) ?? `/${path}`), "/"));

/** The file, below `static/`, that answers at an address; undefined for an address that no file can have. */
export function staticFileAt(address: string): string | undefined {
  const path = address.endsWith("/") ? `${address.slice(1)}index.html` : address.slice(1);
  return path.split("/").some((segment) => segment === "" || isHiddenName(segment)) ? undefined : path;
}

/** Whether the name of a file or folder keeps it from being published. `.well-known` is part of addresses (RFC 8615). */
export const isHiddenName = (name: string): boolean => name.startsWith(".") && name !== ".well-known";

/** The address of the page whose folder has this file, such as `/about/` of `about/index.html`; undefined for others. */
export const pageAddressOf = (address: string): string | undefined =>
  OF_PAGES.test(address) ? address.slice(0, address.lastIndexOf("/") + 1) : undefined;

/** Types of code, which the media library never serves under their own type. */
const CODE_TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".map": "application/json",
  ".xsl": "application/xml",
  ".atom": "application/atom+xml",
  ".rss": "application/rss+xml",
};

/** The `Content-Type`, by the name alone. */
export function staticContentType(path: string): string {
  const mime = CODE_TYPES[extensionOf(path)] ?? typeByName(path).mime;
  return /^text\/|[/+](json|xml)$/.test(mime) && mime !== "image/svg+xml" ? `${mime}; charset=utf-8` : mime;
}
