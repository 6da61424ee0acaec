/** `kill -9` at any moment: acknowledged writes exist, others exist completely or not at all. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGitRepo } from "../../../../src/store/git/repo.ts";
import { gitSite, quietEnv, type GitSite } from "../git-site.ts";
import { commit } from "../repo-contract.ts";

const KILLS = 30;
const CHILD = fileURLToPath(new URL("kill-child.mjs", import.meta.url));
const IS_BUILT = existsSync(new URL("../../../../dist/store/git/repo.js", import.meta.url));

/** Lets the child acknowledge some commits, then kills it a moment later. @returns the ids it printed */
function writeUntilKilled(dir: string, acknowledgements: number, afterMs: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, dir], { stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    let complaints = "";
    let isDoomed = false;
    child.stderr.on("data", (chunk: Buffer) => (complaints += chunk));
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk;
      if (isDoomed || printed.split("\n").length <= acknowledgements) return;
      isDoomed = true;
      setTimeout(() => child.kill("SIGKILL"), afterMs);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      // The last line may have been cut short.
      if (signal === "SIGKILL") resolve(printed.split("\n").slice(0, -1));
      else reject(new Error(`The child ended by itself (${code}): ${complaints}`));
    });
  });
}

describe.skipIf(!IS_BUILT)("a writer that is killed", () => {
  let site: GitSite;
  beforeAll(() => {
    site = gitSite({ "content/home.yaml": "n: 0\n" });
  });
  afterAll(() => site.remove());

  it(`${KILLS} times loses nothing`, { timeout: 60_000 }, async () => {
    let acknowledged = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const ids = await writeUntilKilled(site.dir, 1 + (kill % 3), (kill * 7) % 23);
      acknowledged += ids.length;
      const repo = await openGitRepo(site.dir, { env: quietEnv() });
      const { head, blocked } = await repo.state();
      expect(blocked).toBeNull();
      const reachable = new Set(site.git("rev-list", head!).split("\n"));
      expect(ids.filter((id) => !reachable.has(id))).toEqual([]);
      expect(site.git("status", "--porcelain")).toBe("");
      expect(readdirSync(join(site.dir, ".git")).filter((name) => name.endsWith(".lock"))).toEqual([]);
      expect(readdirSync(join(site.dir, ".git/refs/heads"))).toEqual(["main"]);
      await commit(repo, { "content/after.yaml": `kill: ${kill}\n` });
      await repo.close();
      expect(readdirSync(join(site.dir, ".git/cms/run"))).toEqual([]);
    }
    expect(acknowledged).toBeGreaterThanOrEqual(KILLS);
    expect(site.complaints()).toBe("");
  });
});
