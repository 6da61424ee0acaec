/**
 * A second name for every object written of late, outside `objects/`.
 *
 * `git prune` first works out what is reachable and deletes afterwards. A commit made in between is not in what it
 * worked out, so no check at the time of the commit can save its objects. Their bytes stay under this second name, a
 * hard link in `.git/cms/recent`, for longer than a prune takes; whatever loses its first name gets it back.
 */
import { randomBytes } from "node:crypto";
import { codeOf, isMissing, makeDirs, removeIfThere, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import { HARD_LINKS_REFUSED } from "../locks/lock.ts";
import { isOid } from "../refs/refs.ts";
import { openPace } from "../time-slices.ts";
import type { Oid } from "../../repo.ts";

export interface Recent {
  /** Gives an object file its second name. Durable once `sync` has answered. @throws ENOENT when the file has gone */
  keep(oid: Oid, file: string): Promise<void>;
  sync(): Promise<void>;
  /** Whether the object was written in the last hour, by any process. */
  has(oid: Oid): Promise<boolean>;
  /** The object's file as it was written; undefined when it was not written of late. */
  read(oid: Oid): Promise<Buffer | undefined>;
  /** Gives an object its first name again. @returns whether it was kept here */
  restore(oid: Oid, file: string): Promise<boolean>;
  /** Ids kept by this process in the last minute, or (all) by any in the last hour; the older ones are let go. */
  list(all: boolean): Promise<readonly Oid[]>;
}

/** Longer than any prune is known to take from its first look at the refs to its last deletion. */
export const KEPT_MS = 60 * 60 * 1000;
const YOUNG_MS = 60 * 1000;
const TRIES = 10;

export function openRecent(fs: Fs, gitDir: string, now: () => number = Date.now): Recent {
  const dir = `${gitDir}/cms/recent`;
  const pathOf = (oid: Oid): string => `${dir}/${oid}`;
  /** By id, when they were kept, the oldest first. */
  const young = new Map<Oid, number>();

  async function inDir<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isMissing(error) || (await unlessMissing(fs.lstat(dir)))) throw error;
      for (const changed of await makeDirs(fs, dir, 0o700)) await fs.syncDir(changed);
      return work();
    }
  }

  return {
    async keep(oid, file) {
      await inDir(() => secondName(fs, file, pathOf(oid)));
      young.delete(oid);
      young.set(oid, now());
    },

    sync: () => unlessMissing(fs.syncDir(dir)),

    async has(oid) {
      const stat = await unlessMissing(fs.lstat(pathOf(oid)));
      return stat !== undefined && now() - Number(stat.mtimeMs) <= KEPT_MS;
    },

    read: (oid) => unlessMissing(fs.readFile(pathOf(oid))),

    async restore(oid, file) {
      for (let tries = 1; ; tries++) {
        try {
          await secondName(fs, pathOf(oid), file);
          return true;
        } catch (error) {
          if (!isMissing(error) || tries === TRIES) throw error;
          if (!(await unlessMissing(fs.lstat(pathOf(oid))))) return false;
          // A gc removes the folders that it empties.
          await makeDirs(fs, file.slice(0, file.lastIndexOf("/")), 0o777);
        }
      }
    },

    async list(all) {
      for (const [oid, at] of young) {
        if (now() - at <= YOUNG_MS) break;
        young.delete(oid);
      }
      if (!all) return [...young.keys()];
      const found: Oid[] = [];
      const pace = openPace();
      for (const { name } of (await unlessMissing(fs.readdir(dir))) ?? []) {
        await pace();
        const stat = await unlessMissing(fs.lstat(`${dir}/${name}`));
        if (!stat) continue;
        // A link shares the object's times: when it was written, or last made to look fresh.
        if (now() - Number(stat.mtimeMs) > KEPT_MS) await removeIfThere(fs, `${dir}/${name}`);
        else if (isOid(name)) found.push(name);
      }
      return found;
    },
  };
}

/** That there is such a name already is fine: what it names has the same bytes. */
async function secondName(fs: Fs, from: string, to: string): Promise<void> {
  try {
    await fs.link(from, to);
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (code === "EEXIST") return;
    if (!HARD_LINKS_REFUSED.has(code) && code !== "EXDEV") throw error;
    const partial = `${to}.${randomBytes(4).toString("hex")}.tmp`;
    await writeDurably(fs, partial, await fs.readFile(from), 0o444);
    await fs.rename(partial, to);
  }
}
