/** Prepares a merge or fast-forward before any lock is taken: the merge commit, and what must be as it was planned for. */
import { CmsError } from "../../errors.ts";
import { pace } from "../../time-slices.ts";
import {
  REGULAR_MODE,
  SUBMODULE_MODE,
  type Merge,
  type MergedFile,
  type Oid,
  type Path,
  type TreeFile,
} from "../repo.ts";
import type { Expected } from "./guards/batch-check.ts";
import type { RepoContext } from "./context.ts";
import { inParallel } from "./parallel.ts";
import type { JournalPath } from "./journal.ts";
import { encodeCommit, readCommit } from "./objects/commits.ts";
import { newObject, type NewObject } from "./objects/object.ts";
import { cleanSignature, secondsOf, signatureLine } from "./objects/signature.ts";
import { isFolder } from "./objects/tree-format.ts";
import { editTree, findLeaf } from "./objects/trees.ts";
import type { PreparedBatch } from "./prepared-batch.ts";
import { checkPath } from "./worktree/worktree.ts";

export interface PreparedMerge {
  readonly prepared: PreparedBatch;
  readonly expected: Expected;
}

const FILES_AT_ONCE = 8;

/**
 * Computes every object of the merge. Writes nothing.
 *
 * @throws CmsError `conflict` naming the first path whose working file is not that of the branch, nor that of the merge
 */
export async function prepareMerge(repo: RepoContext, ref: string, merge: Merge): Promise<PreparedMerge> {
  await repo.worktree.updateConversions(merge.changes.keys());
  const base = await readCommit(repo.objects, merge.base);
  const removed = new Set([...merge.changes].flatMap(([path, file]) => (file ? [] : [path])));
  const paths = await inParallel([...merge.changes], FILES_AT_ONCE, ([path, file]) =>
    plannedPath(repo, base.tree, removed, [path, file]),
  );
  const objects: NewObject[] = [];
  const contents: Map<Path, { content: Uint8Array; oid: Oid }> = new Map();
  for (const [path, file] of merge.changes) {
    if (!file?.bytes) continue;
    await pace();
    objects.push(newObject("blob", file.bytes));
    contents.set(path, { content: file.bytes, oid: file.oid });
  }
  const seconds = merge.commit
    ? Math.max(
        secondsOf(merge.commit.at),
        secondsOf(base.at),
        merge.other === null ? 0 : secondsOf((await readCommit(repo.objects, merge.other)).at),
      )
    : secondsOf(repo.env.now());
  const made = merge.commit && (await mergeCommit(repo, merge, merge.commit, base.tree, seconds));
  const kind = merge.commit ? merge.commit.message.split("\n", 1)[0] : "Fast-forward";
  const verb = merge.other === null ? "commit" : `merge ${merge.other}`;
  const reflog = `${signatureLine(cleanSignature(repo.committer), seconds)}\t${verb}: ${kind}`;
  const commit = made?.commit.oid ?? merge.other;
  if (commit === null) throw new Error("There is nothing to commit and nothing to join.");
  return {
    prepared: {
      ref,
      commits: [commit],
      objects: [...objects, ...(made ? [...made.trees, made.commit] : [])],
      paths,
      contents,
      reflog,
    },
    // A merge must not overwrite staged changes any more than those of working files.
    expected: {
      base: merge.base,
      expect: new Map(paths.filter((path) => !isSubmodule(path)).map(({ path, before }) => [path, before])),
      removed,
      manualEdits: new Set(merge.changes.keys()),
    },
  };
}

async function mergeCommit(
  repo: RepoContext,
  { base, other, changes }: Merge,
  { author, at, message }: NonNullable<Merge["commit"]>,
  baseTree: Oid,
  committedAt: number,
): Promise<{ commit: NewObject; trees: readonly NewObject[] }> {
  const entries = new Map<Path, TreeFile | null>();
  for (const [path, file] of changes) entries.set(path, file && { mode: file.mode, oid: file.oid });
  const tree = await editTree(repo.trees, baseTree, entries, (entry) => !isFolder(entry));
  const draft = { author, authoredAt: secondsOf(at), committer: repo.committer, committedAt, message };
  const parents = other === null ? [base] : [base, other];
  const commit = newObject("commit", encodeCommit({ ...draft, tree: tree.oid, parents }));
  return { commit, trees: tree.objects };
}

async function plannedPath(
  repo: RepoContext,
  baseTree: Oid,
  removed: ReadonlySet<Path>,
  [path, file]: readonly [Path, MergedFile | null],
): Promise<JournalPath> {
  checkPath(path);
  const base = await findLeaf(repo.trees, baseTree, path);
  const modes = { before: base?.mode ?? null, after: file?.mode ?? null };
  const isRegular = Object.values(modes).every((mode) => mode === null || mode === REGULAR_MODE);
  const submodules = Object.values(modes).filter((mode) => mode === SUBMODULE_MODE).length;
  if (submodules === 1 && base && file) {
    throw new CmsError("conflict", `${path} is a submodule on one side only: merge it with git.`);
  }
  const baseOid = base?.oid ?? null;
  const after = file?.oid ?? null;
  const onDisk = submodules > 0 ? baseOid : await repo.worktree.entryOidAt(path, removed);
  if (onDisk === undefined)
    throw new CmsError("conflict", `${path} is a folder here and a file there: merge with git.`);
  if (onDisk !== baseOid && onDisk !== after) throw uncommitted(path, baseOid);
  return { path, base: baseOid, before: onDisk, after, ...(!isRegular && { modes }) };
}

const isSubmodule = ({ modes }: JournalPath): boolean =>
  modes !== undefined && Object.values(modes).includes(SUBMODULE_MODE);

const uncommitted = (path: Path, base: Oid | null): CmsError =>
  new CmsError(
    "conflict",
    base
      ? `${path} has a change that is not committed: commit it, or discard it with \`git restore ${path}\`.`
      : `${path} is in the way and not committed: commit, move or remove it.`,
  );
