/**
 * What is done when a repository is opened: the batches of processes that died are finished or forgotten.
 *
 * A batch whose commit is on its branch is finished, any other never happened. All of it can be run again at any time,
 * and a lock that no dead process of ours made is left to people.
 */
import { randomBytes } from "node:crypto";
import type { Oid } from "../repo.ts";
import { readCommit } from "./objects/commits.ts";
import { reportRestored } from "./objects/integrity.ts";
import { refusal } from "./disk-error.ts";
import { toStored } from "./attributes/eol.ts";
import { checkOut, pathsAsCommitted } from "./worktree/checkout.ts";
import { unlessMissing, writeDurably } from "./fs.ts";
import { walkCommits } from "./refs/commit-walk.ts";
import { BrokenIndex, indexOf } from "./index/index-format.ts";
import { readJournal, type JournalRecord } from "./journal.ts";
import { removeStaleLock } from "./locks/lock.ts";
import { oidOf } from "./objects/object.ts";
import { removeUncommittedEntries } from "./refs/branch-update.ts";
import { branchOf, readRef } from "./refs/refs.ts";
import { abandonedScratch, removeFolder } from "./locks/scratch.ts";
import type { RepoContext } from "./context.ts";
import { readState } from "./repo-state.ts";
import { collectEntries } from "./objects/trees.ts";

/**
 * Finishes or forgets what dead processes left, and says so in one line of the log; silent when there is nothing.
 *
 * @returns whether there was anything
 * @throws CmsError `unavailable` when the disk refuses, or git holds a lock all the while
 */
export async function recover(site: RepoContext): Promise<boolean> {
  try {
    // First, since everything else reads them.
    reportRestored(site.env.log, await site.objects.tend(true));
    const done = [...(await recoverBatches(site)), ...(await recoverIndex(site))];
    if (done.length > 0) site.env.log.info(`After an unclean end: ${done.join("; ")}.`);
    return done.length > 0;
  } catch (error) {
    throw refusal(error);
  }
}

async function recoverBatches(site: RepoContext): Promise<string[]> {
  const { fs, gitDir } = site;
  const done: string[] = [];
  for (const dir of await abandonedScratch(fs, gitDir)) {
    const record = await readJournal(fs, dir);
    if (record) {
      if (await removeStale(site, `${record.ref}.lock`)) done.push(`removed the lock of ${branchOf(record.ref)}`);
      const batch = await recoverBatch(site, record);
      if (!batch) {
        await removeStaleLocks(site, done);
        continue;
      }
      done.push(...batch);
    }
    done.push(...(await keepAsides(site, dir, record)));
    await removeStaleLocks(site, done);
    // Last, since with the note in it goes the proof of whose the locks were.
    await removeFolder(fs, dir);
  }
  await removeStaleLocks(site, done);
  return done;
}

async function removeStaleLocks(site: RepoContext, done: string[]): Promise<void> {
  const { ref } = await readState(site.fs, site.gitDir);
  for (const name of ["index.lock", "HEAD.lock", ...(ref ? [`${ref}.lock`] : [])]) {
    if (await removeStale(site, name)) done.push(`removed ${name}`);
  }
}

/** @param name of the lock within git's folder */
async function removeStale({ fs, gitDir, scratch }: RepoContext, name: string): Promise<boolean> {
  const path = `${gitDir}/${name}`;
  if (!(await unlessMissing(fs.lstat(path)))) return false;
  return removeStaleLock(fs, path, `${(await scratch.make()).dir}/stale-${randomBytes(8).toString("hex")}`, gitDir);
}

/** undefined when it has to wait: amid a merge or the like, the index and the working files are not this batch's. */
async function recoverBatch(site: RepoContext, record: JournalRecord): Promise<string[] | undefined> {
  const { fs, gitDir } = site;
  const done: string[] = [];
  if (await mendRef(site, record)) done.push(`restored ${record.ref}`);
  const { ref, head, blocked } = await readState(fs, gitDir);
  if (blocked) return undefined;

  await removeStale(site, "index.lock");
  const lock = await site.locks.take(`${gitDir}/index.lock`);
  try {
    await recoverIndexHeld(site, done);
    const tip = ref === record.ref ? head : await readRef(fs, gitDir, record.ref);
    const isMade = tip !== null && (await contains(site, tip, record));
    // On any branch: a `git switch` takes entries along. But what `git reset --soft` has left staged is meant to be.
    if (!isMade && !(await hasLeft(site, record)) && (await removeUncommittedEntries(site, record.paths)).length > 0) {
      done.push(`took commit ${record.new.slice(0, 10)} back, which was not made`);
    }
    if (!head) return done;
    // Whatever the branch is called: `git switch --create` takes the files along as they are.
    const isHere = head === tip ? isMade : await contains(site, head, record);
    const standing = await pathsAsCommitted(site, head, record.paths);
    // Its content may be committed all the same, under another id: amended, rebased, or from the index as it was left.
    const wanted = isHere ? standing : standing.filter(({ base, before, after }) => before === base && after !== base);
    await checkOut(site, wanted, new Map());
    if (isHere || wanted.length > 0) {
      done.push(`finished commit ${record.new.slice(0, 10)} (${wanted.map(({ path: name }) => name).join(", ")})`);
    }
  } finally {
    await lock.release();
  }
  return done;
}

