/** Blobs too large for memory: streamed from a file into the repository or the working tree. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createDeflate } from "node:zlib";
import { unavailable } from "../../../errors.ts";
import { codeOf, createFile, isHardLinkRefused, type Fs } from "../fs.ts";
import type { FileBlob } from "./object.ts";
import type { PreparedFile } from "../../repo.ts";

const CHUNK_BYTES = 256 * 1024;

/**
 * Writes the loose object of a blob, durably.
 *
 * @throws CmsError `unavailable` if the content of the file does not match its id any more
 */
export function writeBlobFile(fs: Fs, path: string, blob: FileBlob): Promise<void> {
  return writeStreamed(fs, path, 0o444, async (write) => {
    const hash = createHash("sha1");
    // Media are compressed already: a higher level would take seconds and gain nothing.
    const deflate = createDeflate({ level: 1, chunkSize: CHUNK_BYTES });
    const compression = pipeline(async function* () {
      for await (const chunk of headerAndContent(blob)) {
        hash.update(chunk);
        yield chunk;
      }
    }, deflate);
    compression.catch(() => undefined); // awaited below, after its output
    for await (const chunk of deflate) await write(chunk as Buffer);
    await compression;
    if (hash.digest("hex") !== blob.oid)
      throw unavailable("A file changed while it was being stored. Try again.", "write");
  });
}

async function* headerAndContent({ file, size }: FileBlob): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`blob ${size}\0`);
  yield* contentOf(file);
}

async function* contentOf(file: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) yield chunk as Buffer;
}

/** Creates a hard link to a file, or a copy where links are refused or the file is on another file system. */
export async function linkOrCopy(fs: Fs, { file }: Pick<PreparedFile, "file">, path: string): Promise<void> {
  try {
    await fs.link(file, path);
  } catch (error) {
    if (!isHardLinkRefused(error) && codeOf(error) !== "EXDEV") throw error;
    await copyDurably(fs, file, path);
  }
}

/** @param take is given the bytes that are written */
export const copyDurably = (fs: Fs, file: string, path: string, take?: (chunk: Uint8Array) => void): Promise<void> =>
  writeStreamed(fs, path, 0o666, async (write) => {
    for await (const chunk of contentOf(file)) {
      take?.(chunk);
      await write(chunk);
    }
  });

/** As `writeDurably`, for content that `produce` writes chunk by chunk. */
const writeStreamed = (
  fs: Fs,
  path: string,
  mode: number,
  produce: (write: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> =>
  createFile(fs, path, mode, async (file) => {
    let at = 0;
    await produce(async (chunk) => {
      await file.write([chunk], at);
      at += chunk.length;
    });
    await file.sync();
  });
