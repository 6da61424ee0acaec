/** Plans the merge of two commits: the changes of the branch's tree, and what could not be decided. */
import type { Env } from "../../env.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { Side } from "../../model/merge/conflict.ts";
import { freeNumber } from "../../model/address/free-number.ts";
import { MAIN_PARTS, type AnyKind, type Base } from "../records/record-type.ts";
import { pace } from "../../time-slices.ts";
import type { MergedFile, Oid, Path, Repo } from "../repo.ts";
import { foldersAbove } from "../git/attributes/attributes.ts";
import { mergeUnit, type UnitContext } from "./merge-unit.ts";
import { mergePlainFile } from "./plain-file.ts";
import { refuseUnsafePaths, type SettingsFiles } from "./fetched-tree.ts";
import { pathsOf, recordUnits } from "./record-units.ts";
import { withRestoredRecords, type MergeBases } from "./restored-records.ts";
import { settleContested } from "./claims/settle-contested.ts";
import type { SyncConflict } from "./conflicts/sync-conflict.ts";
import { isSameFile, readSides, versionsOf, type MergeCommits, type TreeSides } from "./tree-sides.ts";

/** What a site's files mean. */
export interface SyncContext {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
  readonly env: Env;
  readonly settings: SettingsFiles;
}

export interface MergePlan {
  /** How the merged tree differs from ours. */
  readonly changes: ReadonlyMap<Path, MergedFile | null>;
  readonly conflicts: readonly SyncConflict[];
  /** What records have instead of an id or permalink that another record keeps. */
  readonly settled: readonly string[];
}

/** @throws CmsError `conflict` for a remote tree that is refused */
export async function planMerge(
  context: SyncContext,
  commits: MergeCommits,
  mergeBases: MergeBases,
): Promise<MergePlan> {
  const { repo } = context;
  const changed = await readSides(repo, commits);
  await refuseUnsafePaths(context, changed.theirs);
  const sides = await withRestoredRecords(context, commits, changed, mergeBases);
  const { files, conflicts, settled } = await mergeSides(context, commits, sides);
  return { changes: await differencesFrom(repo, "ours", commits.ours, sides, files), conflicts, settled };
}

/** What of a site a merge needs to know. */
export type MergeContext = Pick<SyncContext, "repo" | "kinds" | "locales" | "env">;

interface MergedSides extends Omit<MergePlan, "changes"> {
  /** All that theirs changed, and what of ours is merged with it; other changes of ours stand. */
  readonly files: ReadonlyMap<Path, MergedFile | null>;
}

/** Merges what both sides changed since a commit. */
export async function mergeSides(context: MergeContext, commits: MergeCommits, sides: TreeSides): Promise<MergedSides> {
  const { repo, kinds, locales, env } = context;
  const merged = new Map<Path, MergedFile | null>();
  const conflicts: SyncConflict[] = [];
  const units = await recordUnits(repo, kinds, sides);
  const moved = units.filter(({ base, ours, theirs }) => ours !== base || theirs !== base);
  const unitContext: UnitContext = {
    ...{ repo, locales, sides, now: env.now(), ours: commits.ours },
    freeBase: (base) => freeBase(repo, commits, base),
    isOthers: (unit, side, base) => moved.some((other) => other !== unit && other[side] === base),
  };
  const inUnits = new Set<Path>();
  for (const unit of units) {
    await pace();
    const done = await mergeUnit(unitContext, unit);
    for (const path of pathsOf(unit)) inUnits.add(path);
    // A name that one record has given up may be that of another.
    for (const [path, file] of done.files) if (file !== null || !merged.has(path)) merged.set(path, file);
    conflicts.push(...done.conflicts);
  }
  for (const path of sides.theirs.keys()) {
    await pace();
    if (inUnits.has(path)) continue;
    const versions = versionsOf(sides, path);
    const isOnlyTheirs = isSameFile(versions.ours, versions.base) || isSameFile(versions.ours, versions.theirs);
    const { file, conflict } = isOnlyTheirs
      ? { file: versions.theirs, conflict: undefined }
      : await mergePlainFile(repo, path, versions);
    merged.set(path, file);
    if (conflict) conflicts.push(conflict);
  }
  const { files, notes } = await settleContested(context, commits.ours, sides, merged);
  for (const [path, file] of files) merged.set(path, file);
  const left = await leaveOutFilesAtFolders(sides, merged);
  const others = conflicts.filter(({ path }) => !left.has(path));
  const all: SyncConflict[] = [...others, ...Array.from(left, (path) => ({ kind: "file", path }) as const)];
  return { files: merged, conflicts: all, settled: notes };
}

/** Where one side has a folder and the other a file, the folder stands. @returns the files, which are left out */
async function leaveOutFilesAtFolders(
  { ours }: TreeSides,
  merged: Map<Path, MergedFile | null>,
): Promise<ReadonlySet<Path>> {
  const fileAt = (path: Path) => (merged.has(path) ? merged.get(path) : ours.get(path)?.after);
  const left = new Set<Path>();
  for (const path of new Set([...ours.keys(), ...merged.keys()])) {
    await pace();
    if (fileAt(path)) for (const folder of foldersAbove(path)) if (fileAt(folder)) left.add(folder);
  }
  for (const path of left) merged.set(path, null);
  return left;
}

/** Leaves out the paths that are so in the tree of a side already. */
export async function differencesFrom(
  repo: Repo,
  side: Side,
  commit: Oid,
  sides: TreeSides,
  merged: ReadonlyMap<Path, MergedFile | null>,
): Promise<Map<Path, MergedFile | null>> {
  const unknown = [...merged.keys()].filter((path) => !sides.ours.has(path) && !sides.theirs.has(path));
  const unchanged = await repo.committed(commit, unknown);
  const differing = new Map<Path, MergedFile | null>();
  for (const [path, file] of merged) {
    await pace();
    const oid = unchanged.get(path);
    const isSame = oid === undefined ? isSameFile(versionsOf(sides, path)[side], file) : oid === (file?.oid ?? null);
    if (!isSame) differing.set(path, file);
  }
  return differing;
}

/** `<base>-2` or the next number that neither side uses. */
async function freeBase(repo: Repo, { ours, theirs }: MergeCommits, base: Base): Promise<Base> {
  const folder = base.slice(0, base.lastIndexOf("/"));
  const taken = new Set<Path>();
  for (const commit of [ours, theirs]) {
    for (const path of (await repo.tree(commit, [folder])).keys()) taken.add(path.toLowerCase());
  }
  const isTaken = (name: Base): boolean => MAIN_PARTS.some((part) => taken.has((name + part).toLowerCase()));
  return `${base}-${freeNumber((number) => isTaken(`${base}-${number}`))}`;
}
