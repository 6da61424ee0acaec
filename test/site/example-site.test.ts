/**
 * Checks of the hand-written example site that loading does not make, and its
 * pages as served to visitors.
 */
import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { slugify } from "../../src/model/address/slug.ts";
import { splitFrontMatter } from "../../src/store/codec/front-matter.ts";
import { memoryRepo } from "../support/memory-repo.ts";
import { siteOver, START, temporaryFolder, type TestSite } from "../site.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PICTURE_MAX = 400 * 1024;
const ALL_MAX = 4 * 1024 * 1024;

interface Text {
  title: string;
  permalink: string;
  autopermalink?: boolean;
  published_at?: string;
  content?: string;
  template_data?: unknown;
}
interface Page {
  id: number;
  model?: string;
  parent_page?: number;
  template?: string;
  og_image?: number;
  highlight_image?: number;
  author?: { id: number; username: string };
  tags?: number[];
  deleted_at?: string;
  translations: Record<string, Text>;
}
interface Tag {
  id: number;
  translations: Record<string, { name: string }>;
}

const filesIn = (dir: string, ending = ""): string[] =>
  readdirSync(join(ROOT, dir), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
const textOf = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const read = <T>(path: string): T => load(textOf(path)) as T;

/** A page, or an article with the Markdown body as its content. */
function readPage(path: string): Page {
  if (!path.endsWith(".md")) return read<Page>(path);
  const { data, body } = splitFrontMatter(textOf(path), path);
  const page = data as unknown as Page;
  return { ...page, translations: { ...page.translations, en: { ...page.translations.en!, content: body } } };
}
const pagesIn = (dir: string) =>
  filesIn(dir)
    .filter((path) => /\.(yaml|md)$/.test(path) && !path.includes(".draft."))
    .map((path) => ({ path, page: readPage(path) }));

const articles = pagesIn("content/articles");
const pages = [...pagesIn("content/pages"), ...articles];
const tags = filesIn("content/tags").map((path) => read<Tag>(path));
const models = new Map(
  filesIn("content/page-models").map((path) => [basename(path, ".yaml"), read<{ default_template: string }>(path)]),
);
const logbook = read<Page>("content/pages/logbook.yaml");
const records = filesIn("content/media", ".yaml").map((path) => ({ path, id: read<{ id: number }>(path).id }));
const pageById = new Map(pages.map(({ page }) => [page.id, page]));
const mediaIds = new Set(records.map(({ id }) => id));
const permalinks = new Set(
  pages.flatMap(({ page }) => Object.entries(page.translations).map(([lang, text]) => `${lang} ${text.permalink}`)),
);

/** All values of keys with this name, at any depth. */
function valuesOf(name: string, data: unknown): unknown[] {
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => [...(key === name ? [value] : []), ...valuesOf(name, value)]);
}

const textsOf = (data: unknown): string[] =>
  typeof data === "string"
    ? [data]
    : typeof data === "object" && data !== null
      ? Object.values(data).flatMap(textsOf)
      : [];

describe("the example site", () => {
  it("gives every page, tag and media record a unique id", () => {
    const ids = [...pages.map(({ page }) => page.id), ...tags.map(({ id }) => id), ...records.map(({ id }) => id)];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has a page in each state, a pending draft and a scheduled one", () => {
    const states = pages.flatMap(({ page: { deleted_at, translations } }) =>
      deleted_at
        ? "TRS"
        : Object.values(translations).map(({ published_at }) =>
            !published_at ? "DRF" : new Date(published_at).getFullYear() < 2090 ? "PUB" : "PLA",
          ),
    );
    expect(new Set(states)).toEqual(new Set(["PUB", "DRF", "PLA", "TRS"]));
    const drafts = filesIn("content/pages").filter((path) => path.includes(".draft."));
    expect(drafts.map((path) => "scheduled_for" in read<object>(path)).sort()).toEqual([false, true]);
  });

  describe.each(pages)("$path", ({ path, page }) => {
    it.each(Object.entries(page.translations))("has the permalink a save would give it (%s)", (lang, text) => {
      // Articles have no parent page, but their addresses are below the logbook's.
      const above = path.startsWith("content/articles/")
        ? logbook
        : page.parent_page === undefined
          ? undefined
          : pageById.get(page.parent_page);
      if (text.permalink !== "/")
        expect(text.permalink).toBe(`${above?.translations[lang]?.permalink ?? ""}/${slugify(text.title)}`);
      expect(text.autopermalink).toBe(
        path.startsWith("content/articles/") || text.permalink === "/" ? false : undefined,
      );
    });

    it.each(Object.entries(page.translations))(
      "points at pages and pictures that exist (%s)",
      (lang, { content, template_data }) => {
        for (const to of valuesOf("to", template_data)) expect(permalinks).toContain(`${lang} ${to}`);
        for (const id of valuesOf("image", template_data)) expect(mediaIds).toContain(id);
        for (const text of textsOf([content, template_data])) {
          for (const [, url = ""] of text.matchAll(/\]\((\/[^)]*)\)/g)) {
            const bare = lang === "en" ? url : url.replace(`/${lang}/`, "/");
            expect(permalinks).toContain(`${lang} ${bare.replace(/\/$/, "")}`);
          }
        }
        for (const id of valuesOf("picture", template_data)) expect(mediaIds).toContain(id);
        for (const id of valuesOf("url_node", template_data)) expect(pageById.has(id as number)).toBe(true);
        for (const id of [page.og_image, page.highlight_image]) if (id !== undefined) expect(mediaIds).toContain(id);
      },
    );

    it("names an existing template", () => {
      const kind = path.startsWith("content/articles/") ? "articles" : "pages";
      const template =
        page.template ?? models.get(page.model ?? "")?.default_template ?? `defaults/${kind}/default.html`;
      expect(statSync(join(ROOT, "templates", template)).isFile()).toBe(true);
    });
  });

  it("gives each article an author and tags, with one id per author", () => {
    const bylines = articles.map(({ page }) => `${page.author?.id} ${page.author?.username}`);
    expect(new Set(bylines).size).toBe(new Set(articles.map(({ page }) => page.author?.id)).size);
    expect(bylines.join()).not.toContain("undefined");
    for (const { page } of articles)
      for (const tag of page.tags ?? [0]) expect(tags.map(({ id }) => id)).toContain(tag);
  });

  it.each(records)("has the media file of $path", ({ path }) => {
    const file = path.replace(/^content\/media/, "media").replace(/\.yaml$/, "");
    expect(statSync(join(ROOT, file)).size).toBeLessThanOrEqual(PICTURE_MAX);
  });

  it("stays small enough to clone", () => {
    const originals = filesIn("media").filter((path) => !/^media\/(renditions|thumbnails)\//.test(path));
    expect(originals.reduce((sum, path) => sum + statSync(join(ROOT, path)).size, 0)).toBeLessThanOrEqual(ALL_MAX);
  });
});

