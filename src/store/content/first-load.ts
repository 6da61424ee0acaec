/**
 * The load at a start. It takes the content of the image in the content cache, and applies what differs in the working
 * tree: so no objects are made for records that are not read. Without an image, it reads the summaries of all records.
 */
import { pace } from "../../time-slices.ts";
import type { ContentImage, StoredImage } from "../cache/cache-image.ts";
import type { StoredContent } from "../cache/content-cache.ts";
import type { Path, WorkingFile } from "../repo.ts";
import { follow, NO_CONTENT, type Loaded } from "./advance.ts";
import { groupIn, type Groups } from "./changed-paths.ts";
import { lookupsOf, useLookups } from "./indexes/stored-lookups.ts";
import { loadGroups, type Loader, type Look } from "./load-group.ts";
import { load, placeOf } from "./load.ts";
import type { AnyKind, Base, Entry, Part, Table } from "../records/record-type.ts";
import { SharedMap } from "../maps/shared-map.ts";
import { Snapshot, summaryOf, tableOf } from "../snapshot.ts";
import { StoredMap, type StoredKeys } from "../maps/stored-map.ts";

/** A damaged cache is empty once its damage was found: then all files are parsed. */
export async function loadAtStart(loader: Loader, look: Look): Promise<Loaded> {
  let isDamaged = false;
  loader.cache.onDamage(() => (isDamaged = true));
  try {
    return (await loadStored(loader, look)) ?? (await load(loader, null, look));
  } catch (error) {
    if (!isDamaged) throw error;
    return load(loader, null, look);
  }
}

/**
 * The image of this content for the next start. undefined where a record depends on others, several claim one id or
 * key, or one does not load: then the next start needs all records.
 */
export function imageOf({ snapshot, files, failures, idProblems, contested }: Loaded): ContentImage | undefined {
  const tables = [...snapshot.tables()].filter(([kind]) => kind.summaries);
  const isPlain = tables.every(
    ([kind, { completed }]) => !completed && !failures.get(kind)?.size && !idProblems.get(kind)?.length,
  );
  const hasNames = [...snapshot.names.values()].some(({ kind }) => kind.summaries);
  if (!isPlain || hasNames || contested.keys.length > 0) return undefined;
  const kinds = tables.map(([kind]) => kind);
  return {
    count: tables.reduce((sum, [, { byBase }]) => sum + byBase.size, 0),
    files: filesOf(kinds, files),
    lookups: (function* () {
      for (const [kind, { byId }] of tables) yield* lookupsOf(kind, byId);
    })(),
  };
}

function* filesOf(kinds: readonly AnyKind[], files: Loaded["files"]): Generator<readonly [Path, string]> {
  for (const [path, { oid, unreadable }] of files)
    if (unreadable === undefined && placeOf(kinds, path)) yield [path, oid];
}

/**
 * Parses the summaries that are not parsed yet, in slices: the first list of all records would otherwise do it at once.
 *
 * @param isStopped asked before each
 */
export async function readSummaries(content: Snapshot, isStopped: () => boolean): Promise<void> {
  for (const [kind, { byId }] of content.tables()) {
    if (!kind.summaries) continue;
    for (const entry of byId.values()) {
      const rest = pace();
      if (rest) await rest;
      if (isStopped()) return;
      summaryOf(entry);
    }
  }
}

/** @returns undefined without an image */
async function loadStored(loader: Loader, look: Look): Promise<Loaded | undefined> {
  const { stored } = loader.cache;
  if (!stored) return undefined;
  const groups = await differingGroups(loader.kinds, stored, look.files);
  const loaded = await loadGroups(loader, null, look, groups);
  const context = { ...loader, decidesAnew: true };
  return follow(context, contentOf(loader.kinds, stored), {
    ...loaded,
    head: look.head,
    files: new SharedMap(look.files),
  });
}

/** The content of the image, which has only the kinds with summaries. */
function contentOf(kinds: readonly AnyKind[], stored: StoredContent): Loaded {
  const tables = new Map<AnyKind, Table>();
  for (const kind of kinds) {
    const table = kind.summaries && tableIn(kind, stored);
    if (table) tables.set(kind, table);
  }
  return { ...NO_CONTENT, snapshot: new Snapshot(null, tables, []) };
}

function tableIn(kind: AnyKind, { records, image, entryAt }: StoredContent): Table | undefined {
  const isOfKind = (place: number): boolean => records.kindAt(place) === kind.name;
  let size = 0;
  for (let place = 0; place < records.bases.length; place++) size += Number(isOfKind(place));
  if (size === 0) return undefined;
  const mapBy = <K extends string | number>(keys: StoredKeys<K>): SharedMap<K, Entry> =>
    new SharedMap(new StoredMap({ keys, valueAt: entryAt, part: { size, has: isOfKind } }));
  const byId = mapBy(records.ids);
  useLookups(kind, byId, image);
  return tableOf(mapBy(records.bases), byId);
}

/** The groups of files of kinds without summaries, and of records whose files differ from those of the image. */
async function differingGroups(
  kinds: readonly AnyKind[],
  stored: StoredContent,
  files: Look["files"],
): Promise<Groups> {
  const groups: Groups = new Map();
  await eachDifference(stored.image, files, (path) => {
    const at = placeOf(kinds, path);
    if (!at) return;
    const parts = groupIn(groups, at.kind, at.base, storedParts(stored, at.kind, at.base));
    const file = files.get(path);
    if (file && file.unreadable === undefined) parts.add(at.part);
    else parts.delete(at.part);
  });
  return groups;
}

function storedParts({ records, entryAt }: StoredContent, kind: AnyKind, base: Base): Iterable<Part> {
  const place = records.bases.placeOf(base);
  return place !== undefined && records.kindAt(place) === kind.name ? entryAt(place).files.keys() : [];
}

/** Calls `take` with the path of each file that only one of the two has, or that has another blob id in the image. */
async function eachDifference(
  { paths, oids }: Pick<StoredImage, "paths" | "oids">,
  files: ReadonlyMap<Path, WorkingFile>,
  take: (path: Path) => void,
): Promise<void> {
  const isSeen = new Uint8Array(paths.length);
  let seen = 0;
  /** Files are mostly listed in the order in which they were when the image was made. */
  let next = 0;
  for (const [path, { oid }] of files) {
    const rest = pace();
    if (rest) await rest;
    const place = next < paths.length && paths.at(next) === path ? next : paths.placeOf(path);
    if (place === undefined || oids.at(place) !== oid) take(path);
    if (place === undefined) continue;
    isSeen[place] = 1;
    seen++;
    next = place + 1;
  }
  if (seen === paths.length) return;
  for (let place = 0; place < paths.length; place++) if (isSeen[place] === 0) take(paths.at(place));
}
