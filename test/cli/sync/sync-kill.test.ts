/** `cms sync` that is killed at random moments, with what it started: both sides stay whole, and the next one finishes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { GIT_ENV } from "../../store/git/git-site.ts";
import { bareRemote, complaintsOf } from "../../store/sync/clones.ts";
import { cms, PAGE } from "../process.ts";

const KILLS = Number(process.env.SYNC_RUNS ?? 4);
const COMMAND = fileURLToPath(new URL("../../../bin/cms.cjs", import.meta.url));
const FILES = {
  "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n",
  "content/pages/one.yaml": PAGE(1, "One"),
  "content/pages/two.yaml": PAGE(2, "Two"),
};

it("leaves what was there, or all of it", { timeout: 60_000 + KILLS * 30_000 }, async () => {
  const remote = bareRemote(FILES);
  const [a, b] = [remote.clone(), remote.clone()];
  const change = (round: number): [string, string] => {
    b.save("content/pages/one.yaml", PAGE(1, `One ${round}`));
    const theirs = b.commit("Theirs");
    b.git("push", "--quiet");
    a.save("content/pages/two.yaml", PAGE(2, `Two ${round}`));
    return [a.commit("Ours"), theirs];
  };
  const sync = ["sync", "--root", a.dir];
  change(0);
  const begun = performance.now();
  expect(await cms(sync, { timeoutMs: 60_000 })).toMatchObject({ code: 0 });
  const lasts = performance.now() - begun;
  for (let round = 1; round <= KILLS; round++) {
    await b.sync();
    const [ours, theirs] = change(round);
    const child = spawn(process.execPath, [COMMAND, ...sync], { env: GIT_ENV, stdio: "ignore" });
    const ended = once(child, "close");
    // Half of the time is the start of the program.
    await Promise.race([ended, pause(lasts * (0.4 + (0.7 * round) / KILLS))]);
    child.kill("SIGKILL");
    await ended;
    const where = `round ${round}`;
    expect(a.git("fsck", "--full", "--strict", "--no-dangling"), where).toBe("");
    expect(a.git("merge-base", ours, "HEAD").trim(), where).toBe(ours);
    // A push that was under way goes on without the killed process, and may come first.
    for (let tries = 1; (await cms(sync, { timeoutMs: 60_000 })).code !== 0; tries++)
      expect(tries, where).toBeLessThan(5);
    for (const commit of [ours, theirs]) expect(remote.git("merge-base", commit, "main").trim(), where).toBe(commit);
    expect(complaintsOf(a), where).toBe("");
    expect([a.text("content/pages/one.yaml"), a.text("content/pages/two.yaml")], where).toEqual([
      PAGE(1, `One ${round}`),
      PAGE(2, `Two ${round}`),
    ]);
  }
  expect(remote.git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
});
