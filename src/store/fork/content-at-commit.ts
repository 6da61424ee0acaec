/** The content at past commits. */
import { silentLog } from "../../env.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { FileCodec } from "../codec/file-codec.ts";
import { openContentCache } from "../cache/content-cache.ts";
import type { History } from "../history/history.ts";
import { splitQualifiedKey, type AnyKind, type Base, type Part } from "../records/record-type.ts";
import { advance, type Loaded } from "../content/advance.ts";
import { loadGroup, type Loader } from "../content/load-group.ts";
import { contentPaths, load, placeOf } from "../content/load.ts";
import type { Oid, Path, Repo, WorkingFile } from "../repo.ts";
import { NO_CONTESTED_KEYS } from "../content/claims.ts";
import { SharedMap } from "../maps/shared-map.ts";
import { filesKey, Snapshot, type Entry } from "../snapshot.ts";

export interface CommitContentsOptions {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
  readonly history: History;
  readonly codec: FileCodec;
}

export interface CommitContents {
  /** @param commit null for the empty content before the first commit */
  at(commit: Oid | null): Promise<Snapshot>;
  /**
   * The content at an earlier commit. Costs what the files that differ cost, where they are few and nothing is contested.
   *
   * @param content at a later commit
   * @param blobs of the files that differ, at the earlier commit; null where it has none
   */
  earlier(content: Snapshot, commit: Oid | null, blobs: ReadonlyMap<Path, Oid | null>): Promise<Snapshot>;
}

/** With more different files, loading the tree costs less than changing the tables record by record. */
const DIFFERENT_MAX = 256;

/** @param near similar content: records with the same blobs are taken from it */
export function openCommitContents(
  { repo, kinds, locales, history, codec }: CommitContentsOptions,
  near: Snapshot,
): CommitContents {
  const cache = openContentCache(null);
  let latest: Loaded | undefined;
  const loaderOf = (files: ReadonlyMap<Path, WorkingFile>): Loader => {
    const read: Repo["read"] = async (path) => {
      const file = files.get(path);
      return file && { bytes: await repo.blob(file.oid), oid: file.oid };
    };
    return {
      repo: { ...repo, read },
      kinds,
      locales,
      cache,
      codec,
      history,
      log: silentLog,
      examine: async () => ({}),
      decidesAnew: true,
    };
  };
  const at = async (commit: Oid | null): Promise<Snapshot> => {
    if (commit === null) return new Snapshot(null, new Map(), []);
    const files = await filesOf(repo, kinds, commit);
    latest = await load(loaderOf(files), latest ?? loadedOf(near), { head: commit, files, read: new Map() });
    return latest.snapshot;
  };
  return {
    at,
    async earlier(content, commit, blobs) {
      const isFew = blobs.size <= DIFFERENT_MAX;
      if (commit === null || !isFew || ![near, content].every(isPlain)) return at(commit);
      const before = await withBlobs(loaderOf, near, content, commit, blobs);
      return before && isPlain(before) ? before : at(commit);
    },
  };
}

/** Whether every record is of its files as they are, and each id and key is claimed by one record. */
const isPlain = ({ problems, owners }: Snapshot): boolean => problems.length === 0 && owners.size === 0;

/** @returns undefined when a record cannot be loaded from its files */
async function withBlobs(
  loaderOf: (files: ReadonlyMap<Path, WorkingFile>) => Loader,
  near: Snapshot,
  content: Snapshot,
  commit: Oid,
  blobs: ReadonlyMap<Path, Oid | null>,
): Promise<Snapshot | undefined> {
  const files = new Map<Path, WorkingFile>();
  const loader = loaderOf(files);
  const groups = new Map<AnyKind, Map<Base, Set<Part>>>();
  for (const [path, oid] of blobs) {
    const place = isIgnored(loader.kinds, path) ? undefined : placeOf(loader.kinds, path);
    if (!place) continue;
    const { kind, base, part } = place;
    const byBase = groups.get(kind) ?? new Map<Base, Set<Part>>();
    groups.set(kind, byBase);
    if (!byBase.has(base)) {
      const known = content.table(kind).byBase.get(base)?.files ?? new Map<Part, Oid>();
      for (const [other, otherOid] of known) files.set(base + other, fileOf(otherOid));
      byBase.set(base, new Set(known.keys()));
    }
    if (oid) files.set(path, fileOf(oid));
    if (oid) byBase.get(base)!.add(part);
    else byBase.get(base)!.delete(part);
  }
  const entries = new Map<AnyKind, Map<Base, Entry | null>>();
  for (const [kind, byBase] of groups) {
    const loaded = new Map<Base, Entry | null>();
    entries.set(kind, loaded);
    for (const [base, parts] of byBase) {
      const known = near.table(kind).byBase.get(base);
      const oids = Array.from(parts, (part) => [part, files.get(base + part)!.oid] as const);
      if (known && filesKey(known.files) === filesKey(oids)) {
        loaded.set(base, known);
        continue;
      }
      const { entry, problems } = await loadGroup(loader, kind, base, [...parts], commit, undefined, files, new Map());
      if (problems) return undefined;
      loaded.set(base, entry ?? null);
    }
  }
  const from = {
    snapshot: content,
    files: new SharedMap<Path, WorkingFile>(),
    failures: new Map(),
    idProblems: new Map(),
    contested: NO_CONTESTED_KEYS,
  };
  return (await advance(loader, from, commit, entries, new Map())).snapshot;
}

/** Whether a scan of the working tree leaves a path out, too. */
export function isIgnored(kinds: readonly AnyKind[], path: Path): boolean {
  const isExcepted = kinds.some(({ except }) => except?.some((folder) => path.startsWith(`${folder}/`)));
  return isExcepted || path.split("/").some((name) => name.startsWith("."));
}

async function filesOf(repo: Repo, kinds: readonly AnyKind[], commit: Oid): Promise<Map<Path, WorkingFile>> {
  const found = [...(await repo.tree(commit, contentPaths(kinds)))].filter(([path]) => !isIgnored(kinds, path));
  return new Map(found.map(([path, oid]) => [path, fileOf(oid)]));
}

/** The size is unknown without reading the blob. It is only compared, so any number derived from the blob id will do. */
const fileOf = (oid: Oid): WorkingFile => ({ oid, size: Number.parseInt(oid.slice(0, 8), 16), mtimeMs: 0 });

/** What is contested in the snapshot is settled again by the next load. */
function loadedOf(snapshot: Snapshot): Loaded {
  const { problems, owners } = snapshot;
  const files = new Map<Path, WorkingFile>();
  for (const table of snapshot.tables().values()) {
    for (const entry of table.byBase.values())
      for (const [part, oid] of entry.files) files.set(entry.base + part, fileOf(oid));
  }
  const kinds = [...snapshot.tables().keys()].filter(({ derives }) => !derives);
  const idProblems = new Map(kinds.map((kind) => [kind, problems]));
  const contested = { keys: Array.from(owners.keys(), splitQualifiedKey), owners, problems: [] };
  return { snapshot, files: new SharedMap(files), failures: new Map(), idProblems, contested };
}
