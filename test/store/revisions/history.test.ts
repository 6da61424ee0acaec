/** The index from files to commits, over a real repository. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { compareArrivals, historyFile, openHistory, type History } from "../../../src/store/history/history.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { gitSite, quietEnv, type GitSite } from "../git/git-site.ts";

const PAGE = "content/pages/a.yaml";
const text = (title: string): string => `id: 7\ntranslations:\n  en:\n    title: ${title}\n`;

async function open(files: Record<string, string>): Promise<{
  site: GitSite;
  commit(message: string): string;
  history(): Promise<History>;
  messages(path?: string): Promise<string[]>;
}> {
  const site = gitSite(files);
  onTestFinished(() => site.remove());
  const repo = await openGitRepo(site.dir, { env: quietEnv() });
  onTestFinished(() => repo.close());
  const opened = openHistory(repo, ["content"], historyFile(repo.stateDir));
  return {
    site,
    commit(message) {
      site.git("add", "-A");
      site.git("commit", "-qm", message);
      return site.git("rev-parse", "HEAD").trim();
    },
    history: async () => openHistory(repo, ["content"], historyFile(repo.stateDir)),
    messages: async (path = PAGE) => (await opened.changesOf(path)).map((change) => change.message.trim()),
  };
}

describe("the changes of a file", () => {
  it("are those git tells, newest first, as they come", async () => {
    const { site, commit, messages } = await open({ [PAGE]: text("one") });
    expect(await messages()).toHaveLength(1);
    site.save(PAGE, text("two"));
    commit("Second");
    site.save("content/pages/b.yaml", "id: 8\n");
    commit("Another file");
    site.save(PAGE, text("three"));
    commit("Third");
    const native = site.git("log", "--format=%s", "--", PAGE).trim().split("\n");
    expect(await messages()).toEqual(native);
    expect(native.slice(0, 2)).toEqual(["Third", "Second"]);
  });

  it("follow a move, with the same bytes or the same id", async () => {
    const { site, commit, messages } = await open({ [PAGE]: text("one") });
    site.git("mv", PAGE, "content/pages/b.yaml");
    commit("Move");
    site.git("rm", "-q", "content/pages/b.yaml");
    site.save("content/pages/deep/c.yaml", text("changed on the way"));
    commit("Move and change");
    expect((await messages("content/pages/deep/c.yaml")).slice(0, 2)).toEqual(["Move and change", "Move"]);
    expect(await messages("content/pages/deep/c.yaml")).toHaveLength(3);
  });

  it("come once through a merge", async () => {
    const { site, commit, messages } = await open({ [PAGE]: text("one") });
    site.git("checkout", "-qb", "side");
    site.save(PAGE, text("side"));
    commit("On the side");
    site.git("checkout", "-q", "main");
    site.save("content/pages/b.yaml", "id: 8\n");
    commit("On main");
    site.git("merge", "-q", "--no-ff", "-m", "Merge", "side");
    expect((await messages())[0]).toBe("On the side");
    expect(await messages()).not.toContain("Merge");
  });

  it("forget what was rewritten away", async () => {
    const { site, commit, messages } = await open({ [PAGE]: text("one") });
    site.save(PAGE, text("two"));
    commit("Regretted");
    expect(await messages()).toContain("Regretted");
    site.git("reset", "-q", "--hard", "HEAD~1");
    expect(await messages()).not.toContain("Regretted");
    site.save(PAGE, text("better"));
    commit("Better");
    expect((await messages())[0]).toBe("Better");
  });

  it("forget what was rewritten away and is in the repository no more", async () => {
    const { site, commit, history } = await open({ [PAGE]: text("one") });
    const looked = await history();
    site.save(PAGE, text("two"));
    commit("Regretted");
    expect((await looked.changesOf(PAGE))[0]?.message.trim()).toBe("Regretted");
    site.git("reset", "-q", "--hard", "HEAD~1");
    site.git("reflog", "expire", "--expire=now", "--all");
    site.git("gc", "-q", "--prune=now");
    expect((await looked.changesOf(PAGE)).map(({ message }) => message.trim())).not.toContain("Regretted");
  });

  it("are told of the files that HEAD's line has changed since one of its commits", async () => {
    const { site, commit, history } = await open({ [PAGE]: text("one"), "content/pages/b.yaml": "id: 8\n" });
    const first = site.git("rev-parse", "HEAD").trim();
    site.git("checkout", "-qb", "side");
    site.save(PAGE, text("two"));
    const side = commit("On the side");
    site.git("checkout", "-q", "main");
    site.git("merge", "-q", "--no-ff", "-m", "Merge", "side");
    const past = await history();
    const since = await past.changedSince(first);
    expect([PAGE, "content/pages/b.yaml", "content/pages/none.yaml"].map((path) => since?.(path))).toEqual([
      true,
      false,
      true,
    ]);
    expect((await past.changedSince(site.git("rev-parse", "HEAD").trim()))?.(PAGE)).toBe(false);
    expect(await past.changedSince(side)).toBeUndefined();
  });

  it("leave drafts out", async () => {
    const { site, commit, messages } = await open({ [PAGE]: text("one") });
    site.save("content/pages/a.draft.en.yaml", "payload: {}\n");
    commit("A draft");
    expect(await messages()).not.toContain("A draft");
  });
});

describe("the index's file", () => {
  it("is used by the next start, and made again when it is no index", async () => {
    const { site, commit, history, messages } = await open({ [PAGE]: text("one") });
    for (let n = 0; n < 60; n++) {
      site.save(PAGE, text(`n${n}`));
      commit(`Change ${n}`);
    }
    const expected = await messages();
    const file = join(site.dir, ".git/cms/history.json");
    const { version, walked } = JSON.parse(readFileSync(file, "utf8")) as { version: number; walked: unknown[][] };
    expect([version, walked.at(-1)?.[0]]).toEqual([3, site.git("rev-parse", "HEAD").trim()]);
    for (const damaged of [readFileSync(file, "utf8"), "{", '{"version": 99}', ""]) {
      writeFileSync(file, damaged);
      expect((await (await history()).changesOf(PAGE)).map((change) => change.message.trim())).toEqual(expected);
    }
  });
});

describe("the order of commits", () => {
  it("does not depend on when somebody looked", async () => {
    const { site, commit, history } = await open({ [PAGE]: text("one") });
    const looked = await history();
    const places = async (past: History) =>
      Promise.all(
        ["foot", "main"].map(async (name) => (await past.changesOf(`content/menus/${name}.yaml`))[0]?.arrival),
      );
    site.git("checkout", "-qb", "side");
    site.save("content/menus/foot.yaml", "id: 8\n");
    commit("Older, on the side");
    site.git("checkout", "-q", "main");
    site.save("content/menus/main.yaml", "id: 9\n");
    site.git("add", "-A");
    site.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "Newer, on main", "--date=2026-02-01T00:00:00Z");
    expect((await places(looked))[0]).toBeUndefined();
    site.git("merge", "-q", "--no-ff", "-m", "Merge", "side");
    const [side, main] = await places(looked);
    expect([side, main]).toEqual(await places(await history()));
    // The side's commit is the older one, and came with the merge.
    expect(compareArrivals(side!, main!)).toBeGreaterThan(0);
  });
});
