/** Files that are written, renamed and synced as the service does, and nothing else; for the bare programs. */
import * as fs from "node:fs";
import { promisify } from "node:util";

const fsync = promisify(fs.fsync);
const write = promisify(fs.write);
/** As the thread pool of bin/cms.cjs. */
const AT_ONCE = 16;

const LARGE_BYTES = 256 * 1024;

/** @param end what follows the bytes, computed while they are written */
export async function writeSynced(path, bytes, end) {
  const file = fs.openSync(path, "wx");
  const written = bytes.length > LARGE_BYTES ? write(file, bytes, 0, bytes.length, 0) : fs.writeSync(file, bytes);
  const last = end?.();
  await written;
  if (last) fs.writeSync(file, last, 0, last.length, bytes.length);
  await fsync(file);
  fs.closeSync(file);
}

export async function syncFolder(path) {
  const file = fs.openSync(path, "r");
  await fsync(file);
  fs.closeSync(file);
}

export async function inParallel(items, work) {
  const left = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
