/** For each kind of edit: which pages are rendered again, and that the output equals that of a full build. */
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { instantOf, msOf } from "../../src/model/time/instant.ts";
import { PAGES } from "../../src/store/records/pages.ts";
import { filesIn, TEMPLATES } from "./build-site.ts";
import {
  builtEditedSite,
  expectWhole,
  moreOf,
  pageFile,
  pageText,
  SITE_PAGES,
  type EditedSite,
} from "./edited-site.ts";

const FILES = {
  ...TEMPLATES,
  "content/menus/main.yaml": "id: 5\nkey: main\n",
  "content/articles/x.md":
    "---\nid: 200\nidentifier: x\ntranslations: { en: { title: X, permalink: /x, published_at: 2026-01-01T00:00:00Z }, it: { title: X, permalink: /x, published_at: 2026-01-01T00:00:00Z } }\n---\ntext\n",
};
const HOUR = 3_600_000;
const retitle = (site: EditedSite, n: number, title: string): void =>
  site.save(pageFile(n), pageText(n, { title, more: moreOf(n) }));
const wait = (site: EditedSite, ms: number): void => void (site.now = instantOf(msOf(site.now) + ms));

const builtSite = (files: Readonly<Record<string, string>> = {}) => builtEditedSite({ ...FILES, ...files });

describe("renders only the pages that change", () => {
  // Two languages, and of a parent its nine children: their payloads have it nested.
  // oxfmt-ignore
  it.each<[string, number, (site: EditedSite) => unknown]>([
    ["nothing",                           0,          () => undefined],
    ["a page's texts",                    4,          (site) => retitle(site, 3, "Three")],
    ["a page that others are below",      20,         (site) => retitle(site, 10, "Ten")],
    ["the same texts once more",          0,          (site) => site.save(pageFile(3), pageText(3, { more: moreOf(3) }))],
    ["an article that pages list",        2 * 9,      (site) => site.save("content/articles/x.md", FILES["content/articles/x.md"].replaceAll("title: X", "title: Y"))],
    ["when it was last changed",          4,          (site) => site.save(pageFile(3), pageText(3, { more: `${moreOf(3)}date_updated_at: 2026-02-01T00:00:00.000Z\n` }))],
    ["time alone, with nothing planned",  0,          (site) => wait(site, 1000 * HOUR)],
    ["a template few pages use",          2 * 8,      (site) => site.save("templates/listing.html", "other")],
  ])("%s", async (_what, rendered, change) => {
    const site = await builtSite();
    change(site);
    expect(await site.build(site.out)).toMatchObject({ rendered, pages: 2 * SITE_PAGES + 2 });
    await expectWhole(site);
    // And from there on.
    expect(await site.build(site.out)).toMatchObject({ rendered: 0 });
    retitle(site, 5, "Five");
    expect(await site.build(site.out)).toMatchObject({ rendered: 4 });
    retitle(site, 5, "P5");
    retitle(site, 3, "P3");
    await site.build(site.out);
    await expectWhole(site);
  });
});

