/** Articles below pages whose files leave permalinks out: the address follows the page, whatever changes first. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { showProblem } from "../../../src/model/text/problem.ts";
import { contentProblems } from "../../../src/store/check/check.ts";
import { findPage } from "../../../src/store/content/indexes/pages-by-model.ts";
import { KINDS } from "../../../src/store/records/kinds.ts";
import { LOCALES } from "../../model/page/blank-page.ts";
import { contentOver, openContent, openMemory } from "../store-site.ts";

const page = (id: number, title: string, more = ""): string =>
  `id: ${id}\n${more}translations:\n  en: { title: ${title} }\n`;

const FILES = {
  "content/pages/journal.yaml": page(1, "Journal"),
  "content/articles/fog.yaml": page(10, "Fog", "parent_page: 1\n"),
  "content/articles/late.yaml": page(11, "Late", "parent_page: 10\n"),
  "content/articles/named.yaml": page(12, "Named", "parent_page: /journal\n"),
  "content/articles/top.yaml": page(13, "Top"),
};

const openSite = (more: Readonly<Record<string, string>> = {}) =>
  openContent(openMemory, { ...FILES, ...more }, { kinds: KINDS });
type Opened = Awaited<ReturnType<typeof openSite>>;

const address = ({ store }: Opened, id: number): unknown => findPage(store.current, id)?.translations.en?.permalink;
const all = (site: Opened): unknown[] => [10, 11, 12, 13].map((id) => address(site, id));

it("have the address below their page or article, also where it is named", async () => {
  expect(all(await openSite())).toEqual(["/journal/fog", "/journal/fog/late", "/journal/named", "/top"]);
});

it("follow a page that is renamed, moved, removed and added again", async () => {
  const site = await openSite();
  const change = async (files: Readonly<Record<string, string | null>>): Promise<unknown[]> => {
    for (const [path, text] of Object.entries(files))
      if (text === null) site.hands.erase(path);
      else site.hands.save(path, text);
    await site.store.refresh();
    return all(site);
  };
  expect(await change({ "content/pages/journal.yaml": page(1, "Diary") })).toEqual([
    "/diary/fog",
    "/diary/fog/late",
    expect.anything(),
    "/top",
  ]);
  expect(
    await change({
      "content/pages/about.yaml": page(2, "About"),
      "content/pages/journal.yaml": page(1, "Journal", "parent_page: 2\n"),
    }),
  ).toEqual(["/about/journal/fog", "/about/journal/fog/late", expect.anything(), "/top"]);
  expect(await change({ "content/pages/journal.yaml": null })).toEqual(["/fog", "/fog/late", "/named", "/top"]);
  expect(await change({ "content/pages/journal.yaml": page(1, "Journal") })).toEqual([
    "/journal/fog",
    "/journal/fog/late",
    "/journal/named",
    "/top",
  ]);
});

it("are never above pages, which the check says, and nothing else", async () => {
  const site = await openSite({ "content/pages/under.yaml": page(3, "Under", "parent_page: 10\n") });
  expect(address(site, 3)).toBe("/under");
  expect((await contentProblems(site.store, LOCALES)).map(showProblem)).toEqual([
    "content/pages/under.yaml:2:1: parent_page: Page 10 is an article, which no page may be below: the page is at the top level instead.",
  ]);
});

/** A file, and what it says; null for no file. */
const change = fc.record({
  file: fc.constantFrom("pages/1", "pages/2", "articles/10", "articles/11", "articles/12"),
  said: fc.option(
    fc.record({
      title: fc.constantFrom("A", "B", "C"),
      parent: fc.constantFrom("", "parent_page: 1\n", "parent_page: 2\n", "parent_page: 10\n", "parent_page: /a\n"),
    }),
    { freq: 6 },
  ),
});

it("are after any changes where a start from the same files has them", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 12 }), async (changes) => {
      const site = await openSite();
      for (const { file, said } of changes) {
        const path = `content/${file}.yaml`;
        if (said) site.hands.save(path, page(Number(file.split("/")[1]), said.title, said.parent));
        else if (site.hands.text(path) !== undefined) site.hands.erase(path);
        await site.store.refresh();
      }
      const ids = [1, 2, 10, 11, 12, 13];
      const anew = await contentOver(site, { kinds: KINDS });
      expect(ids.map((id) => address(site, id))).toEqual(ids.map((id) => address(anew, id)));
    }),
    { numRuns: 30 },
  );
});
