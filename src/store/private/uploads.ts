/** The folder of files that are being uploaded. What a killed process has left there is removed by the next one. */
import { randomUUID } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "../git/locks/owner.ts";

/** In milliseconds. Of other files it is not known whether the process that writes them has ended. */
const STALE_MS = 60 * 60 * 1000;

/** The names of files that this process receives. */
const RECEIVING = new Set<string>();

export const uploadFolder = (stateDir: string): string => join(stateDir, "uploads");

export interface UploadPlace {
  /** Where the file can be written; nothing is there yet. */
  readonly file: string;
  /** Removes the file. */
  release(): Promise<void>;
}

export function uploadPlace(folder: string): UploadPlace {
  const name = `${process.pid}_${randomUUID()}`;
  const file = join(folder, name);
  RECEIVING.add(name);
  return {
    file,
    async release() {
      await rm(file, { force: true }).catch(() => undefined); // `removeKilledUploads` does it later
      RECEIVING.delete(name);
    },
  };
}

/** Removes the files of processes that have ended; a name begins with the id of its process. */
export async function removeKilledUploads(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (RECEIVING.has(name)) continue;
    const path = join(folder, name);
    const pid = Number(/^(\d+)_/.exec(name)?.[1] ?? 0);
    // One with the id of this process, which is not receiving it, was left by an earlier one.
    const hasEnded = pid === process.pid || (pid > 0 && !isRunning(pid));
    if (hasEnded || (await isStale(path))) await rm(path, { force: true });
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined); // removed by a concurrent request
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}
