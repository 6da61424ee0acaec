/** Content of files by its blob id, also of files too large for memory. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { blobOidOf } from "./object.ts";
import { isPrepared, type Content, type Oid, type PreparedFile, type WorkingFile } from "../../repo.ts";

const CHUNK_BYTES = 256 * 1024;

/** Blob id, and size in bytes. */
export const blobIdentity = (content: Content): { readonly oid: Oid; readonly size: number } =>
  isPrepared(content) ? { oid: content.oid, size: content.size } : { oid: blobOidOf(content), size: content.length };

/** The file that has the content. Not spread from a part, as those of a scan. */
export function fileOf(content: Content, mtimeMs: number): WorkingFile {
  const { oid, size } = blobIdentity(content);
  return { oid, size, mtimeMs };
}

/**
 * A file with the blob id of its present bytes. The caller makes sure that they do not change.
 *
 * @throws ENOENT when there is none, ELOOP when it is a symbolic link
 */
export async function prepareFile(file: string): Promise<PreparedFile> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { size } = await handle.stat();
    // Git hashes the size before the content, so a file cannot be hashed while it is being received.
    const hash = createHash("sha1").update(`blob ${size}\0`);
    for await (const chunk of handle.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false }))
      hash.update(chunk as Buffer);
    return { file, size, oid: hash.digest("hex") };
  } finally {
    await handle.close();
  }
}
