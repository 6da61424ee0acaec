/**
 * What has to be done before a repository may be written to: a server's lock taken, and what a crash left half done
 * finished. Where the disk refuses, a server starts all the same, serves what is there, and tries again before each write.
 */
import { CmsError, messageOf } from "../../errors.ts";
import { isDiskError, reasonOf, refusal } from "./disk-error.ts";
import { isAlive } from "./locks/heartbeat.ts";
import { ownerOf } from "./locks/lock.ts";
import { recover } from "./recovery.ts";
import { takeServerLock, type ServerLock } from "./locks/server-lock.ts";
import { abandonedScratch } from "./locks/scratch.ts";
import type { RepoContext } from "./context.ts";

export interface Readiness {
  /** Why nothing can be written, as far as was seen when it was last tried; null when all is well. It names no path. */
  readonly blocked: string | null;
  /** Tries again what could not be done. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** A command beside the server may have been killed in the middle of a write, or what a crash left have had to wait. */
async function isAnythingLeft({ fs, gitDir }: RepoContext): Promise<boolean> {
  if ((await abandonedScratch(fs, gitDir)).length > 0) return true;
  const path = `${gitDir}/index.lock`;
  const owner = await ownerOf(fs, path);
  return owner !== undefined && !(await isAlive(fs, owner, path, gitDir));
}

/**
 * @param isServer whether the site is held against other servers, and opened even where nothing can be written
 * @throws CmsError `setup` when another server holds the site; for others than a server `unavailable` when the disk
 *   refuses, or git holds a lock all the while
 */
export async function openReadiness(site: RepoContext, isServer: boolean): Promise<Readiness> {
  let lock: ServerLock | undefined;
  let isRecovered = false;
  let blocked: string | null = null;
  let underWay: Promise<void> | undefined;

  async function prepare(): Promise<void> {
    if (isServer && !lock) lock = await takeServerLock(site.stateDir, { fs: site.fs, log: site.env.log });
    else await lock?.check();
    if (isRecovered && !(await isAnythingLeft(site))) return;
    isRecovered = false;
    await recover(site);
    isRecovered = true;
  }

  async function attempt(isStart: boolean): Promise<void> {
    try {
      await prepare();
      if (blocked !== null) site.env.log.info("The repository can be written again.");
      blocked = null;
    } catch (error) {
      const refused = refusal(error);
      // Later on, another server may have taken the site before this one could.
      const isRefusal =
        refused instanceof CmsError && (refused.code === "unavailable" || (refused.code === "setup" && !isStart));
      if (!isRefusal) throw error;
      const reason = describe(error);
      if (reason !== blocked) site.env.log.error(`Writes are refused. ${messageOf(refused)}`);
      blocked = reason;
    }
  }

  if (isServer) await attempt(true);
  else await prepare();
  return {
    get blocked() {
      return blocked;
    },
    async mend() {
      if (isServer) await (underWay ??= attempt(false).finally(() => (underWay = undefined)));
    },
    async close() {
      await lock?.release();
    },
  };

  function describe(error: unknown): string {
    const cause = error instanceof CmsError && isDiskError(error.cause) ? error.cause : error;
    if (!isDiskError(cause)) return messageOf(error);
    const undone = lock
      ? "what an unclean end left half done cannot be finished"
      : "the site cannot be held against other servers";
    return `${reasonOf(cause)}: ${undone}, and nothing can be written.`;
  }
}
