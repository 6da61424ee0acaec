/**
 * Lists the files below folders of the working tree. On a large site a thread does it, and looks at each file: for
 * 100,000 files that is most of a second, which the main thread has for requests, and at the start for the content
 * cache.
 */
import type { Env } from "../../../env.ts";
import type { Path } from "../../repo.ts";
import { Thread, THREAD_PROGRAM } from "../../thread.ts";
import type { Fs } from "../fs.ts";
import { listFolders, type DirectoryListing } from "./directory-listing.ts";
import { decodeListing, SeenStats, type ScanColumns, type ScanRequest } from "./scan-columns.ts";

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

export function openTreeScan(options: TreeScanOptions): TreeScan {
  const { fs, root, log, thread: program = THREAD_PROGRAM, largeCount = LARGE_COUNT } = options;
  let thread = program && new Thread({ log, purpose: "that scans the files", idleMs: 0, program });
  /** The list with most files is that of the whole tree. Others are of what has changed, which may be one file. */
  let largest: { readonly folders: string; readonly count: number } | undefined;

  /** Resolves once the files are listed, to undefined where the thread fails before. */
  function listInThread(request: ScanRequest): Promise<ScannedTree | undefined> {
    return new Promise((resolve) => {
      let seen: SeenStats | undefined;
      const onProgress = (message: ScanColumns | number): void => {
        if (typeof message === "number") return seen?.advance(message);
        seen = new SeenStats(message.numbers);
        resolve({ ...decodeListing(message), seen });
      };
      const end = (): void => {
        seen?.end();
        resolve(undefined);
      };
      if (!thread) return end();
      thread.run("scan", [request], onProgress as (value: unknown) => void).then(end, () => {
        thread = null;
        end();
      });
    });
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
