/** The parts of an open repository that its operations share. */
import type { Env } from "../../env.ts";
import type { Signature } from "../repo.ts";
import type { Attributes } from "./attributes/attributes.ts";
import type { Fs } from "./fs.ts";
import type { DeferredStats } from "./guards/deferred-stats.ts";
import type { IndexOnDisk } from "./index/index-file.ts";
import type { Journal } from "./journal.ts";
import type { LfsObjects } from "./lfs/lfs-objects.ts";
import type { Locks } from "./locks/lock.ts";
import type { Objects } from "./objects/objects.ts";
import type { ReplacedEntries } from "./guards/replaced-entries.ts";
import type { Scratch } from "./locks/scratch.ts";
import type { EditableTrees } from "./objects/trees.ts";
import type { Worktree } from "./worktree/worktree.ts";
import type { FolderCheck } from "./worktree/folder-check.ts";

export interface RepoContext {
  readonly root: string;
  readonly gitDir: string;
  readonly stateDir: string;
  readonly fs: Fs;
  readonly env: Env;
  readonly committer: Signature;
  readonly scratch: Scratch;
  readonly objects: Objects;
  readonly trees: EditableTrees;
  readonly attributes: Attributes;
  readonly lfs: LfsObjects;
  readonly worktree: Worktree;
  readonly folderCheck: FolderCheck;
  readonly index: IndexOnDisk;
  readonly deferredStats: DeferredStats;
  readonly replacedEntries: ReplacedEntries;
  readonly journal: Journal;
  readonly locks: Locks;
}
