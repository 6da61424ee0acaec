/**
 * What files were read as, by their blob ids: the same bytes never need parsing twice, also after a restart.
 *
 * Kept in one file of the private state. A cache that cannot be read is an empty one. Records of kinds that can be packed
 * are kept whole, checked as they are; of others the parsed files are. Where the content was in order, the cache also says
 * what was seen of its files and what its records are found by, so that a start can let them rest (rest.ts).
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { FileContent } from "./codec.ts";
import { decode, encode, inMemory, isSound, openFile, type AtRest, type Decoded, type PackedSet } from "./content-cache-file.ts";
import { CONTENT, type AnyKind, type Base, type Entity, type Part } from "./kind.ts";
import { outlineOfPackable, type Packable, type PackedGroup } from "./packed.ts";
import { replaceFile } from "./replace-file.ts";
import type { Oid, Path } from "./repo.ts";
import { differencesIn, inWalkingOrder, lineOf } from "./seen.ts";
import { PackedEntry, partsName, type Entry } from "./snapshot.ts";

export interface ContentCache {
  get(oid: Oid): FileContent | undefined;
  set(oid: Oid, content: FileContent): void;
  /** @param parts of the record's files, see `partsName` in snapshot.ts */
  has(kind: AnyKind, base: Base, parts: string): boolean;
  /** The record that these files make; undefined when it is not known, or its kind is not packed. */
  find(kind: AnyKind, base: Base, parts: string): Entry | undefined;
  /** @param isWhole whether no other record decides part of it */
  setRecord(kind: AnyKind, base: Base, files: ReadonlyMap<Part, Oid>, record: Entity, isWhole: boolean): void;
  /** What was set, for the `add` of another program's cache, and with it what was seen of its files. Of all that only what is asked for afterwards is left for the next start. */
  packed(seen: Buffer): Uint8Array;
  /** @returns what the other has seen of its files; undefined when the other's cache is of no use here */
  add(packed: Uint8Array): Buffer | undefined;
  /** The content as a start before has left it; undefined where it was not in order, or nothing was left. */
  readonly rest: Rest | undefined;
  /** Whether so much is new that it is worth writing. */
  readonly isDue: boolean;
  /**
   * Ends the cache's work: what was asked for or set is left for the next start, when enough is new to be worth it, and no
   * more is kept.
   *
   * @param left undefined where all rests, and goes on doing so
   */
  retire(left?: Left): Retired;
}

export interface Retired {
  /** Of what lies at rest once it is written; undefined where that is not all there is. */
  readonly name: string | undefined;
  /** Writes it, if there is anything new. Once. */
  write(): Promise<void>;
}

/** All packed records there were, while nobody has looked at any. */
export interface Rest extends AtRest {
  group(kind: AnyKind): PackedGroup | undefined;
  /** What was seen of all files below `CONTENT`, as seen.ts puts it, in UTF-8. */
  seen(): Buffer;
}

/** The content at the end of a start. */
export interface Left {
  /** The names of all that may be kept of files. */
  oids(): Iterable<Oid>;
  /** The packed kinds, where every record of theirs stands in files of its own that load, and none depends on another. */
  resting(): readonly AnyKind[] | undefined;
  readonly files: ReadonlyMap<Path, { readonly oid: Oid }>;
  /** Whether this start would have been quicker from what it leaves. */
  readonly isWanted: boolean;
  /** See `Repo`. */
  seen(path: Path, oid: Oid): string | undefined;
}

