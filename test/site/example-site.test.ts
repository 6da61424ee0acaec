/** The example site is written by hand: these are the slips of a hand that loading the tree would not notice. */
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { slugify } from "../../src/model/permalink.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PICTURE_MAX = 400 * 1024;
const ALL_MAX = 4 * 1024 * 1024;

interface Text {
  title: string;
  permalink: string;
  autopermalink?: boolean;
  template_data?: unknown;
}
interface Page {
  id: number;
  parent_page?: number;
  template?: string;
  og_image?: number;
  translations: Record<string, Text>;
}

const filesIn = (dir: string, ending = ""): string[] =>
  readdirSync(join(ROOT, dir), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
const read = <T>(path: string): T => load(readFileSync(join(ROOT, path), "utf8")) as T;

const pages = filesIn("content/pages", ".yaml").filter((path) => !path.includes(".draft.")).map((path) => ({ path, page: read<Page>(path) }));
const records = filesIn("content/media", ".yaml").map((path) => ({ path, id: read<{ id: number }>(path).id }));
const pageById = new Map(pages.map(({ page }) => [page.id, page]));
const mediaIds = new Set(records.map(({ id }) => id));
const permalinks = new Set(pages.flatMap(({ page }) => Object.entries(page.translations).map(([lang, text]) => `${lang} ${text.permalink}`)));

/** Every value below a key of this name, at any depth. */
function valuesOf(name: string, data: unknown): unknown[] {
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => [...(key === name ? [value] : []), ...valuesOf(name, value)]);
}

const textsOf = (data: unknown): string[] =>
  typeof data === "string" ? [data] : typeof data === "object" && data !== null ? Object.values(data).flatMap(textsOf) : [];

describe("the example site", () => {
  it("gives every page and media record an id of its own", () => {
    const ids = [...pages.map(({ page }) => page.id), ...records.map(({ id }) => id)];
    expect(new Set(ids).size).toBe(ids.length);
  });

  describe.each(pages)("$path", ({ page }) => {
    it.each(Object.entries(page.translations))("has the permalink a save would give it (%s)", (lang, text) => {
      const parent = page.parent_page === undefined ? "" : pageById.get(page.parent_page)?.translations[lang]?.permalink;
      if (text.autopermalink !== false) expect(text.permalink).toBe(`${parent}/${slugify(text.title)}`);
    });

    it.each(Object.entries(page.translations))("points at pages and pictures that exist (%s)", (lang, { template_data }) => {
      for (const to of valuesOf("to", template_data)) expect(permalinks).toContain(`${lang} ${to}`);
      for (const id of valuesOf("image", template_data)) expect(mediaIds).toContain(id);
      for (const text of textsOf(template_data)) {
        for (const [, url = ""] of text.matchAll(/\]\((\/[^)]*)\)/g)) {
          const bare = lang === "en" ? url : url.replace(`/${lang}/`, "/");
          expect(permalinks).toContain(`${lang} ${bare.replace(/\/$/, "")}`);
        }
      }
      if (page.og_image !== undefined) expect(mediaIds).toContain(page.og_image);
    });

    it("names a template there is", () => {
      expect(statSync(join(ROOT, "templates", page.template ?? "defaults/pages/default.html")).isFile()).toBe(true);
    });
  });

  it.each(records)("has the file of $path", ({ path }) => {
    const file = path.replace(/^content\/media/, "media").replace(/\.yaml$/, "");
    expect(statSync(join(ROOT, file)).size).toBeLessThanOrEqual(PICTURE_MAX);
  });

  it("stays light enough to clone", () => {
    const originals = filesIn("media").filter((path) => !/^media\/(renditions|thumbnails)\//.test(path));
    expect(originals.reduce((sum, path) => sum + statSync(join(ROOT, path)).size, 0)).toBeLessThanOrEqual(ALL_MAX);
  });
});
