/**
 * Retains every recently written object outside `objects/`, where `git prune` does not remove it.
 *
 * `git prune` first computes what is reachable and then deletes the rest. A commit made in between is not in what it
 * computed, so no check at the time of the commit can protect its objects. A hard link to each object in
 * `.git/cms/recent` keeps its content for longer than a prune takes; an object that was removed is linked back.
 */
import {
  codeOf,
  isHardLinkRefused,
  isMissing,
  makeDirs,
  parentOf,
  removeIfExists,
  replaceFile,
  unlessMissing,
  type Fs,
} from "../fs.ts";
import { isOid } from "../refs/refs.ts";
import { pace } from "../../../time-slices.ts";
import type { Oid } from "../../repo.ts";

export interface RetainedObjects {
  /** Links an object file. Durable after `sync`. @throws ENOENT if the file was removed */
  retain(oid: Oid, file: string): Promise<void>;
  sync(): Promise<void>;
  /** Whether the object was written in the last hour, by any process. */
  has(oid: Oid): Promise<boolean>;
  /** The content of the object file; undefined if it is not retained. */
  read(oid: Oid): Promise<Buffer | undefined>;
  /** Links a retained object back to its place. @returns whether it was retained */
  restore(oid: Oid, file: string): Promise<boolean>;
  /**
   * The ids retained by this process in the last minute, or (all) by any in the last hour and up to ten minutes more.
   * Removes older ones every ten minutes: their age takes a look at each, the list does not.
   */
  list(all: boolean): Promise<readonly Oid[]>;
}

/** Longer than any prune is known to take from reading the refs to its last deletion. */
const RETAINED_MS = 60 * 60 * 1000;
const RECENT_MS = 60 * 1000;
const EXPIRE_EVERY_MS = RETAINED_MS / 6;
const TRIES = 10;

export function openRetainedObjects(fs: Fs, gitDir: string, now: () => number = Date.now): RetainedObjects {
  const dir = `${gitDir}/cms/recent`;
  const pathOf = (oid: Oid): string => `${dir}/${oid}`;
  /** When this process retained each object, the oldest first. */
  const recent = new Map<Oid, number>();
  let expiredAt = Number.NEGATIVE_INFINITY;

  /** Links a file into the folder, which is created if missing. */
  async function linkIn(file: string, oid: Oid): Promise<void> {
    try {
      await linkObject(fs, file, pathOf(oid));
    } catch (error) {
      if (!isMissing(error) || (await fs.lstat(dir))) throw error;
      for (const changed of await makeDirs(fs, dir, 0o700)) await fs.syncDir(changed);
      await linkObject(fs, file, pathOf(oid));
    }
  }

  /** A link shares the times of the object: when it was written or last touched. */
  async function isExpired(name: string): Promise<boolean> {
    const stat = await fs.lstat(`${dir}/${name}`);
    return !stat || now() - Number(stat.mtimeMs) > RETAINED_MS;
  }

  return {
    async retain(oid, file) {
      await linkIn(file, oid);
      recent.delete(oid);
      recent.set(oid, now());
    },

    sync: () => unlessMissing(fs.syncDir(dir)),

    async has(oid) {
      const stat = await fs.lstat(pathOf(oid));
      return stat !== undefined && now() - Number(stat.mtimeMs) <= RETAINED_MS;
    },

    read: (oid) => unlessMissing(fs.readFile(pathOf(oid))),

    async restore(oid, file) {
      for (let tries = 1; ; tries++) {
        try {
          await linkObject(fs, pathOf(oid), file);
          return true;
        } catch (error) {
          if (!isMissing(error) || tries === TRIES) throw error;
          if (!(await fs.lstat(pathOf(oid)))) return false;
          // A gc removes folders that it empties.
          await makeDirs(fs, parentOf(file), 0o777);
        }
      }
    },

    async list(all) {
      for (const [oid, at] of recent) {
        if (now() - at <= RECENT_MS) break;
        recent.delete(oid);
      }
      if (!all) return [...recent.keys()];
      const expires = now() - expiredAt >= EXPIRE_EVERY_MS;
      if (expires) expiredAt = now();
      const found: Oid[] = [];
      for (const { name } of (await unlessMissing(fs.readdir(dir))) ?? []) {
        await pace();
        if (expires && (await isExpired(name))) await removeIfExists(fs, `${dir}/${name}`);
        else if (isOid(name)) found.push(name);
      }
      return found;
    },
  };
}

/** Links or copies an object file. An existing target has the same content. */
async function linkObject(fs: Fs, from: string, to: string): Promise<void> {
  try {
    await fs.link(from, to);
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") return;
    if (!isHardLinkRefused(error) && code !== "EXDEV") throw error;
    await replaceFile(fs, to, await fs.readFile(from), { mode: 0o444 });
  }
}
