/** How many files answers have open at once: the descriptors of the process are also needed for connections and writes. */
import { open, type FileHandle } from "node:fs/promises";

/** Each is read in a turn of the event loop with all others: with 64, a small request waits for seconds behind 200 downloads. */
const FILES_MAX = 16;

let reserved = 0;
const waiting: (() => void)[] = [];

/** Whether files wait until others are closed. */
export const areFilesWaiting = (): boolean => waiting.length > 0;

/** Opens a file for reading, if need be once others are closed. It must be closed by `closeFile`, and soon. */
export async function openFile(file: string): Promise<FileHandle> {
  await reserve();
  try {
    return await open(file, "r");
  } catch (error) {
    release();
    throw error;
  }
}

export const closeFile = (handle: FileHandle): Promise<void> => handle.close().finally(release);

/** Waits as `openFile` for work that opens one file and closes it. */
export async function withFile<T>(work: () => Promise<T>): Promise<T> {
  await reserve();
  return work().finally(release);
}

async function reserve(): Promise<void> {
  if (reserved >= FILES_MAX) return new Promise((resolve) => void waiting.push(resolve));
  reserved++;
}

/** The place of a file that was closed goes to the one that has waited for longest. */
function release(): void {
  const next = waiting.shift();
  if (next) next();
  else reserved--;
}
