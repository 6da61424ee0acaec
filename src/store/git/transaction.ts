/**
 * A batch of commits, whole or not at all.
 *
 * Everything slow is prepared first, unlocked and invisible. Then, under git's own locks, what was planned on is looked
 * at once more, and the rename of the branch's file is the one moment at which the batch comes to be.
 */
import { randomBytes } from "node:crypto";
import { CmsError, messageOf } from "../../errors.ts";
import { isPrepared, type Batch, type BatchResult, type Content, type Oid, type Path } from "../repo.ts";
import { encodeCommit, readCommit } from "./commits.ts";
import { refusal } from "./disk-error.ts";
import { finish } from "./finish.ts";
import { allEnded, inParallel, removeIfThere, writeDurably } from "./fs.ts";
import { entriesOf, stageOf } from "./index-file.ts";
import { usableIndex } from "./index-on-disk.ts";
import type { JournalPath } from "./journal.ts";
import type { Lock } from "./lock.ts";
import { newObject, type FileBlob, type NewObject } from "./object.ts";
import { appendReflogs, branchOf, readRef } from "./refs.ts";
import { cleanSignature, secondsOf, signatureLine } from "./signature.ts";
import type { Site } from "./site.ts";
import { readState } from "./state.ts";
import { editTree, findEntry } from "./trees.ts";
import { checkPath, type Staged } from "./worktree.ts";

export interface Transactions {
  /** One after the other, in the order of the calls. */
  commit(batch: Batch): Promise<BatchResult>;
  /** Finishes a batch whose files could not be written when it was made. @throws CmsError `unavailable` */
  settle(): Promise<void>;
}

interface Prepared {
  readonly ref: string;
  readonly commits: readonly Oid[];
  readonly objects: readonly (NewObject | FileBlob)[];
  readonly paths: readonly JournalPath[];
  /** Bytes of the files as the last commit has them. */
  readonly contents: ReadonlyMap<Path, { readonly content: Content; readonly oid: Oid } | null>;
  /** What follows the ids in the reflog. */
  readonly reflog: string;
}

type Moved = { readonly made: false; readonly moved: "head" | "files" };

const MOVED_HEAD: Moved = { made: false, moved: "head" };
const MOVED_FILES: Moved = { made: false, moved: "files" };
/** How often a batch is prepared anew because a prune took its objects. */
const TRIES = 3;
const FILES_AT_ONCE = 8;

export function openTransactions(site: Site): Transactions {
  const { fs, gitDir, locks } = site;
  let last: Promise<unknown> = Promise.resolve();
  /** A batch that was made, and whose files or index are not written yet; its lock keeps git out meanwhile. */
  let unfinished: { paths: readonly JournalPath[]; lock: Lock } | undefined;

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  }

  async function settle(): Promise<void> {
    await locks.tidy();
    if (!unfinished) return;
    const { paths, lock } = unfinished;
    try {
      await lock.keep();
      await finish(site, paths, new Map());
    } catch (error) {
      throw new CmsError("unavailable", `The last commit's files are not all written yet: ${messageOf(error)}`, {
        cause: error,
        retryAfter: 5,
      });
    }
    unfinished = undefined;
    await lock.release();
  }

  async function commit(batch: Batch): Promise<BatchResult> {
    await settle();
    for (let tries = 1; ; tries++) {
      const ref = await writableRef(site);
      if ((await readRef(fs, gitDir, ref)) !== batch.base) return MOVED_HEAD;
      if (!(await areFilesAs(site, batch.expect))) return MOVED_FILES;
      const prepared = await prepare(site, ref, batch);
      const staged = await writeAhead(site, prepared);
      const result = await make(batch, prepared, staged);
      if (result !== "pruned") return result;
      if (tries === TRIES) {
        throw new CmsError("unavailable", "`git prune` keeps removing what is being written: try again when it has ended.");
      }
    }
  }

  async function make(batch: Batch, prepared: Prepared, staged: ReadonlyMap<Path, Staged>): Promise<BatchResult | "pruned"> {
    let lock: Lock | undefined;
    let isMade = false;
    try {
      lock = await locks.take(`${gitDir}/index.lock`);
      const moved = await whatMoved(site, prepared, batch);
      if (moved) return moved;
      const outcome = await moveBranch(site, batch.base, prepared);
      if (outcome !== "moved") return outcome;
      isMade = true;
    } finally {
      if (!isMade) await giveUp(site, staged, lock);
    }
    // Durable before the files are touched: else, after a power cut, they would look like a person's changes.
    const failure = await syncBranch(site, prepared.ref);
    await complete(prepared, staged, lock);
    if (failure) throw failure;
    return { made: true, commits: prepared.commits };
  }

  /** The commit stands: an error from here on is logged, and its work done by the next call or the next start. */
  async function complete(prepared: Prepared, staged: ReadonlyMap<Path, Staged>, lock: Lock): Promise<void> {
    unfinished = { paths: prepared.paths, lock };
    try {
      await finish(site, prepared.paths, staged);
      unfinished = undefined;
      await lock.release();
    } catch (error) {
      site.env.log.error(`Commit ${prepared.commits.at(-1)} is made, but not all of its files are written yet`, error);
    }
  }

  return {
    settle: async () => (unfinished ? inTurn(settle) : locks.tidy()),
    commit: (batch) =>
      inTurn(async () => {
        try {
          return await commit(batch);
        } catch (error) {
          throw refusal(error);
        }
      }),
  };
}

