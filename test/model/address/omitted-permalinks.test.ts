import { expect, it } from "vitest";
import { lacksPermalinks, sourceOfPermalink } from "../../../src/model/address/omitted-permalinks.ts";
import { blankPage, LOCALES } from "../page/blank-page.ts";

it("a page lacks none that it states, nor one that is not automatic", () => {
  const manual = { permalink: null, autopermalink: false };
  expect(lacksPermalinks(blankPage({ translations: { en: { permalink: "/a" }, it: manual } }), LOCALES)).toBe(false);
  expect(lacksPermalinks(blankPage({ translations: { en: { permalink: "/a" } } }), LOCALES)).toBe(true);
});

it("a permalink comes from title and parent, unless the file states another one", () => {
  const source = (permalink: string | null, title = "My page"): string | undefined =>
    sourceOfPermalink(blankPage({ id: 1, parent_page: 2, translations: { en: { title, permalink } } }), "en", LOCALES);
  expect([source(null), source("/about/my-page"), source("/about")]).toEqual([
    '["en",2,"My page"]',
    '["en",2,"My page"]',
    undefined,
  ]);
  expect(source(null, "Other")).toBe('["en",2,"Other"]');
});
