/** Fetching from and pushing to the branch of a remote, by the `git` command. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CmsError, setup } from "../../errors.ts";
import { runGit, type GitOutput } from "../git/command.ts";
import { readConfig, userConfigFiles } from "../git/config.ts";
import { diskFs } from "../git/fs.ts";
import { fetchLfs, pushLfs } from "../git/lfs/lfs-command.ts";
import { gitDirOf } from "../git/layout.ts";
import { readRef } from "../git/refs/refs.ts";
import type { Oid } from "../repo.ts";
import { isOutrun, syncFailure } from "./failures.ts";

export interface RemoteOptions {
  /** A configured remote; by default that of the branch, else `origin`. */
  readonly remote?: string | undefined;
  /** The remote's branch; by default the one the branch follows, else that of the same name. */
  readonly branch?: string | undefined;
  /** The branch that is pushed to, if it is another one. */
  readonly pushBranch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The commit of the remote's branch; null if there is no such branch. */
export interface Fetched {
  readonly before: Oid | null;
  readonly now: Oid | null;
}

export interface Remote {
  readonly name: string;
  readonly branch: string;
  readonly pushBranch: string;
  /** @throws CmsError `unavailable` with the reason and the remedy */
  fetch(): Promise<Fetched>;
  /** Fetches the objects of Git LFS of a fetched commit. @throws as `fetch` */
  fetchLfs(commit: Oid): Promise<void>;
  /** The commit of the remote's branch as of the last fetch; null if there was none. */
  fetchedCommit(): Promise<Oid | null>;
  /** The commit of the branch that is pushed to, as of the last fetch or push; null if there is no such branch. */
  pushedCommit(): Promise<Oid | null>;
  /** @returns undefined once it is pushed; the failure if another push came first. @throws as `fetch` */
  push(commit: Oid): Promise<CmsError | undefined>;
  /** The best common ancestors; none for unrelated histories. */
  mergeBases(a: Oid, b: Oid): Promise<readonly Oid[]>;
  /** How many commits are reachable from one and not from the other: of the first, and of the second. */
  distance(a: Oid, b: Oid): Promise<{ readonly ahead: number; readonly behind: number }>;
  /** How many commits are reachable from a commit. */
  count(commit: Oid): Promise<number>;
  /** Whether the remote's branch pointed to the commit at a fetch, as far as git's log of the fetches goes back. */
  wasFetched(commit: Oid): Promise<boolean>;
}

const NETWORK_MS = 10 * 60 * 1000;
/** Large files over a slow line take their time; git ends by itself when the connection is lost. */
const LFS_MS = 60 * 60 * 1000;
const LOCAL_MS = 60 * 1000;

/** Fetched objects are durable before a ref names them, and no housekeeping is started beside a sync. */
const SETTINGS = ["core.fsync=all", "gc.auto=0", "maintenance.auto=false"].flatMap((setting) => ["-c", setting]);

/**
 * Fetched objects are checked as forges check what is pushed to them: a tree with a name twice, or a mode that is none, would
 * be taken over, and git commands in the clone would fail then. `fetch.fsck.<problem>` of the clone allows single problems.
 *
 * Git keeps what it checks as a pack until a ref names it. Single objects, as it stores small fetches otherwise, would be
 * deleted by a `git gc --prune=now` that began before the fetch, and the branch that takes them over would be damaged.
 */
const CHECKS = ["fetch.fsckObjects=true", "fetch.fsck.badFilemode=error"].flatMap((setting) => ["-c", setting]);

