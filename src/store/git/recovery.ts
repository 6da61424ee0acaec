/**
 * Recovery when a repository is opened: finishes or discards the batches of processes that have died.
 *
 * A batch whose commit is on its branch is finished; any other never happened. Everything here can be repeated at any
 * time. A lock that was not made by a dead process of ours is left to people.
 */
import type { Oid } from "../repo.ts";
import { readCommit } from "./objects/commits.ts";
import { reportRestored } from "./objects/integrity.ts";
import { toUnavailable } from "./disk-error.ts";
import { toStored } from "./attributes/eol.ts";
import { storedForm } from "./lfs/pointer.ts";
import { pathsAsCommitted, repeatCheckout } from "./worktree/checkout.ts";
import { BACKUP_KIND } from "./worktree/file-replacement.ts";
import { parentOf, replaceFile, unlessMissing } from "./fs.ts";
import { walkCommits } from "./refs/commit-walk.ts";
import { isIndexUsable, rebuildIndex } from "./index/index-rebuild.ts";
import { readJournal, type JournalRecord } from "./journal.ts";
import { removeStaleLock } from "./locks/lock.ts";
import { oidOf } from "./objects/object.ts";
import { removeUncommittedEntries, syncBranch } from "./refs/branch-update.ts";
import { branchOf, readRef } from "./refs/refs.ts";
import { abandonedScratch, removeFolder } from "./locks/scratch.ts";
import type { RepoContext } from "./context.ts";
import { readState } from "./repo-state.ts";
import { collectEntries } from "./objects/trees.ts";

const REBUILT_INDEX = "made the index anew";

/**
 * Finishes or discards what dead processes left. Logs one line about it if there was anything.
 *
 * @throws CmsError `unavailable` on a disk error, or if git holds a lock for too long
 */
export async function recover(repo: RepoContext): Promise<void> {
  try {
    // First, because everything else reads the objects.
    reportRestored(repo.env.log, await repo.objects.restorePruned(true));
    const done = [...(await recoverBatches(repo)), ...(await recoverIndex(repo))];
    if (done.length > 0) repo.env.log.info(`After an unclean end: ${done.join("; ")}.`);
  } catch (error) {
    throw toUnavailable(error);
  }
}

async function recoverBatches(repo: RepoContext): Promise<string[]> {
  const { fs, gitDir } = repo;
  const done: string[] = [];
  for (const dir of await abandonedScratch(fs, gitDir, repo.scratch)) {
    const record = await readJournal(fs, dir);
    if (record) {
      if (await removeIfStale(repo, `${record.ref}.lock`)) done.push(`removed the lock of ${branchOf(record.ref)}`);
      const recovered = await recoverBatch(repo, record);
      if (!recovered) {
        done.push(...(await removeStaleLocks(repo)));
        continue;
      }
      done.push(...recovered);
    }
    done.push(...(await saveBackups(repo, dir, record)));
    done.push(...(await removeStaleLocks(repo)));
    // Last, because the owner file in it proves whose the locks were.
    await removeFolder(fs, dir);
  }
  done.push(...(await removeStaleLocks(repo)));
  return done;
}

async function removeStaleLocks(repo: RepoContext): Promise<string[]> {
  const { ref } = await readState(repo.fs, repo.gitDir);
  const done: string[] = [];
  for (const name of ["index.lock", "HEAD.lock", ...(ref ? [`${ref}.lock`] : [])]) {
    if (await removeIfStale(repo, name)) done.push(`removed ${name}`);
  }
  return done;
}

/** @param name of the lock in `.git` */
async function removeIfStale({ fs, gitDir, scratch }: RepoContext, name: string): Promise<boolean> {
  const path = `${gitDir}/${name}`;
  if (!(await fs.lstat(path))) return false;
  return removeStaleLock(fs, path, await scratch.temporaryPath("stale"), gitDir);
}

/** @returns undefined if it has to wait: during a merge or the like, index and working files belong to that */
async function recoverBatch(repo: RepoContext, record: JournalRecord): Promise<string[] | undefined> {
  const { fs, gitDir } = repo;
  const done: string[] = [];
  if (await repairRef(repo, record)) done.push(`restored ${record.ref}`);
  const { blocked } = await readState(fs, gitDir);
  if (blocked) return undefined;

  await removeIfStale(repo, "index.lock");
  const lock = await repo.locks.take(`${gitDir}/index.lock`);
  try {
    if (await rebuildIndex(repo)) done.push(REBUILT_INDEX);
    done.push(...(await finishBatch(repo, record)));
  } finally {
    await lock.release();
  }
  return done;
}

