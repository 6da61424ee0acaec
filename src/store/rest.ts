/**
 * Content at rest: as a start before has left it, with what has moved since laid over. No record is made before somebody
 * wants it, so a start takes no longer for a large site than for what moved in it.
 *
 * Somebody must have seen what moved. Wherever that would concern other records, or something does not load, everything is
 * looked at as at any other start.
 */
import { firstWhere } from "../model/bisect.ts";
import { SEARCHES_MAX } from "../model/columns.ts";
import { own } from "../model/json.ts";
import type { Id } from "../model/page.ts";
import { CONTENT, wordKey, type AnyKind, type Base, type Entity, type Keyed, type Part, type Space, type Word } from "./kind.ts";
import { WORTH_SAVING } from "./content-cache.ts";
import { checkPath } from "./git/worktree.ts";
import { contentPaths, load, loadGroup, partsNow, type Loaded, type Loader, type Look } from "./load.ts";
import type { PackedGroup, RestColumns } from "./packed.ts";
import type { Path, WorkingFile } from "./repo.ts";
import { differencesIn } from "./seen.ts";
import { isWhole, outlineOf, PackedEntry, partsIn, recordOf, Snapshot, type Entry, type Table } from "./snapshot.ts";
import { completer } from "./tables.ts";

type Changes = ReadonlyMap<Base, Entry | null>;

/** With more, everything is looked at, and left anew for the next start. */
const MOVED_MAX = WORTH_SAVING - 1;

/** @returns undefined where everything has to be looked at */
export async function loadAtRest(loader: Loader): Promise<Loaded | undefined> {
  const { repo, kinds, cache } = loader;
  const { rest } = cache;
  const ahead = rest && (await repo.ahead?.());
  if (!rest || ahead === undefined) return undefined;
  const packed = kinds.filter(({ packing }) => packing);
  const others = kinds.filter(({ packing }) => !packing);
  const moved = [...differencesIn(rest.seen(), Buffer.from(ahead)).keys()];
  const concerned = moved.filter((path) => isOf(packed, path));
  // What nobody asks for by such a name is found among others all the same.
  if (concerned.length > MOVED_MAX || !concerned.every(isPath)) return undefined;
  for (const [path, seen, oid] of rest.others) repo.trust?.(path, { seen, oid }, path.startsWith(`${CONTENT}/`));
  for (const path of moved) repo.trust?.(path, undefined);
  const { head } = await repo.state();
  const read = new Map<Path, Uint8Array>();
  const files = await repo.files([...contentPaths(others), ...concerned], others.flatMap((kind) => kind.except ?? []), read, (found) => found);
  if (concerned.some((path) => files.get(path)?.unreadable)) return undefined;
  const loaded = await load({ ...loader, kinds: others }, null, { head, files, read });
  const groups = new Map(packed.map((kind) => [kind, rest.group(kind)]));
  const tables = new Map(kinds.map((kind) => [kind, loaded.snapshot.table(kind)]));
  const changed = new Map<AnyKind, Changes>();
  for (const [kind, group] of groups) {
    const changes = await changesOf(loader, kind, group, concerned, { head, files, read });
    const table = changes && restingTable(kind, group, changes, completer(kind, loader.locales));
    if (!table) return undefined;
    tables.set(kind, table);
    changed.set(kind, changes);
  }
  if (packed.some((kind) => claimsOfOthers(kind, changed.get(kind)!, groups, tables))) return undefined;
  // Who reads so much anew had better leave it for the next start.
  if (cache.isDue) return undefined;
  repo.rest?.();
  const outlineAtRest = (kind: AnyKind, base: Base): Entity | undefined => {
    const group = groups.get(kind);
    const place = group?.placeOf(base);
    return place === undefined ? undefined : group!.at(place).outline();
  };
  const snapshot = new Snapshot(head, tables, loaded.snapshot.problems, { standing: () => ({ name: rest.name, changed, outlineAtRest }) });
  return { snapshot, files, failures: loaded.failures, rivals: loaded.rivals, words: loaded.words };
}

/** Whether a path is in the folder of one of these kinds, or is what stands in its place. */
export const isOf = (kinds: readonly AnyKind[], path: Path): boolean => kinds.some(({ dir }) => `${path}/`.startsWith(`${dir}/`));

function isPath(path: Path): boolean {
  try {
    checkPath(path);
    return true;
  } catch {
    return false;
  }
}

