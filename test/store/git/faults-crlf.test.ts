/** A commit that dies at each of its changing calls, with CRLF in the working files and LF in the blobs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { bury, faultyFs, type Fault } from "./faulty-fs.ts";
import { gitSite, quietEnv } from "./git-site.ts";
import { batchOf, commit, plan } from "./repo-contract.ts";

const HOME = "content/home.yaml";
const MANY = 1_000;

it.each<Fault>([
  { kind: "killed", when: "before" },
  { kind: "killed", when: "half way" },
  { kind: "killed", when: "after" },
])("leaves all or nothing, and nothing to keep: $kind $when", { timeout: 60_000 }, async (fault) => {
  const site = gitSite();
  onTestFinished(site.remove);
  site.git("config", "core.autocrlf", "true");
  site.git("config", "core.safecrlf", "false");
  site.save(HOME, "n: 0\r\n");
  site.git("add", "--all");
  site.git("commit", "--quiet", "--message=Begin");
  const open = (fs = faultyFs().fs) => openGitRepo(site.dir, { env: quietEnv(), fs, lockWaitMs: 30 });
  let round = 0;
  for (let hasFailed = true; hasFailed;) {
    round++;
    expect(round).toBeLessThan(MANY);
    const faulty = faultyFs();
    const repo = await open(faulty.fs);
    const { head } = await repo.state();
    const batch = await batchOf(
      repo,
      plan({ [HOME]: `n: ${round}\n`, [`content/n${round}.yaml`]: "a: 1\r\nb: 2\r\n" }),
    );
    const start = faulty.calls();
    faulty.failAt(round, fault);
    await repo.commit(batch).catch(() => undefined);
    hasFailed = faulty.calls() - start >= round;
    bury(join(site.dir, ".git"));
    await faulty.closeAll();
    const again = await open();
    const where = `at call ${round}`;
    const isMade = (await again.state()).head !== head;
    expect(readFileSync(join(site.dir, HOME), "utf8") === `n: ${round}\r\n`, where).toBe(isMade);
    expect(site.git("show", `HEAD:${HOME}`), where).not.toContain("\r");
    expect(site.git("status", "--porcelain"), where).toBe("");
    expect(site.kept(), where).toEqual([]);
    await again.close();
  }
  expect(round).toBeGreaterThan(30);
  const repo = await open();
  await commit(repo, { [HOME]: "n: last\n" });
  await repo.close();
  expect(site.complaints()).toBe("");
});
