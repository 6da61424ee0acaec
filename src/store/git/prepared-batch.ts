/** Prepares a batch before any lock is taken: computes its objects, and writes objects and files invisibly. */
import { isPrepared, SUBMODULE_MODE, type Batch, type CommitPlan, type Content, type Oid, type Path } from "../repo.ts";
import { encodeCommit, readCommit } from "./objects/commits.ts";
import { removeIfExists } from "./fs.ts";
import { allEnded, inParallel } from "./parallel.ts";
import type { JournalPath } from "./journal.ts";
import { blobOidOf, newObject, type FileBlob, type NewObject } from "./objects/object.ts";
import { pace } from "../../time-slices.ts";
import { cleanSignature, secondsOf, signatureLine } from "./objects/signature.ts";
import type { RepoContext } from "./context.ts";
import { isFolder, type TreeEntry } from "./objects/tree-format.ts";
import { editTree, findEntries } from "./objects/trees.ts";
import { stageBlob } from "./worktree/checkout.ts";
import { stageRecord, type StagedRecord } from "./refs/branch-update.ts";
import { stageEarly, type StagedEntries } from "./index/staged-entries.ts";
import type { StagedFile } from "./worktree/file-replacement.ts";
import { checkPath } from "./worktree/worktree.ts";

export interface PreparedBatch {
  readonly ref: string;
  readonly commits: readonly Oid[];
  readonly objects: readonly (NewObject | FileBlob)[];
  readonly paths: readonly JournalPath[];
  /** The content of the files in the last commit; null for removed ones. Blobs that are stored already may be left out. */
  readonly contents: ReadonlyMap<Path, PlannedContent | null>;
  /** The part of the reflog line after the two ids. */
  readonly reflog: string;
}

interface PlannedContent {
  readonly content: Content;
  readonly oid: Oid;
}

/** As many as the thread pool has threads (bin/cms.cjs), which wait for the disk. */
const FILES_AT_ONCE = 16;

/** Computes every object of the batch. Writes nothing. */
export async function prepareBatch(repo: RepoContext, ref: string, batch: Batch): Promise<PreparedBatch> {
  const objects: (NewObject | FileBlob)[] = [];
  const commits: Oid[] = [];
  const contents = new Map<Path, PlannedContent | null>();
  const parent = batch.base ? await readCommit(repo.objects, batch.base) : undefined;
  const baseTree = parent?.tree ?? null;
  let tree = baseTree;
  let seconds = parent ? secondsOf(parent.at) : 0;

  for (const plan of batch.commits) {
    const blobs = await prepareBlobs(plan, batch, contents);
    const edited = await editTree(
      repo.trees,
      tree,
      new Map([...blobs].map(([path, blob]) => [path, blob?.oid ?? null])),
    );
    seconds = Math.max(seconds, secondsOf(plan.at));
    const commit = newObject(
      "commit",
      encodeCommit({
        tree: edited.oid,
        parents: [commits.at(-1) ?? batch.base].filter((parent) => parent !== null),
        author: plan.author,
        authoredAt: secondsOf(plan.at),
        committer: repo.committer,
        committedAt: seconds,
        message: plan.message,
      }),
    );
    objects.push(...[...blobs.values()].filter((blob) => blob !== null), ...edited.objects, commit);
    commits.push(commit.oid);
    tree = edited.oid;
  }
  if (commits.length === 0) throw new Error("The batch has no commits");

  const entries = await findEntries(repo.trees, baseTree, [...contents.keys()]);
  const paths = Array.from(contents, ([path, content], at) => ({
    path,
    base: leafOid(entries[at]),
    before: batch.expect.get(path) ?? null,
    after: content?.oid ?? null,
  }));
  return { ref, commits, objects, paths, contents, reflog: reflogEntry(repo, batch, seconds) };
}

const leafOid = (entry: TreeEntry | undefined): Oid | null => (entry && !isFolder(entry) ? entry.oid : null);