/** The records of a kind that are others now; undefined when one does not load. */
async function changesOf(loader: Loader, kind: AnyKind, group: PackedGroup | undefined, moved: readonly Path[], { head, files, read }: Look): Promise<Changes | undefined> {
  const changes = new Map<Base, Entry | null>();
  for (const [base, seen] of filesThatMoved(kind, group, moved, files)) {
    const parts = Array.from(seen.keys(), (path): Part => path.slice(base.length));
    const place = group?.placeOf(base);
    if (place !== undefined && group!.columns.parts[place] === partsNow(base, parts, seen)) continue; // touched, and the same
    const { entry, problem } = await loadGroup(loader, kind, base, parts, head, undefined, seen, read);
    if (problem) return undefined;
    changes.set(base, entry ?? null);
  }
  return changes;
}

/** The files there are now of each record of which any moved. */
function filesThatMoved(kind: AnyKind, group: PackedGroup | undefined, moved: readonly Path[], files: ReadonlyMap<Path, WorkingFile>): Map<Base, Map<Path, WorkingFile>> {
  const found = new Map<Base, Map<Path, WorkingFile>>();
  for (const path of moved) {
    const base = kind.split(path)?.base;
    if (base === undefined) continue;
    let seen = found.get(base);
    if (!seen) {
      const place = group?.placeOf(base);
      const kept = place === undefined ? [] : [...partsIn(group!.columns.parts[place]!)];
      // Of what did not move the id is all that is asked.
      found.set(base, (seen = new Map(kept.map(([part, oid]) => [base + part, { oid, size: 0, mtimeMs: 0 }]))));
    }
    const file = files.get(path);
    if (file) seen.set(path, file);
    else seen.delete(path);
  }
  return found;
}

/** @returns undefined where a change concerns other records */
function restingTable(kind: AnyKind, group: PackedGroup | undefined, changes: Changes, complete: ReturnType<typeof completer>): Table | undefined {
  const { ids } = group ? group.rest! : NOTHING;
  const changedById = new Map<Id, Entry | null>();
  for (const [base, entry] of changes) {
    const place = group?.placeOf(base);
    const id = entry ? outlineOf(entry).id : ids[place!];
    if (id === undefined) continue; // came and went
    const isOwn = place === undefined ? placeIn(ids, id) === undefined : ids[place] === id;
    if (!isOwn || changedById.has(id) || (entry && !isWhole(entry.record, complete))) return undefined;
    changedById.set(id, entry);
  }
  const entries: PackedEntry[] = [];
  const entryAt = (place: number | undefined): Entry | undefined =>
    place === undefined ? undefined : (entries[place] ??= new PackedEntry(kind, group!.columns.bases[place]!, group!.columns.parts[place]!, group!.at(place)));
  const everyEntry = (): Entry[] => {
    group?.readOutlines();
    const kept = Array.from(ids.keys()).flatMap((place) => (changedById.has(ids[place]!) ? [] : [entryAt(place)!]));
    return [...kept, ...[...changes.values()].filter((entry) => entry !== null)];
  };
  let outlines: readonly Entity[] | undefined;
  let all: readonly Entity[] | undefined;
  const table = {
    byBase: new LateMap<Base, Entry>(
      (base) => (changes.has(base) ? (changes.get(base) ?? undefined) : entryAt(group?.placeOf(base))),
      () => everyEntry().map((entry) => [entry.base, entry]),
    ),
    byId: new LateMap<Id, Entry>(
      (id) => (changedById.has(id) ? (changedById.get(id) ?? undefined) : entryAt(placeIn(ids, id))),
      () => everyEntry().map((entry) => [outlineOf(entry).id, entry]),
    ),
    get outlines() {
      return (outlines ??= everyEntry().map(outlineOf).sort((a, b) => a.id - b.id));
    },
    get all() {
      return (all ??= table.outlines.map(recordOf));
    },
    isCompleted: false,
  };
  return Object.assign(table, { keyed: keyed(kind, group, changedById, (id) => table.byId.get(id)!) }) as Table;
}

/**
 * Whether a record that is another now claims what a record of any of these kinds has: its id, or a word it is found by.
 * Nothing that rests is contested, so only what a record claims anew is looked up.
 */
