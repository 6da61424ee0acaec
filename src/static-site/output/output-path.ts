/**
 * The output folder of a public path.
 *
 * Editors write permalinks. A path that leads out of the output, to a hidden file or to a file of the build itself is
 * refused, on every system alike.
 */
import { isDeviceName, nameError } from "../../model/address/possible-names.ts";
import { BUILD_NAMES, isHiddenName } from "../../model/address/static-file.ts";

/** Names at the top of the output that `static/` can replace. */
const DEFAULTS = ["sitemap.xml", "robots.txt", "feed.xml"];

/** Most paths are of this form; only names of devices and the media folder have to be excluded. */
const SIMPLE_MAX = 255;
const SIMPLE = /^(?:\/[a-z0-9][a-z0-9-]*)*\/?$/;

/** The folder of a public path, relative to the output; "" is the output itself. undefined for an unsafe path. */
export function folderOfPath(path: string, mediaUrl: string): string | undefined {
  if (
    path.length <= SIMPLE_MAX &&
    SIMPLE.test(path) &&
    !path.split("/").some(isDeviceName) &&
    !isBelow(path, mediaUrl)
  ) {
    return path.slice(1, path.endsWith("/") ? Math.max(1, path.length - 1) : undefined);
  }
  const segments = path.split("/").filter(Boolean);
  if (segments.some((segment) => isHiddenName(segment) || nameError(segment) !== undefined)) return undefined;
  const [first = ""] = segments;
  if ([...BUILD_NAMES, ...DEFAULTS].includes(first.toLowerCase()) || /^sitemap-\d+\.xml$/i.test(first))
    return undefined;
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

/** The file in a page's folder. */
export const fileIn = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

/** The folder a file or folder is in; "" at the top. */
export const folderAbove = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
