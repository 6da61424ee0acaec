/** Files as content: named by their blob id without being read into memory. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { PreparedFile } from "../repo.ts";

const PIECE = 256 * 1024;

/**
 * A file with the id its bytes have as they are now. The caller sees to it that they stay.
 *
 * @throws ENOENT when there is none, ELOOP when it is a symbolic link
 */
export async function prepareFile(file: string): Promise<PreparedFile> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { size } = await handle.stat();
    // The size comes first in what git hashes, so this cannot be done while a file is still coming in.
    const hash = createHash("sha1").update(`blob ${size}\0`);
    for await (const piece of handle.createReadStream({ highWaterMark: PIECE, autoClose: false }))
      hash.update(piece as Buffer);
    return { file, size, oid: hash.digest("hex") };
  } finally {
    await handle.close();
  }
}