function claimsOfOthers(kind: AnyKind, changes: Changes, groups: ReadonlyMap<AnyKind, PackedGroup | undefined>, tables: ReadonlyMap<AnyKind, Table>): boolean {
  const related = [...groups.keys()].filter(({ family }) => family !== undefined && family === kind.family);
  const tableOfKind = (each: AnyKind): Table => tables.get(each)!;
  for (const [base, entry] of changes) {
    if (!entry) continue;
    const outline = outlineOf(entry);
    if (related.some((each) => each !== kind && tableOfKind(each).keyed!.has(outline.id))) return true;
    const group = groups.get(kind);
    const place = group?.placeOf(base);
    const before = new Set<string>();
    if (place !== undefined) kind.packing!.keys(group!.at(place).outline(), (space, word) => before.add(wordKey(space, word)));
    let isTaken = false;
    kind.packing!.keys(outline, (space, word) => {
      if (isTaken || !kind.packing!.isUnique(space) || before.has(wordKey(space, word))) return;
      isTaken = related.some((each) => tableOfKind(each).keyed!.claimants(space, word).some(({ id }) => id !== outline.id));
    });
    if (isTaken) return true;
  }
  return false;
}

/** Finds outlines without making the others. */
function keyed(kind: AnyKind, group: PackedGroup | undefined, changed: ReadonlyMap<Id, Entry | null>, entryOf: (id: Id) => Entry): Keyed {
  const { ids, keys } = group ? group.rest! : NOTHING;
  const asked = new Map<Space, number>();
  const maps = new Map<Space, ReadonlyMap<Word, readonly number[]>>();
  const placesOf = (space: Space, word: Word): readonly number[] => {
    const key = own(keys, space);
    if (!key) return [];
    const times = (asked.get(space) ?? 0) + 1;
    asked.set(space, times);
    // To put all words in a map takes longer than to look through them a few times.
    if (times <= SEARCHES_MAX) return [...new Set(allAt(key.words, word, (at) => key.places[at]!))];
    let places = maps.get(space);
    if (!places) maps.set(space, (places = placesByWord(key)));
    return places.get(word) ?? [];
  };
  const changes = [...changed.values()].filter((entry) => entry !== null).map(outlineOf);
  const hasKey = (outline: Entity, space: Space, word: Word): boolean => {
    let found = false;
    kind.packing!.keys(outline, (...key) => void (found ||= key[0] === space && key[1] === word));
    return found;
  };
  return {
    has: (id) => (changed.has(id) ? changed.get(id) !== null : placeIn(ids, id) !== undefined),
    claimants(space, word) {
      const kept = placesOf(space, word).filter((place) => !changed.has(ids[place]!)).map((place) => outlineOf(entryOf(ids[place]!)));
      return [...kept, ...changes.filter((outline) => hasKey(outline, space, word))];
    },
  };
}

function allAt<T>(words: readonly Word[], word: Word, take: (at: number) => T): T[] {
  const found: T[] = [];
  for (let at = words.indexOf(word); at >= 0; at = words.indexOf(word, at + 1)) found.push(take(at));
  return found;
}

function placesByWord({ words, places }: RestColumns["keys"][string]): Map<Word, number[]> {
  const byWord = new Map<Word, number[]>();
  for (const [at, word] of words.entries()) {
    const known = byWord.get(word);
    if (!known) byWord.set(word, [places[at]!]);
    else if (known.at(-1) !== places[at]) known.push(places[at]!);
  }
  return byWord;
}

const NOTHING: RestColumns = { ids: new Float64Array(), keys: {} };

/** @param ids ascending */
function placeIn(ids: Float64Array, id: Id): number | undefined {
  const place = firstWhere(ids.length, (at) => ids[at]! >= id);
  return ids[place] === id ? place : undefined;
}

/** A map that is made as a whole only when somebody wants it so. */
class LateMap<K, V> implements ReadonlyMap<K, V> {
  readonly #find: (key: K) => V | undefined;
  readonly #make: () => Iterable<readonly [K, V]>;
  #all: ReadonlyMap<K, V> | undefined;

  constructor(find: (key: K) => V | undefined, make: () => Iterable<readonly [K, V]>) {
    this.#find = find;
    this.#make = make;
  }

  #whole(): ReadonlyMap<K, V> {
    return (this.#all ??= new Map(this.#make()));
  }

  get(key: K): V | undefined {
    return this.#find(key);
  }

  has(key: K): boolean {
    return this.#find(key) !== undefined;
  }

  get size(): number {
    return this.#whole().size;
  }

  forEach(take: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.#whole()) take(value, key, this);
  }

  entries(): MapIterator<[K, V]> {
    return this.#whole().entries();
  }

  keys(): MapIterator<K> {
    return this.#whole().keys();
  }

  values(): MapIterator<V> {
    return this.#whole().values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.#whole().entries();
  }
}
