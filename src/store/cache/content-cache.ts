/**
 * What files were read as, by their blob ids: the same bytes never need parsing twice, also after a restart.
 *
 * Kept in one file of the private state. A cache that cannot be read is an empty one. Records of kinds that can be packed
 * are kept whole, checked as they are; of others the parsed files are.
 */
import { join } from "node:path";
import type { FileContent } from "../codec/codec.ts";
import { decode, encode, inMemory, isSound, openFile, type Decoded, type PackedSet } from "./content-cache-file.ts";
import type { AnyKind, Base, Entity, Part } from "../content/record-type.ts";
import { outlineOfPackable, type Packable, type PackedGroup } from "./packed.ts";
import { replaceFile } from "../private/replace-file.ts";
import type { Oid } from "../repo.ts";
import { PackedEntry, partsName, type Entry } from "../content/snapshot.ts";

export interface ContentCache {
  get(oid: Oid): FileContent | undefined;
  set(oid: Oid, content: FileContent): void;
  /** @param parts of the record's files, see `partsName` in snapshot.ts */
  has(kind: AnyKind, base: Base, parts: string): boolean;
  /** The record that these files make; undefined when it is not known, or its kind is not packed. */
  find(kind: AnyKind, base: Base, parts: string): Entry | undefined;
  /** @param isWhole whether no other record decides part of it */
  setRecord(kind: AnyKind, base: Base, files: ReadonlyMap<Part, Oid>, record: Entity, isWhole: boolean): void;
  /** What was set, for the `add` of another process's cache. Of all that only what is asked for afterwards is left for the next start. */
  packed(): Uint8Array;
  /** Takes what `packed` of another process gave; damaged bytes, or those of another setting, are ignored. */
  add(packed: Uint8Array): void;
  /**
   * Writes the records that were asked for or set, and the parsed files with the given ids, if enough of it is new to be
   * worth it, and empties the cache: the records are in the snapshot by then, and these would be copies.
   */
  flush(oids: () => Iterable<Oid>): Promise<void>;
}

const FILE = "content.cache";
/** Reading fewer files than this costs less than writing the cache. */
const WORTH_SAVING = 50;
/** A record that was read in this run; its texts are not bytes yet. */
interface Made {
  readonly entry: Entry;
  readonly parts: string;
  pack(): Packable;
}

/** What this run knows of a kind's records. */
interface Known {
  readonly kind: AnyKind;
  readonly made: Map<Base, Made>;
  /** The parts of those that were asked for or set. */
  readonly used: Map<Base, string>;
}

/**
 * @param dir the private state folder; null keeps everything in memory
 * @param setting names whatever else decides what a file is read as: what was kept under another one is not used
 * @param writes whether it is written at the end; of several programs that open one site at once, one does
 */
export async function openContentCache(dir: string | null, setting = "", writes = true): Promise<ContentCache> {
  const path = dir && join(dir, FILE);
  const file = path === null ? undefined : openFile(path);
  const decoded = file && decode(file, setting);
  const known = file && decoded && isSound(file) ? decoded : NOTHING_KEPT();
  const { entries, groups } = known;
  const kinds = new Map<AnyKind, Known>();
  const knownOf = (kind: AnyKind): Known => {
    let known = kinds.get(kind);
    if (!known) kinds.set(kind, (known = { kind, made: new Map(), used: new Map() }));
    return known;
  };
  const find = (
    kind: AnyKind,
    base: Base,
    parts: string,
  ): { readonly group: PackedGroup; readonly place: number } | undefined => {
    for (const group of groups) {
      const place = group.columns.kind === kind.name ? group.placeOf(base) : undefined;
      if (place !== undefined && group.columns.parts[place] === parts) return { group, place };
    }
    return undefined;
  };
  const packableOf = ({ kind, made, used }: Known): Packable[] =>
    Array.from(used, ([base, parts]) => {
      // What was read here may be another version than the one asked for in the end.
      const mine = made.get(base);
      return mine?.parts === parts ? mine.pack() : { base, parts, ...find(kind, base, parts)! };
    });
  const setsOf = (): PackedSet[] =>
    [...kinds.values()]
      .filter(({ used }) => used.size > 0)
      .map((each) => ({ kind: each.kind, records: packableOf(each) }));
  const filesOf = (oids: Iterable<Oid>): (readonly [Oid, FileContent])[] =>
    [...new Set(oids)].flatMap((oid) => (entries.has(oid) ? [[oid, entries.get(oid)!] as const] : []));
  const read = new Map<Oid, FileContent>();
  let fresh = 0;
  let isFlushed = false;
  return {
    get: (oid) => entries.get(oid),
    set(oid, content) {
      if (isFlushed) return;
      entries.set(oid, content);
      read.set(oid, content);
      fresh++;
    },
    has: (kind, base, parts) => find(kind, base, parts) !== undefined,
    find(kind, base, parts) {
      if (isFlushed || !kind.packing) return undefined;
      const { made, used } = knownOf(kind);
      const mine = made.get(base);
      if (mine?.parts === parts) {
        used.set(base, parts);
        return mine.entry;
      }
      const kept = find(kind, base, parts);
      if (!kept) return undefined;
      used.set(base, parts);
      // Whoever asks for one this way asks for nearly all.
      kept.group.readOutlines();
      return new PackedEntry(kind, base, parts, kept.group.at(kept.place));
    },
    setRecord(kind, base, files, record, isWhole) {
      const { packing } = kind;
      if (isFlushed || !packing) return;
      fresh++;
      const parts = partsName(files);
      const { made, used } = knownOf(kind);
      used.set(base, parts);
      let packable: Packable | undefined;
      made.set(base, {
        entry: { record, base, files },
        parts,
        pack: () => (packable ??= { base, parts, isWhole, ...packing.pack(record) }),
      });
    },
    packed() {
      const known = [...kinds.values()];
      const sets = known.map(({ kind, made }): PackedSet => ({
        kind,
        records: Array.from(made.values(), (each) => each.pack()),
      }));
      const bytes = encode(setting, [...read], sets);
      // What has been packed once is copied from there.
      for (const [at, group] of (decode(inMemory(bytes), setting)?.groups ?? []).entries()) {
        const { records } = sets[at]!;
        group.knowOutlines(records.map(outlineOfPackable));
        for (const [place, { base, parts }] of records.entries()) {
          const { made } = known[at]!;
          made.set(base, { ...made.get(base)!, pack: () => ({ base, parts, group, place }) });
        }
      }
      // Some of it may be gone before everything is looked at: what counts is asked for again.
      for (const { used } of known) used.clear();
      return bytes;
    },
    add(given) {
      const bytes = inMemory(given);
      const found = isSound(bytes) ? decode(bytes, setting) : undefined;
      if (!found) return;
      for (const [oid, content] of found.entries) entries.set(oid, content);
      groups.push(...found.groups);
      fresh += found.groups.reduce((sum, { columns }) => sum + columns.bases.length, found.entries.size);
    },
    async flush(oids) {
      if (isFlushed) return;
      isFlushed = true;
      const isDue = path !== null && writes && fresh >= WORTH_SAVING;
      const bytes = isDue ? encode(setting, filesOf(oids()), setsOf()) : undefined;
      for (const each of [entries, read, kinds]) each.clear();
      groups.length = 0;
      if (bytes) await replaceFile(path!, bytes);
    },
  };
}

const NOTHING_KEPT = (): Decoded => ({ entries: new Map(), groups: [] });
