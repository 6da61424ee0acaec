/** Blobs too large for memory: from a file into the repository, and into place in the working tree, in small pieces. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createDeflate } from "node:zlib";
import { CmsError } from "../../../errors.ts";
import { isMissing, codeOf, type Fs, type OpenFile } from "../fs.ts";
import { HARD_LINKS_REFUSED } from "../locks/lock.ts";
import type { FileBlob } from "./object.ts";
import type { PreparedFile } from "../../repo.ts";

const PIECE = 256 * 1024;

/**
 * Writes the loose object of a blob, durable when it answers.
 *
 * @throws CmsError `unavailable` when the file no longer has the bytes its id was made of
 */
export function writeBlobFile(fs: Fs, path: string, blob: FileBlob): Promise<void> {
  return writeInPieces(fs, path, 0o444, async (write) => {
    const hash = createHash("sha1");
    // Media are compressed already: trying harder would cost seconds and gain nothing.
    const deflate = createDeflate({ level: 1, chunkSize: PIECE });
    const feeding = pipeline(async function* () {
      for await (const piece of wholeBlob(blob)) {
        hash.update(piece);
        yield piece;
      }
    }, deflate);
    feeding.catch(() => undefined); // it is awaited below, after what it feeds
    for await (const piece of deflate) await write(piece as Buffer);
    await feeding;
    if (hash.digest("hex") !== blob.oid)
      throw new CmsError("unavailable", "A file changed while it was being stored. Try again.", { retryAfter: 1 });
  });
}

async function* wholeBlob({ file, size }: FileBlob): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`blob ${size}\0`);
  for await (const piece of createReadStream(file, { highWaterMark: PIECE })) yield piece as Buffer;
}

/** A second name for a prepared file, or a copy of it where it lies on another file system. */
export async function linkOrCopy(fs: Fs, { file }: Pick<PreparedFile, "file">, path: string): Promise<void> {
  try {
    await fs.link(file, path);
  } catch (error) {
    if (isMissing(error) || !(HARD_LINKS_REFUSED.has(codeOf(error) ?? "") || codeOf(error) === "EXDEV")) throw error;
    await writeInPieces(fs, path, 0o666, async (write) => {
      for await (const piece of createReadStream(file, { highWaterMark: PIECE })) await write(piece as Buffer);
    });
  }
}

/** As `writeDurably`: on an error the half-written file is removed again. */
async function writeInPieces(
  fs: Fs,
  path: string,
  mode: number,
  fill: (write: (piece: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const file: OpenFile = await fs.create(path, mode);
  try {
    let at = 0;
    await fill(async (piece) => {
      await file.write(piece, at);
      at += piece.length;
    });
    await file.sync();
    await file.close();
  } catch (error) {
    await file.close().catch(() => undefined);
    await fs.unlink(path).catch(() => undefined);
    throw error;
  }
}
