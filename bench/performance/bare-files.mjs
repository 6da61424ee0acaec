/** Files that are written, renamed and synced as the service does, and nothing else; for the bare programs. */
import * as fs from "node:fs";
import { promisify } from "node:util";

const fsync = promisify(fs.fsync);
/** As the thread pool of bin/cms.cjs. */
const AT_ONCE = 16;

export async function writeSynced(path, bytes) {
  const file = fs.openSync(path, "wx");
  fs.writeSync(file, bytes);
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
