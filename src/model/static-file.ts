/**
 * Files below `static/`: the site's own code and assets, published at the root of the site under their own paths.
 *
 * An address with a file extension belongs to the file, any other one to a page if there is one (DECISIONS.md, Static files).
 */
import { extensionOf, typeByName } from "./media-type.ts";

export const STATIC_DIR = "static";

/** Names at the top of the site that the build or the service uses itself, in lower case. */
const RESERVED = [
  "404.html",
  "_headers",
  "_redirects",
  "_data",
  "redirects.json",
  "redirects.nginx.conf",
  "index.html",
  "index.json",
  "healthz",
  "readyz",
  "metrics",
];

/** The names of the files that a build writes for a page into the page's folder. */
const OF_PAGES = /(^|\/)index\.(html|json)$/;

/** The part of the settings that decides which addresses are taken. */
export interface TakenAddresses {
  /** The setting `MEDIA.URL`; begins and ends with a slash. */
  readonly mediaUrl: string;
  /** Paths below which the API and the editor answer, without a final slash. */
  readonly serviceRoots: readonly string[];
}

/**
 * Why a file is not published; undefined for one that is.
 *
 * @param path below `static/`, without hidden segments
 */
export function staticPathError(path: string, { mediaUrl, serviceRoots }: TakenAddresses): string | undefined {
  const address = `/${path}`;
  const [first = ""] = path.split("/");
  if (RESERVED.includes(first.toLowerCase())) return `The address /${first} is used by git-cms itself.`;
  if (`${address}/`.startsWith(mediaUrl)) return `Addresses below ${mediaUrl} belong to the media library.`;
  const root = serviceRoots.find((each) => `${address}/`.startsWith(`${each}/`));
  if (root !== undefined) return `Addresses below ${root} belong to the service.`;
  if (/[\\\p{Cc}]/u.test(path) || path !== path.normalize("NFC"))
    return "Its name has a backslash, a control character or an accent that is not in Unicode form NFC: rename it.";
  return undefined;
}

/** Whether the file goes before a page at the same address. */
export const precedesPages = (path: string): boolean => extensionOf(path) !== "" && !OF_PAGES.test(path);

/** The file, below `static/`, that answers at an address; undefined for an address that no file can have. */
export function staticFileAt(address: string): string | undefined {
  const path = address.endsWith("/") ? `${address.slice(1)}index.html` : address.slice(1);
  return path.split("/").some((segment) => segment === "" || segment.startsWith(".")) ? undefined : path;
}

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
