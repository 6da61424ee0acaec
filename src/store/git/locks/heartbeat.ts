/**
 * Heartbeats between processes that cannot see each other: the owner of a file refreshes its modification time.
 *
 * Both that time and the time it is compared with are set by the file system, so the clocks of machines that share it
 * need not agree. A process that is suspended for longer than `HEARTBEAT_TIMEOUT_MS` counts as ended elsewhere. Its
 * scratch folder is then removed, and with it every file it could rename over a branch or a page, so when it resumes,
 * what it had not committed fails.
 */
import { randomSuffix, removeIfExists, type Fs } from "../fs.ts";
import { isRunningLocally, ownerScope, thisOwner, type Owner } from "./owner.ts";

/** Interval between two refreshes. */
export const HEARTBEAT_MS = 5_000;
/** After this time without a refresh, an owner in another pid namespace or on another host counts as ended. */
export const HEARTBEAT_TIMEOUT_MS = 30_000;

/** Refreshes a file until the returned function is called. Does not keep the process running; ignores disk errors. */
export function startHeartbeat(fs: Fs, path: string): () => void {
  const timer = setInterval(() => void fs.refresh(path).catch(() => undefined), HEARTBEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Whether an owner's process still runs, as far as this process can tell.
 *
 * @param path the file that names the owner: its owner file, or a lock that is a link to it or a copy
 * @param dir the folder it protects
 */
export async function isAlive(fs: Fs, owner: Owner, path: string, dir: string): Promise<boolean> {
  const scope = ownerScope(owner, thisOwner(dir));
  if (scope === "elsewhere") return (await heartbeatAgeOf(fs, path, dir)) < HEARTBEAT_TIMEOUT_MS;
  return scope === "here" && isRunningLocally(owner);
}

/**
 * Milliseconds since a file was last refreshed, by the clock of its file system; 0 if it does not exist.
 *
 * @param dir a folder on the same file system
 */
export async function heartbeatAgeOf(fs: Fs, path: string, dir: string): Promise<number> {
  const stat = await fs.lstat(path);
  return stat ? (await fileSystemTime(fs, dir)) - Number(stat.mtimeMs) : 0;
}

/** The current time of a folder's file system, or of this machine if nothing can be written there. */
async function fileSystemTime(fs: Fs, dir: string): Promise<number> {
  const probe = `${dir}/.time-${randomSuffix()}`;
  try {
    const file = await fs.create(probe, 0o600);
    try {
      return Number((await file.stat()).mtimeMs);
    } finally {
      await file.close();
    }
  } catch {
    return Date.now(); // on a full or read-only disk no lock can be taken over either
  } finally {
    await removeIfExists(fs, probe).catch(() => undefined);
  }
}
