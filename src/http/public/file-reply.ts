/** A file of the disk or of a commit as an answer: its version, conditional requests and ranges. */
import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { CommittedFile } from "../../store/fork/committed-files.ts";
import { isPrepared } from "../../store/repo.ts";
import { byteRange } from "./byte-range.ts";
import { notModified } from "../request/conditional.ts";
import { areFilesWaiting, closeFile, openFile } from "../socket/open-files.ts";
import { etag, type Headers, type Reply } from "../request/reply.ts";
import type { Call } from "../app/route.ts";
import { REVALIDATED } from "../../render/page-headers.ts";

/** A URL with the version of the file, `?v=<ETag>`. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** @param file absolute path @param own headers of the kind of file, `content-type` among them */
export function fileReply(call: Call, file: string, found: BigIntStats, own: Headers): Promise<Reply> {
  const version = versionOf(found);
  const modified = { "last-modified": new Date(Number(found.mtimeMs)).toUTCString() };
  return bytesReply(call, Number(found.size), version, { ...modified, ...own }, (start, end) =>
    fileStream(file, { start, end }, (now) => now.ino === found.ino && versionOf(now) === version),
  );
}

const versionOf = ({ size, mtimeNs }: BigIntStats): string => `${size.toString(36)}-${mtimeNs.toString(36)}`;

/** A file of a commit; see `CommittedFiles`. @param own as `fileReply` */
export function committedFileReply(call: Call, { oid, content }: CommittedFile, own: Headers): Promise<Reply> {
  const size = isPrepared(content) ? content.size : content.length;
  return bytesReply(call, size, oid, own, async (start, end) =>
    isPrepared(content) ? fileStream(content.file, { start, end }, () => true) : content.subarray(start, end + 1),
  );
}

/** A client that must not show a former file says so in the address, as elements such as `img` send no headers of their own. */
const cacheControlOf = (query: URLSearchParams, version: string): string =>
  query.has("fresh") ? "no-cache" : query.get("v") === version ? IMMUTABLE : REVALIDATED;

/** Returns the bytes from one position to another, both included. */
type ReadBytes = (start: number, end: number) => Promise<Reply["body"]>;

async function bytesReply(call: Call, size: number, version: string, own: Headers, read: ReadBytes): Promise<Reply> {
  const headers: Headers & { readonly etag: string } = {
    "cache-control": cacheControlOf(call.url.searchParams, version),
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
/** In milliseconds: a client that asks for the next part later does not keep the file open. */
const KEPT_OPEN = 10;

/**
 * Part of a file, read on demand. The file is opened before the answer starts, so that a file that was just removed is
 * still a proper error; an error while reading aborts the answer.
 *
 * While the client reads slowly, the file is closed: clients that do not read must not use up the descriptors.
 *
 * @param isSame whether a file that is opened again is still the one of which the answer has sent a part
 */
async function fileStream(
  file: string,
  { start, end }: { readonly start: number; readonly end: number },
  isSame: (now: BigIntStats) => boolean,
): Promise<ReadableStream<Uint8Array>> {
  let handle: FileHandle | undefined = await openFile(file);
  let timer: NodeJS.Timeout | undefined;
  let at = start;
  const release = async (): Promise<void> => {
    clearTimeout(timer);
    const opened = handle;
    handle = undefined;
    if (opened) await closeFile(opened);
  };
  const keepOpen = (): void => void (timer = setTimeout(() => release().catch(() => undefined), KEPT_OPEN));
  const reopened = async (): Promise<FileHandle> => {
    handle = await openFile(file);
    if (!isSame(await handle.stat({ bigint: true }))) throw new Error(`${file} was replaced while it was read`);
    return handle;
  };
  const read = async (): Promise<Uint8Array> => {
    clearTimeout(timer);
    const length = Math.min(CHUNK, end + 1 - at);
    const { buffer, bytesRead } = await (handle ?? (await reopened())).read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) throw new Error(`${file} was truncated while it was read`);
    at += bytesRead;
    if (at > end || areFilesWaiting()) await release();
    else keepOpen();
    return buffer.subarray(0, bytesRead);
  };
  keepOpen();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          controller.enqueue(await read());
          if (at > end) controller.close();
        } catch (error) {
          await release().catch(() => undefined); // the first failure is the reason
          controller.error(error);
        }
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}
