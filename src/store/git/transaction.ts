/**
 * A batch of commits, whole or not at all.
 *
 * Everything slow is prepared first, unlocked and invisible. Then, under git's own locks, what was planned on is looked
 * at once more, and the rename of the branch's file is the one moment at which the batch comes to be.
 */
import { performance } from "node:perf_hooks";
import { CmsError, messageOf } from "../../errors.ts";
import { isPrepared, type Batch, type BatchResult, type Content, type Oid, type Path } from "../repo.ts";
import { openCalm, type Held } from "./locks/git-idle.ts";
import { encodeCommit, readCommit } from "./objects/commits.ts";
import { refusal } from "./disk-error.ts";
import { finish, resume } from "./worktree/checkout.ts";
import { allEnded, inParallel, removeIfThere } from "./fs.ts";
import { entriesOf, entryOid, isIntentToAdd, isOverlooked, stageOf, type IndexEntry } from "./index/index-format.ts";
import { usableIndex } from "./index/index-file.ts";
import type { JournalPath } from "./journal.ts";
import type { Lock } from "./locks/lock.ts";
import { reportRestored } from "./objects/integrity.ts";
import { findUndone, mend } from "./index/index-repair.ts";
import { keepObjects, moveBranch, syncBranch } from "./refs/branch-update.ts";
import { newObject, type FileBlob, type NewObject } from "./objects/object.ts";
import { openPace } from "./time-slices.ts";
import { findReset } from "./refs/lost-commits.ts";
import { readRef } from "./refs/refs.ts";
import { cleanSignature, secondsOf, signatureLine } from "./objects/signature.ts";
import type { Site } from "./context.ts";
import { readState } from "./repo-state.ts";
import { editTree, findEntry } from "./objects/trees.ts";
import { checkPath, type Staged } from "./worktree/worktree.ts";

export interface Transactions {
  /** One after the other, in the order of the calls. */
  commit(batch: Batch): Promise<BatchResult>;
  /** Finishes a batch whose files could not be written when it was made. @throws CmsError `unavailable` */
  settle(): Promise<void>;
  /** Puts right what other git processes have undone of recent commits: objects removed, index entries written over. */
  tend(): Promise<void>;
  /** No more writes. */
  close(): Promise<void>;
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

interface Unfinished {
  /** As a sentence's beginning: what is not done yet. */
  readonly what: string;
  /** @param isSame whether the index was locked all the while */
  readonly finish: (isSame: boolean) => Promise<void>;
  /** Keeps git out of the index meanwhile. */
  readonly lock: Lock;
}

type Moved = { readonly made: false; readonly moved: "head" | "files" };

const MOVED_HEAD: Moved = { made: false, moved: "head" };
const MOVED_FILES: Moved = { made: false, moved: "files" };
const FILES_AT_ONCE = 8;
/** How often the objects of the last minute, and of the last hour, are looked for at most. */
const TEND_YOUNG_MS = 1_000;
const TEND_ALL_MS = 60_000;

export function openTransactions(site: Site): Transactions {
  const { fs, gitDir, locks } = site;
  let last: Promise<unknown> = Promise.resolve();
  const calm = openCalm(site);
  /** What could not be done when its batch was made, or given up. */
  let unfinished: Unfinished | undefined;
  let tendedAt = 0;
  let tendedAllAt = 0;

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  }

  async function settle(): Promise<void> {
    await locks.tidy();
    if (!unfinished) return;
    const { what, finish: finishIt, lock } = unfinished;
    let isKept = true;
    try {
      const isSame = await lock.isHeld();
      await lock.keep();
      isKept = isSame;
      await finishIt(isSame);
    } catch (error) {
      // Once a person has removed it, the command they did that for must not find it there again.
      if (!isKept) await lock.release();
      throw new CmsError("unavailable", `${what}: ${messageOf(error)}`, { cause: error, retryAfter: 5 });
    }
    unfinished = undefined;
    await lock.release();
  }

