/**
 * The lock of a private file, held for some milliseconds: a file created exclusively, naming its holder.
 *
 * A lock whose holder has ended is broken by the next process that wants it.
 */
import { randomUUID } from "node:crypto";
import { open, readFile, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { unavailable } from "../../errors.ts";
import { codeOf, diskFs } from "../git/fs.ts";
import { isAlive, heartbeatAgeOf, HEARTBEAT_TIMEOUT_MS } from "../git/locks/heartbeat.ts";
import { describeOwner, parseOwner, thisOwner, type Owner } from "../git/locks/owner.ts";

/** `lock` identifies one acquisition: the same process may lock again later. */
interface Holder extends Owner {
  readonly lock: string;
}

/**
 * Runs `work` while holding the lock of a private file.
 *
 * @param work gets a function that checks whether the lock is still held
 * @throws CmsError `unavailable` when another process keeps the lock
 */
export async function withLock<R>(
  dir: string,
  name: string,
  lockTimeoutMs: number,
  work: (isHeld: () => Promise<boolean>) => Promise<R>,
): Promise<R> {
  const path = join(dir, `${name}.lock`);
  const deadline = performance.now() + lockTimeoutMs;
  const self: Holder = { ...thisOwner(dir), lock: randomUUID() };
  const isHeld = async (): Promise<boolean> => (await holderOf(path))?.lock === self.lock;
  while (!(await takeLock(path, self))) {
    const holder = await holderOf(path);
    if (!(await isInUse(dir, path, holder)) && (await breakLock(dir, path, holder))) continue;
    if (performance.now() >= deadline) {
      const who = holder ? describeOwner(holder) : "another process";
      const message = `${name} is being changed by ${who}. If there is none, remove ${name}.lock.`;
      throw unavailable(message, "write");
    }
    await setTimeout(5 + Math.random() * 20);
  }
  try {
    return await work(isHeld);
  } finally {
    // The lock may have been removed by hand and be held by another process now.
    if (await isHeld()) await unlink(path);
  }
}

async function takeLock(path: string, holder: Holder): Promise<boolean> {
  const file = await open(path, "wx", 0o600).catch(undefinedIf("EEXIST"));
  if (!file) return false;
  try {
    await file.writeFile(JSON.stringify(holder));
    return true;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** A lock without a holder is being created, or its creator ended before writing it: the file's age decides. */
async function isInUse(dir: string, path: string, holder: Holder | undefined): Promise<boolean> {
  return holder ? isAlive(diskFs, holder, path, dir) : (await heartbeatAgeOf(diskFs, path, dir)) < HEARTBEAT_TIMEOUT_MS;
}

/**
 * Removes a lock whose holder has ended; false while another process does.
 *
 * Several processes may see the same dead holder, and only the one that creates the marker may remove the lock. It checks the
 * holder again, since the lock may have been removed and taken meanwhile.
 */
async function breakLock(dir: string, path: string, dead: Holder | undefined): Promise<boolean> {
  const marker = `${path}.${dead?.lock ?? "unnamed"}.broken`;
  const file = await open(marker, "wx", 0o600).catch(undefinedIf("EEXIST"));
  if (!file) {
    // The creator of the marker may have ended.
    if ((await heartbeatAgeOf(diskFs, marker, dir)) >= HEARTBEAT_TIMEOUT_MS) await rm(marker, { force: true });
    return false;
  }
  try {
    const holder = await holderOf(path);
    if (holder?.lock === dead?.lock && !(await isInUse(dir, path, holder))) await rm(path, { force: true });
    return true;
  } finally {
    await file.close();
    await rm(marker, { force: true });
  }
}

/** Undefined when there is no lock, or it names no holder: the caller must then wait. */
async function holderOf(path: string): Promise<Holder | undefined> {
  const text = (await readFile(path, "utf8").catch(undefinedIf("ENOENT"))) ?? "";
  const owner = parseOwner(text);
  const lock = owner && (JSON.parse(text) as { lock?: unknown }).lock;
  return owner && typeof lock === "string" && /^[0-9a-f-]{36}$/.test(lock) ? { ...owner, lock } : undefined;
}

/** For `catch`: undefined for errors with this code; other errors are thrown again. */
export const undefinedIf =
  (code: string) =>
  (error: unknown): undefined => {
    if (codeOf(error) !== code) throw error;
  };
