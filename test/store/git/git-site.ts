/** A real repository in a temporary folder, and the `git` command line that tells the truth about it. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { silentLog, systemEnv, type Env } from "../../../src/env.ts";
import type { Path } from "../../../src/store/repo.ts";
import { runGit } from "../../support/run-git.ts";

/** The machine's own configuration plays no part. */
export const GIT_ENV: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  HOME: tmpdir(),
  LC_ALL: "C",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

export interface GitSite {
  readonly dir: string;
  /** Runs git and gives what it printed. @throws with its exit code */
  git(...args: string[]): string;
  save(path: Path, text: string): void;
  /** Stores a commit as a fetch does, on no branch; null removes a file. @returns its id */
  receive(parent: string, changes: Readonly<Record<Path, string | null>>, message: string): string;
  text(path: Path): string | undefined;
  /** Texts of a person's late saves that were kept. */
  kept(): string[];
  /** What is wrong with the repository, as git sees it; empty when nothing is. */
  complaints(): string;
  remove(): void;
}

/** A ref while a commit is stored. */
const RECEIVED = "refs/received/commit";

export const quietEnv = (): Env => systemEnv(silentLog);

/** A repository that is in a folder already, or is about to be. */
export function siteIn(dir: string): GitSite {
  const site: GitSite = {
    dir,
    git: (...args) => runGit(args, { cwd: dir, env: GIT_ENV }),
    save(path, text) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    },
    receive(parent, changes, message) {
      const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
      const files = Object.entries(changes).map(([path, text]) =>
        text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`,
      );
      const by = "Pat Person <pat@example.org> 1767225600 +0000";
      const commit = `commit ${RECEIVED}\nmark :1\nauthor ${by}\ncommitter ${by}\n${data(`${message}\n`)}from ${parent}\n`;
      const gone = `reset ${RECEIVED}\nfrom ${"0".repeat(parent.length)}\n`;
      const input = `${commit}${files.join("")}\nget-mark :1\n${gone}`;
      return runGit(["fast-import", "--quiet"], { cwd: dir, env: GIT_ENV, input }).trim();
    },
    text(path) {
      try {
        return readFileSync(join(dir, path), "utf8");
      } catch {
        return undefined;
      }
    },
    kept() {
      const folder = join(dir, ".git/cms/conflicts");
      return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")) : [];
    },
    complaints() {
      try {
        const said = site.git("fsck", "--full", "--strict", "--no-dangling");
        return said + site.git("status", "--porcelain");
      } catch (error) {
        return String((error as { stderr?: unknown }).stderr ?? error);
      }
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
  return site;
}

/** @param files committed by a person, unless there are none */
export function gitSite(files: Readonly<Record<Path, string>> = {}, initArgs: readonly string[] = []): GitSite {
  const site = siteIn(mkdtempSync(join(tmpdir(), "cms-repo-")));
  site.git("init", "--quiet", "--initial-branch=main", ...initArgs);
  site.git("config", "user.name", "Pat Person");
  site.git("config", "user.email", "pat@example.org");
  site.git("config", "gc.auto", "0");
  for (const [path, text] of Object.entries(files)) site.save(path, text);
  if (Object.keys(files).length > 0) {
    site.git("add", "--all");
    site.git("commit", "--quiet", "--message=Begin");
  }
  return site;
}
