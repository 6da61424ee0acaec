/**
 * Files of the library, served as they are.
 *
 * Only what cannot act on the site's origin is shown inline; the rest is boxed in or offered as a download. A picture
 * that is recorded but not on disk is made when it is asked for.
 */
import type { BigIntStats } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { ensureDerivative } from "../actions/media/derivatives.ts";
import { CmsError } from "../errors.ts";
import { encodePath } from "../model/locale.ts";
import { extensionOf, lfsPointer, SNIFF_BYTES, typeByName, type MediaType } from "../model/media-type.ts";
import { mediaIndex } from "../store/content/indexes/media-index.ts";
import { BOXED } from "../render/page-headers.ts";
import { readHead } from "../store/content/media-disk.ts";
import { byteRange } from "./byte-range.ts";
import { etag, etagsOf, redirect, type Reply } from "./reply.ts";
import type { Call } from "./route.ts";

const SANDBOX = { "content-security-policy": BOXED };

const SHOWN: Readonly<Record<MediaType["shown"], Readonly<Record<string, string>>>> = {
  plain: {},
  boxed: SANDBOX,
  saved: { ...SANDBOX, "content-disposition": "attachment" },
};

/** A file can be replaced under its address, so what has it asks again now and then. */
const USUAL = "public, max-age=300";
/** An address that names the version, `?v=<ETag>`, never means another. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** @returns undefined when the path lies outside the media URL or names no file there, so that a page may have it */
export async function mediaReply(call: Call, path: string): Promise<Reply | undefined> {
  const { config, store } = call.ctx;
  if (!path.startsWith(config.MEDIA.URL) || path === config.MEDIA.URL) return undefined;
  const name = path.slice(config.MEDIA.URL.length);
  if (name.split("/").some((segment) => segment === "" || segment.startsWith(".") || segment.includes("\0")))
    return undefined;
  const folder = join(store.repo.root, "media");
  const file = join(folder, ...name.split("/"));
  const found = await look(folder, file);
  if (found) return fileReply(call, file, found, typeByName(name));
  const bytes = await ensureDerivative(call.ctx, name);
  const moved = bytes ? undefined : mediaIndex(store.current).movedFrom(name);
  if (moved)
    return redirect(`${config.MEDIA.URL}${encodePath(moved.file)}${call.url.search}`, 301, { "cache-control": USUAL });
  // A page may stand below this address, but hardly one that is called like a file.
  if (!bytes && extensionOf(name) !== "") throw new CmsError("not_found", "Not found.");
  if (!bytes) return undefined;
  const kept = await look(folder, file);
  if (kept) return fileReply(call, file, kept, typeByName(name));
  return {
    status: 200,
    headers: {
      "content-type": typeByName(name).mime,
      "content-length": String(bytes.length),
      "cache-control": "no-cache",
    },
    body: bytes,
  };
}

/** @throws CmsError `not_found` for a way that leads out of the site */
async function look(folder: string, file: string): Promise<BigIntStats | undefined> {
  const found = await lstat(file, { bigint: true }).catch(() => undefined); // no such file
  if (!found?.isFile()) return undefined;
  // A folder on the way that is a symlink may lead out of the site.
  if (!(await realpath(file)).startsWith((await realpath(folder)) + sep)) throw new CmsError("not_found", "Not found.");
  return found;
}

async function fileReply(call: Call, file: string, found: BigIntStats, type: MediaType): Promise<Reply> {
  const size = Number(found.size);
  if (size < SNIFF_BYTES && lfsPointer(await readHead(file, SNIFF_BYTES)))
    throw new CmsError("not_found", "Not found.");
  const version = `${found.size.toString(36)}-${found.mtimeNs.toString(36)}`;
  const headers = {
    "content-type":
      type.mime.startsWith("text/") || type.mime === "application/json" ? `${type.mime}; charset=utf-8` : type.mime,
    "cache-control": call.url.searchParams.get("v") === version ? FOR_EVER : USUAL,
    "accept-ranges": "bytes",
    etag: etag(version),
    "last-modified": new Date(Number(found.mtimeMs)).toUTCString(),
    ...SHOWN[type.shown],
  };
  if (etagsOf(call.headers.get("if-none-match") ?? "").some((tag) => tag === version || tag === "*"))
    return { status: 304, headers, body: null };
  const range = byteRange(call.headers, size, headers.etag, headers["last-modified"]);
  if (range === "unsatisfiable")
    return { status: 416, headers: { ...headers, "content-range": `bytes */${size}` }, body: null };
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const partial = range && { "content-range": `bytes ${start}-${end}/${size}` };
  const sent = { ...headers, ...partial, "content-length": String(end - start + 1) };
  const status = range ? 206 : 200;
  if (call.method === "HEAD" || size === 0) return { status, headers: sent, body: null };
  return { status, headers: sent, body: await fileStream(file, start, end) };
}

/** Bytes read at a time. */
const PIECE = 64 * 1024;

/**
 * Part of a file, read as it is asked for. Opened before the answer begins, so that a file that has just gone is a
 * failure of this request; one that breaks off later ends its answer early.
 */
async function fileStream(file: string, start: number, end: number): Promise<ReadableStream<Uint8Array>> {
  const handle = await open(file, "r");
  let at = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const most = Math.min(PIECE, end + 1 - at);
        try {
          const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.max(most, 0)), 0, most, at);
          at += bytesRead;
          if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
          if (bytesRead > 0 && at <= end) return;
          await handle.close();
          if (at <= end) controller.error(new Error(`${file} is shorter than it was`));
          else controller.close();
        } catch (error) {
          await handle.close().catch(() => undefined); // the first failure is the reason
          controller.error(error);
        }
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  );
}
