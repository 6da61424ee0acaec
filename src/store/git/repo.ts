/** The repository port on a real git repository. Opening it finishes what a crash left half done. */
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { systemEnv, type Env } from "../../env.ts";
import { CmsError } from "../../errors.ts";
import type { CommitPlan, Content, Oid, Path, Repo, Signature } from "../repo.ts";
import { openAttributes } from "./attributes/attributes.ts";
import { openConversions } from "./attributes/conversions.ts";
import { readCommit } from "./objects/commits.ts";
import { isDiskError, refusal } from "./disk-error.ts";
import { findGitDir, readConfig, userConfigFiles } from "./format.ts";
import { diskFs, makeDirs, unlessMissing, type Fs } from "./fs.ts";
import { walk } from "./refs/commit-walk.ts";
import { checkIndex, openIndex } from "./index/index-file.ts";
import { openIntegrity } from "./objects/integrity.ts";
import { openJournal } from "./journal.ts";
import { openLocks } from "./locks/lock.ts";
import { openObjects } from "./objects/objects.ts";
import { notesOn } from "./notes.ts";
import { openOwnEntries } from "./index/replaced-entries.ts";
import { openPace } from "./time-slices.ts";
import { makeReady, type Readiness } from "./readiness.ts";
import { openRecent } from "./objects/recent-objects.ts";
import { isOid } from "./refs/refs.ts";
import { openScratch } from "./locks/scratch.ts";
import { sharedFs, sharingOf } from "./shared-fs.ts";
import { cleanSignature } from "./objects/signature.ts";
import type { Site } from "./context.ts";
import { readState } from "./repo-state.ts";
import { openTransactions } from "./transaction.ts";
import { collectEntries, findEntry, fromBytewise, isFile, openTrees } from "./objects/trees.ts";
import { checkPath, openWorktree, type Worktree } from "./worktree/worktree.ts";
import { openWritable } from "./worktree/writable.ts";

export { initRepo } from "./init.ts";

export interface GitRepoOptions {
  /** Folder of the private state; `.git/cms` unless given. */
  readonly stateDir?: string;
  readonly env?: Env;
  readonly fs?: Fs;
  /**
   * `write` unless given. `read` takes no lock, finishes and removes nothing, and writes nothing but caches. `serve`
   * holds the site against other servers, and opens even where the disk refuses: `state` then says why nothing can be written.
   */
  readonly use?: "read" | "write" | "serve";
  /** How long a lock held by git is waited for. */
  readonly lockWaitMs?: number;
  /** Who is named as the maker of the commits, their authors being the accounts that asked. */
  readonly committer?: Signature;
}

/** A repository that is only read needs nothing done first. */
const ALWAYS_READY: Readiness = { blocked: null, mend: async () => undefined, close: async () => undefined };
const LOCK_WAIT_MS = 2_000;
const SERVICE: Signature = { name: "git-cms", email: "git-cms@cms.invalid" };
const SHORTEST_PREFIX = /^[0-9a-f]{4,40}$/;

/**
 * Opens the repository whose working files lie in `root`.
 *
 * @throws CmsError `setup` for a repository that is not supported, with the way out; see `makeReady` for others
 */
