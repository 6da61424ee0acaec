/** The repository port on a git repository on disk. */
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { systemEnv, type Env } from "../../env.ts";
import { CmsError } from "../../errors.ts";
import { msOf } from "../../model/time/instant.ts";
import type { CommitPlan, Content, Oid, Path, Repo, Signature } from "../repo.ts";
import { openAttributes } from "./attributes/attributes.ts";
import { openConversions } from "./attributes/conversions.ts";
import { readConfig, userConfigFiles } from "./config.ts";
import { readCommit } from "./objects/commits.ts";
import { isDiskError, toUnavailable } from "./disk-error.ts";
import { findGitDir } from "./layout.ts";
import { diskFs, makeDirs, type Fs } from "./fs.ts";
import { walkCommits } from "./refs/commit-walk.ts";
import { diffEntriesOf } from "./refs/tree-diff.ts";
import { openDeferredStats } from "./guards/deferred-stats.ts";
import { checkIndex, openIndex } from "./index/index-file.ts";
import { openIntegrity } from "./objects/integrity.ts";
import { openJournal } from "./journal.ts";
import { openLfsObjects } from "./lfs/lfs-objects.ts";
import { parsePointer } from "./lfs/pointer.ts";
import { pointersAlone } from "./lfs/pointers-alone.ts";
import { openLocks } from "./locks/lock.ts";
import { openObjects, type Objects } from "./objects/objects.ts";
import { noticesFor } from "./notices.ts";
import { openReplacedEntries } from "./guards/replaced-entries.ts";
import { pace } from "../../time-slices.ts";
import { openReadiness, READ_ONLY } from "./readiness.ts";
import { openKeptPacks } from "./guards/kept-packs.ts";
import { openRetainedObjects } from "./guards/retained-objects.ts";
import { isOid } from "./refs/refs.ts";
import { commitBefore, resolveRevision } from "./refs/revisions.ts";
import { openScratch } from "./locks/scratch.ts";
import { sharedFs, sharingOf } from "./shared-fs.ts";
import { cleanSignature } from "./objects/signature.ts";
import type { RepoContext } from "./context.ts";
import { readState } from "./repo-state.ts";
import { openTransactions } from "./commit-batch.ts";
import { fromBytewise, isFile } from "./objects/tree-format.ts";
import { collectEntries, findEntries, openTrees, type Trees } from "./objects/trees.ts";
import { openTreeScan } from "./worktree/tree-scan.ts";
import { checkPath, openWorktree, type Worktree } from "./worktree/worktree.ts";
import { openFolderCheck } from "./worktree/folder-check.ts";

export { initRepo } from "./init.ts";

export interface GitRepoOptions {
  /** Folder of the private state; `.git/cms` by default. */
  readonly stateDir?: string;
  readonly env?: Env;
  readonly fs?: Fs;
  /**
   * `write` by default. `read` takes no lock, does no recovery, and writes only caches. `serve` takes the server lock,
   * and opens the repository even if the disk cannot be written; `state().blocked` then has the reason.
   */
  readonly use?: "read" | "write" | "serve";
  /** How long to wait for a lock held by git. */
  readonly lockWaitMs?: number;
  /** The committer of all commits; their authors are the accounts. */
  readonly committer?: Signature;
}

const LOCK_WAIT_MS = 2_000;
/** A fetched commit may have any number of files. */
const DIFFERENCES_MAX = 200_000;
const SERVICE: Signature = { name: "git-cms", email: "git-cms@cms.invalid" };

/**
 * Opens the repository of the working tree `root`, and recovers from a crash.
 *
 * @throws CmsError `setup` for a repository that is not supported, with the solution; see `openReadiness` for others
 */
