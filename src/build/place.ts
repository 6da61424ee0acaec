/**
 * Which file of the output a public path becomes.
 *
 * Permalinks are written by editors and paths end up on a disk, so whatever could leave the folder, hide in it, or
 * stand where one of our own files stands is refused, whatever system the build runs on.
 */
/** Names the build itself writes at the top of the output. */
export const RESERVED = ["404.html", "sitemap.xml", "robots.txt", "_redirects", "_headers", "redirects.json", "redirects.nginx.conf", "_data", "index.html", "index.json"];

/** A segment no system takes for something else: drive, stream, device, parent, hidden file. */
const UNSAFE = /[\\:*?"<>|\p{Cc}]|^\.|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/iu;
const SEGMENT_BYTES_MAX = 255;

/** The folder of a public path, relative to the output; "" is the output itself. undefined when it has no safe place. */
export function folderOfPath(path: string, mediaUrl: string): string | undefined {
  const segments = path.split("/").filter(Boolean);
  if (segments.some((segment) => UNSAFE.test(segment) || Buffer.byteLength(segment) > SEGMENT_BYTES_MAX)) return undefined;
  const [first = ""] = segments;
  if (RESERVED.includes(first.toLowerCase()) || /^sitemap-\d+\.xml$/i.test(first)) return undefined;
  if (segments.some((segment) => /^index\.(html|json)$/i.test(segment))) return undefined;
  if (`${path.replace(/\/$/, "")}/`.toLowerCase().startsWith(mediaUrl.toLowerCase())) return undefined;
  return segments.join("/");
}

/** The file in a page's folder. */
export const fileIn = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
