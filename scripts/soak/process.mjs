/** Child processes of the soak: run to their end with what they printed, none of them able to hang the run. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const COMMAND = fileURLToPath(new URL("../../bin/cms.cjs", import.meta.url));

const PRINTED_MAX = 200_000;

/** No configuration of the machine's user may change what git does here. */
export const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "Pat Person",
  GIT_AUTHOR_EMAIL: "pat@example.org",
  GIT_COMMITTER_NAME: "Pat Person",
  GIT_COMMITTER_EMAIL: "pat@example.org",
  NO_COLOR: "1",
};

/**
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, killAfterMs?: number, limit?: number }} options
 *   `killAfterMs` kills it on purpose; after `timeoutMs` without a word it counts as hung and is killed, so that a slow
 *   command which reports its progress is not; `limit` is how much of its output is kept
 * @returns {Promise<{ code: number | null, out: string, err: string, hung: boolean }>} code null after a kill
 */
export function run(program, args, { cwd, env, timeoutMs = 120_000, killAfterMs, limit = PRINTED_MAX } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...ENVIRONMENT, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that a kill also reaches the processes it has started (git gc starts several).
      detached: true,
    });
    let [out, err, hung] = ["", "", false];
    const kill = () => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended in the meantime.
      }
    };
    const deadline = setTimeout(() => {
      hung = true;
      kill();
    }, timeoutMs);
    const end = killAfterMs === undefined ? undefined : setTimeout(kill, killAfterMs);
    child.stdout.on("data", (chunk) => {
      deadline.refresh();
      if (out.length < limit) out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      deadline.refresh();
      if (err.length < limit) err += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(deadline);
      clearTimeout(end);
      resolve({ code, out, err, hung });
    });
  });
}

/** A `cms` command on the site. */
export const cms = (root, args, options) => run(process.execPath, [COMMAND, ...args, "--root", root], options);

/** @throws Error with what it printed when it fails */
export async function mustRun(program, args, options) {
  const done = await run(program, args, options);
  if (done.code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${done.code}: ${done.err || done.out}`);
  return done.out;
}
