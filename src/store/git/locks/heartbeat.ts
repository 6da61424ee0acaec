/**
 * Signs of life for processes that cannot see each other: the owner of a note refreshes its modification time.
 *
 * Both the time of the note and the time it is compared with are set by the file system, so clocks of machines that
 * share it need not agree. What this does not tell: a process that stands still for longer than `SILENT_MS` (stopped,
 * or its virtual machine suspended) counts as ended elsewhere. When it goes on, its scratch folder is gone, and with it
 * every file it could rename over a branch or a page; what it had not committed by then fails.
 */
import { randomBytes } from "node:crypto";
import { removeIfExists, unlessMissing, type Fs } from "../fs.ts";
import { isRunningLocally, ownerScope, thisOwner, type Owner } from "./owner.ts";

/** How often a living process refreshes its notes. */
export const HEARTBEAT_MS = 5_000;
/** After so long without a refresh the owner of a note in another pid namespace or on another host counts as ended. */
export const HEARTBEAT_TIMEOUT_MS = 30_000;

/** Refreshes a file until told to stop. It keeps no process running, and says nothing when the disk refuses. */
export function startHeartbeat(fs: Fs, path: string): () => void {
  const timer = setInterval(() => void fs.refresh(path).catch(() => undefined), HEARTBEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Whether the process that a note names still runs, as far as can be told from here.
 *
 * @param path the note, or a lock that is a link to it or a copy
 * @param dir the folder it protects
 */
export async function isAlive(fs: Fs, owner: Owner, path: string, dir: string): Promise<boolean> {
  const standing = ownerScope(owner, thisOwner(dir));
  if (standing !== "elsewhere") return standing === "here" && isRunningLocally(owner);
  return (await heartbeatAgeOf(fs, path, dir)) < HEARTBEAT_TIMEOUT_MS;
}

/** Milliseconds since a file was last refreshed, by the clock of its file system; 0 when it is gone. @param dir of the same file system */
export async function heartbeatAgeOf(fs: Fs, path: string, dir: string): Promise<number> {
  const stat = await unlessMissing(fs.lstat(path));
  return stat ? (await timeOf(fs, dir)) - Number(stat.mtimeMs) : 0;
}

/** What time it is for the file system of a folder; this machine's time where nothing can be written. */
async function timeOf(fs: Fs, dir: string): Promise<number> {
  const probe = `${dir}/.time-${randomBytes(8).toString("hex")}`;
  try {
    const file = await fs.create(probe, 0o600);
    try {
      return Number((await file.stat()).mtimeMs);
    } finally {
      await file.close();
    }
  } catch {
    return Date.now(); // on a full or read-only disk nothing can be taken over either
  } finally {
    await removeIfExists(fs, probe).catch(() => undefined);
  }
}