describe("equals a full build", () => {
  // oxfmt-ignore
  it.each<[string, (site: EditedSite) => unknown]>([
    ["a permalink",              (site) => site.save(pageFile(3), pageText(3, { permalink: "/other", more: moreOf(3) }))],
    ["a parent",                 (site) => site.save(pageFile(3), pageText(3, { more: "parent_page: 20\n" }))],
    ["an order",                 (site) => site.save(pageFile(3), pageText(3, { more: `${moreOf(3)}ordering: 3\n` }))],
    ["a page that came",         (site) => site.save("content/pages/new.yaml", pageText(99))],
    ["a page that went",         (site) => site.remove(pageFile(3))],
    ["a page that is public later", (site) => site.save(pageFile(3), pageText(3, { more: moreOf(3) }).replaceAll("2026-01-02", "2026-04-02"))],
    ["a former permalink",       (site) => site.save(pageFile(3), `${pageText(3, { more: moreOf(3) })}aliases: [{ language: en, from: /old }]\n`)],
    ["a menu",                   (site) => site.save("content/menus/main.yaml", "id: 5\nkey: main\ntranslations: { en: { nodes: [{ title: M, link: { link_type: RE, url_node: 3 } }] } }\n")],
    ["a redirect",               (site) => site.save("content/redirects.yaml", "- { from: /p3, to: /p4 }\n")],
    ["settings",                 (site) => void (site.config = { ...site.config, APPEND_SLASH: !site.config.APPEND_SLASH })],
    ["a clock that went back",   (site) => wait(site, -HOUR)],
    ["the library",              (site) => site.save("media/f.txt", "x")],
    ["many pages at once",       (site) => Array.from({ length: 50 }, (_, at) => retitle(site, at + 1, `N${at}`))],
    ["a page that is a link now", (site) => (site.remove(pageFile(3)), symlinkSync("p4.yaml", join(site.dir, pageFile(3))))],
    ["a page that does not load", (site) => site.save(pageFile(3), "id: [\n")],
  ])("after a change of %s", async (_what, change) => {
    const site = await builtSite();
    change(site);
    await site.build(site.out);
    await expectWhole(site);
  });

  it("when a page has become due", async () => {
    const site = await builtSite({ "content/pages/later.yaml": pageText(90).replaceAll("2026-01-02", "2026-03-02") });
    await site.build(site.out);
    wait(site, 24 * HOUR);
    expect(await site.build(site.out)).toMatchObject({ rendered: 2 });
    await expectWhole(site);
  });

  it("while a redirect hides a page that others list", async () => {
    const site = await builtSite({ "content/redirects.yaml": "- { from: /p3, to: /p4 }\n" });
    retitle(site, 10, "Ten");
    await site.build(site.out);
    await expectWhole(site);
  });

  it("while a page fails", async () => {
    const site = await builtSite({ [pageFile(3)]: pageText(3, { more: "template: none.html\n" }) });
    expect((await site.build(site.out)).failures).toHaveLength(2);
    retitle(site, 5, "Five");
    await site.build(site.out);
    site.save(pageFile(3), pageText(3, { more: moreOf(3) }));
    expect((await site.build(site.out)).failures).toEqual([]);
    await expectWhole(site);
  });
});

it("follows a dependency of a page to the pages that list it", async () => {
  const site = await builtSite({
    "content/page-models/Landing.yaml": "schema: [{ name: who, kind: ref, target_model: cms.Page }]\n",
    "content/pages/landing.yaml": pageText(90, {
      more: "identifier: landing\nmodel: Landing\nparent_page: 20\n",
      text: "    template_data: { who: 3 }\n",
    }),
    "templates/defaults/pages/default.html":
      "{{ page.title }}{% for child in pages_of(page) %}<li>{{ child.template_data.who | dump }}</li>{% endfor %}",
  });
  expect(filesIn(site.out).get("p20/index.html")).toContain("P3");
  retitle(site, 3, "Three");
  await site.build(site.out);
  expect(filesIn(site.out).get("p20/index.html")).toContain("Three");
  await expectWhole(site);
});

it("keeps every page when the caches are gone", async () => {
  const site = await builtSite();
  rmSync(join(site.dir, ".git/cms"), { recursive: true });
  expect(await site.build(site.out)).toMatchObject({ rendered: 0 });
  retitle(site, 3, "Three");
  expect(await site.build(site.out)).toMatchObject({ rendered: 4 });
  await expectWhole(site);
});

it("renders one page after a build that rendered all", async () => {
  const site = await builtSite();
  for (let n = 1; n <= SITE_PAGES; n++) retitle(site, n, `N${n}`);
  await site.build(site.out);
  retitle(site, 5, "Five");
  await site.build(site.out);
  await expectWhole(site);
});

it("serves what changed after a start from the cache", async () => {
  const site = await builtSite();
  retitle(site, 3, "Three");
  const cms = await site.open();
  retitle(site, 4, "Four");
  expect(await cms.store.refresh()).toBe("other");
  expect(cms.store.current.summaries(PAGES)).toHaveLength(SITE_PAGES);
  expect(cms.store.current.find(PAGES, 4)).toMatchObject({ translations: { en: { title: "Four" } } });
  site.remove(pageFile(6));
  await cms.store.refresh();
  expect(cms.store.current.find(PAGES, 6)).toBeUndefined();
  await cms.close();
});
