/**
 * Packs that this service writes: the objects of a large batch as one file, with one sync instead of one for each object.
 *
 * A file `pack-<id>.keep` beside a pack makes git leave it alone. Without it, a `git repack -ad` that began before the
 * branch moved would remove the pack as unreachable. After an hour the keep file is removed, and the pack is git's.
 *
 * Git looks for an object in every pack, so small packs are merged. The objects are then in another pack that is kept
 * before the old ones are removed; a process that is reading those looks for the new one, as after a `git repack`.
 */
import { createHash } from "node:crypto";
import type { Oid } from "../../repo.ts";
import { makeDirs, removeIfExists, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import { allEnded } from "../parallel.ts";
import type { Scratch } from "../locks/scratch.ts";
import { pace } from "../../../time-slices.ts";
import type { NewObject } from "../objects/object.ts";
import {
  encodePack,
  finishPack,
  PACK_HASH_BYTES,
  PACK_HEADER_BYTES,
  readIndex,
  type EncodedPack,
  type PackEntry,
} from "../objects/pack-writer.ts";

export interface KeptPacks {
  /** Writes objects as one pack, durably. @param objects each id once, a base before the objects made from it */
  put(objects: readonly NewObject[]): Promise<void>;
  /** The objects that the last `put` of this process wrote; none if its pack is not there any more. */
  held(): Promise<ReadonlySet<Oid>>;
  /** Whether a pack is one of ours that git leaves alone. @param name `pack-<id>` */
  isKept(name: string): Promise<boolean>;
  /** Merges small packs if there are many. */
  mergeSmall(): Promise<void>;
  /** Removes keep files older than an hour, and what a crash has left of a pack. */
  releaseOld(): Promise<void>;
}

/** Content of our keep files, by which they are told from those of people and of `git fetch`. */
const MARK = Buffer.from("git-cms\n");
/** As in retained-objects.ts. */
const KEPT_MS = 60 * 60 * 1000;
/** Small packs are merged when there are this many. */
const SMALL_PACKS_MAX = 16;
const SMALL_BYTES = 8n * 1024n * 1024n;

export function openKeptPacks(fs: Fs, gitDir: string, scratch: Scratch, now: () => number = Date.now): KeptPacks {
  const dir = `${gitDir}/objects/pack`;
  let last: { readonly path: string; readonly oids: ReadonlySet<Oid> } | undefined;

  const exists = async (path: string): Promise<boolean> => (await fs.lstat(path)) !== undefined;

  /** Git takes a pack for complete when its index is there, so that comes last; the keep file is there before the pack. */
  async function place({ id, pack, index }: EncodedPack): Promise<string> {
    const path = `${dir}/pack-${id}`;
    const files = [
      [".keep", MARK],
      [".pack", { parts: pack }],
      [".idx", index],
    ] as const;
    const temporary = await scratch.temporaryPath("pack");
    try {
      await allEnded(files.map(([suffix, content]) => writeDurably(fs, temporary + suffix, content, 0o444)));
      for (const changed of await makeDirs(fs, dir, 0o777)) await fs.syncDir(changed);
      for (const [suffix] of files) await fs.rename(temporary + suffix, path + suffix);
      await fs.syncDir(dir);
      return path;
    } catch (error) {
      for (const [suffix] of files) await removeIfExists(fs, temporary + suffix).catch(() => undefined);
      throw error;
    }
  }

  const isKept = async (name: string): Promise<boolean> =>
    (await unlessMissing(fs.readFile(`${dir}/${name}.keep`)))?.equals(MARK) ?? false;

  /** The names of our kept packs, and of what a crash has left of one. */
  async function keptNames(): Promise<string[]> {
    const entries = (await unlessMissing(fs.readdir(dir))) ?? [];
    const names = entries.flatMap(({ name }) => (name.endsWith(".keep") ? [name.slice(0, -".keep".length)] : []));
    const kept: string[] = [];
    for (const name of names) if (await isKept(name)) kept.push(name);
    return kept;
  }

  /** The largest first, without those that git's multi-pack index refers to. */
  async function smallPacks(): Promise<string[]> {
    const indexedAt = (await fs.lstat(`${dir}/multi-pack-index`))?.mtimeNs ?? 0n;
    const found: { readonly name: string; readonly size: bigint }[] = [];
    for (const name of await keptNames()) {
      const stat = await fs.lstat(`${dir}/${name}.pack`);
      if (!stat || stat.size > SMALL_BYTES || stat.mtimeNs <= indexedAt || !(await exists(`${dir}/${name}.idx`)))
        continue;
      found.push({ name, size: stat.size });
    }
    return found.sort((a, b) => Number(b.size - a.size)).map(({ name }) => name);
  }

  async function remove(name: string): Promise<void> {
    // Without the index, no process looks into the pack any more. The keep file last: `releaseOld` finds the rest by it.
    for (const suffix of [".idx", ".pack", ".keep"]) await removeIfExists(fs, `${dir}/${name}${suffix}`);
  }

  return {
    isKept,

    async put(objects) {
      const path = await place(await encodePack(objects));
      last = { path, oids: new Set(objects.map(({ oid }) => oid)) };
    },

    async held() {
      return last && (await exists(`${last.path}.idx`)) ? last.oids : new Set();
    },

    async mergeSmall() {
      const names = await smallPacks();
      if (names.length < SMALL_PACKS_MAX) return;
      const merged = await mergePacks(fs, dir, names);
      if (merged.names.length < 2) return;
      const path = await place(await finishPack(merged.bodies, merged.entries));
      for (const name of merged.names) if (`${dir}/${name}` !== path) await remove(name);
    },

    async releaseOld() {
      for (const name of await keptNames()) {
        const keep = `${dir}/${name}.keep`;
        const stat = await fs.lstat(keep);
        if (!stat || now() - Number(stat.mtimeMs) <= KEPT_MS) continue;
        if (await exists(`${dir}/${name}.idx`)) await removeIfExists(fs, keep);
        else await remove(name);
      }
    },
  };
}

interface Merged {
  readonly names: readonly string[];
  readonly bodies: readonly Buffer[];
  readonly entries: readonly PackEntry[];
}

/**
 * The packs one after the other: deltas name their bases by distance, which stays the same. A pack with an object that
 * another one has is left out, since git allows each object once; one without any other object is merged with nothing.
 */
async function mergePacks(fs: Fs, dir: string, names: readonly string[]): Promise<Merged> {
  const merged = { names: [] as string[], bodies: [] as Buffer[], entries: [] as PackEntry[] };
  const seen = new Set<Oid>();
  let end = PACK_HEADER_BYTES;
  for (const name of names) {
    await pace();
    const source = await readIntact(fs, `${dir}/${name}`);
    const known = source?.entries.filter(({ oid }) => seen.has(oid)).length ?? 0;
    if (!source || (known > 0 && known < source.entries.length)) continue;
    merged.names.push(name);
    if (known > 0) continue;
    for (const entry of source.entries) {
      seen.add(entry.oid);
      merged.entries.push({ ...entry, offset: entry.offset - PACK_HEADER_BYTES + end });
    }
    merged.bodies.push(source.body);
    end += source.body.length;
  }
  return merged;
}

/** undefined for a pack that was removed or does not match its checksum: its damage must not spread. */
async function readIntact(
  fs: Fs,
  path: string,
): Promise<{ readonly body: Buffer; readonly entries: readonly PackEntry[] } | undefined> {
  const pack = await unlessMissing(fs.readFile(`${path}.pack`));
  const index = await unlessMissing(fs.readFile(`${path}.idx`));
  if (!pack || !index) return undefined;
  const body = pack.subarray(PACK_HEADER_BYTES, -PACK_HASH_BYTES);
  const checksum = createHash("sha1").update(pack.subarray(0, -PACK_HASH_BYTES)).digest();
  if (!checksum.equals(pack.subarray(-PACK_HASH_BYTES))) return undefined;
  const entries = readIndex(index, checksum);
  return entries && { body, entries };
}
