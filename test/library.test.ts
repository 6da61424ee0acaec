/** The library, used as a program would: a site on disk, every model-level counterpart of the lifecycle (interface.md). */
import { expect, it, onTestFinished } from "vitest";
import {
  discardPageDraft,
  filterPages,
  listRevisions,
  openCms,
  PAGES,
  parseInstant,
  publishPage,
  restorePage,
  revertToRevision,
  savePageDraft,
  schedulePage,
  sweepDue,
  trashPage,
  updatePage,
} from "../src/index.ts";
import { gitSite, quietEnv } from "./store/git-site.ts";

it("drafts, schedules, publishes, trashes, restores and reverts, a commit each", async () => {
  const site = gitSite({
    "cms.config.yaml": "LANGUAGE_CODE: en\n",
    "content/pages/about.yaml": "id: 7\ntranslations:\n  en:\n    title: About\n",
  });
  onTestFinished(() => site.remove());
  const cms = await openCms(site.dir, { env: quietEnv() });
  onTestFinished(() => cms.close());
  const anna = { name: "Anna", email: "anna@example.org" };
  const title = () => cms.store.current.get(PAGES, 7).translations.en!.title;
  const states = () =>
    filterPages(cms.store.current.all(PAGES), { status: "PUB" }, "en", cms.env.now()).map((page) => page.id);

  await publishPage(cms, anna, 7, "en", "Here we are");
  await savePageDraft(cms, anna, 7, "en", { title: "Never" }, "merge");
  await discardPageDraft(cms, anna, 7, "en");
  await savePageDraft(cms, anna, 7, "en", { title: "About us" }, "merge", parseInstant("2020-01-01T00:00:00Z")!);
  expect(title()).toBe("About");
  expect((await sweepDue(cms, anna, "Swept")).published).toHaveLength(1);
  expect(title()).toBe("About us");
  expect((await schedulePage(cms, anna, 7, "en", parseInstant("2999-01-01T00:00:00Z")!)).value.warning).toContain(
    "nothing to schedule",
  );
  await trashPage(cms, anna, 7);
  expect(states()).toEqual([]);
  await restorePage(cms, anna, 7);
  expect(states()).toEqual([7]);
  await updatePage(cms, anna, 7, { title: "Oops" }, "en", "merge");
  const [, , , before] = await listRevisions(cms, 7);
  await revertToRevision(cms, anna, 7, before!.commit);
  expect(title()).toBe("About us");
  expect(site.git("log", "--format=%s", "--author=Anna").trim().split("\n")).toEqual([
    `Revert "Oops" to ${before!.commit.slice(0, 10)}`,
    'Change "Oops"',
    'Restore "About us"',
    'Move to trash "About us"',
    'Publish draft of "About us" (en)',
    'Save draft of "About" (en)',
    'Discard draft of "About" (en)',
    'Save draft of "About" (en)',
    'Publish "About" (en)',
  ]);
  expect(site.git("status", "--porcelain")).toBe("");
});
