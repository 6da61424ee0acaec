/** The three versions of each file in a merge. */
import type { Base } from "../records/record-type.ts";
import type { Oid, Path, Repo, TreeChange, TreeFile } from "../repo.ts";

/** Commits. `ours` is the branch, `theirs` that of the remote. */
export interface MergeCommits {
  readonly base: Oid;
  readonly ours: Oid;
  readonly theirs: Oid;
}

export interface TreeSides {
  readonly ours: ReadonlyMap<Path, TreeChange>;
  readonly theirs: ReadonlyMap<Path, TreeChange>;
  /** The records that the merge base has removed and gets back (see `withRestoredRecords`), each with a commit that has it. */
  readonly restored?: ReadonlyMap<Base, Oid>;
}

export interface FileVersions {
  readonly base: TreeFile | null;
  readonly ours: TreeFile | null;
  readonly theirs: TreeFile | null;
}

/** @throws CmsError `conflict` if there are too many differences */
export async function readSides(repo: Repo, { base, ours, theirs }: MergeCommits): Promise<TreeSides> {
  return { ours: await repo.differences(base, ours), theirs: await repo.differences(base, theirs) };
}

/** The versions of a path that at least one side changed. */
export function versionsOf({ ours, theirs }: TreeSides, path: Path): FileVersions {
  const [our, their] = [ours.get(path), theirs.get(path)];
  const base = (our ?? their)?.before ?? null;
  return { base, ours: our ? our.after : base, theirs: their ? their.after : base };
}

export const isSameFile = (a: TreeFile | null, b: TreeFile | null): boolean => a?.oid === b?.oid && a?.mode === b?.mode;
