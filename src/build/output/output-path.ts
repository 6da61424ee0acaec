/**
 * The output folder of a public path.
 *
 * Editors write permalinks. A path that leads out of the output, to a hidden file or to a file of the build itself is
 * refused, on every system alike.
 */
/** Names that the build itself writes at the top of the output. */
export const RESERVED = [
  "404.html",
  "sitemap.xml",
  "robots.txt",
  "feed.xml",
  "_redirects",
  "_headers",
  "redirects.json",
  "redirects.nginx.conf",
  "_data",
  "index.html",
  "index.json",
];

/** A segment that some system takes for a drive, a stream, a device, the parent folder or a hidden file. */
const UNSAFE = /[\\:*?"<>|\p{Cc}]|^\.|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/iu;
const SEGMENT_BYTES_MAX = 255;
/** Most paths are of this form; only names of devices and the media folder have to be excluded. */
const SIMPLE = /^(?:\/[a-z0-9][a-z0-9-]*)*\/?$/;
const DEVICE = /\/(?:con|prn|aux|nul|com\d|lpt\d)(?:\/|$)/;

/** The folder of a public path, relative to the output; "" is the output itself. undefined for an unsafe path. */
export function folderOfPath(path: string, mediaUrl: string): string | undefined {
  if (path.length <= SEGMENT_BYTES_MAX && SIMPLE.test(path) && !DEVICE.test(path) && !isBelow(path, mediaUrl)) {
    return path.slice(1, path.endsWith("/") ? Math.max(1, path.length - 1) : undefined);
  }
  const segments = path.split("/").filter(Boolean);
  if (segments.some((segment) => UNSAFE.test(segment) || Buffer.byteLength(segment) > SEGMENT_BYTES_MAX))
    return undefined;
  const [first = ""] = segments;
  if (RESERVED.includes(first.toLowerCase()) || /^sitemap-\d+\.xml$/i.test(first)) return undefined;
  if (segments.length === 2 && segments[1]!.toLowerCase() === "feed.xml") return undefined; // of a language
  if (segments.some((segment) => /^index\.(html|json)$/i.test(segment))) return undefined;
  if (isBelow(path.toLowerCase(), mediaUrl)) return undefined;
  return segments.join("/");
}

/** @param path in lower case */
const isBelow = (path: string, mediaUrl: string): boolean =>
  `${path.replace(/\/$/, "")}/`.startsWith(mediaUrl.toLowerCase());

/** The folder of a page that was built, whose path is safe. */
export const builtFolder = (path: string): string =>
  path.endsWith("/") ? path.slice(1, Math.max(1, path.length - 1)) : path.slice(1);

/** Equal for folders that some file systems do not distinguish. */
export const folded = (folder: string): string =>
  FOLDED.test(folder) ? folder : folder.toLowerCase().normalize("NFC");

const FOLDED = /^[a-z0-9/-]*$/;

/** The file in a page's folder. */
export const fileIn = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

/** The folder a file or folder is in; "" at the top. */
export const folderAbove = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