/** Full name of the branch. @throws CmsError `unavailable` when nothing can be written just now */
async function writableRef(site: Site): Promise<string> {
  const { ref, blocked } = await readState(site.fs, site.gitDir);
  if (ref === null || blocked) throw new CmsError("unavailable", blocked ?? "HEAD is detached.", { retryAfter: 30 });
  return ref;
}

async function areFilesAs(site: Site, expect: ReadonlyMap<Path, Oid | null>): Promise<boolean> {
  const same = await inParallel([...expect], FILES_AT_ONCE, async ([path, oid]) => (await site.worktree.oidAt(path)) === oid);
  return !same.includes(false);
}

/** Works out every object of the batch; nothing is written. */
async function prepare(site: Site, ref: string, batch: Batch): Promise<Prepared> {
  const objects: (NewObject | FileBlob)[] = [];
  const commits: Oid[] = [];
  const contents = new Map<Path, { content: Content; oid: Oid } | null>();
  const parent = batch.base ? await readCommit(site.objects, batch.base) : undefined;
  const baseTree = parent?.tree ?? null;
  let tree = baseTree;
  let seconds = parent ? secondsOf(parent.at) : 0;

  for (const plan of batch.commits) {
    const blobs = new Map<Path, Oid | null>();
    for (const [path, content] of plan.changes) {
      checkPath(path);
      if (!batch.expect.has(path)) throw new Error(`The batch changes ${path} without saying what it expects there`);
      const blob = content && (isPrepared(content) ? { ...content, type: "blob" as const } : newObject("blob", content));
      if (blob) objects.push(blob);
      blobs.set(path, blob?.oid ?? null);
      contents.set(path, content && blob && { content, oid: blob.oid });
    }
    const edited = await editTree(site.trees, tree, blobs);
    seconds = Math.max(seconds, secondsOf(plan.at));
    const commit = newObject(
      "commit",
      encodeCommit({
        tree: edited.oid,
        parent: commits.at(-1) ?? batch.base,
        author: plan.author,
        authoredAt: secondsOf(plan.at),
        committer: site.committer,
        committedAt: seconds,
        message: plan.message,
      }),
    );
    objects.push(...edited.made, commit);
    commits.push(commit.oid);
    tree = edited.oid;
  }
  if (commits.length === 0) throw new Error("The batch has no commits");

  const paths = await inParallel([...contents], FILES_AT_ONCE, async ([path, content]) => ({
    path,
    base: (await findEntry(site.trees, baseTree, path))?.oid ?? null,
    before: batch.expect.get(path) ?? null,
    after: content?.oid ?? null,
  }));
  return { ref, commits, objects, paths, contents, reflog: reflogEntry(site, batch, seconds) };
}

function reflogEntry(site: Site, batch: Batch, seconds: number): string {
  const subject = batch.commits.at(-1)?.message.split("\n", 1)[0] ?? "";
  const kind = batch.base ? "commit" : "commit (initial)";
  const more = batch.commits.length > 1 ? ` (and ${batch.commits.length - 1} before it)` : "";
  return `${signatureLine(cleanSignature(site.committer), seconds)}\t${kind}: ${subject}${more}`;
}

