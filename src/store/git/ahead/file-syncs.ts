/** Syncs in a thread that has little else to do: in the thread itself where the thread pool would take longer. */
import { fsync, fsyncSync } from "node:fs";
import { promisify } from "node:util";

export interface SyncCalls {
  inPlace(file: number): void;
  inPool(file: number): Promise<void>;
  /** In milliseconds. */
  now(): number;
}

const CALLS: SyncCalls = { inPlace: fsyncSync, inPool: promisify(fsync), now: () => performance.now() };

/** In milliseconds: about what the way to the thread pool and back takes. */
const QUICK = 0.05;
/** That many syncs may take longer together, since a thread can be interrupted in any of them. */
const TRIED = 16;

/** In a file system in memory, syncs stay in the thread. On a disk the first ones take longer, and the pool gets the rest. */
export function openFileSyncs({ inPlace, inPool, now }: SyncCalls = CALLS): (file: number) => Promise<void> {
  let count = 0;
  let spent = 0;
  return async (file) => {
    if (spent > QUICK * (count + TRIED)) return inPool(file);
    const began = now();
    inPlace(file);
    spent += now() - began;
    count++;
  };
}