/** The blobs of one commit by path; null for removed files. Adds their content to `contents`. */
async function prepareBlobs(
  plan: CommitPlan,
  batch: Batch,
  contents: Map<Path, PlannedContent | null>,
): Promise<Map<Path, NewObject | FileBlob | null>> {
  const blobs = new Map<Path, NewObject | FileBlob | null>();
  for (const [path, content] of plan.changes) {
    await pace();
    checkPath(path);
    if (!batch.expect.has(path)) throw new Error(`The batch changes ${path} without saying what it expects there`);
    const blob = content && blobOf(content);
    blobs.set(path, blob);
    contents.set(path, content && blob && { content, oid: blob.oid });
  }
  return blobs;
}

function blobOf(content: Content): NewObject | FileBlob {
  if (!isPrepared(content)) return { oid: blobOidOf(content), type: "blob", content };
  return content.pointer ? newObject("blob", content.pointer) : { ...content, type: "blob" };
}

function reflogEntry(repo: RepoContext, batch: Batch, seconds: number): string {
  const subject = batch.commits.at(-1)?.message.split("\n", 1)[0] ?? "";
  const kind = batch.base ? "commit" : "commit (initial)";
  const more = batch.commits.length > 1 ? ` (and ${batch.commits.length - 1} before it)` : "";
  return `${signatureLine(cleanSignature(repo.committer), seconds)}\t${kind}: ${subject}${more}`;
}

/** What is written of a batch before any lock is taken, under names that no other process uses. */
export interface StagedBatch {
  readonly files: ReadonlyMap<Path, StagedFile>;
  readonly index: StagedEntries | undefined;
  readonly record: StagedRecord | undefined;
}

/**
 * Writes the objects, the new working files, the index, the journal and the branch's file, durably. All at the same
 * time: what a batch waits for is the disk.
 */
export async function stageBatch(
  repo: RepoContext,
  base: Oid | null,
  prepared: PreparedBatch,
): Promise<StagedBatch & { readonly record: StagedRecord }> {
  const files = new Map<Path, StagedFile>();
  let index: StagedEntries | undefined;
  const changing = prepared.paths.filter(({ before, after, modes }) => after !== before || modes !== undefined);
  const stage = async ({ path, after, modes }: JournalPath): Promise<void> => {
    if (after === null || modes?.after === SUBMODULE_MODE) return;
    const content = prepared.contents.get(path)?.content;
    // Git reads the blob from the repository.
    if (content && repo.attributes.of(path).unsupported !== undefined) await repo.objects.put([blobOf(content)]);
    const staged = content
      ? repo.worktree.stage(path, content, after, modes?.after)
      : stageBlob(repo, path, after, modes?.after);
    files.set(path, await staged);
  };
  let record: StagedRecord | undefined;
  const stageIndex = async (): Promise<void> => {
    index = await stageEarly(repo, prepared.paths);
  };
  const stageJournal = async (): Promise<StagedRecord> =>
    (record = await stageRecord(repo, { ...prepared, old: base }));
  try {
    const [, staged] = await allEnded([
      // First, since it is the largest file.
      stageIndex(),
      stageJournal(),
      repo.objects.put(prepared.objects),
      inParallel(changing.toReversed(), FILES_AT_ONCE, stage),
    ]);
    return { files, index, record: staged };
  } catch (error) {
    await discardStaged(repo, { files, index, record });
    throw error;
  }
}

/**
 * Removes the staged files of a batch that was not made. Its objects are unreachable, and git collects them.
 *
 * The journal's record stays until the next batch: its commit is on no branch, so it does no harm. If the branch has
 * moved after all, on a disk that reports errors, the next start needs it.
 */
export async function discardStaged(repo: RepoContext, { files, index, record }: StagedBatch): Promise<void> {
  await index?.index.tidy();
  for (const { temporary } of [...files.values(), ...(record ? [record] : [])]) {
    await pace();
    await removeIfExists(repo.fs, temporary).catch(() => undefined);
  }
}
