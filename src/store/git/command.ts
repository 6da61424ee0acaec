/**
 * Runs the `git` command: for what is git's own work, as exchanging commits with a remote.
 *
 * It has the environment of this process, so that credential helpers, ssh agents and proxies are those of its user. It
 * never asks on a terminal.
 */
import { spawn } from "node:child_process";
import { CmsError, setup, unavailable } from "../../errors.ts";
import { codeOf } from "./fs.ts";

export interface GitOutput {
  readonly code: number;
  readonly stdout: string;
  /** The end of it, if it is long. */
  readonly stderr: string;
}

export interface GitCommandOptions {
  /** After this time git and what it has started are killed. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** For its standard input, which is empty by default. */
  readonly input?: string | undefined;
  /** A file descriptor that its standard output is written to; `stdout` is empty then. */
  readonly outputTo?: number | undefined;
}

/** Set by git for its hooks: with them, a command would work on another repository. */
const LOCAL_VARIABLES = [
  ...["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"],
  ...["GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_QUARANTINE_PATH", "GIT_SHALLOW_FILE"],
];
const GIT_MISSING = "The `git` command is not installed.";

const STDOUT_MAX = 16 * 1024 * 1024;
const STDERR_MAX = 64 * 1024;

/**
 * @param args the caller must ensure that no value in it can be taken for an option
 * @throws CmsError `setup` if git is not installed; `unavailable` if it does not end in time, is aborted or prints too much
 */
export function runGit(root: string, args: readonly string[], options: GitCommandOptions): Promise<GitOutput> {
  const env: NodeJS.ProcessEnv = { ...process.env, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" };
  // An ssh without a key that works must fail instead of asking.
  env.GIT_SSH_COMMAND ??= env.GIT_SSH ? undefined : "ssh -oBatchMode=yes";
  for (const name of LOCAL_VARIABLES) delete env[name];
  return new Promise((resolve, reject) => {
    // In a process group of its own, so that ssh and hooks end with it.
    const child = spawn("git", args, {
      cwd: root,
      env,
      stdio: [options.input === undefined ? "ignore" : "pipe", options.outputTo ?? "pipe", "pipe"],
      detached: true,
    });
    const stdout: Buffer[] = [];
    let size = 0;
    let stderr = "";
    let stopped: string | undefined;
    const stop = (reason: string): void => {
      stopped ??= reason;
      killGroup(child.pid);
    };
    const timer = setTimeout(() => stop(`took longer than ${options.timeoutMs / 1000} s`), options.timeoutMs);
    const abort = (): void => stop("was stopped");
    options.signal?.addEventListener("abort", abort, { once: true });
    if (options.signal?.aborted) abort();
    child.stdin?.on("error", () => undefined); // it need not read its input to the end
    child.stdin?.end(options.input);
    child.stdout?.on("data", (chunk: Buffer) => {
      if ((size += chunk.length) > STDOUT_MAX) stop("printed too much");
      else stdout.push(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => (stderr = (stderr + chunk.toString("utf8")).slice(-STDERR_MAX)));
    const end = (): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", abort);
    };
    child.on("error", (error) => {
      end();
      reject(codeOf(error) === "ENOENT" ? setup(GIT_MISSING, error) : error);
    });
    child.on("close", (code) => {
      end();
      if (stopped) reject(unavailable(`\`git ${verbOf(args)}\` ${stopped}.`, "repair"));
      else resolve({ code: code ?? 1, stdout: Buffer.concat(stdout).toString("utf8"), stderr });
    });
  });
}

/** Whether an error of `runGit` means that there is no git on this machine. */
export const isGitMissing = (error: unknown): boolean => error instanceof CmsError && error.message === GIT_MISSING;

/** The first argument that is no option of git itself. */
function verbOf(args: readonly string[]): string {
  for (let at = 0; at < args.length; at++) {
    if (args[at] === "-c") at++;
    else return args[at] ?? "";
  }
  return "";
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