export async function openGitRepo(root: string, options: GitRepoOptions = {}): Promise<Repo> {
  const site = await openSite(resolve(root), options);
  const readiness = options.use === "read" ? ALWAYS_READY : await makeReady(site, options.use === "serve");
  const transactions = openTransactions(site);
  const integrity = openIntegrity(site);
  const { objects, trees, worktree } = site;
  const { sight } = worktree;
  const treeOf = async (commit: Oid) => (await readCommit(objects, commit)).tree;

  return {
    root: site.root,
    stateDir: site.stateDir,

    async state() {
      const { branch, head, blocked } = await readState(site.fs, site.gitDir);
      return { branch, head, blocked: readiness.blocked ?? blocked };
    },

    recover: () => readiness.mend(),

    isShallow: async () => (await unlessMissing(site.fs.lstat(`${site.gitDir}/shallow`))) !== undefined,

    user: () => readUser(site),

    async files(under, except, read) {
      await transactions.settle();
      return worktree.scan(under, except, read);
    },

    async read(path) {
      await transactions.settle();
      return worktree.read(path);
    },

    async oid(path) {
      await transactions.settle();
      return worktree.find(path);
    },

    async committed(commit, paths) {
      const tree = commit && (await treeOf(commit));
      const found = new Map<Path, Oid | null>();
      const pace = openPace();
      for (const path of paths) {
        await pace();
        checkPath(path);
        const entry = await findEntry(trees, tree, path);
        found.set(path, entry && isFile(entry) ? entry.oid : null);
      }
      return found;
    },

    async tree(commit, under) {
      const found = new Map<Path, Oid>();
      const tree = await treeOf(commit);
      for (const path of under) {
        for (const [name, entry] of await collectEntries(trees, tree, path)) {
          if (isFile(entry)) found.set(fromBytewise(name), entry.oid);
        }
      }
      return found;
    },

    async blob(oid) {
      const object = await objects.read(oid);
      if (object?.type !== "blob") throw new CmsError("not_found", `There is no blob ${oid}.`);
      return object.content;
    },

    async resolveCommit(id) {
      if (!SHORTEST_PREFIX.test(id)) return undefined;
      const candidates = isOid(id) ? [id] : await objects.startingWith(id);
      const commits: Oid[] = [];
      for (const oid of candidates) if ((await objects.read(oid))?.type === "commit") commits.push(oid);
      return commits.length === 1 ? commits[0] : undefined;
    },

    log: (from, until, under) => walk(site, from, until, under),

    stored: (path, content) => worktree.stored(path, content),

    notes: async (under) => notesOn(site.fs, site.gitDir, site.attributes, (await worktree.scan(under)).keys()),

    commit: async (batch) => transactions.commit({ ...batch, commits: await asStored(worktree, batch.commits) }),

    async maintain() {
      // What an unclean end left half done comes first.
      if (readiness.blocked !== null) return;
      await transactions.tend();
      await integrity.check(true);
    },

    findDamage: () => integrity.check(false),

    async close() {
      // A batch that cannot be finished keeps its journal for the next start.
      await transactions.close();
      for (const part of [site.journal, sight, site.scratch, readiness]) {
        // What a disk that refuses keeps of them is a dead process's to the next start.
        await part.close().catch((error: unknown) => {
          if (!isDiskError(error)) throw error;
        });
      }
      objects.close();
    },
  };
}

/** Converts the content of planned commits, so that a caller cannot commit other bytes than git would store. */
async function asStored(worktree: Worktree, plans: readonly CommitPlan[]): Promise<CommitPlan[]> {
  const stored: CommitPlan[] = [];
  const pace = openPace();
  for (const plan of plans) {
    const changes = new Map<Path, Content | null>();
    for (const [path, content] of plan.changes) {
      await pace();
      changes.set(path, await worktree.stored(path, content));
    }
    stored.push({ ...plan, changes });
  }
  return stored;
}

async function openSite(root: string, options: GitRepoOptions): Promise<Site> {
  const plainFs = options.fs ?? diskFs;
  const gitDir = await findGitDir(plainFs, root);
  const sharing = sharingOf(await readConfig(plainFs, gitDir, userConfigFiles()));
  const fs = sharing ? sharedFs(plainFs, gitDir, sharing) : plainFs;
  const scratch = openScratch(fs, gitDir);
  const index = openIndex(fs, root, gitDir, scratch);
  await checkIndex(index);
  const stateDir = resolve(root, options.stateDir ?? `${gitDir}/cms`);
  try {
    await makeDirs(fs, stateDir, 0o700);
  } catch (error) {
    // Without it there are no caches, which a reader does without; a server takes its lock there, and says so.
    if ((options.use ?? "write") === "write" || !isDiskError(error)) throw refusal(error);
  }
  const objects = openObjects(gitDir, fs, openRecent(fs, gitDir));
  const attributes = await openAttributes(root, gitDir, fs);
  const conversions = openConversions(attributes, index, objects);
  return {
    root,
    gitDir,
    stateDir,
    fs,
    env: options.env ?? systemEnv(),
    committer: options.committer ?? SERVICE,
    scratch,
    objects,
    trees: openTrees(objects),
    attributes,
    worktree: await openWorktree({ root, fs, scratch, stateDir, conversions }),
    writable: openWritable(root, gitDir, fs),
    index,
    own: openOwnEntries(),
    journal: openJournal(fs, scratch),
    locks: openLocks(fs, scratch, options.lockWaitMs ?? LOCK_WAIT_MS),
  };
}

/** As git finds it: the repository's configuration over the user's. */
async function readUser({ fs, gitDir }: Site): Promise<Signature> {
  const config = await readConfig(fs, gitDir, userConfigFiles());
  const login = userInfo().username;
  return cleanSignature({
    name: config.get("user.name") || login,
    email: config.get("user.email") || `${login}@cms.invalid`,
  });
}