/** Makes the objects and the new working files durable, under names that nobody sees. */
async function writeAhead(site: Site, prepared: Prepared): Promise<Map<Path, Staged>> {
  const staged = new Map<Path, Staged>();
  const changing = prepared.paths.filter(({ before, after }) => after !== null && after !== before);
  const stage = async ({ path }: JournalPath): Promise<void> => {
    const content = prepared.contents.get(path);
    if (content) staged.set(path, await site.worktree.stage(path, content.content, content.oid));
  };
  try {
    await allEnded([site.objects.put(prepared.objects), inParallel(changing, FILES_AT_ONCE, stage)]);
    return staged;
  } catch (error) {
    await discard(site, staged);
    throw error;
  }
}

/** Looks, under the lock, at all that the batch was planned on. */
async function whatMoved(site: Site, prepared: Prepared, batch: Batch): Promise<Moved | undefined> {
  if ((await writableRef(site)) !== prepared.ref) return MOVED_HEAD;
  if ((await readRef(site.fs, site.gitDir, prepared.ref)) !== batch.base) return MOVED_HEAD;
  if (!(await areFilesAs(site, batch.expect))) return MOVED_FILES;
  const index = await usableIndex(site.index);
  for (const { path } of prepared.paths) {
    if (entriesOf(index, path).some((entry) => stageOf(entry) !== 0)) {
      throw new CmsError("unavailable", `${path} has a conflict that is not resolved: edit it, then \`git add\` it.`);
    }
  }
  return undefined;
}

/** Writes the journal and moves the branch, if it is still where it was. */
async function moveBranch(site: Site, base: Oid | null, prepared: Prepared): Promise<"moved" | "pruned" | Moved> {
  const { fs, gitDir } = site;
  const { ref } = prepared;
  const tip = prepared.commits.at(-1)!;
  const lock = await site.locks.take(`${gitDir}/${ref}.lock`);
  let temporary: string | undefined;
  try {
    if ((await readRef(fs, gitDir, ref)) !== base) return MOVED_HEAD;
    temporary = `${(await site.scratch.make()).dir}/ref-${randomBytes(8).toString("hex")}`;
    const [vanished] = await allEnded([
      site.objects.vanished(prepared.objects.map(({ oid }) => oid)),
      writeDurably(fs, temporary, Buffer.from(`${tip}\n`), 0o666),
      site.journal.write({ ref, old: base, new: tip, paths: prepared.paths }),
    ]);
    if (vanished.length > 0) return "pruned";
    await appendReflogs(fs, gitDir, ref, { old: base, now: tip, entry: prepared.reflog });
    await moveRef(site, temporary, ref, tip);
    return "moved";
  } finally {
    if (temporary) await removeIfThere(fs, temporary).catch(() => undefined);
    await lock.release();
  }
}

/** The commit point is in here: the rename. */
async function moveRef(site: Site, temporary: string, ref: string, tip: Oid): Promise<void> {
  const path = `${site.gitDir}/${ref}`;
  try {
    // An empty folder of the branch's name is what is left of a branch `name/below`.
    await site.fs.rmdir(path).catch(() => undefined);
    await site.fs.rename(temporary, path);
  } catch (error) {
    // An error may come after the deed.
    if ((await readRef(site.fs, site.gitDir, ref)) !== tip) throw error;
  }
}

/** Makes the move durable. @returns what to tell the caller when that is not certain */
async function syncBranch(site: Site, ref: string): Promise<CmsError | undefined> {
  try {
    // All folders on the way: that of a branch `a/b` may have been made just now.
    const names = ref.split("/").slice(0, -1);
    const folders = names.map((_name, i) => `${site.gitDir}/${names.slice(0, i + 1).join("/")}`);
    await inParallel(folders, FILES_AT_ONCE, (folder) => site.fs.syncDir(folder));
    return undefined;
  } catch (error) {
    const message = `The commit on ${branchOf(ref)} is made, but the disk does not confirm it (${messageOf(error)}).`;
    return new CmsError("unavailable", message, { cause: error });
  }
}

/**
 * Leaves nothing that shows, only objects that nothing names, which git collects.
 *
 * The journal's record stays until the next one: its commit is on no branch, so it does no harm. And should the branch
 * have moved after all, on a disk that reports errors, it is what the next start goes by.
 */
async function giveUp(site: Site, staged: ReadonlyMap<Path, Staged>, lock: Lock | undefined): Promise<void> {
  await discard(site, staged);
  await lock?.release();
}

async function discard(site: Site, staged: ReadonlyMap<Path, Staged>): Promise<void> {
  for (const { temporary } of staged.values()) await removeIfThere(site.fs, temporary).catch(() => undefined);
}