/** A ref that holds no id gets the batch's commit if that is whole, else the one before. */
async function mendRef(site: RepoContext, record: JournalRecord): Promise<boolean> {
  const { fs, gitDir } = site;
  try {
    await readRef(fs, gitDir, record.ref);
    return false;
  } catch {
    // Falls through: it cannot be read, whatever the reason.
  }
  const good = (await isWhole(
    site,
    record.new,
    record.paths.flatMap(({ after }) => after ?? []),
  ))
    ? record.new
    : record.old;
  if (!good || !(await isWhole(site, good, []))) return false;
  const lock = await site.locks.take(`${gitDir}/${record.ref}.lock`);
  try {
    const temporary = `${(await site.scratch.make()).dir}/ref-${randomBytes(8).toString("hex")}`;
    await writeDurably(fs, temporary, Buffer.from(`${good}\n`), 0o666);
    await fs.rename(temporary, `${gitDir}/${record.ref}`);
    await fs.syncDir(`${gitDir}/${record.ref}`.replace(/\/[^/]*$/, ""));
  } finally {
    await lock.release();
  }
  return true;
}

/** Whether a commit, all its trees, and these blobs can be read. */
async function isWhole(site: RepoContext, commit: Oid, blobs: readonly Oid[]): Promise<boolean> {
  try {
    await collectEntries(site.trees, (await readCommit(site.objects, commit)).tree);
    for (const oid of blobs) if (!(await site.objects.read(oid))) return false;
    return true;
  } catch {
    // Whatever is wrong with it, it is no commit to go to.
    return false;
  }
}

async function contains(site: RepoContext, head: Oid, record: JournalRecord): Promise<boolean> {
  if (head === record.new) return true;
  if (head === record.old) return false;
  for await (const { id } of walkCommits(site, head, record.old, [])) if (id === record.new) return true;
  return false;
}

/** Whether the branch was at the batch's commit, and a person has moved it away: git's line says from where. */
async function hasLeft({ fs, gitDir }: RepoContext, record: JournalRecord): Promise<boolean> {
  const log = (await unlessMissing(fs.readFile(`${gitDir}/logs/${record.ref}`)))?.toString("latin1") ?? "";
  return log.includes(`\n${record.new} `);
}

/** A file set aside while it was replaced is a person's if nobody else has its content. */
async function keepAsides(site: RepoContext, dir: string, record: JournalRecord | undefined): Promise<string[]> {
  const done: string[] = [];
  for (const entry of (await unlessMissing(site.fs.readdir(dir))) ?? []) {
    if (!entry.name.startsWith("aside-")) continue;
    const bytes = await site.fs.readFile(`${dir}/${entry.name}`);
    const oid = oidOf("blob", bytes);
    // Of which path it was is not known any more, so neither is whether git stores its CRLF as LF.
    const ids = [oid, oidOf("blob", toStored(bytes, "lf", false))];
    if (record?.paths.some(({ before, after }) => ids.some((id) => before === id || after === id))) continue;
    if ((await Promise.all(ids.map((id) => site.objects.read(id)))).some(Boolean)) continue;
    done.push(`kept a late save in ${await site.worktree.keep("late-save", bytes, oid)}`);
  }
  return done;
}

/** An index that is lost or broken is made anew from HEAD: what was staged in it is lost, the files are not. */
async function recoverIndex(site: RepoContext): Promise<string[]> {
  if (await isIndexUsable(site)) return [];
  const done: string[] = [];
  const lock = await site.locks.take(`${site.gitDir}/index.lock`);
  try {
    await recoverIndexHeld(site, done);
  } finally {
    await lock.release();
  }
  return done;
}

async function recoverIndexHeld(site: RepoContext, done: string[]): Promise<void> {
  const { head } = await readState(site.fs, site.gitDir);
  if (!head || (await isIndexUsable(site))) return;
  const { tree } = await readCommit(site.objects, head);
  await site.index.write(indexOf(await collectEntries(site.trees, tree)));
  await site.fs.syncDir(site.gitDir);
  done.push("made the index anew");
}

async function isIndexUsable(site: RepoContext): Promise<boolean> {
  try {
    if (await site.index.read()) return true;
    // None yet: as it should be before the first commit.
    return (await readState(site.fs, site.gitDir)).head === null;
  } catch (error) {
    if (error instanceof BrokenIndex) return false;
    throw error;
  }
}