export async function openGitRepo(root: string, options: GitRepoOptions = {}): Promise<Repo> {
  const context = await openContext(resolve(root), options);
  const { fs, gitDir, objects, trees, worktree, scratch, journal } = context;
  const readiness = options.use === "read" ? READ_ONLY : await openReadiness(context, options.use === "serve");
  const transactions = openTransactions(context);
  const integrity = openIntegrity(context);

  return {
    root: context.root,
    stateDir: context.stateDir,

    async state() {
      const { branch, head, blocked } = await readState(fs, gitDir);
      return { branch, head, blocked: readiness.blocked() ?? blocked };
    },
    recover: () => readiness.retry(),
    isShallow: async () => (await fs.lstat(`${gitDir}/shallow`)) !== undefined,
    user: () => readUser(context),

    async files(under, except, contents) {
      await transactions.settle();
      return worktree.scan(under, except, contents);
    },
    async read(path, known) {
      await transactions.settle();
      return worktree.read(path, known);
    },
    async oid(path) {
      await transactions.settle();
      return worktree.find(path);
    },
    async stored(path, content, known) {
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      if (!known?.has(folder)) await worktree.updateConversions([path]);
      known?.add(folder);
      return worktree.toStored(path, content);
    },
    notes: async (under) => noticesFor(fs, gitDir, context.attributes, (await worktree.scan(under)).keys()),

    committed: async (commit, paths) => blobIdsAt(trees, commit && (await treeOf(objects, commit)), paths),
    tree: async (commit, under) => blobIdsBelow(trees, await treeOf(objects, commit), under),
    blob: (oid) => readBlob(objects, oid),
    async content(oid) {
      const bytes = await readBlob(objects, oid);
      const pointer = parsePointer(bytes);
      return (pointer && (await context.lfs.find(pointer))) ?? bytes;
    },
    resolveCommit: (id) => resolveCommit(objects, id),
    resolveRevision: (name) =>
      resolveRevision({ fs, gitDir, objects, resolveCommit: (id) => resolveCommit(objects, id) }, name),
    timeOf: async (commit) => (await readCommit(objects, commit)).at,
    commitBefore: (from, moment) => commitBefore(context, from, moment),
    log: (from, until, under) => walkCommits(context, from, until, under),

    commit: async (batch) =>
      transactions.commit({ ...batch, commits: await withStoredContent(worktree, batch.commits) }),
    merge: (merge) => transactions.merge(merge),
    exclusively: (work) => transactions.exclusively(work),
    differences: async (from, to) =>
      diffEntriesOf(objects, await treeOf(objects, from), await treeOf(objects, to), DIFFERENCES_MAX),
    pointersAlone: (files) => pointersAlone(context, files),
    async maintain(part) {
      // Recovery comes first.
      if (readiness.blocked() !== null) return;
      await transactions.maintain(part);
      if (part === undefined) await integrity.check(true);
    },
    findDamage: () => integrity.check(false),

    async close() {
      // The journal of a batch that cannot be finished stays for the next start.
      await transactions.close();
      for (const part of [journal, worktree, scratch, readiness]) {
        // What cannot be removed on a failing disk is removed by the next start, as after a crash.
        await part.close().catch((error: unknown) => {
          if (!isDiskError(error)) throw error;
        });
      }
      objects.close();
    },
  };
}

/** Converts the content of the plans, so that a caller cannot commit other content than git would. */
async function withStoredContent(worktree: Worktree, plans: readonly CommitPlan[]): Promise<CommitPlan[]> {
  await worktree.updateConversions(plans.flatMap(({ changes }) => [...changes.keys()]));
  const stored: CommitPlan[] = [];
  for (const plan of plans) {
    const changes = new Map<Path, Content | null>();
    for (const [path, content] of plan.changes) {
      await pace();
      changes.set(path, await worktree.toStored(path, content));
    }
    stored.push({ ...plan, changes });
  }
  return stored;
}

async function readBlob(objects: Objects, oid: Oid): Promise<Uint8Array> {
  const object = await objects.read(oid);
  if (object?.type !== "blob") throw new CmsError("not_found", `There is no blob ${oid}.`);
  return object.content;
}

const treeOf = async (objects: Objects, commit: Oid): Promise<Oid> => (await readCommit(objects, commit)).tree;

