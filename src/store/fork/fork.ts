/**
 * Forks of the content: the present content, or that of any commit, in a snapshot of its own that shares the equal records
 * with the one that is served. What differs is loaded, so a fork costs what differs.
 */
import { silentLog, type Env } from "../../env.ts";
import type { Locales } from "../../model/language/locale.ts";
import { openPace } from "../../time-slices.ts";
import { openContentCache } from "../cache/content-cache.ts";
import type { Loaded } from "../content/advance.ts";
import { loadPaths } from "../content/changed-paths.ts";
import type { Examine, Loader } from "../content/load-group.ts";
import { contentPaths, load, placeOf } from "../content/load.ts";
import { CONTENT, type AnyKind } from "../records/record-type.ts";
import { SharedMap } from "../maps/shared-map.ts";
import { Snapshot } from "../snapshot.ts";
import { isIgnored } from "./content-at-commit.ts";
import { openHistory, type History } from "../history/history.ts";
import { isPrepared, type Oid, type Path, type Repo, type WorkingFile } from "../repo.ts";
import { openForkedRepo } from "./forked-repo.ts";

export interface ForkOptions {
  /** Gives the clock and the new ids to writes in the fork. */
  readonly env: Env;
  /** Without it, the fork begins with the present content, uncommitted edits included. */
  readonly at?: {
    readonly commit: Oid;
    /** As the content that is served has them: the same objects. Others make the fork load all of its content. */
    readonly kinds: readonly AnyKind[];
    readonly locales: Locales;
    /** Examines the files of the given repository. */
    examine(repo: Repo): Examine;
  };
}

/** What a store is opened with. */
export interface ForkedContent {
  readonly loader: Loader & { readonly history: History };
  readonly loaded: Loaded;
}

/** @throws CmsError `not_found` for no such commit */
export async function forkContent(origin: Loader, present: Loaded, { at }: ForkOptions): Promise<ForkedContent> {
  const base = {
    ...origin,
    cache: openContentCache(null),
    codec: { ...origin.codec, close: async () => undefined },
    log: silentLog,
  };
  if (!at) {
    const repo = openForkedRepo(origin.repo, { head: present.snapshot.commit, files: present.files });
    return { loader: { ...base, repo, history: historyOf(repo, base) }, loaded: ownSnapshot(present) };
  }
  const { commit, kinds, locales } = at;
  const isLike = kinds === origin.kinds && locales === origin.locales && isPlain(present.snapshot);
  const files = await filesOf(origin.repo, kinds, commit, present);
  const repo = openForkedRepo(origin.repo, { head: commit, files: files.all });
  const loader = {
    ...base,
    repo,
    kinds,
    locales,
    decidesAnew: true,
    examine: at.examine(repo),
    history: historyOf(repo, base),
  };
  const look = { head: commit, read: new Map<Path, Uint8Array>() };
  const loaded = isLike
    ? await loadPaths(loader, present, { ...look, files: new Map(files.different), served: files.replaced })
    : await load(loader, null, { ...look, files: new Map(files.all) });
  return { loader, loaded: ownSnapshot(loaded) };

  function historyOf(forked: Repo, { codec }: Pick<Loader, "codec">): History {
    return openHistory(forked, [CONTENT], null, codec, origin.history);
  }
}

/** Caches that belong to a snapshot depend on the clock, too, which is another one in a fork. */
const ownSnapshot = (loaded: Loaded): Loaded => {
  const { commit, problems, owners, names } = loaded.snapshot;
  return { ...loaded, snapshot: new Snapshot(commit, loaded.snapshot.tables(), problems, { owners, names }) };
};

/** Whether every record is of its files as they are, and each id and key is claimed by one record. */
const isPlain = ({ problems, owners }: Snapshot): boolean => problems.length === 0 && owners.size === 0;

interface CommitFiles {
  readonly all: SharedMap<Path, WorkingFile>;
  /** Those that the present content does not have, or has with other bytes. */
  readonly different: ReadonlyMap<Path, WorkingFile>;
  /** The files of the present content in their places, and those that the commit does not have. */
  readonly replaced: ReadonlyMap<Path, WorkingFile>;
}

async function filesOf(repo: Repo, kinds: readonly AnyKind[], commit: Oid, present: Loaded): Promise<CommitFiles> {
  const pace = openPace();
  const tree = await repo.tree(commit, contentPaths(kinds));
  const different = new Map<Path, WorkingFile>();
  const replaced = new Map<Path, WorkingFile>();
  for (const [path, oid] of tree) {
    await pace();
    const known = present.files.get(path);
    if (known && !known.unreadable && (known.stored ?? known.oid) === oid) continue;
    if (isIgnored(kinds, path)) continue;
    different.set(path, await fileOf(repo, kinds, path, oid));
    if (known) replaced.set(path, known);
  }
  for (const [path, file] of present.files) {
    await pace();
    if (!tree.has(path)) replaced.set(path, file);
  }
  const gone = [...replaced.keys()].filter((path) => !different.has(path));
  return {
    all: present.files.with([...different, ...gone.map((path) => [path, undefined] as const)]),
    different,
    replaced,
  };
}

/** The size of a file of the library is part of its record; that of others is only compared, as their blob id is. */
async function fileOf(repo: Repo, kinds: readonly AnyKind[], path: Path, oid: Oid): Promise<WorkingFile> {
  if (!placeOf(kinds, path)?.kind.opaque) return { oid, size: Number.parseInt(oid.slice(0, 8), 16), mtimeMs: 0 };
  const content = await repo.content(oid);
  return { oid, size: isPrepared(content) ? content.size : content.length, mtimeMs: 0 };
}
