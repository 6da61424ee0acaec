/** A sync of a store that is written to all the time. */
import { expect, it } from "vitest";
import { updatePage } from "../../../src/actions/pages/pages.ts";
import { openCms } from "../../../src/cms.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { quietEnv } from "../git/git-site.ts";
import { PAGE } from "../../cli/process.ts";
import { bareRemote, complaintsOf } from "./clones.ts";

const AUTHOR = { name: "Edith Editor", email: "edith@example.org" };

it("is planned while writes wait, once they have outrun it", { timeout: 60_000 }, async () => {
  const remote = bareRemote({
    "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n",
    "content/pages/one.yaml": PAGE(1, "One"),
    "content/pages/two.yaml": PAGE(2, "Two"),
  });
  const [a, b] = [remote.clone(), remote.clone()];
  b.save("content/pages/two.yaml", PAGE(2, "Theirs"));
  b.commit("Theirs");
  b.git("push", "--quiet");
  const cms = await openCms(a.dir, { env: quietEnv() });
  let count = 0;
  const write = () => updatePage(cms, AUTHOR, 1, { keywords_en: `write ${++count}` }, { lang: "en", mode: "merge" });
  let waited: Promise<unknown> = Promise.resolve();
  let outrun = 0;
  const report = await a.sync({
    async merge(merge) {
      await write();
      outrun++;
      return cms.store.merge(merge);
    },
    inTurn: (work) =>
      cms.store.inTurn((merge) => {
        waited = Promise.all([write(), write()]);
        return work(merge);
      }),
  });
  await waited;
  expect(report).toMatchObject({ outcome: "merged", pulled: 1, conflicts: [] });
  expect(outrun).toBe(3);
  expect(cms.store.current.get(PAGES, 2).translations.en?.title).toBe("Theirs");
  expect(cms.store.current.get(PAGES, 1).translations.en?.keywords).toBe("write 5");
  await cms.close();
  expect(complaintsOf(a)).toBe("");
});
