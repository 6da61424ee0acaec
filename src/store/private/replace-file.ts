/** Writing caches in the private state. */
import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { isDiskError } from "../git/disk-error.ts";
import { isMissing } from "../git/fs.ts";

/**
 * Replaces a file atomically but not durably. If the disk refuses (full, read-only), nothing is written: readers must work
 * without the file.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const partial = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    await writeFile(partial, content, { mode: 0o600 });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    if (!isDiskError(error) && !isMissing(error)) throw error;
  }
}