  async function commit(batch: Batch): Promise<BatchResult> {
    await settle();
    if (performance.now() - tendedAt >= TEND_YOUNG_MS) await tendObjects();
    await redo();
    const ref = await writableRef(site);
    if ((await readRef(fs, gitDir, ref)) !== batch.base) return MOVED_HEAD;
    if (!(await areFilesAs(site, batch.expect))) return MOVED_FILES;
    const prepared = await prepare(site, ref, batch);
    await site.writable.check(prepared.paths.flatMap(({ path, before, after }) => (before === after ? [] : [path])));
    const staged = await writeAhead(site, prepared);
    return make(batch, prepared, staged);
  }

  const onStuck = (lock: Lock) => (finishIt: () => Promise<void>) => {
    unfinished = { what: "The index is not put back yet", finish: finishIt, lock };
  };

  async function make(batch: Batch, prepared: Prepared, staged: ReadonlyMap<Path, Staged>): Promise<BatchResult> {
    let held: Held | undefined;
    let isMade = false;
    try {
      held = await calm.take();
      const { index: lock } = held;
      const moved = await whatMoved(site, prepared, batch);
      if (moved) return moved;
      isMade = await moveBranch(site, { ...prepared, old: batch.base }, held, onStuck(lock));
      if (!isMade) return MOVED_HEAD;
    } finally {
      if (!isMade) await discard(site, staged);
      await held?.head.release();
      if (!isMade && !unfinished) await held?.index.release();
    }
    // Durable before the files are touched: else, after a power cut, they would look like a person's changes.
    const failure = await syncBranch(site, prepared.ref);
    // A prune that began before the branch moved knows nothing of the batch: this one may have been in its way by now.
    await keepObjects(site, prepared.objects).catch((error: unknown) =>
      site.env.log.error("Objects are missing", error),
    );
    await complete(prepared, staged, held.index);
    if (failure) throw failure;
    return { made: true, commits: prepared.commits };
  }

  const finisher =
    (paths: readonly JournalPath[]) =>
    (isSame: boolean): Promise<void> =>
      isSame ? finish(site, paths, new Map()) : resume(site, paths);

  /** The commit stands: an error from here on is logged, and its work done by the next call or the next start. */
  async function complete(prepared: Prepared, staged: ReadonlyMap<Path, Staged>, lock: Lock): Promise<void> {
    unfinished = { what: "The last commit's files are not all written yet", finish: finisher(prepared.paths), lock };
    try {
      if (!(await lock.isHeld())) throw new Error("index.lock was removed meanwhile");
      await finish(site, prepared.paths, staged);
      unfinished = undefined;
      await lock.release();
    } catch (error) {
      site.env.log.error(`Commit ${prepared.commits.at(-1)} is made, but not all of its files are written yet`, error);
    }
  }

  /** What an editor wrote to a file after it was replaced is told. @param all at the end */
  async function tendLateSaves(all: boolean): Promise<void> {
    for (const { path, kept } of await site.worktree.lateSaves(all)) {
      site.env.log.warn(`${path} was saved by hand while it was written: that text is in ${kept}.`);
    }
  }

  async function tendObjects(): Promise<void> {
    const now = performance.now();
    tendedAt = now;
    const isAll = now - tendedAllAt >= TEND_ALL_MS;
    if (isAll) tendedAllAt = now;
    reportRestored(site.env.log, await site.objects.tend(isAll));
    await tendLateSaves(false);
  }

  /** Puts the branch back to commits that a `git reset` which had read HEAD before them has discarded. */
  async function redo(): Promise<void> {
    if (!(await findReset(site))) return;
    const held = await calm.take();
    let lock: Lock | undefined = held.index;
    try {
      const found = await findReset(site);
      if (!found) return;
      const { ref, from, to, paths } = found;
      const reflog = `${signatureLine(cleanSignature(site.committer), secondsOf(site.env.now()))}\treset: back to commits made meanwhile`;
      const move = { ref, old: from, commits: [to], objects: [], paths, reflog };
      if (!(await moveBranch(site, move, held, onStuck(held.index)))) return;
      unfinished = { what: "The files of restored commits are not all written yet", finish: finisher(paths), lock };
      lock = undefined;
      await syncBranch(site, ref);
      site.env.log.warn(
        `A \`git reset\` had discarded ${to.slice(0, 10)}, made while it ran: the branch is back there.`,
      );
    } finally {
      await held.head.release();
      if (!unfinished) await lock?.release();
    }
    await settle();
  }

