/** The parts of an open repository, as its operations share them. */
import { randomBytes } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { Env } from "../../env.ts";

import { CmsError, messageOf } from "../../errors.ts";
import type { Oid, Signature } from "../repo.ts";
import { parseCommit, type Commit } from "./commits.ts";
import { codeOf, unlessMissing, writeDurably, type Fs } from "./fs.ts";
import { BrokenIndex, EMPTY_INDEX, encodeIndex, parseIndex, type IndexFile } from "./index-file.ts";
import type { Journal } from "./journal.ts";
import type { Locks } from "./lock.ts";
import type { Objects } from "./objects.ts";
import type { Scratch } from "./scratch.ts";
import type { openTrees } from "./trees.ts";
import type { Worktree } from "./worktree.ts";

export interface Site {
  readonly root: string;
  readonly gitDir: string;
  readonly stateDir: string;
  readonly fs: Fs;
  readonly env: Env;
  readonly committer: Signature;
  readonly scratch: Scratch;
  readonly objects: Objects;
  readonly trees: ReturnType<typeof openTrees>;
  readonly worktree: Worktree;
  readonly index: IndexOnDisk;
  readonly journal: Journal;
  readonly locks: Locks;
}

/** `.git/index`, parsed again only when somebody else wrote it. Writing is for who holds its lock. */
export interface IndexOnDisk {
  /** undefined when there is no index. @throws BrokenIndex */
  read(): Promise<IndexFile | undefined>;
  /** Durable once the caller has synced git's folder. */
  write(index: IndexFile): Promise<void>;
}

export function openIndex(fs: Fs, gitDir: string, scratch: Scratch): IndexOnDisk {
  const path = `${gitDir}/index`;
  let known: { stat: BigIntStats; index: IndexFile } | undefined;

  return {
    async read() {
      const stat = await unlessMissing(fs.lstat(path));
      if (!stat) return undefined;
      if (!known || !sameFile(known.stat, stat)) known = { stat, index: parseIndex(await fs.readFile(path)) };
      return known.index;
    },
    async write(index) {
      const temporary = `${(await scratch.make()).dir}/index-${randomBytes(8).toString("hex")}`;
      known = undefined;
      const { ino } = await writeDurably(fs, temporary, encodeIndex(index), 0o666);
      try {
        await fs.rename(temporary, path);
      } catch (error) {
        await unlessMissing(fs.unlink(temporary)).catch(() => undefined);
        throw error;
      }
      const stat = await fs.lstat(path);
      if (stat.ino === ino) known = { stat, index };
    },
  };
}

const sameFile = (a: BigIntStats, b: BigIntStats): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;

/** @throws CmsError `not_found` when there is no such commit */
export async function readCommit(objects: Objects, id: Oid): Promise<Commit> {
  const object = await objects.read(id);
  if (object?.type !== "commit") throw new CmsError("not_found", `There is no commit ${id}.`);
  return parseCommit(object.content);
}

/** The index as it is, or an empty one. @throws CmsError `unavailable` when it is broken */
export async function usableIndex(index: IndexOnDisk): Promise<IndexFile> {
  try {
    return (await index.read()) ?? EMPTY_INDEX;
  } catch (error) {
    if (!(error instanceof BrokenIndex)) throw error;
    throw new CmsError("unavailable", `${error.message}: make it anew with \`rm .git/index && git reset\`.`, { cause: error });
  }
}

const DISK: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full",
  EDQUOT: "The disk quota is used up",
  EROFS: "The disk is read-only",
  EIO: "The disk reports an error",
  EMFILE: "Too many files are open",
  ENFILE: "Too many files are open",
  EACCES: "Access is denied",
  EPERM: "Access is denied",
  EXDEV: "The site and its .git folder are on different file systems",
};

/** What the machine refused, in words; anything else stays what it is. */
export function refusal(error: unknown): unknown {
  const reason = DISK[codeOf(error) ?? ""];
  if (!reason) return error;
  return new CmsError("unavailable", `${reason}, so nothing was written (${messageOf(error)}).`, { cause: error, retryAfter: 10 });
}
