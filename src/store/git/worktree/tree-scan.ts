/**
 * Lists the files below folders of the working tree. On a large site a thread does it, and looks at each file: for
 * 100,000 files that is most of a second, which the main thread has for requests, and at the start for the content
 * cache.
 */
import { Worker } from "node:worker_threads";
import { messageOf } from "../../../errors.ts";
import type { Env } from "../../../env.ts";
import type { Path } from "../../repo.ts";
import type { Fs } from "../fs.ts";
import { listFolders, type DirectoryListing } from "./directory-listing.ts";
import { decodeListing, SeenStats, type ScanColumns } from "./scan-columns.ts";
import type { ScanRequest } from "./scan-thread.ts";

export interface ScannedTree extends DirectoryListing {
  /** What is seen of each file, by its place in the listing. Absent where no thread looks at them. */
  readonly seen?: SeenStats;
}

export interface TreeScan {
  /**
   * @param except folders that are not listed
   * @param savedCount about how many files an earlier process has found, asked for the first list only
   */
  list(folders: readonly Path[], except: readonly Path[], savedCount: () => Promise<number>): Promise<ScannedTree>;
}

export interface TreeScanOptions {
  readonly fs: Fs;
  readonly root: string;
  readonly log: Env["log"];
  /** The program of the thread; null to use none. */
  readonly thread?: URL | null;
  /** See `LARGE_COUNT`. */
  readonly largeCount?: number;
}

/** Of fewer files, the main thread has listed and looked at most before the thread has started. */
const LARGE_COUNT = 20_000;

/** None from the sources (in tests), since Node 20 cannot start a thread from TypeScript. */
const THREAD = import.meta.url.endsWith(".ts") ? null : new URL("./scan-thread.js", import.meta.url);

export function openTreeScan(options: TreeScanOptions): TreeScan {
  const { fs, root, log, thread = THREAD, largeCount = LARGE_COUNT } = options;
  let program = thread;
  /** The list with most files is that of the whole tree. Others are of what has changed, which may be one file. */
  let largest: { readonly folders: string; readonly count: number } | undefined;

  async function listInThread(request: ScanRequest): Promise<ScannedTree | undefined> {
    if (program === null) return undefined;
    const onFailure = (error: unknown): void => {
      program = null;
      log.warn(`The thread that scans the files failed (${messageOf(error)}): the main thread does its work.`);
    };
    return runThread(program, request, onFailure);
  }

  return {
    async list(folders, except, savedCount) {
      const names = folders.join();
      const isLargest = names === largest?.folders;
      const count = largest ? (isLargest ? largest.count : 0) : await savedCount();
      const isLarge = count >= largeCount && folders.length > 0;
      const found =
        (isLarge ? await listInThread({ root, folders, except }) : undefined) ??
        (await listFolders(fs, root, folders, except));
      if (isLargest || found.files.length >= (largest?.count ?? 0))
        largest = { folders: names, count: found.files.length };
      return found;
    },
  };
}

/** Resolves once the files are listed, to undefined where the thread fails before. @param onFailure called once */
function runThread(
  program: URL,
  request: ScanRequest,
  onFailure: (error: unknown) => void,
): Promise<ScannedTree | undefined> {
  return new Promise((resolve) => {
    let seen: SeenStats | undefined;
    let isOver = false;
    const end = (error: unknown): void => {
      if (!isOver && !seen?.isComplete) onFailure(error);
      isOver = true;
      seen?.end();
      resolve(undefined);
    };
    const thread = new Worker(program, { workerData: request });
    thread.on("message", (message: ScanColumns | number) => {
      if (typeof message === "number") return seen?.advance(message);
      seen = new SeenStats(message.numbers);
      resolve({ ...decodeListing(message), seen });
    });
    thread.once("error", end);
    thread.once("exit", () => end(new Error("it ended")));
  });
}
