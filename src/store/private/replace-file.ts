/** Files of the private state that may be lost, but never be half there. */
import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { isDiskError } from "../git/disk-error.ts";
import { isMissing } from "../git/fs.ts";

/**
 * Puts a file in the place of whatever is there, as a whole. It is not durable, and where the disk refuses (full,
 * read-only) it is not written: its reader does without.
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const partial = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    await writeFile(partial, content, { mode: 0o600 });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    if (!isDiskError(error) && !isMissing(error)) throw error;
  }
}
