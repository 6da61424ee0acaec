/** A file of the disk or of a commit as an answer: its version, conditional requests and ranges. */
import type { BigIntStats } from "node:fs";
import { open } from "node:fs/promises";
import type { CommittedFile } from "../store/fork/committed-files.ts";
import { isPrepared } from "../store/repo.ts";
import { byteRange } from "./byte-range.ts";
import { notModified } from "./conditional.ts";
import { etag, type Headers, type Reply } from "./reply.ts";
import type { Call } from "./route.ts";

/** A file can be replaced at the same URL, so caches must revalidate. */
export const REVALIDATED = "public, max-age=300";
/** A URL with the version of the file, `?v=<ETag>`. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** @param file absolute path @param own headers of the kind of file, `content-type` among them */
export function fileReply(call: Call, file: string, found: BigIntStats, own: Headers): Promise<Reply> {
  const version = `${found.size.toString(36)}-${found.mtimeNs.toString(36)}`;
  const modified = { "last-modified": new Date(Number(found.mtimeMs)).toUTCString() };
  return bytesReply(call, Number(found.size), version, { ...modified, ...own }, (start, end) =>
    fileStream(file, start, end),
  );
}

/** A file of a commit; see `CommittedFiles`. @param own as `fileReply` */
export function committedFileReply(call: Call, { oid, content }: CommittedFile, own: Headers): Promise<Reply> {
  const size = isPrepared(content) ? content.size : content.length;
  return bytesReply(call, size, oid, own, async (start, end) =>
    isPrepared(content) ? fileStream(content.file, start, end) : content.subarray(start, end + 1),
  );
}

/** @param read returns the bytes from one position to another, both included */
async function bytesReply(
  call: Call,
  size: number,
  version: string,
  own: Headers,
  read: (start: number, end: number) => Promise<Reply["body"]>,
): Promise<Reply> {
  const headers: Headers & { readonly etag: string } = {
    "cache-control": call.url.searchParams.get("v") === version ? IMMUTABLE : REVALIDATED,
    "accept-ranges": "bytes",
    etag: etag(version),
    ...own,
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
  return { status, headers: sent, body: await read(start, end) };
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
