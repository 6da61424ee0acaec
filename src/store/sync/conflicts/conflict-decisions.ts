/**
 * Which conflicts later commits have decided.
 *
 * Only a commit that descends from the merge decides its conflict. What another clone wrote beside the merge was written
 * without knowing of it, also where it took the place of the value that stood.
 */
import { sameJson, type Json } from "../../../model/input/json.ts";
import { valueAt } from "../../../model/merge/path.ts";
import { placeOf } from "../../content/load.ts";
import { DRAFT_PART } from "../../records/draft-files.ts";
import type { AnyKind } from "../../records/record-type.ts";
import { dataIn } from "../../codec/codec.ts";
import type { LogEntry, Oid, Path, Repo } from "../../repo.ts";
import { recordIdAt } from "./conflict-files.ts";
import { readMergeMessage } from "../merge-message.ts";
import type { PastConflict } from "./past-conflict.ts";

export interface DecisionSource {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
}

/**
 * Follows conflicts through the commits of `head` that `until` does not have.
 *
 * @param until a commit up to which none of them is decided: the last one they were followed to, or their oldest merge
 * @returns those that are undecided at `head`, with the names that their files have got
 */
export async function stillUndecided(
  source: DecisionSource,
  head: Oid,
  until: Oid,
  conflicts: readonly PastConflict[],
): Promise<PastConflict[]> {
  const folders = new Set(conflicts.flatMap(({ paths }) => paths.map((path) => folderOf(source, path))));
  const entries: LogEntry[] = [];
  for await (const entry of source.repo.log(head, until, [...folders])) entries.push(entry);
  const ancestry = openAncestry(source.repo, until, entries, new Set(conflicts.map(({ merge }) => merge)));
  let pending = conflicts;
  for (const entry of entries.toReversed()) {
    const merges = await ancestry.mergesBefore(entry);
    if (entry.changed.size === 0) continue;
    pending = await withMoves(source, entry, pending);
    // A sync takes each value from a side, or lists it as a conflict: it decides nothing.
    if (entry.parents.length > 1 && readMergeMessage(entry.message)) continue;
    const left: PastConflict[] = [];
    for (const each of pending) {
      if (!merges.has(each.merge) || !(await decides(source, entry, each))) left.push(each);
    }
    pending = left;
  }
  return [...pending];
}

const folderOf = ({ kinds }: DecisionSource, path: Path): Path => placeOf(kinds, path)?.kind.dir ?? path;

interface Ancestry {
  /** The merges that are ancestors of a commit. To be called for every entry, for parents before their children. */
  mergesBefore(entry: LogEntry): Promise<ReadonlySet<Oid>>;
}

/** @param entries the commits after `until` */
function openAncestry(repo: Repo, until: Oid, entries: readonly LogEntry[], merges: ReadonlySet<Oid>): Ancestry {
  const ids = new Set(entries.map(({ id }) => id));
  const former = new Set([...merges].filter((merge) => !ids.has(merge)));
  /** By commit, the merges among it and its ancestors. */
  const upTo = new Map<Oid, ReadonlySet<Oid>>([[until, former]]);

  /** A branch that was merged later may have begun long before `until`. */
  async function upToFormer(commit: Oid): Promise<ReadonlySet<Oid>> {
    const found = new Set(former);
    if (found.size > 0) for await (const { id } of repo.log(until, commit, [])) found.delete(id);
    upTo.set(commit, found);
    return found;
  }

  return {
    async mergesBefore({ id, parents }) {
      let before: ReadonlySet<Oid> = new Set();
      for (const parent of parents) {
        const more = upTo.get(parent) ?? (await upToFormer(parent));
        // Most commits share the set of their parent.
        if (before.size === 0) before = more;
        else if ([...more].some((merge) => !before.has(merge))) before = new Set([...before, ...more]);
      }
      upTo.set(id, merges.has(id) ? new Set([...before, id]) : before);
      return before;
    },
  };
}

/** With the new names of files that the commit has moved, on whatever branch it is. */
async function withMoves(
  { repo, kinds }: DecisionSource,
  { id: commit, changed }: LogEntry,
  conflicts: readonly PastConflict[],
): Promise<readonly PastConflict[]> {
  let moved = conflicts;
  for (const [path, { before, after }] of changed) {
    const place = placeOf(kinds, path);
    if (before !== null || after === null || !place) continue;
    const isLike = ({ record, paths }: PastConflict): boolean =>
      record?.kind === place.kind.name && paths.some((other) => place.kind.split(other)?.part === place.part);
    if (!moved.some(isLike)) continue;
    const id = await recordIdAt(repo, commit, place.base);
    moved = moved.map((conflict) =>
      isLike(conflict) && conflict.record?.id === id
        ? { ...conflict, paths: [path, ...conflict.paths.filter((other) => other !== path)] }
        : conflict,
    );
  }
  return moved;
}

/** Whether the commit has something else than each of its parents. */
async function decides({ repo, kinds }: DecisionSource, entry: LogEntry, conflict: PastConflict): Promise<boolean> {
  const { kind, at, draft, path, paths } = conflict;
  if (!paths.some((path) => entry.changed.has(path))) return false;
  const now = await versionAt(repo, entry.id, paths);
  const before = await Promise.all(entry.parents.map((parent) => versionAt(repo, parent, paths)));
  if (before.some((each) => each?.oid === now?.oid)) return false;
  if (now === undefined) {
    if (kind !== "field" || !DRAFT_PART.test(placeOf(kinds, path)?.part ?? "")) return true;
    // Another clone may have published the draft beside the merge: what is removed now is a later one, perhaps of other fields.
    for (const version of before) if ((await valueIn(repo, version, at)) !== undefined) return true;
    return false;
  }
  if (kind !== "field" || draft !== undefined) return kind === "file";
  const value = await valueIn(repo, now, at);
  // A file that does not load decides nothing.
  if (value === NOT_LOADED) return false;
  const merged = await versionAt(repo, conflict.merge, paths);
  for (const version of before) {
    const former = await valueIn(repo, version, at);
    const known = former === NOT_LOADED ? await valueIn(repo, merged, at) : former;
    if (known !== NOT_LOADED && sameJson(known, value)) return false;
  }
  return true;
}

interface Version {
  readonly path: Path;
  readonly oid: Oid;
}

/** The file under the last name that it has in the commit. */
async function versionAt(repo: Repo, commit: Oid, paths: readonly Path[]): Promise<Version | undefined> {
  const committed = await repo.committed(commit, paths);
  for (const path of paths) {
    const oid = committed.get(path);
    if (oid) return { path, oid };
  }
  return undefined;
}

const NOT_LOADED = Symbol("a file that does not load");

async function valueIn(
  repo: Repo,
  version: Version | undefined,
  at: PastConflict["at"],
): Promise<Json | undefined | typeof NOT_LOADED> {
  if (!version) return undefined;
  const data = dataIn(version.path, await repo.blob(version.oid));
  return data === undefined ? NOT_LOADED : valueAt(data, at ?? []);
}
