/**
 * The lock that lets only one server write to a site: a file that names its process and is refreshed while it runs.
 *
 * A lock found in a copy of the site has no owner: `ownerScope` in owner.ts.
 */
import { setTimeout } from "node:timers/promises";
import { CmsError, setup } from "../../../errors.ts";
import type { Log } from "../../../env.ts";
import { diskFs, makeDirs, removeIfExists, writeDurably, type Fs } from "../fs.ts";
import { heartbeatAgeOf, HEARTBEAT_TIMEOUT_MS, isAlive, startHeartbeat } from "./heartbeat.ts";
import { createLockFile, ownerOf, removeStaleLock } from "./lock.ts";
import { describeOwner, ownerScope, thisOwner, type Owner } from "./owner.ts";

export interface ServerLock {
  /** @throws CmsError `unavailable` if the lock was lost, as after this process was suspended */
  check(): Promise<void>;
  release(): Promise<void>;
}

export interface ServerLockOptions {
  readonly fs?: Fs;
  readonly log?: Log;
  readonly pause?: (ms: number) => Promise<unknown>;
}

const POLL_MS = 500;

/**
 * Takes the lock, replacing one left by a process that has ended.
 *
 * Whether a holder in another container or on another host still runs shows only in its heartbeat, so this waits up to
 * `HEARTBEAT_TIMEOUT_MS` for it.
 *
 * @throws CmsError `setup` naming the process that holds it; disk errors as they are
 */
export async function takeServerLock(
  stateDir: string,
  { fs = diskFs, log, pause = setTimeout }: ServerLockOptions = {},
): Promise<ServerLock> {
  await makeDirs(fs, stateDir, 0o700);
  const path = `${stateDir}/server.lock`;
  const ownerFile = `${path}.${process.pid}`;
  await removeIfExists(fs, ownerFile);
  const owner = Buffer.from(`${JSON.stringify(thisOwner(stateDir))}\n`);
  const { ino } = await writeDurably(fs, ownerFile, owner, 0o600);
  let lockIno: bigint | undefined;
  try {
    while ((lockIno = await createLockFile(fs, ownerFile, ino, path, 0o600)) === undefined) {
      const holder = await ownerOf(fs, path);
      if (holder) await waitForEnd(holder, { fs, path, stateDir, log, pause });
      const isRemoved = await removeStaleLock(fs, path, `${path}.stale-${process.pid}`, stateDir);
      if (!isRemoved && (await fs.lstat(path))) {
        throw setup(`${path} names no process: if no server runs on this site, remove it.`);
      }
    }
  } finally {
    // If this fails after the lock was taken, the next process with this pid removes the file.
    await removeIfExists(fs, ownerFile).catch(() => undefined);
  }
  const stopHeartbeat = startHeartbeat(fs, path);
  const isHeld = async (): Promise<boolean> => (await fs.lstat(path))?.ino === lockIno;
  return {
    async check() {
      if (await isHeld()) return;
      throw new CmsError(
        "unavailable",
        "The server lock of this site was removed, or another server has taken it: stop this one, or start it again.",
      );
    },
    async release() {
      stopHeartbeat();
      if (await isHeld()) await removeIfExists(fs, path);
    },
  };
}

interface Wait extends Required<Pick<ServerLockOptions, "fs" | "pause">> {
  readonly path: string;
  readonly stateDir: string;
  readonly log: Log | undefined;
}

/** Returns when the holder has ended or released the lock. @throws CmsError `setup` if it is seen to be running */
async function waitForEnd(holder: Owner, { fs, path, stateDir, log, pause }: Wait): Promise<void> {
  const refreshedAt = async (): Promise<bigint | undefined> => (await fs.lstat(path))?.mtimeNs;
  const first = await refreshedAt();
  for (let isLogged = false; await isAlive(fs, holder, path, stateDir); isLogged = true) {
    const now = await refreshedAt();
    if (now === undefined) return;
    if (ownerScope(holder, thisOwner(stateDir)) === "here" || now !== first) {
      throw setup(
        `${capitalized(describeOwner(holder))} serves this site already: stop it first, or start this one with ` +
          "--read-only.",
      );
    }
    const seconds = Math.ceil((HEARTBEAT_TIMEOUT_MS - (await heartbeatAgeOf(fs, path, stateDir))) / 1000);
    if (!isLogged)
      log?.info(
        `The server lock names ${describeOwner(holder)}: if it is not refreshed within ${seconds} s, this server ` +
          "takes over.",
      );
    await pause(POLL_MS);
  }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