  async function tend(): Promise<void> {
    await settle();
    await tendObjects();
    await redo();
    const { updates, carried } = await findUndone(site);
    if (updates.size === 0 && carried.length === 0) return;
    const lock = await locks.take(`${gitDir}/index.lock`);
    try {
      await mend(site);
    } finally {
      await lock.release();
    }
  }

  return {
    settle: async () => (unfinished ? inTurn(settle) : locks.tidy()),
    tend: () => inTurn(tend),
    close: () =>
      inTurn(async () => {
        await settle();
        await tendLateSaves(true);
      }),
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
  const same = await inParallel(
    [...expect],
    FILES_AT_ONCE,
    async ([path, oid]) => (await site.worktree.oidAt(path)) === oid,
  );
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

  const pace = openPace();
  for (const plan of batch.commits) {
    const blobs = new Map<Path, Oid | null>();
    for (const [path, content] of plan.changes) {
      await pace();
      checkPath(path);
      if (!batch.expect.has(path)) throw new Error(`The batch changes ${path} without saying what it expects there`);
      const blob =
        content && (isPrepared(content) ? { ...content, type: "blob" as const } : newObject("blob", content));
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

/** Whether nothing is staged for a path. @param base its blob id in HEAD's commit */
const isAsCommitted = (entry: IndexEntry | undefined, base: Oid | null): boolean =>
  entry ? entryOid(entry) === base || (base === null && isIntentToAdd(entry)) : base === null;

/** Looks, under the lock, at all that the batch was planned on. */
async function whatMoved(site: Site, prepared: Prepared, batch: Batch): Promise<Moved | undefined> {
  if ((await writableRef(site)) !== prepared.ref) return MOVED_HEAD;
  if ((await readRef(site.fs, site.gitDir, prepared.ref)) !== batch.base) return MOVED_HEAD;
  if (!(await areFilesAs(site, batch.expect))) return MOVED_FILES;
  const index = await usableIndex(site.index);
  const pace = openPace();
  for (const { path, base } of prepared.paths) {
    await pace();
    const entries = entriesOf(index, path);
    if (entries.some((entry) => stageOf(entry) !== 0)) {
      throw new CmsError("unavailable", `${path} has a conflict that is not resolved: edit it, then \`git add\` it.`);
    }
    if (!batch.adopted?.has(path)) continue;
    if (entries[0] && isOverlooked(entries[0])) {
      throw new CmsError(
        "conflict",
        `${path} has a change that git was told to overlook: see \`git ls-files -v\`, and take the mark away with ` +
          `\`git update-index --no-skip-worktree --no-assume-unchanged ${path}\` to have it committed.`,
      );
    }
    if (isAsCommitted(entries[0], base)) continue;
    throw new CmsError(
      "conflict",
      `${path} has a change staged: commit it, or unstage it with \`git restore --staged ${path}\`, then write again.`,
    );
  }
  return undefined;
}

/**
 * Leaves nothing that shows, only objects that nothing names, which git collects.
 *
 * The journal's record of a batch that was not made stays until the next one: its commit is on no branch, so it does no
 * harm. And should the branch have moved after all, on a disk that reports errors, it is what the next start goes by.
 */
async function discard(site: Site, staged: ReadonlyMap<Path, Staged>): Promise<void> {
  const pace = openPace();
  for (const { temporary } of staged.values()) {
    await pace();
    await removeIfThere(site.fs, temporary).catch(() => undefined);
  }
}