/** As `git check-ref-format`, and no option. */
const NAME = /^(?!-)[^\s~^:?*[\\\p{Cc}]{1,200}$/u;
const isName = (name: string): boolean => NAME.test(name) && !/\.\.|@\{|\/\/|\.lock(?:\/|$)|[/.]$|^[/.]/.test(name);

/**
 * @param localBranch the branch that is synchronised
 * @throws CmsError `setup` for a remote that is not configured, or a name that is none
 */
export async function openRemote(root: string, localBranch: string, options: RemoteOptions = {}): Promise<Remote> {
  const gitDir = gitDirOf(root);
  const config = await readConfig(diskFs, gitDir, userConfigFiles());
  const name = options.remote ?? config.get(`branch.${localBranch}.remote`) ?? "origin";
  const followed = config.get(`branch.${localBranch}.merge`)?.replace(/^refs\/heads\//, "");
  const branch = options.branch ?? (options.remote === undefined ? followed : undefined) ?? localBranch;
  const pushBranch = options.pushBranch ?? branch;
  for (const each of [name, branch, pushBranch]) {
    if (!isName(each)) throw setup(`${JSON.stringify(each)} is no name of a remote or branch.`);
  }
  const url = config.get(`remote.${name}.url`);
  if (!url) {
    throw setup(`There is no remote "${name}": add it with \`git remote add ${name} <address>\`.`);
  }
  const tracking = `refs/remotes/${name}/${branch}`;
  const run = (args: readonly string[], timeoutMs: number): Promise<GitOutput> =>
    runGit(root, [...SETTINGS, ...args], { timeoutMs, signal: options.signal });

  async function local(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(args, LOCAL_MS);
    if (code > 1) throw new CmsError("unavailable", `\`git ${args[0]}\` failed: ${stderr.trim()}`);
    return stdout;
  }

  /** Git LFS sets its hook up whenever it runs; one of another program in its place may not push objects. */
  async function pushLargeFiles(commit: Oid): Promise<void> {
    const lfsFolder = resolve(gitDir, config.get("lfs.storage") ?? "lfs");
    if (!existsSync(`${lfsFolder}/objects`)) return;
    const hook = resolve(root, (await local("rev-parse", "--git-path", "hooks/pre-push")).trimEnd());
    if (existsSync(hook) && /\bgit[- ]lfs\b/.test(readFileSync(hook, "latin1"))) return;
    const there = await readRef(diskFs, gitDir, `refs/remotes/${name}/${pushBranch}`);
    const target = `refs/heads/${pushBranch}`;
    const update = `refs/heads/${localBranch} ${commit} ${target} ${there ?? "0".repeat(40)}`;
    await pushLfs(root, { name, url: url ?? "" }, update, { timeoutMs: LFS_MS, signal: options.signal });
  }

  return {
    name,
    branch,
    pushBranch,

    async fetch() {
      const before = await readRef(diskFs, gitDir, tracking);
      const quiet = [
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        "--no-recurse-submodules",
        "--no-auto-maintenance",
      ];
      const { code, stderr } = await run(
        [...CHECKS, "fetch", ...quiet, "--", name, `+refs/heads/${branch}:${tracking}`],
        NETWORK_MS,
      );
      if (code === 0) return { before, now: await readRef(diskFs, gitDir, tracking) };
      if (/couldn't find remote ref/.test(stderr)) return { before: null, now: null };
      throw syncFailure("fetch", stderr);
    },

    fetchLfs: (commit) => fetchLfs(root, name, commit, { timeoutMs: LFS_MS, signal: options.signal }),
    fetchedCommit: () => readRef(diskFs, gitDir, tracking),
    pushedCommit: () => readRef(diskFs, gitDir, `refs/remotes/${name}/${pushBranch}`),

    async push(commit) {
      await pushLargeFiles(commit);
      const args = ["push", "--porcelain", "--no-recurse-submodules", "--", name, `${commit}:refs/heads/${pushBranch}`];
      const { code, stdout, stderr } = await run(args, NETWORK_MS);
      if (code === 0) return undefined;
      const said = `${stdout}\n${stderr}`;
      const failure = syncFailure("push", said);
      if (isOutrun(said)) return failure;
      throw failure;
    },

    async mergeBases(a, b) {
      return (await local("merge-base", "--all", a, b)).split("\n").filter((line) => line !== "");
    },

    async distance(a, b) {
      const [ahead = 0, behind = 0] = (await local("rev-list", "--left-right", "--count", `${a}...${b}`))
        .trim()
        .split("\t")
        .map(Number);
      return { ahead, behind };
    },

    count: async (commit) => Number(await local("rev-list", "--count", commit)),
    wasFetched: async (commit) => (await local("merge-base", "--fork-point", tracking, commit)).trim() === commit,
  };
}
