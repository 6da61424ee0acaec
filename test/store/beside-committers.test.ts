/** A person who commits between any two steps of a write: whatever the service reads of HEAD is old when it is used. */
import { expect, it } from "vitest";
import { openCms } from "../../src/cms.ts";
import { updatePage } from "../../src/actions/pages/pages.ts";
import { PAGES } from "../../src/store/records/pages.ts";
import { openGitRepo } from "../../src/store/git/repo.ts";
import type { Repo } from "../../src/store/repo.ts";
import { PAGE } from "../cli/process.ts";
import { gitSite, quietEnv, type GitSite } from "./git/git-site.ts";
import { commit } from "./git/repo-contract.ts";
import { contentOver, EDITH, handsOn, retitle } from "./store-site.ts";
import { bareRemote, complaintsOf } from "./sync/clones.ts";

interface Committer {
  /** Commits, unless git is refused. */
  act(): void;
  made: number;
  refused: number;
}

function committer({ git }: Pick<GitSite, "git">): Committer {
  const person: Committer = {
    made: 0,
    refused: 0,
    act() {
      try {
        git("commit", "--quiet", "--allow-empty", "--message=By hand");
        person.made++;
      } catch {
        person.refused++;
      }
    },
  };
  return person;
}

it("does not starve a write: the batch that lost three times keeps git waiting", async () => {
  const site = gitSite({ "content/pages/one.yaml": PAGE(1, "One") });
  const real = await openGitRepo(site.dir, { env: quietEnv() });
  const person = committer(site);
  const repo: Repo = {
    ...real,
    async state() {
      const state = await real.state();
      person.act();
      return state;
    },
  };
  const { store } = await contentOver({ repo, hands: handsOn(site) });
  const [before, refusedBefore] = [person.made, person.refused];
  await store.transact(EDITH, retitle(1, "Written"));
  expect(person.made - before).toBeGreaterThanOrEqual(3);
  expect(person.refused - refusedBefore).toBeGreaterThan(0);
  expect(site.text("content/pages/one.yaml")).toContain("Written");
  // Git may commit again as soon as the write is made.
  const { made } = person;
  person.act();
  expect(person.made).toBe(made + 1);
  await store.close();
  expect(site.complaints()).toBe("");
  site.remove();
});

it("does not starve a sync", { timeout: 60_000 }, async () => {
  const remote = bareRemote({
    "cms.config.yaml": "LANGUAGES: { en: English }\n",
    "content/pages/one.yaml": PAGE(1, "One"),
  });
  const [a, b] = [remote.clone(), remote.clone()];
  b.save("content/pages/one.yaml", PAGE(1, "Theirs"));
  b.commit("Theirs");
  b.git("push", "--quiet");
  const cms = await openCms(a.dir, { env: quietEnv() });
  const person = committer(a);
  const beside =
    (merge: typeof cms.store.merge): typeof merge =>
    (plan) => {
      person.act();
      return merge(plan);
    };
  const report = await a.sync({
    merge: beside(cms.store.merge),
    inTurn: (work, isExclusive) => cms.store.inTurn((merge) => work(beside(merge)), isExclusive),
  });
  expect(report).toMatchObject({ outcome: "merged", conflicts: [] });
  expect([person.made, person.refused]).toEqual([6, 1]);
  expect(cms.store.current.get(PAGES, 1).translations.en?.title).toBe("Theirs");
  await updatePage(cms, EDITH, 1, { title: "Ours" }, { lang: "en", mode: "merge" });
  await cms.close();
  expect(complaintsOf(a)).toBe("");
});

it("keeps the locks of a write that fails, until its files are written, and no longer", async () => {
  const site = gitSite({ "notes.txt": "notes\n" });
  const repo = await openGitRepo(site.dir, { env: quietEnv(), lockWaitMs: 50 });
  const person = committer(site);
  await expect(
    repo.exclusively(async () => {
      await commit(repo, { "notes.txt": "one\n" });
      await repo.maintain();
      await commit(repo, { "notes.txt": "two\n" });
      person.act();
      throw new Error("failed");
    }),
  ).rejects.toThrow("failed");
  person.act();
  expect([person.made, person.refused]).toEqual([1, 1]);
  site.git("commit", "--quiet", "--allow-empty", "--message=More");
  await commit(repo, { "notes.txt": "three\n" });
  await repo.close();
  expect(site.complaints()).toBe("");
  site.remove();
});
