/**
 * Serves the files of the library.
 *
 * Types that could run scripts with the site's origin are sandboxed or sent as downloads. Recorded derivatives that are
 * not on disk are generated on request.
 */
import type { BigIntStats } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { ensureDerivative } from "../actions/media/derivatives.ts";
import { CmsError } from "../errors.ts";
import { encodePath } from "../model/locale.ts";
import { extensionOf, lfsPointer, SNIFF_BYTES, typeByName, type MediaType } from "../model/media-type.ts";
import { mediaIndex } from "../store/content/indexes/media-index.ts";
import { SANDBOX_POLICY } from "../render/page-headers.ts";
import { readHead } from "../store/content/media-disk.ts";
import { byteRange } from "./byte-range.ts";
import { notModified } from "./conditional.ts";
import { etag, redirect, type Reply } from "./reply.ts";
import type { Call } from "./route.ts";

const SANDBOX = { "content-security-policy": SANDBOX_POLICY };

const DELIVERY: Readonly<Record<MediaType["delivery"], Readonly<Record<string, string>>>> = {
  inline: {},
  sandboxed: SANDBOX,
  download: { ...SANDBOX, "content-disposition": "attachment" },
};

/** A file can be replaced at the same URL, so caches must revalidate. */
const REVALIDATED = "public, max-age=300";
/** A URL with the version of the file, `?v=<ETag>`. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** @returns undefined for a path that is not below the media URL, or at which a page may be */
export async function mediaReply(call: Call, path: string): Promise<Reply | undefined> {
  const { config, store } = call.ctx;
  if (!path.startsWith(config.MEDIA.URL) || path === config.MEDIA.URL) return undefined;
  const name = path.slice(config.MEDIA.URL.length);
  if (name.split("/").some((segment) => segment === "" || segment.startsWith(".") || segment.includes("\0")))
    return undefined;
  const folder = join(store.repo.root, "media");
  const file = join(folder, ...name.split("/"));
  const stats = await statInside(folder, file);
  if (stats) return fileReply(call, file, stats, typeByName(name));
  const bytes = await ensureDerivative(call.ctx, name);
  const moved = bytes ? undefined : mediaIndex(store.current).movedFrom(name);
  if (moved)
    return redirect(`${config.MEDIA.URL}${encodePath(moved.file)}${call.url.search}`, 301, {
      "cache-control": REVALIDATED,
    });
  // Pages may have paths below the media URL, but not with a file extension.
  if (!bytes && extensionOf(name) !== "") throw new CmsError("not_found", "Not found.");
  if (!bytes) return undefined;
  const written = await statInside(folder, file);
  if (written) return fileReply(call, file, written, typeByName(name));
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

/** @returns undefined when there is no such file @throws CmsError `not_found` for a file outside the folder */
async function statInside(folder: string, file: string): Promise<BigIntStats | undefined> {
  const found = await lstat(file, { bigint: true }).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  // A directory on the path may be a symbolic link.
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
    "cache-control": call.url.searchParams.get("v") === version ? IMMUTABLE : REVALIDATED,
    "accept-ranges": "bytes",
    etag: etag(version),
    "last-modified": new Date(Number(found.mtimeMs)).toUTCString(),
    ...DELIVERY[type.delivery],
  };
  const known = notModified(call.headers, headers);
  if (known) return known;
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

/** In bytes, per read. */
const CHUNK = 64 * 1024;

/**
 * Part of a file, read on demand. The file is opened before the answer starts, so that a file that was just removed is
 * still a proper error; an error while reading aborts the answer.
 */
async function fileStream(file: string, start: number, end: number): Promise<ReadableStream<Uint8Array>> {
  const handle = await open(file, "r");
  let at = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const length = Math.min(CHUNK, end + 1 - at);
        try {
          const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.max(length, 0)), 0, length, at);
          at += bytesRead;
          if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
          if (bytesRead > 0 && at <= end) return;
          await handle.close();
          if (at <= end) controller.error(new Error(`${file} was truncated while it was read`));
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
