/**
 * Plans to take back one commit of the branch: a merge of the tree before it and of the branch as it is, with the commit as
 * their base. What was changed since stands; what the commit had replaced there is kept in drafts, as after a sync.
 */
import { placeOf } from "../content/load.ts";
import { MAIN_PARTS, type AnyKind, type Base } from "../records/record-type.ts";
import { derivedId } from "../records/fields.ts";
import type { Snapshot } from "../snapshot.ts";
import type { MergedFile, Oid, Path, Repo, TreeChange } from "../repo.ts";
import { pace } from "../../time-slices.ts";
import { differencesFrom, mergeSides, type MergeContext, type MergePlan } from "./merge-plan.ts";
import { idIn } from "./record-units.ts";
import { readSides, type TreeSides } from "./tree-sides.ts";

export interface RevertedCommit {
  readonly commit: Oid;
  readonly parent: Oid;
}

/**
 * @param content of the branch's commit
 * @param except paths that stay as they are
 * @returns how the new tree differs from that of the branch
 * @throws CmsError `conflict` if there are too many differences; `not_found` for a commit that this clone does not have
 */
export async function planRevert(
  context: MergeContext,
  { commit, parent }: RevertedCommit,
  content: Snapshot,
  except: ReadonlySet<Path>,
): Promise<MergePlan> {
  const { repo, kinds } = context;
  const head = content.commit ?? commit;
  const commits = { base: commit, ours: parent, theirs: head };
  const { ours, theirs } = await readSides(repo, commits);
  const kept = await withoutRemoved(repo, kinds, commit, content, ours);
  const sides: TreeSides = { ours: new Map([...kept].filter(([path]) => !except.has(path))), theirs };
  const { files, conflicts, settled } = await mergeSides(context, commits, sides);
  const merged = new Map<Path, MergedFile | null>(Array.from(sides.ours, ([path, { after }]) => [path, after]));
  for (const [path, file] of files) merged.set(path, file);
  return { changes: await differencesFrom(repo, "theirs", head, sides, merged), conflicts, settled };
}

/** A record that was deleted since is not restored. */
async function withoutRemoved(
  repo: Repo,
  kinds: readonly AnyKind[],
  commit: Oid,
  content: Snapshot,
  changes: ReadonlyMap<Path, TreeChange>,
): Promise<Map<Path, TreeChange>> {
  const isThere = new Map<Base, boolean>();
  const kept = new Map<Path, TreeChange>();
  for (const [path, change] of changes) {
    await pace();
    const place = placeOf(kinds, path);
    if (!place || place.kind.opaque) {
      kept.set(path, change);
      continue;
    }
    const { kind, base } = place;
    const known = isThere.get(base) ?? (await isRecordThere(repo, kind, base, commit, content));
    isThere.set(base, known);
    if (known) kept.set(path, change);
  }
  return kept;
}

/** @param base of the record in a commit */
async function isRecordThere(repo: Repo, kind: AnyKind, base: Base, commit: Oid, content: Snapshot): Promise<boolean> {
  const files = await repo.committed(
    commit,
    MAIN_PARTS.map((part) => base + part),
  );
  for (const [path, oid] of files) {
    if (oid === null) continue;
    const id = (await idIn(repo, path, oid)) ?? derivedId(base);
    return content.table(kind).byId.has(id);
  }
  return true;
}