/** Checks out the batch's files if its commit was made; otherwise removes its entries from the index. */
async function finishBatch(repo: RepoContext, record: JournalRecord): Promise<string[]> {
  const { ref, head } = await readState(repo.fs, repo.gitDir);
  const commit = record.new.slice(0, 10);
  const done: string[] = [];
  const tip = ref === record.ref ? head : await readRef(repo.fs, repo.gitDir, record.ref);
  const isMade = tip !== null && (await contains(repo, tip, record));
  // On any branch, since `git switch` carries entries over. But what `git reset --soft` has left staged is intended.
  const isDiscarded = !isMade && !(await wasOnBranch(repo, record));
  if (isDiscarded && (await removeUncommittedEntries(repo, record.paths)).length > 0) {
    done.push(`took commit ${commit} back, which was not made`);
  }
  if (!head) return done;
  // HEAD may be on another branch: `git switch --create` leaves the files as they are.
  const isInHead = head === tip ? isMade : await contains(repo, head, record);
  const unchanged = await pathsAsCommitted(repo, head, record.paths);
  // The content may be committed under another id: amended, rebased, or from the index as it was left.
  const wanted = isInHead
    ? unchanged
    : unchanged.filter(({ base, before, after }) => before === base && after !== base);
  await repo.worktree.updateConversions(wanted.map(({ path }) => path));
  // As in a commit: the branch is durable before its files are, and the journal is cleared after both.
  const failure = isMade ? await syncBranch(repo, record.ref) : undefined;
  if (failure) throw failure;
  await repeatCheckout(repo, wanted);
  if (isInHead || wanted.length > 0) {
    done.push(`finished commit ${commit} (${wanted.map(({ path }) => path).join(", ")})`);
  }
  return done;
}

/** Sets a malformed ref to the batch's commit if that is complete, otherwise to the commit before. */
async function repairRef(repo: RepoContext, record: JournalRecord): Promise<boolean> {
  const { fs, gitDir } = repo;
  try {
    await readRef(fs, gitDir, record.ref);
    return false;
  } catch {
    // It cannot be read, for whatever reason.
  }
  const blobs = record.paths.flatMap(({ after }) => after ?? []);
  const commit = (await isComplete(repo, record.new, blobs)) ? record.new : record.old;
  if (!commit || !(await isComplete(repo, commit, []))) return false;
  const lock = await repo.locks.take(`${gitDir}/${record.ref}.lock`);
  try {
    const path = `${gitDir}/${record.ref}`;
    const temporary = await repo.scratch.temporaryPath("ref");
    await replaceFile(fs, path, Buffer.from(`${commit}\n`), { temporary, mode: 0o666 });
    await fs.syncDir(parentOf(path));
  } finally {
    await lock.release();
  }
  return true;
}

/** Whether a commit, all its trees, and the given blobs can be read. */
async function isComplete(repo: RepoContext, commit: Oid, blobs: readonly Oid[]): Promise<boolean> {
  try {
    await collectEntries(repo.trees, (await readCommit(repo.objects, commit)).tree);
    for (const oid of blobs) if (!(await repo.objects.read(oid))) return false;
    return true;
  } catch {
    return false;
  }
}

/** Whether the batch's commit is in the history of a commit. */
async function contains(repo: RepoContext, commit: Oid, record: JournalRecord): Promise<boolean> {
  if (commit === record.new) return true;
  if (commit === record.old) return false;
  for await (const { id } of walkCommits(repo, commit, record.old, [])) if (id === record.new) return true;
  return false;
}

/** Whether the branch was at the batch's commit and a person has moved it away: a reflog line starts with its id. */
async function wasOnBranch({ fs, gitDir }: RepoContext, record: JournalRecord): Promise<boolean> {
  const log = (await unlessMissing(fs.readFile(`${gitDir}/logs/${record.ref}`)))?.toString("latin1") ?? "";
  return log.includes(`\n${record.new} `);
}

/** Copies the backups of replaced files (late-saves.ts) whose content is not stored anywhere else. */
async function saveBackups(repo: RepoContext, dir: string, record: JournalRecord | undefined): Promise<string[]> {
  const done: string[] = [];
  for (const entry of (await unlessMissing(repo.fs.readdir(dir))) ?? []) {
    if (!entry.name.startsWith(`${BACKUP_KIND}-`) || entry.isSymbolicLink()) continue;
    const bytes = await repo.fs.readFile(`${dir}/${entry.name}`);
    const oid = oidOf("blob", bytes);
    // The path of the file is not known any more: CRLF may have been stored as LF, and a pointer of Git LFS instead.
    const ids = [oid, ...[toStored(bytes, "lf", false), storedForm(bytes)].map((stored) => oidOf("blob", stored))];
    if (record?.paths.some(({ before, after }) => ids.some((id) => before === id || after === id))) continue;
    if ((await Promise.all(ids.map((id) => repo.objects.read(id)))).some(Boolean)) continue;
    done.push(`kept a late save in ${await repo.worktree.saveCopy("late-save", bytes, oid)}`);
  }
  return done;
}

async function recoverIndex(repo: RepoContext): Promise<string[]> {
  if (await isIndexUsable(repo)) return [];
  const lock = await repo.locks.take(`${repo.gitDir}/index.lock`);
  try {
    return (await rebuildIndex(repo)) ? [REBUILT_INDEX] : [];
  } finally {
    await lock.release();
  }
}
