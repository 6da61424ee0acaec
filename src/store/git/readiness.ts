/**
 * Prepares a repository for writing: takes the server lock, and recovers from a crash.
 *
 * On a disk error a server starts anyway, serves what is there, and tries again before each write.
 */
import { CmsError, messageOf } from "../../errors.ts";
import { diskErrorReason, isDiskError, toUnavailable } from "./disk-error.ts";
import { isAlive } from "./locks/heartbeat.ts";
import { ownerOf } from "./locks/lock.ts";
import { recover } from "./recovery.ts";
import { takeServerLock, type ServerLock } from "./locks/server-lock.ts";
import { abandonedScratch } from "./locks/scratch.ts";
import type { RepoContext } from "./context.ts";

export interface Readiness {
  /** Why nothing can be written, as of the last attempt; null if writing is possible. Contains no path. */
  blocked(): string | null;
  /** Tries again what failed. */
  retry(): Promise<void>;
  close(): Promise<void>;
}

/** A repository that is opened to read needs no preparation. */
export const READ_ONLY: Readiness = { blocked: () => null, retry: async () => undefined, close: async () => undefined };

/**
 * @param isServer whether to take the server lock, and to open the repository even if nothing can be written
 * @throws CmsError `setup` if another server has the lock; if not a server, also `unavailable` on a disk error, or if git
 *   holds a lock for too long
 */
export async function openReadiness(repo: RepoContext, isServer: boolean): Promise<Readiness> {
  let lock: ServerLock | undefined;
  let isRecovered = false;
  let blocked: string | null = null;
  let attempting: Promise<void> | undefined;

  async function prepare(): Promise<void> {
    if (isServer && !lock) lock = await takeServerLock(repo.stateDir, { fs: repo.fs, log: repo.env.log });
    else await lock?.check();
    if (isRecovered && !(await needsRecovery(repo))) return;
    isRecovered = false;
    await recover(repo);
    isRecovered = true;
  }

  async function attempt(isStart: boolean): Promise<void> {
    try {
      await prepare();
      if (blocked !== null) repo.env.log.info("The repository can be written again.");
      blocked = null;
    } catch (error) {
      const refused = toUnavailable(error);
      // After the start, `setup` means that another server has taken the lock meanwhile, which also blocks writes.
      const blocks =
        refused instanceof CmsError && (refused.code === "unavailable" || (refused.code === "setup" && !isStart));
      if (!blocks) throw error;
      const reason = describeBlock(error, lock !== undefined);
      if (reason !== blocked) repo.env.log.error(`Writes are refused. ${messageOf(refused)}`);
      blocked = reason;
    }
  }

  if (isServer) await attempt(true);
  else await prepare();
  return {
    blocked: () => blocked,
    async retry() {
      if (isServer) await (attempting ??= attempt(false).finally(() => (attempting = undefined)));
    },
    async close() {
      await lock?.release();
    },
  };
}

function describeBlock(error: unknown, hasServerLock: boolean): string {
  const cause = error instanceof CmsError && isDiskError(error.cause) ? error.cause : error;
  if (!isDiskError(cause)) return messageOf(error);
  const undone = hasServerLock
    ? "what an unclean end left half done cannot be finished"
    : "the site cannot be held against other servers";
  return `${diskErrorReason(cause)}: ${undone}, and nothing can be written.`;
}

/** Whether a command beside the server was killed during a write, or an earlier recovery had to wait. */
async function needsRecovery({ fs, gitDir, scratch }: RepoContext): Promise<boolean> {
  if ((await abandonedScratch(fs, gitDir, scratch)).length > 0) return true;
  const path = `${gitDir}/index.lock`;
  if (!(await fs.lstat(path))) return false;
  const owner = await ownerOf(fs, path);
  return owner !== undefined && !(await isAlive(fs, owner, path, gitDir));
}
