/** How the soak of syncs and the property of clones judge what became of a value. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
// @ts-expect-error: a script, which has no types
import { fatesIn, HISTORY, readHistory, valueOf } from "../../scripts/soak-sync/written-values.mjs";
import { openGitRepo } from "../../src/store/git/repo.ts";
import { bury, faultyFs } from "../store/git/faulty-fs.ts";
import { gitSite, quietEnv, type GitSite } from "../store/git/git-site.ts";
import { batchOf, plan } from "../store/git/repo-contract.ts";

const PAGE = "content/pages/one.yaml";
/** More than a commit has changing calls. */
const MANY = 1_000;
const CALLS_APART = 3;

function siteWith(files: Readonly<Record<string, string>>): GitSite {
  const site = gitSite(files);
  onTestFinished(() => site.remove());
  return site;
}

function commit(site: GitSite, files: Readonly<Record<string, string>>, message = "Write"): void {
  for (const [path, text] of Object.entries(files)) site.save(path, text);
  site.git("add", "--all");
  site.git("commit", "--quiet", "--allow-empty", `--message=${message}`);
}

/** @param numbers of values that were all written to one field of page 1 */
function fatesOf(site: GitSite, numbers: readonly number[]): string[] {
  const writes = new Map(numbers.map((number) => [valueOf(number), { page: 1, field: "1 en title" }]));
  const fateOf = fatesIn(readHistory(site.git(...HISTORY)), writes);
  return numbers.map((number) => fateOf(valueOf(number)));
}

const titled = (number: number): string => `id: 1\ntitle: ${valueOf(number)}\n`;

describe("what became of a value", () => {
  it("is replaced by a write that descends from it, of the same field only", () => {
    const site = siteWith({ [PAGE]: titled(1) });
    commit(site, { [PAGE]: `${titled(1)}keywords: ${valueOf(9)}\n` });
    expect(fatesOf(site, [1])).toEqual(["kept"]);
    commit(site, { [PAGE]: titled(2) });
    expect(fatesOf(site, [1, 2, 3])).toEqual(["replaced", "kept", "unwritten"]);
  });

  it("is not replaced by a write that did not know it, whatever the merge takes", () => {
    const site = siteWith({ [PAGE]: titled(1) });
    site.git("switch", "--quiet", "--create", "beside");
    commit(site, { [PAGE]: titled(2) });
    site.git("switch", "--quiet", "main");
    commit(site, { [PAGE]: titled(3) });
    site.git("merge", "--quiet", "--strategy=ours", "--no-edit", "beside");
    expect(fatesOf(site, [1, 2, 3])).toEqual(["replaced", "kept", "kept"]);
    commit(site, { [PAGE]: titled(4) });
    expect(fatesOf(site, [2, 3, 4])).toEqual(["replaced", "replaced", "kept"]);
  });

  it("is replaced by a draft that was saved before it and published after it", () => {
    const draft = "content/pages/one.draft.en.yaml";
    const site = siteWith({ [PAGE]: titled(1) });
    commit(site, { [draft]: `payload: { title_en: ${valueOf(2)} }\n` });
    commit(site, { [PAGE]: titled(3) });
    expect(fatesOf(site, [2, 3])).toEqual(["replaced", "kept"]); // the draft is in the tree
    rmSync(join(site.dir, draft));
    commit(site, { [PAGE]: titled(2) }, "Publish\n\nCms-Action: publish-due\nCms-Page: 1");
    expect(fatesOf(site, [2, 3])).toEqual(["replaced", "replaced"]);
  });

  it("is replaced and deleted with the page under the id that a merge gave to it", () => {
    const site = siteWith({ [PAGE]: titled(1) });
    commit(site, {}, `Merge origin/main\n\n${PAGE}: id 1 is now 17`);
    expect(fatesOf(site, [1])).toEqual(["kept"]);
    commit(site, { [PAGE]: "id: 17\ntitle: Gone\n" }, "Delete\n\nCms-Action: delete\nCms-Page: 17");
    expect(fatesOf(site, [1])).toEqual(["replaced"]);
  });

  it("is deleted with its page, and not written again by a move", () => {
    const site = siteWith({ [PAGE]: titled(1) });
    site.git("mv", PAGE, "content/pages/two.yaml");
    commit(site, {}, "Move");
    expect(fatesOf(site, [1])).toEqual(["kept"]);
    commit(site, {}, "Delete another\n\nCms-Action: delete\nCms-Page: 12");
    expect(fatesOf(site, [1])).toEqual(["kept"]);
    commit(site, {}, "Delete\n\nCms-Action: delete\nCms-Page: 1");
    expect(fatesOf(site, [1])).toEqual(["replaced"]);
  });
});

it("is replaced by a write without an answer: a server was killed after its commit", { timeout: 120_000 }, async () => {
  const site = siteWith({ [PAGE]: titled(1) });
  let unanswered = 0;
  for (let call = 1, acknowledged = 1; call < MANY; call += CALLS_APART) {
    const faulty = faultyFs();
    const repo = await openGitRepo(site.dir, { env: quietEnv(), fs: faulty.fs, lockWaitMs: 30 });
    const batch = await batchOf(repo, plan({ [PAGE]: titled(call + 1) }));
    const start = faulty.calls();
    faulty.failAt(call, { kind: "killed", when: "after" });
    const answer = await repo.commit(batch).catch(() => undefined);
    const isKilled = faulty.calls() - start >= call;
    faulty.heal();
    bury(join(site.dir, ".git"));
    await faulty.closeAll();
    const opened = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 30 });
    await opened.close();
    const [before, written] = fatesOf(site, [acknowledged, call + 1]);
    // Acknowledged is what was answered, and that is never lost; what is committed is there.
    expect([before, written], `killed after call ${call}`).toEqual(
      written === "unwritten" ? ["kept", "unwritten"] : ["replaced", "kept"],
    );
    if (answer) expect(written).toBe("kept");
    else if (written === "kept") unanswered++;
    if (written === "kept") acknowledged = call + 1;
    if (!isKilled) break;
  }
  expect(unanswered).toBeGreaterThan(0);
});
