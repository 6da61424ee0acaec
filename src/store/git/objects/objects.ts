/**
 * Git's objects: read loose or packed; written durably, a few as loose objects, many as a pack.
 *
 * A file is written under a temporary name and renamed. An object that a crash truncated would be taken for complete, and
 * a later write of the same content would succeed without replacing it.
 */
import { CmsError, messageOf } from "../../../errors.ts";
import type { Oid } from "../../repo.ts";
import { writeBlobFile } from "./file-blob.ts";
import { codeOf, isMissing, makeDirs, randomSuffix, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import { allEnded, inParallel } from "../parallel.ts";
import { decodeLoose, encodeLoose } from "./loose-format.ts";
import { oidOf, type FileBlob, type GitObject, type NewObject } from "./object.ts";
import { pace } from "../../../time-slices.ts";
import { openPackedObjects } from "./packed-objects.ts";
import type { KeptPacks } from "../guards/kept-packs.ts";
import type { RetainedObjects } from "../guards/retained-objects.ts";

export interface Objects {
  /** undefined if there is no such object. @throws CmsError `unavailable` if it is damaged */
  read(oid: Oid): Promise<GitObject | undefined>;
  /**
   * Writes objects, durably.
   *
   * An existing loose one is verified, replaced if damaged, and its modification time is set to now, which protects it
   * from `git prune`. A loose one is retained for an hour (retained-objects.ts), so that `restorePruned` can put it back;
   * a pack is kept for an hour (kept-packs.ts).
   */
  put(objects: readonly (NewObject | FileBlob)[]): Promise<void>;
  /** Whether an object is stored, without reading it. */
  has(oid: Oid): Promise<boolean>;
  /** Whether the service, in this process or another, has written the object in the last hour. */
  isRetained(oid: Oid): Promise<boolean>;
  /** Puts back those of the retained objects that are not stored any more. */
  restore(oids: Iterable<Oid>): Promise<Restored>;
  /**
   * Puts back what a prune has removed of the objects written in the last minute, or (all) in the last hour by any
   * process.
   *
   * @returns the ids
   */
  restorePruned(all: boolean): Promise<readonly Oid[]>;
  /** Merges small packs. @param all also releases the packs that were kept for an hour */
  tidyPacks(all: boolean): Promise<void>;
  /** The ids with a prefix, loose or packed, of any type. */
  startingWith(prefix: string): Promise<Oid[]>;
  close(): void;
}

export interface Restored {
  readonly restored: readonly Oid[];
  /** Neither stored nor retained. */
  readonly lost: readonly Oid[];
}

const READ_TRIES = 5;
const WRITE_TRIES = 6;
const WRITES_AT_ONCE = 8;
/** From this many objects on, a pack takes less than the syncs of as many files. */
const PACKED_MIN = 32;
/** Larger objects are written on their own: a pack is held in memory while it is made. */
const PACKED_BYTES_MAX = 1024 * 1024;
const PACK_BYTES_MAX = 32 * 1024 * 1024;
/** From this many objects in one folder on, a listing takes less time than a look at each. */
const LISTED_MIN = 8;

export function openObjects(gitDir: string, fs: Fs, retained: RetainedObjects, kept: KeptPacks): Objects {
  const packed = openPackedObjects(gitDir);
  const loose = openLooseObjects(`${gitDir}/objects`, fs, retained);
  /** Tries the storage of the last hit first: related objects are usually in the same one, and misses are slow. */
  let storages = [loose.read, packed.read];

  async function find(oid: Oid): Promise<GitObject | undefined> {
    let failure: unknown;
    for (const storage of storages) {
      try {
        const found = await storage(oid);
        if (found && storage !== storages[0]) storages = storages.toReversed();
        if (found) return found;
      } catch (error) {
        // If it is damaged in one storage, the other may have it intact.
        failure = error;
      }
    }
    // A prune may have removed it since the last `restorePruned`.
    const bytes = await retained.read(oid);
    if (bytes) return decodeLoose(bytes);
    if (failure) throw failure;
    return undefined;
  }

  async function read(oid: Oid): Promise<GitObject | undefined> {
    let failure: unknown;
    for (let tries = 0; tries < READ_TRIES; tries++) {
      try {
        const found = await find(oid);
        // A repack may move the object from one storage to the other during a search, so it is searched for twice.
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

  const has = async (oid: Oid): Promise<boolean> => (await loose.has(oid)) || packed.has(oid);

  async function restore(oids: Iterable<Oid>): Promise<Restored> {
    const restored: Oid[] = [];
    const lost: Oid[] = [];
    const held = await kept.held();
    const others = [...oids].filter((oid) => !held.has(oid));
    const stored = await loose.storedOf(others);
    for (const oid of others) {
      await pace();
      if (stored.has(oid) || (await packed.has(oid))) continue;
      const isRestored = await retained.restore(oid, loose.pathOf(oid));
      (isRestored ? restored : lost).push(oid);
    }
    if (restored.length > 0) await loose.syncDirs(restored);
    return { restored, lost };
  }

  return {
    read,
    has,
    restore,
    async isRetained(oid) {
      if (await retained.has(oid)) return true;
      const pack = packed.nameOf(oid);
      return pack !== undefined && kept.isKept(pack);
    },
    restorePruned: async (all) => (await restore(await retained.list(all))).restored,
    async tidyPacks(all) {
      await kept.mergeSmall();
      if (all) await kept.releaseOld();
    },

    async put(objects) {
      const unique = [...new Map(objects.map((object) => [object.oid, object])).values()];
      const { packs, others } = distribute(unique);
      for (const pack of packs) await kept.put(pack);
      await inParallel(others, WRITES_AT_ONCE, loose.put);
      if (others.length > 0) await allEnded([loose.syncDirs(others.map(({ oid }) => oid)), retained.sync()]);
    },

    async startingWith(prefix) {
      return [...new Set([...(await loose.startingWith(prefix)), ...packed.startingWith(prefix)])];
    },

    close: () => packed.close(),
  };
}

/** Which objects are written as packs, and which as loose objects. */
function distribute(objects: readonly (NewObject | FileBlob)[]): {
  readonly packs: readonly (readonly NewObject[])[];
  readonly others: readonly (NewObject | FileBlob)[];
} {
  const small = objects.filter(
    (object): object is NewObject => "content" in object && object.content.length <= PACKED_BYTES_MAX,
  );
  if (small.length < PACKED_MIN) return { packs: [], others: objects };
  const packs: NewObject[][] = [];
  let bytes = PACK_BYTES_MAX;
  for (const object of small) {
    if (bytes + object.content.length > PACK_BYTES_MAX) {
      packs.push([]);
      bytes = 0;
    }
    packs.at(-1)?.push(object);
    bytes += object.content.length;
  }
  const inPacks = new Set<NewObject | FileBlob>(small);
  return { packs, others: objects.filter((object) => !inPacks.has(object)) };
}

interface LooseObjects {
  pathOf(oid: Oid): string;
  read(this: void, oid: Oid): Promise<GitObject | undefined>;
  has(oid: Oid): Promise<boolean>;
  /** Which of the objects are stored. Of many, it lists their folders instead of looking at each. */
  storedOf(oids: readonly Oid[]): Promise<ReadonlySet<Oid>>;
  /** Writes an object. Its name is durable after `syncDirs`. */
  put(this: void, object: NewObject | FileBlob): Promise<void>;
  /** Makes the names of objects durable, also of those that another process wrote. */
  syncDirs(oids: Iterable<Oid>): Promise<void>;
  startingWith(prefix: string): Promise<Oid[]>;
}

function openLooseObjects(objectsDir: string, fs: Fs, retained: RetainedObjects): LooseObjects {
  const dirOf = (oid: Oid) => `${objectsDir}/${oid.slice(0, 2)}`;
  const pathOf = (oid: Oid) => `${dirOf(oid)}/${oid.slice(2)}`;

  const has = async (oid: Oid): Promise<boolean> => (await fs.lstat(pathOf(oid))) !== undefined;

  async function read(oid: Oid): Promise<GitObject | undefined> {
    const bytes = await unlessMissing(fs.readFile(pathOf(oid)));
    return bytes && decodeLoose(bytes);
  }

  /** Refreshes and retains an existing object. @returns whether it exists and is intact */
  async function reuse(object: NewObject): Promise<boolean> {
    try {
      const existing = (await has(object.oid)) && (await read(object.oid));
      if (!existing || oidOf(existing.type, existing.content) !== object.oid) return false;
      await fs.touch(pathOf(object.oid)).catch((error: unknown) => {
        // A file of another user cannot be touched; being retained is what protects it.
        if (codeOf(error) !== "EPERM") throw error;
      });
      await retained.retain(object.oid, pathOf(object.oid));
      return true;
    } catch {
      // It is damaged, or a prune has removed it just now: it is written again.
      return false;
    }
  }

  async function write(object: NewObject | FileBlob): Promise<void> {
    const encoded = "content" in object ? await encodeLoose(object) : undefined;
    const temporary = `${dirOf(object.oid)}/tmp_obj_${randomSuffix()}`;
    for (let tries = 1; ; tries++) {
      try {
        if (encoded) await writeDurably(fs, temporary, encoded, 0o444);
        else if ("file" in object) await writeBlobFile(fs, temporary, object);
        await retained.retain(object.oid, temporary);
        await fs.rename(temporary, pathOf(object.oid));
        return;
      } catch (error) {
        // The directory does not exist yet, or a gc has just removed it, being empty, or the temporary file.
        if (!isMissing(error) || tries === WRITE_TRIES) throw error;
        await makeDirs(fs, dirOf(object.oid), 0o777);
      }
    }
  }

  return {
    pathOf,
    read,
    has,

    async storedOf(oids) {
      const stored = new Set<Oid>();
      const byDir = new Map<string, Oid[]>();
      for (const oid of oids) byDir.set(dirOf(oid), [...(byDir.get(dirOf(oid)) ?? []), oid]);
      for (const [dir, inDir] of byDir) {
        await pace();
        if (inDir.length < LISTED_MIN) {
          for (const oid of inDir) if (await has(oid)) stored.add(oid);
          continue;
        }
        const names = new Set(((await unlessMissing(fs.readdir(dir))) ?? []).map(({ name }) => name));
        for (const oid of inDir) if (names.has(oid.slice(2))) stored.add(oid);
      }
      return stored;
    },

    async put(object) {
      // To verify a large file, it would have to be read as a whole, so it is written again.
      if ("content" in object && (await reuse(object))) return;
      await write(object);
    },

    async syncDirs(oids) {
      // The parent folder, too: another process may have created one of them without syncing it.
      const dirs = new Set([...oids].map(dirOf)).add(objectsDir);
      // A prune removes folders that it empties; `restore` creates them again.
      await inParallel([...dirs], WRITES_AT_ONCE, (dir) => unlessMissing(fs.syncDir(dir)));
    },

    async startingWith(prefix) {
      const start = prefix.slice(0, 2);
      const entries = (await unlessMissing(fs.readdir(`${objectsDir}/${start}`))) ?? [];
      return entries
        .map(({ name }) => start + name)
        .filter((oid) => /^[0-9a-f]{40}$/.test(oid) && oid.startsWith(prefix));
    },
  };
}
