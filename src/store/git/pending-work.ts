/** Work on the index or the working files that an error has left undone. The index stays locked until it is done. */
import { messageOf, unavailable } from "../../errors.ts";
import type { Lock, Locks } from "./locks/lock.ts";

interface Work {
  /** The beginning of a sentence that names the pending work. */
  readonly description: string;
  /** @param isSameLock whether the index was locked all the time */
  readonly finish: (isSameLock: boolean) => Promise<void>;
  /** The lock of the index. */
  readonly lock: Lock;
}

export interface PendingWork {
  exists(): boolean;
  set(work: Work): void;
  /** After the work was done without `settle`. The caller releases the lock. */
  clear(): void;
  /** Does the work and releases the lock. @throws CmsError `unavailable` if it fails again */
  settle(): Promise<void>;
}

export function openPendingWork(locks: Locks): PendingWork {
  let work: Work | undefined;
  return {
    exists: () => work !== undefined,
    set(next) {
      work = next;
    },
    clear() {
      work = undefined;
    },
    async settle() {
      await locks.retryReleases();
      if (!work) return;
      const { description, finish, lock } = work;
      let wasHeld = true;
      try {
        const isHeld = await lock.isHeld();
        await lock.reacquire();
        wasHeld = isHeld;
        await finish(isHeld);
      } catch (error) {
        // A lock that a person has removed must not stay in the way of the git command they removed it for.
        if (!wasHeld) await lock.release();
        throw unavailable(`${description}: ${messageOf(error)}`, "restart", error);
      }
      work = undefined;
      await lock.release();
    },
  };
}
