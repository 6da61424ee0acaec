/** The thread of `files-ahead.ts`: creates and syncs each file, and compresses its content for the pack. */
import { closeSync, fstatSync, openSync, unlinkSync, writeSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { compress } from "../objects/compressed.ts";
import { openFileSyncs } from "./file-syncs.ts";

/** New files, whose contents follow each other in one buffer. */
export interface WriteRequest {
  readonly id: number;
  readonly paths: readonly string[];
  readonly lengths: readonly number[];
  readonly bytes: Uint8Array;
}

/** In the order of the request. */
export interface WriteResponse {
  readonly id: number;
  /** Inode and time of the last change in nanoseconds of each file; two zeros for one that could not be written. */
  readonly stats: BigUint64Array;
  readonly compressed: Uint8Array;
  readonly compressedLengths: readonly number[];
}

/** As many as the thread pool has threads (bin/cms.cjs), which wait for the disk. */
const FILES_AT_ONCE = 16;

const sync = openFileSyncs();

parentPort?.on("message", (request: WriteRequest) => void respond(request));

async function respond({ id, paths, lengths, bytes }: WriteRequest): Promise<void> {
  const stats = new BigUint64Array(2 * paths.length);
  const compressed: Buffer[] = [];
  let end = 0;
  const contents = lengths.map((length) => bytes.subarray(end, (end += length)));
  const open = paths.entries();
  const write = async (): Promise<void> => {
    for (const [at, path] of open) {
      const content = contents[at]!;
      compressed[at] = compress(content);
      // The main thread writes it then, and meets the error if it lasts.
      await writeFile(path, content, stats.subarray(2 * at, 2 * at + 2)).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, write));
  const compressedLengths = compressed.map(({ length }) => length);
  const joined = new Uint8Array(compressedLengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const each of compressed) {
    joined.set(each, at);
    at += each.length;
  }
  const response: WriteResponse = { id, stats, compressed: joined, compressedLengths };
  parentPort?.postMessage(response, [stats.buffer, joined.buffer]);
}

/** After an error the file is removed: after a failed sync its content on disk is unknown. */
async function writeFile(path: string, content: Uint8Array, stat: BigUint64Array): Promise<void> {
  const file = openSync(path, "wx", 0o666);
  try {
    for (let done = 0; done < content.length;) done += writeSync(file, content, done, content.length - done, done);
    await sync(file);
    const { ino, mtimeNs } = fstatSync(file, { bigint: true });
    stat.set([ino, mtimeNs]);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
}
