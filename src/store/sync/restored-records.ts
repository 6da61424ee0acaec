/**
 * Records that both sides have and the merge base lacks, though they are older than it: the base's history removed them, and
 * each side kept the version that it had changed, as a merge does ("deleted against changed").
 *
 * Such a record is one record, also where one side has moved it. So the merge base gets it back, as it was in the newest
 * commit that both versions come from: without it they would be two new records with one id.
 */
import type { Id } from "../../model/input/id.ts";
import { pace } from "../../time-slices.ts";
import { placeOf } from "../content/load.ts";
import { mainPart, type AnyKind, type Base } from "../records/record-type.ts";
import { REGULAR_MODE, type Oid, type Path, type Repo, type TreeChange } from "../repo.ts";
import { mainOf } from "./claims/record-claims.ts";
import { idIn } from "./record-units.ts";
import { isSameFile, type MergeCommits, type TreeSides } from "./tree-sides.ts";

export interface RestoreContext {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
}

/** The best common ancestors of two commits. */
export type MergeBases = (a: Oid, b: Oid) => Promise<readonly Oid[]>;

/** A main file in a commit. */
interface Version {
  readonly commit: Oid;
  readonly path: Path;
}

/** A record that both sides added since the merge base. */
interface Added {
  readonly kind: AnyKind;
  readonly id: Id;
  readonly ours: Path;
  readonly theirs: Path;
}

/** @returns the sides as if the merge base had such records, and in which commit it would have them */
export async function withRestoredRecords(
  context: RestoreContext,
  commits: MergeCommits,
  sides: TreeSides,
  mergeBases: MergeBases,
): Promise<TreeSides> {
  const added = await addedByBoth(context, sides);
  if (added.length === 0) return sides;
  const ours = new Map(sides.ours);
  const theirs = new Map(sides.theirs);
  const restored = new Map<Base, Oid>();
  for (const record of added) {
    const version = await commonVersion(context.repo, commits, record, mergeBases);
    const at = version && (await freePath(context.repo, commits, sides, record, version));
    if (!version || at === undefined) continue;
    const [from, to] = [baseOf(record.kind, version.path), baseOf(record.kind, at)];
    restored.set(to, version.commit);
    for (const [path, oid] of await context.repo.tree(version.commit, [record.kind.dir])) {
      const place = record.kind.split(path);
      if (place?.base !== from) continue;
      const before = { mode: REGULAR_MODE, oid };
      for (const side of [ours, theirs])
        side.set(to + place.part, { before, after: side.get(to + place.part)?.after ?? null });
    }
  }
  return { ours, theirs, restored };
}

const baseOf = (kind: AnyKind, path: Path): Base => kind.split(path)?.base ?? path;

async function addedByBoth({ repo, kinds }: RestoreContext, { ours, theirs }: TreeSides): Promise<Added[]> {
  const isAdded = ({ before, after }: TreeChange): boolean => before === null && after !== null;
  const [ourMains, theirMains] = [mainsOf(kinds, ours, isAdded), mainsOf(kinds, theirs, isAdded)];
  if (ourMains.length === 0 || theirMains.length === 0) return [];
  const known = await byId(repo, ourMains);
  const found: Added[] = [];
  for (const [key, { kind, id, path }] of await byId(repo, theirMains)) {
    const our = known.get(key)?.path;
    if (our === undefined) continue;
    const isSame = our === path && isSameFile(ours.get(our)?.after ?? null, theirs.get(path)?.after ?? null);
    if (!isSame) found.push({ kind, id, ours: our, theirs: path });
  }
  if (found.length === 0) return [];
  // A record that the merge base has under another name was moved.
  const moved = await byId(
    repo,
    mainsOf(kinds, ours, ({ after }) => after === null),
  );
  return found.filter(({ kind, id }) => !moved.has(keyOf(kind, id)));
}

interface Main {
  readonly kind: AnyKind;
  readonly path: Path;
  readonly oid: Oid;
}

const keyOf = (kind: AnyKind, id: Id): string => `${kind.name} ${id}`;

/** The main files of records that a side changed in a way. */
const mainsOf = (
  kinds: readonly AnyKind[],
  side: TreeSides["ours"],
  isWanted: (change: TreeChange) => boolean,
): Main[] =>
  [...side].flatMap(([path, change]) => {
    const kind = isWanted(change) ? mainOf(kinds, path) : undefined;
    const file = change.after ?? change.before;
    return kind && file ? [{ kind, path, oid: file.oid }] : [];
  });

async function byId(repo: Repo, mains: readonly Main[]): Promise<Map<string, Main & { readonly id: Id }>> {
  const found = new Map<string, Main & { readonly id: Id }>();
  for (const main of mains) {
    await pace();
    const id = await idIn(repo, main.path, main.oid);
    if (id !== undefined) found.set(keyOf(main.kind, id), { ...main, id });
  }
  return found;
}

/** The newest version that both sides' come from; undefined for records that have none, which are two. */
async function commonVersion(
  repo: Repo,
  { base, ours, theirs }: MergeCommits,
  record: Added,
  mergeBases: MergeBases,
): Promise<Version | undefined> {
  const our = await oldestVersion(repo, ours, base, record, record.ours);
  const their = await oldestVersion(repo, theirs, base, record, record.theirs);
  // One that was written anew, as from an old revision, comes from whatever the other does.
  if (!our || !their) return our ?? their;
  for (const commit of await mergeBases(our.commit, their.commit)) {
    for (const path of new Set([our.path, their.path])) {
      const oid = (await repo.committed(commit, [path])).get(path);
      if (oid && (await idIn(repo, path, oid)) === record.id) return { commit, path };
    }
  }
  return undefined;
}

/** The version that the first commit after the merge base which changed the record had found. */
async function oldestVersion(
  repo: Repo,
  from: Oid,
  base: Oid,
  { kind, id }: Added,
  last: Path,
): Promise<Version | undefined> {
  const names = new Set([last]);
  let found: Version | undefined;
  // Each commit comes before its parents.
  for await (const { parents, changed } of repo.log(from, base, [kind.dir])) {
    const [parent] = parents;
    for (const name of [...names]) {
      const change = changed.get(name);
      if (!change) continue;
      const path = change.before === null ? await movedFrom(repo, kind, id, changed) : name;
      if (path !== undefined) names.add(path);
      found = path === undefined || parent === undefined ? undefined : { commit: parent, path };
    }
  }
  return found;
}

/** The file with this id that a commit has removed. */
async function movedFrom(
  repo: Repo,
  kind: AnyKind,
  id: Id,
  changed: ReadonlyMap<Path, { readonly before: Oid | null; readonly after: Oid | null }>,
): Promise<Path | undefined> {
  for (const [path, { before, after }] of changed) {
    const place = before !== null && after === null ? placeOf([kind], path) : undefined;
    if (!place || !before || mainPart([place.part]) === undefined) continue;
    if ((await idIn(repo, path, before)) === id) return path;
  }
  return undefined;
}

/** Where the merge base can have the record: at its former path, else at that of a side. */
async function freePath(
  repo: Repo,
  { base }: MergeCommits,
  sides: TreeSides,
  record: Added,
  version: Version,
): Promise<Path | undefined> {
  for (const path of [version.path, record.theirs, record.ours]) {
    if ((await repo.committed(base, [path])).get(path)) continue;
    const isFree = (["ours", "theirs"] as const).every(
      (side) => path === record[side] || !sides[side].get(path)?.after,
    );
    if (isFree) return path;
  }
  return undefined;
}