const FILE = "content.cache";
/** Reading fewer files than this costs less than writing the cache. */
export const WORTH_SAVING = 50;
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
  const { entries, groups: own } = known;
  let rest = known.rest && { ...known.rest, seen: known.seen };
  /** What is known, from this cache and from others. */
  const groups = [...own];
  const kinds = new Map<AnyKind, Known>();
  const knownOf = (kind: AnyKind): Known => {
    let known = kinds.get(kind);
    if (!known) kinds.set(kind, (known = { kind, made: new Map(), used: new Map() }));
    return known;
  };
  const find = (kind: AnyKind, base: Base, parts: string): { readonly group: PackedGroup; readonly place: number } | undefined => {
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
  const read = new Map<Oid, FileContent>();
  let fresh = 0;
  let retired = false;
  return {
    get: (oid) => entries.get(oid),
    set(oid, content) {
      if (retired) return;
      entries.set(oid, content);
      read.set(oid, content);
      fresh++;
    },
    has: (kind, base, parts) => find(kind, base, parts) !== undefined,
    find(kind, base, parts) {
      if (retired || !kind.packing) return undefined;
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
      if (retired || !packing) return;
      fresh++;
      const parts = partsName(files);
      const { made, used } = knownOf(kind);
      used.set(base, parts);
      let packable: Packable | undefined;
      made.set(base, { entry: { record, base, files }, parts, pack: () => (packable ??= { base, parts, isWhole, ...packing.pack(record) }) });
    },
    packed(seen) {
      const known = [...kinds.values()];
      const sets = known.map(({ kind, made }): PackedSet => ({ kind, records: Array.from(made.values(), (each) => each.pack()) }));
      const bytes = encode(setting, [...read], sets, seen);
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
      if (!found) return undefined;
      for (const [oid, content] of found.entries) entries.set(oid, content);
      groups.push(...found.groups);
      fresh += found.groups.reduce((sum, { columns }) => sum + columns.bases.length, found.entries.size);
      return found.seen();
    },
    get rest() {
      return rest && { ...rest, group: (kind: AnyKind) => own.find(({ columns }) => columns.kind === kind.name) };
    },
    get isDue() {
      return fresh >= WORTH_SAVING;
    },
    retire(left) {
      const isKept = left && path !== null && writes;
      const sets = isKept ? [...kinds.values()].filter(({ used }) => used.size > 0).map((each): PackedSet => ({ kind: each.kind, records: packableOf(each) })) : [];
      const packedKinds = sets.length > 0 ? left?.resting() : undefined;
      const next = packedKinds && restingIn(left!, packedKinds);
      const moved = next && (rest ? differencesIn(rest.seen(), next.seen).size + next.unsettled : Infinity);
      let name = moved === 0 ? rest?.name : undefined;
      let write = async (): Promise<void> => undefined;
      const isDue = fresh >= WORTH_SAVING || (moved !== undefined && moved >= (left!.isWanted ? 1 : WORTH_SAVING));
      if (isKept && isDue) {
        const files = [...new Set(left.oids())].flatMap((oid) => (entries.has(oid) ? [[oid, entries.get(oid)!] as const] : []));
        const ordered = next ? sets.map(inOrderOfIds) : sets;
        name = next && nameOfResting(setting, ordered);
        write = () => replaceFile(path, encode(setting, files, ordered, next?.seen, next && { name: name!, others: next.others }));
      }
      retired = true;
      for (const each of [entries, read, kinds]) each.clear(); // the records stand in the snapshot; these would be a second copy in memory
      if (left) for (const group of own) group.rest = undefined;
      rest = undefined;
      own.length = groups.length = 0;
      return { name, write };
    },
  };
}

const NOTHING_KEPT = (): Decoded => ({ entries: new Map(), groups: [], rest: undefined, seen: () => Buffer.alloc(0) });

/** What is left beside records that rest. */
interface Resting {
  readonly seen: Buffer;
  readonly others: Rest["others"];
  /** Files of which it was not certain what was seen. */
  readonly unsettled: number;
}

function restingIn({ files, seen }: Left, kinds: readonly AnyKind[]): Resting {
  const others: Rest["others"][number][] = [];
  let text = "";
  let unsettled = 0;
  for (const path of inWalkingOrder(files.keys())) {
    const { oid } = files.get(path)!;
    const known = seen(path, oid);
    if (known === undefined) unsettled++;
    if (path.startsWith(`${CONTENT}/`)) text += lineOf(path, known ?? "");
    if (known !== undefined && !kinds.some((kind) => kind.split(path))) others.push([path, known, oid]);
  }
  return { seen: Buffer.from(text), others, unsettled };
}

function inOrderOfIds({ kind, records }: PackedSet): PackedSet {
  const ids = records.map((record): [number, Packable] => [outlineOfPackable(record).id, record]);
  return { kind, records: ids.sort(([a], [b]) => a - b).map(([, record]) => record) };
}

/** Another one for other records. */
const nameOfResting = (setting: string, sets: readonly PackedSet[]): string =>
  createHash("sha1").update(JSON.stringify([setting, sets.map(({ kind, records }) => [kind.name, records.map(({ base }) => base), records.map(({ parts }) => parts)])])).digest("hex");
