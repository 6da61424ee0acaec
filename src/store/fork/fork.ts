/**
 * Forks of the content: the present content, or that of any commit, in a snapshot of its own that shares the equal records
 * with the one that is served. What differs is loaded, so a fork costs what differs.
 */
import { silentLog, type Env } from "../../env.ts";
import type { Locales } from "../../model/language/locale.ts";
import { pace } from "../../time-slices.ts";
import { openContentCache } from "../cache/content-cache.ts";
import { NO_CONTENT, type Loaded } from "../content/advance.ts";
import { loadPaths } from "../content/changed-paths.ts";
import type { Examine, Loader } from "../content/load-group.ts";
import { contentPaths, load, placeOf } from "../content/load.ts";
import { CONTENT, type AnyKind } from "../records/record-type.ts";
import { SharedMap } from "../maps/shared-map.ts";
import { filesKey, Snapshot } from "../snapshot.ts";
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
  const base = { ...unstored(origin), codec: { ...origin.codec, close: async () => undefined } };
  if (!at) {
    const repo = openForkedRepo(origin.repo, { head: present.snapshot.commit, files: present.files });
    return { loader: { ...base, repo, history: historyOf(repo) }, loaded: ownSnapshot(present) };
  }
  const { commit, kinds, locales } = at;
  const files = await filesOf({ ...origin, kinds }, present, await blobsOf(origin.repo, kinds, commit, present), true);
  const repo = openForkedRepo(origin.repo, { head: commit, files: files.all });
  const loader = { ...base, repo, kinds, locales, examine: at.examine(repo), history: historyOf(repo) };
  const isLike = kinds === origin.kinds && locales === origin.locales;
  return { loader, loaded: ownSnapshot(await loadCommit(loader, isLike ? present : null, commit, files)) };

  function historyOf(forked: Repo): History {
    return openHistory(forked, [CONTENT], null, origin.codec, origin.history);
  }
}

/** Content that is like that of a commit, and how it differs. */
export interface NearContent {
  readonly content: Loaded;
  /** The files that differ, with their blobs at the commit; null where it has none. */
  readonly blobs: ReadonlyMap<Path, Oid | null>;
}

/**
 * The content at a commit, to be read only. Properties of the binary files that differ are unknown.
 *
 * @param commit null for the empty content before the first one
 * @param near without its differences, the whole tree of the commit is compared
 */
export async function contentAt(
  origin: Loader,
  commit: Oid | null,
  { content, blobs }: Pick<NearContent, "content"> & Partial<NearContent>,
): Promise<Loaded> {
  if (commit === null) return NO_CONTENT;
  const { repo, kinds } = origin;
  const files = await filesOf(origin, content, blobs ?? (await blobsOf(repo, kinds, commit, content)), false);
  const forked = openForkedRepo(repo, { head: commit, files: files.all });
  return loadCommit({ ...unstored(origin), repo: forked, examine: async () => ({}) }, content, commit, files);
}

/** Records are not put into the content cache, and problems are not logged. */
const unstored = (origin: Loader): Loader => ({ ...origin, cache: openContentCache(null), log: silentLog });

/** @param near null for none of the same kinds and languages */
async function loadCommit(loader: Loader, near: Loaded | null, head: Oid, files: CommitFiles): Promise<Loaded> {
  const look = { head, read: new Map<Path, Uint8Array>() };
  const anew = { ...loader, decidesAnew: true };
  if (near && isPlain(near.snapshot))
    return loadPaths(anew, near, { ...look, files: new Map(files.different), served: files.replaced });
  const reuse: Loader["reuse"] = (kind, base, key) => {
    const entry = near?.snapshot.table(kind).byBase.get(base);
    const isEqual = entry && !entry.broken && filesKey(entry.files) === key;
    return isEqual && ![...entry.files.keys()].some((part) => files.different.has(base + part)) ? entry : undefined;
  };
  return load({ ...anew, reuse }, null, { ...look, files: new Map(files.all) });
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
  /** Those that the content nearby does not have, or has with other bytes. */
  readonly different: ReadonlyMap<Path, WorkingFile>;
  /** The files of the content nearby in their places, and those that the commit does not have. */
  readonly replaced: ReadonlyMap<Path, WorkingFile>;
}

/** The blobs of a commit, and null for each file that only the content nearby has. */
async function blobsOf(
  repo: Repo,
  kinds: readonly AnyKind[],
  commit: Oid,
  near: Loaded,
): Promise<NearContent["blobs"]> {
  const tree: Map<Path, Oid | null> = await repo.tree(commit, contentPaths(kinds));
  for (const path of near.files.keys()) {
    await pace();
    if (!tree.has(path)) tree.set(path, null);
  }
  return tree;
}

/** @param isMeasured whether files of the library are, which takes reading them */
async function filesOf(
  { repo, kinds }: Pick<Loader, "repo" | "kinds">,
  near: Loaded,
  blobs: NearContent["blobs"],
  isMeasured: boolean,
): Promise<CommitFiles> {
  const different = new Map<Path, WorkingFile>();
  const replaced = new Map<Path, WorkingFile>();
  const changes = new Map<Path, WorkingFile | undefined>();
  for (const [path, oid] of blobs) {
    await pace();
    const known = near.files.get(path);
    if (known && !known.unreadable && (known.stored ?? known.oid) === oid) continue;
    if (oid !== null && isIgnored(kinds, path)) continue;
    const isLibrary = isMeasured && placeOf(kinds, path)?.kind.opaque;
    const file =
      oid === null ? undefined : { oid, size: isLibrary ? await sizeOf(repo, oid) : sizeFrom(oid), mtimeMs: 0 };
    if (file) different.set(path, file);
    if (known) replaced.set(path, known);
    if (file || known) changes.set(path, file);
  }
  return { all: near.files.with([...changes]), different, replaced };
}

/** Whether a scan of the working tree leaves a path out, too. */
function isIgnored(kinds: readonly AnyKind[], path: Path): boolean {
  const isExcepted = kinds.some(({ except }) => except?.some((folder) => path.startsWith(`${folder}/`)));
  return isExcepted || path.split("/").some((name) => name.startsWith("."));
}

/** In place of the size of a file that is only compared, as its blob id is. */
const sizeFrom = (oid: Oid): number => Number.parseInt(oid.slice(0, 8), 16);

async function sizeOf(repo: Repo, oid: Oid): Promise<number> {
  const content = await repo.content(oid);
  return isPrepared(content) ? content.size : content.length;
}