describe("the served example site", () => {
  const open = async (): Promise<TestSite> => {
    const files = filesIn("content").map((path) => [path, textOf(path)] as const);
    const stateDir = await temporaryFolder();
    const repo = memoryRepo(Object.fromEntries(files), { stateDir, root: stateDir });
    for (const path of filesIn("media")) repo.write(path, readFileSync(join(ROOT, path)));
    repo.commitByHand("The pictures");
    return siteOver(repo, ROOT);
  };
  const titlesIn = (html: string): string[] =>
    [...html.matchAll(/<article class="entry[\s\S]*?<h2><a[^>]*>([^<]*)/g)].map(([, title]) => title!);

  it("has no problems and no broken links", async () => {
    const { ask, cms } = await open();
    expect(cms.store.current.problems).toEqual([]);
    const { urls } = (await ask("GET", "api:pages-router/changes")).body as { urls: { path: string }[] };
    const ahead = ["/", "/it/"];
    const seen = new Set<string>();
    for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const { status, text } = await ask("GET", path);
      expect([path, status]).toEqual([path, 200]);
      const links = [...text.matchAll(/href="(?:http:\/\/test\.local)?(\/(?!\/|media\/)[^"#]*)/g)].map(
        ([, link]) => link!,
      );
      ahead.push(...links);
    }
    for (const { path } of urls) expect(seen).toContain(encodeURI(path));
  });

  it.each([
    ["/logbook/", ["Painting the tower, one bucket at a time", "Four centimetres", "The night the lamp stood still"]],
    [
      "/it/giornale-di-bordo/",
      ["Quattro centimetri", "La notte in cui la lampada si fermò", "Leggere una lente di Fresnel con le mani"],
    ],
  ])("lists the articles in %s, newest first", async (path, newest) => {
    const { ask } = await open();
    expect(titlesIn((await ask("GET", path)).text).slice(0, 3)).toEqual(newest);
  });

  it("has a page for each tag and language that lists the articles with the tag", async () => {
    const { ask } = await open();
    const topics = pages.filter(({ page }) => page.model === "tag-page");
    expect(topics.map(({ page }) => (page.translations.en!.template_data as { tag: number }).tag).sort()).toEqual(
      tags.map(({ id }) => id).sort(),
    );
    for (const { page } of topics) {
      for (const [lang, { permalink, title, template_data }] of Object.entries(page.translations)) {
        const { tag } = template_data as { tag: number };
        expect(tags.find(({ id }) => id === tag)!.translations[lang]!.name).toBe(title);
        const listed = titlesIn((await ask("GET", `${lang === "en" ? "" : "/it"}${permalink}/`)).text);
        expect(listed.length).toBeGreaterThan(0);
        for (const article of articles) {
          const { title: name = "", published_at } = article.page.translations[lang] ?? {};
          if (published_at && new Date(published_at) < new Date(START))
            expect(listed.includes(name.replace(/"/g, "&quot;"))).toBe(article.page.tags!.includes(tag));
        }
      }
    }
  });

  it("publishes the letter on its day, not before", async () => {
    const { ask, clock } = await open();
    const letter = "/it/giornale-di-bordo/lettera-ai-guardiani-del-2099/";
    expect((await ask("GET", letter)).status).toBe(404);
    clock.set("2099-06-01T08:00:00Z");
    expect((await ask("GET", letter)).text).toContain("I trentaquattro");
    expect(titlesIn((await ask("GET", "/logbook/")).text)[0]).toBe("A letter to the keepers of 2099");
  });

  it("has typed links in its rooms that follow a renamed page", async () => {
    const { ask, api } = await open();
    const room = "/it/cosa-facciamo/dormire-al-faro/libeccio/";
    expect((await ask("GET", room)).text).toContain('href="/it/contatti/"');
    await api("PATCH", "pages/1916233830/", { title_it: "Scriveteci" });
    expect((await ask("GET", room)).text).toContain('href="/it/scriveteci/"');
    expect((await ask("GET", "/it/contatti/")).headers.get("location")).toContain("/it/scriveteci/");
  });

  it("shows its content blocks: one below every page, one on the page it is attached to", async () => {
    const { ask } = await open();
    expect((await ask("GET", "/it/")).text).toContain("le capre non sono di nessuno");
    expect((await ask("GET", "/it/visite-e-prezzi/")).text).toContain("il traghetto è in bacino");
    expect((await ask("GET", "/it/contatti/")).text).not.toContain("in bacino");
  });
});
