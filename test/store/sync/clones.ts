/** Clones of one bare remote, in temporary folders. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Env } from "../../../src/env.ts";
import { settingsFiles } from "../../../src/config.ts";
import { KINDS } from "../../../src/store/records/kinds.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import type { Path } from "../../../src/store/repo.ts";
import type { SyncContext } from "../../../src/store/sync/merge-plan.ts";
import { openRemote, type Remote, type RemoteOptions } from "../../../src/store/sync/remote.ts";
import { replicate, type ReplicaOptions } from "../../../src/store/sync/replicate.ts";
import { synchronise, type SyncOptions, type SyncReport } from "../../../src/store/sync/synchronise.ts";
import { runGit } from "../../support/run-git.ts";
import { gitSite, GIT_ENV, quietEnv } from "../git/git-site.ts";

export const LOCALES = { codes: ["en", "it"], default: "en" };

export interface Clone {
  readonly dir: string;
  git(...args: string[]): string;
  save(path: Path, text: string): void;
  erase(path: Path): void;
  text(path: Path): string | undefined;
  /** Commits the working tree as it is. @returns the commit */
  commit(message: string): string;
  head(): string;
  sync(options?: Partial<SyncOptions & RemoteOptions> & { readonly env?: Env }): Promise<SyncReport>;
  /** One sync of a replica. */
  follow(options?: Partial<ReplicaOptions>): Promise<SyncReport>;
}

export interface Remotes {
  /** The bare repository. */
  readonly dir: string;
  git(...args: string[]): string;
  clone(): Clone;
}

/** A bare remote that holds the files, and is removed with its clones after the test. */
export function bareRemote(files: Readonly<Record<Path, string>>): Remotes {
  const folder = mkdtempSync(join(tmpdir(), "cms-remote-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dir = join(folder, "site.git");
  const seed = gitSite(files);
  seed.git("clone", "--quiet", "--bare", seed.dir, dir);
  seed.remove();
  let count = 0;
  return {
    dir,
    git: (...args) => git(dir, args),
    clone() {
      const to = join(folder, `clone-${++count}`);
      git(folder, ["clone", "--quiet", `file://${dir}`, to]);
      for (const [key, value] of [
        ["user.name", `Person ${count}`],
        ["user.email", `person-${count}@example.org`],
        ["gc.auto", "0"],
      ] as const) {
        git(to, ["config", key, value]);
      }
      return cloneAt(to);
    },
  };
}

const git = (cwd: string, args: readonly string[]): string => runGit(args, { cwd, env: GIT_ENV });

function cloneAt(dir: string): Clone {
  const clone: Clone = {
    dir,
    git: (...args) => git(dir, args),
    save(path, text) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    },
    erase: (path) => rmSync(join(dir, path)),
    text(path) {
      try {
        return readFileSync(join(dir, path), "utf8");
      } catch {
        return undefined;
      }
    },
    commit(message) {
      clone.git("add", "--all");
      clone.git("commit", "--quiet", `--message=${message}`);
      return clone.head();
    },
    head: () => clone.git("rev-parse", "HEAD").trim(),
    sync: (options = {}) =>
      withRemote(dir, options, (context, remote) =>
        synchronise(context, remote, {
          pushes: true,
          acceptsDeletions: false,
          isDryRun: false,
          needsLfsFiles: true,
          merge: (merge) => context.repo.merge(merge),
          inTurn: (work) => work(options.merge ?? ((merge) => context.repo.merge(merge))),
          ...options,
        }),
      ),
    follow: (options = {}) =>
      withRemote(dir, {}, (context, remote) =>
        replicate(context, remote, {
          acceptsDeletions: false,
          merge: (merge) => context.repo.merge(merge),
          ...options,
        }),
      ),
  };
  return clone;
}

async function withRemote<T>(
  dir: string,
  options: RemoteOptions & { readonly env?: Env },
  work: (context: SyncContext, remote: Remote) => Promise<T>,
): Promise<T> {
  const { env = quietEnv() } = options;
  const repo = await openGitRepo(dir, { env, lockWaitMs: 100 });
  try {
    const remote = await openRemote(dir, (await repo.state()).branch ?? "", options);
    return await work({ repo, kinds: KINDS, locales: LOCALES, env, settings: settingsFiles }, remote);
  } finally {
    await repo.close();
  }
}

/** What git finds wrong with a clone; empty when nothing is. */
export const complaintsOf = (clone: Clone): string =>
  clone.git("fsck", "--full", "--strict", "--no-dangling") + clone.git("status", "--porcelain");
