/**
 * Git's objects: read loose or packed, written loose and durable.
 *
 * An object is written to a temporary name and renamed, because one cut short by a crash would later be taken for
 * whole, and the same content, written again, would "succeed" and stay broken.
 */
import { randomBytes } from "node:crypto";
import * as nodeFs from "node:fs";
import { promisify } from "node:util";
import { deflate, deflateSync, inflate, inflateSync } from "node:zlib";
import { CmsError, messageOf } from "../../../errors.ts";
import type { Oid } from "../../repo.ts";
import { writeBlobFile } from "./file-blob.ts";
import { allEnded, codeOf, inParallel, isMissing, makeDirs, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import { oidOf, type FileBlob, type GitObject, type NewObject, type ObjectType } from "./object.ts";
import { openPace } from "../time-slices.ts";
import { openPacks } from "./packs.ts";
import type { RetainedObjects } from "./retained-objects.ts";

export interface Objects {
  /** undefined when there is no such object. */
  read(oid: Oid): Promise<GitObject | undefined>;
  /**
   * Writes objects that are durable, names included, when it answers.
   *
   * One that is there already is checked, replaced when broken, and made to look fresh. Each is kept under a second
   * name for an hour (recent.ts), so that `tend` can put back what a prune removes.
   */
  put(objects: readonly (NewObject | FileBlob)[]): Promise<void>;
  /** Whether an object is stored, without reading it. */
  has(oid: Oid): Promise<boolean>;
  /** Whether the service, in this process or another, has put the object in the last hour. */
  isRecent(oid: Oid): Promise<boolean>;
  /** Puts back those of the objects put of late that a prune has removed since. @returns which were, and which could not be */
  restore(oids: Iterable<Oid>): Promise<Restored>;
  /**
   * Puts back what a prune has removed of the objects put in the last minute, or (all) in the last hour by any process.
   *
   * @returns the ids
   */
  tend(all: boolean): Promise<readonly Oid[]>;
  /** Every id that begins so, loose or packed, of any type. */
  startingWith(prefix: string): Promise<Oid[]>;
  close(): void;
}

export interface Restored {
  readonly restored: readonly Oid[];
  readonly lost: readonly Oid[];
}

/** Larger ones are compressed off the main thread: at 1 GB/s this is a fraction of a millisecond. */
const SYNC_BYTES = 64 * 1024;
/** Hashing takes a millisecond for each megabyte or two. */
const CHECKED_BYTES = 1024 * 1024;
const READ_TRIES = 5;
const WRITES_AT_ONCE = 8;

export function openObjects(gitDir: string, fs: Fs, recent: RetainedObjects): Objects {
  const objectsDir = `${gitDir}/objects`;
  const dirOf = (oid: Oid) => `${objectsDir}/${oid.slice(0, 2)}`;
  const pathOf = (oid: Oid) => `${dirOf(oid)}/${oid.slice(2)}`;

  async function readLoose(oid: Oid): Promise<GitObject | undefined> {
    const bytes = await unlessMissing(fs.readFile(pathOf(oid)));
    return bytes && (await unwrap(bytes));
  }

  const packs = openPacks(gitDir);

  async function readPacked(oid: Oid): Promise<GitObject | undefined> {
    try {
      const found = await packs.read(oid);
      if (!found || found.content.length > CHECKED_BYTES || oidOf(found.type, found.content) === oid) return found;
    } catch {
      // A pack that is damaged, has gone this instant, or is of an old kind: the library has the last word.
    }
    packs.close();
    return readByLibrary(gitDir, oid);
  }

  // The place of the last object first: its neighbours are there too, and finding nothing takes longest.
  let places = [readLoose, readPacked];

  async function look(oid: Oid): Promise<GitObject | undefined> {
    let failure: unknown;
    for (const place of places) {
      try {
        const found = await place(oid);
        if (found && place !== places[0]) places = places.toReversed();
        if (found) return found;
      } catch (error) {
        // Damaged in one place, it may be whole in the other.
        failure = error;
      }
    }
    // A prune may have removed it a moment ago, and `tend` not been there yet.
    const kept = await recent.read(oid);
    if (kept) return unwrap(kept);
    if (failure) throw failure;
    return undefined;
  }

  async function read(oid: Oid): Promise<GitObject | undefined> {
    let failure: unknown;
    for (let tries = 0; tries < READ_TRIES; tries++) {
      try {
        const found = await look(oid);
        // A repack moves an object from one place to the other between the two looks: the second round is certain.
        if (found || tries > 0) return found;
      } catch (error) {
        failure = error;
      }
    }
    throw new CmsError(
      "unavailable",
      `Object ${oid} cannot be read (${messageOf(failure)}): see \`git fsck\` and restore it from a clone.`,
      { cause: failure },
    );
  }

  /** Whether the loose object is there and whole; then it also looks fresh. */
  async function reuse(object: NewObject): Promise<boolean> {
    try {
      const there = await readLoose(object.oid);
      if (!there || oidOf(there.type, there.content) !== object.oid) return false;
      await fs.touch(pathOf(object.oid)).catch((error: unknown) => {
        // The file of another user, which need not look fresh: its second name is what saves it.
        if (codeOf(error) !== "EPERM") throw error;
      });
      await recent.keep(object.oid, pathOf(object.oid));
      return true;
    } catch {
      // A broken one is replaced, and one that a prune has just removed is written again.
      return false;
    }
  }

  /** A prune removes folders that it empties; `restore` makes them again. */
  const syncUnlessGone = (dir: string): Promise<void> => unlessMissing(fs.syncDir(dir));

  async function putOne(object: NewObject | FileBlob, changed: Set<string>): Promise<void> {
    // To check one that is there, a large file would have to be read as a whole; it is written again instead.
    if ("content" in object && (await reuse(object))) {
      // Whoever wrote it, git included, may not have synced its name.
      changed.add(dirOf(object.oid));
      return;
    }
    const packed = "content" in object ? await wrap(object) : undefined;
    const temporary = `${dirOf(object.oid)}/tmp_obj_${randomBytes(8).toString("hex")}`;
    for (let tries = 0; ; tries++) {
      try {
        if ("content" in object) await writeDurably(fs, temporary, packed!, 0o444);
        else await writeBlobFile(fs, temporary, object);
        await recent.keep(object.oid, temporary);
        await fs.rename(temporary, pathOf(object.oid));
        changed.add(dirOf(object.oid));
        return;
      } catch (error) {
        // The directory is not there yet, or a gc has just removed it because it was empty, or the temporary file.
        if (!isMissing(error) || tries >= READ_TRIES) throw error;
        await makeDirs(fs, dirOf(object.oid), 0o777);
      }
    }
  }

  async function has(oid: Oid): Promise<boolean> {
    if (await unlessMissing(fs.lstat(pathOf(oid)))) return true;
    try {
      if (packs.has(oid)) return true;
      // A repack may have replaced a pack while the folder was listed: what is listed anew is certain.
      packs.close();
      return packs.has(oid);
    } catch {
      // A pack of an old kind, or gone this instant: the library has the last word.
      return (await readByLibrary(gitDir, oid)) !== undefined;
    }
  }

  async function restore(oids: Iterable<Oid>): Promise<Restored> {
    const changed = new Set<string>();
    const restored: Oid[] = [];
    const lost: Oid[] = [];
    const pace = openPace();
    for (const oid of oids) {
      await pace();
      if (await has(oid)) continue;
      const isKept = await recent.restore(oid, pathOf(oid));
      (isKept ? restored : lost).push(oid);
      if (isKept) changed.add(dirOf(oid));
    }
    if (changed.size > 0) await inParallel([...changed, objectsDir], WRITES_AT_ONCE, syncUnlessGone);
    return { restored, lost };
  }

  return {
    read,

    async put(objects) {
      const changed = new Set<string>();
      const unique = new Map(objects.map((object) => [object.oid, object]));
      await inParallel([...unique.values()], WRITES_AT_ONCE, (object) => putOne(object, changed));
      // Their folder too: one of them may have been made by somebody who did not sync.
      await allEnded([inParallel([...changed.add(objectsDir)], WRITES_AT_ONCE, syncUnlessGone), recent.sync()]);
    },

    has,
    restore,
    isRecent: (oid) => recent.has(oid),

    tend: async (all) => (await restore(await recent.list(all))).restored,

    async startingWith(prefix) {
      const loose = (await unlessMissing(fs.readdir(`${objectsDir}/${prefix.slice(0, 2)}`))) ?? [];
      const found = loose
        .map((entry) => prefix.slice(0, 2) + entry.name)
        .filter((name) => /^[0-9a-f]{40}$/.test(name) && name.startsWith(prefix));
      return [...new Set([...found, ...packs.startingWith(prefix)])];
    },

    close: () => packs.close(),
  };
}

async function readByLibrary(gitDir: string, oid: Oid): Promise<GitObject | undefined> {
  // Loaded only now: it is large, and hardly ever needed.
  const { default: git } = await import("isomorphic-git");
  try {
    // A new cache each time: with an old one it would not see packs that others have made since.
    const found = await git.readObject({ fs: nodeFs, gitdir: gitDir, oid, format: "content", cache: {} });
    return { type: found.type as ObjectType, content: Buffer.from(found.object as Uint8Array) };
  } catch (error) {
    if (codeOf(error) === "NotFoundError") return undefined;
    throw error;
  }
}

async function wrap(object: NewObject): Promise<Buffer> {
  const bytes = Buffer.concat([Buffer.from(`${object.type} ${object.content.length}\0`), object.content]);
  if (bytes.length <= SYNC_BYTES) return deflateSync(bytes, { level: 1 });
  return promisify<Buffer, { level: number }, Buffer>(deflate)(bytes, { level: 1 });
}

async function unwrap(bytes: Buffer): Promise<GitObject> {
  const raw = bytes.length <= SYNC_BYTES ? inflateSync(bytes) : await promisify<Buffer, Buffer>(inflate)(bytes);
  const end = raw.indexOf(0);
  const [, type, length] = /^(blob|tree|commit|tag) (\d+)$/.exec(raw.toString("latin1", 0, end)) ?? [];
  const content = raw.subarray(end + 1);
  if (!type || Number(length) !== content.length) throw new Error("the loose object is damaged");
  return { type: type as ObjectType, content };
}
