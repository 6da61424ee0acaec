/**
 * The promise that one server writes to a site: a file that names its process, and is refreshed while it runs.
 *
 * It holds for a path and a host name (decisions.md 56): the lock in a copy of the site is nobody's.
 */
import { setTimeout as pause } from "node:timers/promises";
import { CmsError, setup } from "../../../errors.ts";
import type { Log } from "../../../env.ts";
import { codeOf, diskFs, makeDirs, removeIfExists, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import { startHeartbeat, isAlive, heartbeatAgeOf, HEARTBEAT_TIMEOUT_MS } from "./heartbeat.ts";
import { HARD_LINKS_REFUSED, ownerOf, removeStaleLock } from "./lock.ts";
import { describeOwner, ownerScope, thisOwner, type Owner } from "./owner.ts";

export interface ServerLock {
  /** @throws CmsError `unavailable` when another server has it meanwhile, as after this process stood still */
  check(): Promise<void>;
  release(): Promise<void>;
}

export interface ServerLockOptions {
  readonly fs?: Fs;
  readonly log?: Log;
  readonly pause?: (ms: number) => Promise<unknown>;
}

const LOOK_EVERY_MS = 500;

/**
 * Takes the lock, from a process that has ended if need be.
 *
 * Whether a holder in another container or on another host still runs shows only in its heartbeat: it is waited for,
 * at most `SILENT_MS`.
 *
 * @throws CmsError `setup` naming the process that holds it; an error of the disk as it is
 */
export async function takeServerLock(
  stateDir: string,
  { fs = diskFs, log, pause: wait = pause }: ServerLockOptions = {},
): Promise<ServerLock> {
  await makeDirs(fs, stateDir, 0o700);
  const path = `${stateDir}/server.lock`;
  const claim = `${path}.${process.pid}`;
  await removeIfExists(fs, claim);
  const { ino } = await writeDurably(fs, claim, Buffer.from(`${JSON.stringify(thisOwner(stateDir))}\n`), 0o600);
  let mine: bigint | undefined;
  try {
    while ((mine = await tryLink(fs, claim, ino, path)) === undefined) {
      const holder = await ownerOf(fs, path);
      if (holder) await refuseAlive(fs, holder, path, stateDir, log, wait);
      if (
        !(await removeStaleLock(fs, path, `${path}.stale-${process.pid}`, stateDir)) &&
        (await unlessMissing(fs.lstat(path)))
      ) {
        throw setup(`${path} names no process: if no server runs on this site, remove it.`);
      }
    }
  } finally {
    // With the lock taken, what stays of the claim is removed by the next one of this number.
    await removeIfExists(fs, claim).catch(() => undefined);
  }
  const stopBeating = startHeartbeat(fs, path);
  const isMine = async (): Promise<boolean> => (await unlessMissing(fs.lstat(path)))?.ino === mine;
  return {
    async check() {
      if (await isMine()) return;
      throw new CmsError(
        "unavailable",
        "The server lock of this site was removed, or another server has taken it: stop this one, or start it again.",
      );
    },
    async release() {
      stopBeating();
      if (await isMine()) await removeIfExists(fs, path);
    },
  };
}

/** Returns once the holder counts as ended, or has let go. */
async function refuseAlive(
  fs: Fs,
  holder: Owner,
  path: string,
  stateDir: string,
  log: Log | undefined,
  wait: (ms: number) => Promise<unknown>,
): Promise<void> {
  const refreshedAt = async (): Promise<bigint | undefined> => (await unlessMissing(fs.lstat(path)))?.mtimeNs;
  const first = await refreshedAt();
  for (let isTold = false; await isAlive(fs, holder, path, stateDir); isTold = true) {
    const now = await refreshedAt();
    if (now === undefined) return;
    if (ownerScope(holder, thisOwner(stateDir)) === "here" || now !== first) {
      throw setup(
        `${capital(describeOwner(holder))} serves this site already: stop it first, or start this one with --read-only.`,
      );
    }
    const left = Math.ceil((HEARTBEAT_TIMEOUT_MS - (await heartbeatAgeOf(fs, path, stateDir))) / 1000);
    if (!isTold)
      log?.info(
        `The server lock names ${describeOwner(holder)}: if that gives no sign of life for ${left} s, this server takes over.`,
      );
    await wait(LOOK_EVERY_MS);
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** @returns the lock's inode; undefined when there is one already */
async function tryLink(fs: Fs, claim: string, ino: bigint, path: string): Promise<bigint | undefined> {
  try {
    await fs.link(claim, path);
    return ino;
  } catch (error) {
    // An error may come after the deed.
    if ((await unlessMissing(fs.lstat(path)))?.ino === ino) return ino;
    if (codeOf(error) === "EEXIST") return undefined;
    if (!HARD_LINKS_REFUSED.has(codeOf(error) ?? "")) throw error;
  }
  // Without hard links another process may see it empty for a moment; it is then refused, not let in.
  try {
    return (await writeDurably(fs, path, await fs.readFile(claim), 0o600)).ino;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return undefined;
    throw error;
  }
}
