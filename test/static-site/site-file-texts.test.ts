/** Sitemaps of sites of any size (contract of sitemaps.org: 50,000 addresses a file). */
import { expect, it } from "vitest";
import { builtSitemaps } from "../../src/static-site/site-file-texts.ts";
import type { BuiltPage } from "../../src/static-site/state/state.ts";
import { sitemapNames } from "../../src/views/site-files/sitemap.ts";

const LOCALES = { codes: ["en", "it"], default: "en" };
const pages = (count: number): BuiltPage[] => {
  const built: BuiltPage[] = [];
  for (const lang of LOCALES.codes) {
    for (let id = 1; id <= count / 2; id++) {
      built.push({
        id,
        updated: "2026-01-02T00:00:00.000Z",
        path: `${lang === "it" ? "/it" : ""}/p${id}/`,
        permalink: `/p${id}`,
        language_code: lang,
        place: "",
        hash: "",
        payloadDeps: [],
        renderDeps: [],
        templates: 0,
        sizes: [],
      });
    }
  }
  return built;
};
const locations = (text: string): string[] => [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1]!);

it("has one sitemap for up to 50,000 addresses", () => {
  const files = builtSitemaps(pages(50_000), LOCALES, "https://example.org");
  expect([...files.keys()]).toEqual(["sitemap.xml"]);
  expect(new Set(locations(files.get("sitemap.xml")!)).size).toBe(50_000);
});

it("has an index of several for more, with each address in one of them", () => {
  const files = builtSitemaps(pages(100_002), LOCALES, "https://example.org");
  expect([...files.keys()]).toEqual(["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"]);
  expect(sitemapNames(100_002)).toEqual([...files.keys()]);
  expect(files.get("sitemap.xml")).toContain("<sitemapindex");
  expect(locations(files.get("sitemap.xml")!)).toEqual([1, 2, 3].map((n) => `https://example.org/sitemap-${n}.xml`));
  const all = [1, 2, 3].map((n) => locations(files.get(`sitemap-${n}.xml`)!));
  expect(all.map(({ length }) => length)).toEqual([50_000, 50_000, 2]);
  expect(new Set(all.flat()).size).toBe(100_002);
});