async function blobIdsAt(trees: Trees, tree: Oid | null, paths: readonly Path[]): Promise<Map<Path, Oid | null>> {
  for (const path of paths) checkPath(path);
  const entries = await findEntries(trees, tree, paths);
  return new Map(
    paths.map((path, at) => {
      const entry = entries[at];
      return [path, entry && isFile(entry) ? entry.oid : null] as const;
    }),
  );
}

async function blobIdsBelow(trees: Trees, tree: Oid, under: readonly Path[]): Promise<Map<Path, Oid>> {
  const found = new Map<Path, Oid>();
  for (const path of under) {
    for (const [name, entry] of await collectEntries(trees, tree, path)) {
      if (isFile(entry)) found.set(fromBytewise(name), entry.oid);
    }
  }
  return found;
}

/** As in the port: at least 4 digits. */
const COMMIT_ID = /^[0-9a-f]{4,40}$/;

async function resolveCommit(objects: Objects, id: string): Promise<Oid | undefined> {
  if (!COMMIT_ID.test(id)) return undefined;
  const candidates = isOid(id) ? [id] : await objects.startingWith(id);
  const commits: Oid[] = [];
  for (const oid of candidates) if ((await objects.read(oid))?.type === "commit") commits.push(oid);
  return commits.length === 1 ? commits[0] : undefined;
}

async function openContext(root: string, options: GitRepoOptions): Promise<RepoContext> {
  const env = options.env ?? systemEnv();
  const plainFs = options.fs ?? diskFs;
  const gitDir = await findGitDir(plainFs, root);
  const sharing = sharingOf(await readConfig(plainFs, gitDir, userConfigFiles()));
  const fs = sharing ? sharedFs(plainFs, gitDir, sharing) : plainFs;
  const scratch = openScratch(fs, gitDir);
  const index = openIndex(fs, gitDir, scratch, (files) => worktree.findUnchanged(files));
  await checkIndex(index);
  const stateDir = resolve(root, options.stateDir ?? `${gitDir}/cms`);
  try {
    // The journal is below it: after a power cut it must not be missing while the branch has moved.
    for (const changed of await makeDirs(fs, stateDir, 0o700)) await fs.syncDir(changed);
  } catch (error) {
    // A reader works without caches; a server reports the error when it takes its lock in this folder.
    if ((options.use ?? "write") === "write" || !isDiskError(error)) throw toUnavailable(error);
  }
  const objects = openObjects(gitDir, fs, openRetainedObjects(fs, gitDir), openKeptPacks(fs, gitDir, scratch));
  const attributes = await openAttributes(root, gitDir, fs);
  const lfs = openLfsObjects(fs, env.log, () => attributes.lfsFolder);
  const conversions = openConversions({ root, attributes, index, objects, lfs });
  const isDisk = plainFs === diskFs;
  const treeScan = openTreeScan({ fs, root, log: env.log, ...(!isDisk && { thread: null }) });
  const worktree = openWorktree({ root, fs, scratch, stateDir, conversions, treeScan });
  return {
    root,
    gitDir,
    stateDir,
    fs,
    env,
    committer: options.committer ?? SERVICE,
    scratch,
    objects,
    trees: openTrees(objects),
    attributes,
    lfs,
    worktree,
    folderCheck: openFolderCheck(root, gitDir, fs),
    index,
    deferredStats: openDeferredStats(fs, root, () => msOf(env.now())),
    replacedEntries: openReplacedEntries(),
    journal: openJournal(fs, scratch),
    locks: openLocks(fs, scratch, options.lockWaitMs ?? LOCK_WAIT_MS),
  };
}

/** As git determines it: the repository's configuration overrides the user's. */
async function readUser({ fs, gitDir }: RepoContext): Promise<Signature> {
  const config = await readConfig(fs, gitDir, userConfigFiles());
  const login = userInfo().username;
  return cleanSignature({
    name: config.get("user.name") || login,
    email: config.get("user.email") || `${login}@cms.invalid`,
  });
}
