import { describe, expect, it } from "vitest";
import { deriveAllPermalinks, lacksPermalinks } from "../../../src/model/address/derived-permalinks.ts";
import { permalinkIn, type Id, type Page } from "../../../src/model/page/page.ts";
import { blankPage, LOCALES } from "../page/blank-page.ts";

/** The English permalinks of pages whose files come in this order of precedence. */
function derived(...pages: readonly Page[]): (string | null)[] {
  const found = new Map(pages.map((page) => [page.id, page]));
  const site = {
    locales: LOCALES,
    find: (id: Id) => pages.find((page) => page.id === id),
    isStated: (lang: string, permalink: string) => pages.some((page) => permalinkIn(page, lang) === permalink),
  };
  const lacking = pages.filter((page) => lacksPermalinks(page, LOCALES));
  for (const { page } of deriveAllPermalinks(lacking, site)) found.set(page.id, page);
  return pages.map(({ id }) => permalinkIn(found.get(id)!, "en"));
}

const titled = (id: Id, title: string | null, rest: Parameters<typeof blankPage>[0] = {}): Page =>
  blankPage({ id, ...rest, translations: { en: { title }, it: { permalink: `/${id}` } } });
const stated = (id: Id, permalink: string): Page => blankPage({ id, translations: { en: { permalink } } });

describe("derived permalinks", () => {
  // oxfmt-ignore
  it.each<[string, Page[], (string | null)[]]>([
    ["from the title",                      [titled(1, "About")],                                              ["/about"]],
    ["below a parent that comes later",     [titled(1, "Team", { parent_page: 2 }), titled(2, "About")],       ["/about/team", "/about"]],
    ["a number where it is taken",          [titled(1, "About"), titled(2, "About"), titled(3, "About")],      ["/about", "/about-2", "/about-3"]],
    ["the one that comes first",            [titled(2, "About"), titled(1, "About")],                          ["/about", "/about-2"]],
    ["after one that says its own",         [titled(1, "About"), stated(2, "/about")],                         ["/about-2", "/about"]],
    ["a parent before one that is older",   [titled(1, "Team", { parent_page: 3 }), titled(2, "About"), titled(3, "About")], ["/about/team", "/about-2", "/about"]],
    ["a number where it is reserved",       [titled(1, "It"), titled(2, "Changes")],                           ["/it-2", "/changes-2"]],
    ["the id where there is no title",      [titled(7, null)],                                                 ["/7"]],
    ["a circle made by hand ends",          [titled(1, "A", { parent_page: 2 }), titled(2, "B", { parent_page: 1 })], ["/b/a", "/b"]],
    ["a missing parent counts as none",     [titled(1, "A", { parent_page: 9 })],                              ["/a"]],
  ])("%s", (_case, pages, permalinks) => {
    expect(derived(...pages)).toEqual(permalinks);
  });

  it("a page lacks none that it states, nor one that is not automatic", () => {
    const manual = { permalink: null, autopermalink: false };
    expect(lacksPermalinks(blankPage({ translations: { en: { permalink: "/a" }, it: manual } }), LOCALES)).toBe(false);
    expect(lacksPermalinks(blankPage({ translations: { en: { permalink: "/a" } } }), LOCALES)).toBe(true);
  });

  it("says which permalinks a page was compared with, and where it stands in the order", () => {
    const pages = [titled(1, "Team", { parent_page: 3 }), titled(2, "About"), titled(3, "About")];
    const site = { locales: LOCALES, find: () => undefined, isStated: () => false };
    expect([...deriveAllPermalinks(pages, site)].map(({ page, first, asked }) => [page.id, first, asked])).toEqual([
      [3, 1, ["en/about"]],
      [1, 1, ["en/about/team"]],
      [2, 2, ["en/about", "en/about-2"]],
    ]);
  });
});
