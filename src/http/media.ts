/**
 * Files of the media folder, served as they are.
 *
 * Only what cannot act on the site's origin is shown inline; the rest is boxed in or offered as a download.
 */
import { createReadStream } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { Readable } from "node:stream";
import { CmsError } from "../errors.ts";
import { etag, etagsOf, type Reply } from "./reply.ts";
import type { Call } from "./route.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".avif": "image/avif",
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".ico": "image/x-icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webm": "video/webm",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** Nothing in the file may run, fetch or be framed as part of the site. */
const BOXED = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/** @returns undefined when the path lies outside the media URL or names no file there, so that a page may have it */
export async function mediaReply(call: Call, path: string): Promise<Reply | undefined> {
  const { config, store } = call.ctx;
  if (!path.startsWith(config.MEDIA.URL) || path === config.MEDIA.URL) return undefined;
  const segments = path.slice(config.MEDIA.URL.length).split("/");
  if (segments.some((segment) => segment === "" || segment.startsWith(".") || segment.includes("\0"))) return undefined;
  const folder = join(store.repo.root, "media");
  const file = join(folder, ...segments);
  const found = await lstat(file).catch(() => undefined); // no such file: a page may have the path
  if (!found?.isFile()) return undefined;
  // A folder on the way that is a symlink may lead out of the site.
  if (!(await realpath(file)).startsWith((await realpath(folder)) + sep)) throw new CmsError("not_found", "Not found.");
  const version = `${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}`;
  const type = TYPES[extname(file).toLowerCase()];
  const headers = {
    "content-type": type ?? "application/octet-stream",
    "content-length": String(found.size),
    "cache-control": "public, max-age=300",
    etag: etag(version),
    ...((type === undefined || type === "image/svg+xml") && { "content-security-policy": BOXED }),
    ...(type === undefined && { "content-disposition": "attachment" }),
  };
  if (etagsOf(call.headers.get("if-none-match") ?? "").includes(version)) return { status: 304, headers: { etag: etag(version) }, body: null };
  if (call.method === "HEAD") return { status: 200, headers, body: null };
  return { status: 200, headers, body: Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array> };
}
