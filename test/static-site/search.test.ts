/** The search of a built site: its files, served and built alike, and what browsers find with them. */
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { sitePieces, type SearchedPage } from "../../src/views/search/site-pieces.ts";
import { search } from "../../src/site-search/search.ts";
import { silentLog } from "../../src/env.ts";
import { openPageLog } from "../../src/static-site/page-log.ts";
import type { Client } from "../../src/static-site/sources/server-client.ts";
import { serverSearch } from "../../src/static-site/sources/server-search.ts";
import { memorySite, type MemorySite } from "../site.ts";
import { contentOf, recallOf, SEARCHED_QUERIES, type SearchedSite } from "../support/search-queries.ts";
import { searchedSites } from "../support/searched-sites.ts";
import { buildTree, emptyDir, filesIn } from "./build-site.ts";

const SITE = "https://site.example/below/";

/** What the function of browsers finds in files by path, and how much of them it loads. */
async function searchIn(files: ReadonlyMap<string, string>, query: string, language = "en") {
  const name = `${SITE}${expect.getState().testPath}/${nth++}/`;
  let bytes = 0;
  vi.stubGlobal("document", { baseURI: SITE, documentElement: { lang: "en" } });
  vi.stubGlobal("fetch", async (url: URL) => {
    const text = files.get(decodeURI(url.href).slice(name.length));
    bytes += text?.length ?? 0;
    return new Response(text ?? "", { status: text === undefined ? 404 : 200 });
  });
  const { total, items } = await search(query, { language, base: `${name}search/` });
  return { total, items, titles: items.map(({ title }) => title), bytes, name };
}
let nth = 0;

const settings = { SITE_SEARCH: true };

async function built(site: MemorySite, out = join(emptyDir(), "out")): Promise<Map<string, string>> {
  await buildTree(site, out, {});
  const utf8 = [...filesIn(out)].map(([path, text]) => [path, Buffer.from(text, "latin1").toString()] as const);
  return new Map(utf8.filter(([path]) => path.startsWith("search/")));
}

describe("the files", () => {
  it("are those that the service answers, and leave nothing from build to build", async () => {
    const site = await memorySite({}, settings);
    await site.page({ title: "Flour", title_it: "Farina" }, ["en", "it"]);
    const out = join(emptyDir(), "out");
    const before = await built(site, out);
    for (const [path, text] of before) expect((await site.ask("GET", `/${path}`, { as: null })).text, path).toBe(text);
    await site.page({ title: "Water" }, ["en"]);
    const files = await built(site, out);
    expect([...files.keys()].filter((path) => path.startsWith("search/it/"))).toEqual(
      [...before.keys()].filter((path) => path.startsWith("search/it/")),
    );
    expect([...files]).toEqual([...(await built(site))]);
    for (const [path, text] of files) expect((await site.ask("GET", `/${path}`, { as: null })).text, path).toBe(text);
    expect((await site.ask("GET", "/search/en/none.json", { as: null })).status).not.toBe(200);
  });

  it("are taken over from a service", async () => {
    const site = await memorySite({}, settings);
    await site.page({ title: "Flour", title_it: "Farina" }, ["en", "it"]);
    const answer = (path: string) => site.ask("GET", path, { as: null });
    const client = {
      bytes: async (path: string) => (await answer(path)).bytes,
      version: async (path: string) => {
        const { status, headers } = await answer(path);
        return status === 200 ? headers.get("etag")! : undefined;
      },
    } as Client;
    const fetched = await serverSearch(client, site.cms.locales, openPageLog(silentLog));
    expect(new Map([...fetched].sort())).toEqual(await built(site));
    const warnings: string[] = [];
    const log = openPageLog({ ...silentLog, warn: (message) => void warnings.push(message) });
    const without = { ...client, version: async () => undefined };
    expect((await serverSearch(without, site.cms.locales, log)).size).toBe(0);
    expect(warnings).toEqual([expect.stringContaining("SITE_SEARCH")]);
  });

  it("are there only with the setting", async () => {
    const site = await memorySite();
    await site.page({ title: "Flour" }, ["en"]);
    expect([...(await built(site)).keys()]).toEqual([]);
    expect((await site.ask("GET", "/search/en/pieces.json", { as: null })).status).not.toBe(200);
  });

  it("have the pages of the manifest alone, and no word of what is hidden", async () => {
    const site = await memorySite(
      {
        "content/page-models/room.yaml":
          "schema:\n  - { name: sections, kind: blocks }\n  - { name: contact, kind: url }\n",
        "content/block-types/words.yaml": "schema:\n  - name: words\n",
      },
      settings,
    );
    const shown = [
      { type: "words", words: "Open words" },
      { type: "words", words: "secret block", hidden: true },
    ];
    const drafted = await site.page(
      { model: "room", title: "Room", template_data: { sections: shown, contact: "https://secret.example" } },
      ["en"],
    );
    await site.api("PATCH", `pages/${drafted.id}/draft/?language=en`, { title: "secret change" });
    await site.page({ title: "Both", title_it: "secret italiano" }, ["en"]);
    await site.api("POST", "pages/", { title: "secret draft" });
    const trashed = await site.page({ title: "secret rubbish" }, ["en"]);
    await site.api("POST", `pages/${trashed.id}/trash/`, {});
    const planned = await site.api("POST", "pages/", { title: "secret plan" });
    await site.api("POST", `pages/${planned.id}/schedule/?language=en`, { publish_at: "2026-05-01T00:00:00Z" });
    await site.page({ title: "secret unlisted", indexable: false }, ["en"]);
    await site.page({ title: "secret robots", robots: "noindex" }, ["en"]);
    const files = await built(site);
    for (const [path, text] of files)
      if (path.endsWith(".json")) expect(text, path).not.toMatch(/secret|unlisted|rubbish/);
    const { urls } = (await site.ask("GET", "api:pages-router/changes", { as: null })).body;
    const listed = urls.map(({ path }: { path: string }) => path).filter((path: string) => !/secret/.test(path));
    const told = [...files.values()].flatMap((text) => [...text.matchAll(/\["(\/[^"]*)",/g)].map((match) => match[1]));
    expect(told.sort()).toEqual(listed.sort());
  });
});

describe("search", () => {
  /** As the service has them: nothing has to be rendered. */
  async function pieces({ cms: { config, store }, clock }: Pick<MemorySite, "cms" | "clock">) {
    const { siteSearchFiles } = await import("../../src/library/site-search.ts");
    return siteSearchFiles({
      content: store.current,
      config: { ...config, ...settings },
      locales: config.locales,
      lang: "en",
      now: clock.now(),
      surface: "public",
      origin: "",
    });
  }
  const blog = async () => pieces(await memorySite(contentOf("blog")));

  it("finds 19 of 20 pages that are meant among the first ten results", async () => {
    const files = new Map<SearchedSite, ReadonlyMap<string, string>>();
    for (const [name, site] of await searchedSites()) files.set(name, await pieces(site));
    const answers = [];
    for (const query of SEARCHED_QUERIES) {
      const [site, lang, words] = query;
      answers.push([query, (await searchIn(files.get(site)!, words, lang)).titles] as const);
    }
    const { recall, missed } = recallOf(answers);
    expect(recall, missed.join("\n")).toBeGreaterThanOrEqual(0.95);
  });

  it("tells where the words stand, at addresses below the path of the site", async () => {
    const files = await blog();
    const { items, total, name } = await searchIn(files, "dishwasher");
    const { url, text, marks } = items[0]!;
    expect([total, url]).toEqual([1, `${name}a-cup-mended-twice/`]);
    expect(marks.map(([from, to]) => text.slice(from, to))).toContain("dishwasher");
    expect((await searchIn(files, "bread -kitchen-nothing -yeast")).titles).not.toContain(
      "Bread for people who forget",
    );
    expect((await searchIn(files, "zzzzzz")).total).toBe(0);
  });

  it("fails where the files cannot be loaded, and works again once they can", async () => {
    await expect(searchIn(new Map(), "bread")).rejects.toThrow("404");
    expect((await searchIn(await blog(), "bread dough")).total).toBe(1);
  });
});

describe("the pieces", () => {
  /** Words as often as in a language: the nth of them in inverse proportion to n. */
  const texts = (seed: number, words: number): string => {
    let state = seed;
    const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    const spelled = (n: number): string => {
      const digits = (n * 7919)
        .toString(26)
        .replace(/./g, (digit) => "etaoinshrdlucmfwypvbgkqjxz"[Number.parseInt(digit, 26)]!);
      return `${digits}${"aeiou"[n % 5]}${n % 3 === 0 ? "ns" : ""}`;
    };
    return Array.from({ length: words }, () => spelled(Math.floor(Math.exp(random() * Math.log(20_000))))).join(" ");
  };
  const page = (id: number, more = ""): SearchedPage => {
    const text = `${texts(id * 31 + 7, 60)} ${more}`;
    const title = texts(id + 1, 4);
    const parts = [["title", title, 8] as const, ["content", text, 1] as const];
    return {
      id: id * 7919 + 5,
      url: `/page-${id}/`,
      title,
      texts: parts.map(([path, words, weight]) => ({ path, text: words, weight, isHidden: false })),
    };
  };
  const stem = (word: string): string => word.replace(/ns$/, "");
  const inFolder = (files: ReadonlyMap<string, string>) =>
    new Map([...files].map(([name, text]) => [`search/en/${name}`, text]));

  it("change with an edit as far as its words, and are few for a first result", async () => {
    const pages = Array.from({ length: 3000 }, (_, id) => page(id));
    const added = "a sentence more with some rather uncommon words";
    const before = await sitePieces(pages, stem);
    const edited = await sitePieces(pages.with(1500, page(1500, added)), stem);
    const rewritten = [...edited.keys()].filter((name) => name !== "pieces.json" && !before.has(name));
    // A piece for each word, the text and the list of names that has it.
    expect(rewritten.length).toBeGreaterThan(2);
    expect(rewritten.length).toBeLessThanOrEqual(added.split(" ").length + 2);

    const { title } = pages[1234]!;
    const { bytes, titles } = await searchIn(inFolder(before), `${title} `);
    expect(titles).toContain(title);
    // The list, a piece for each word, and for each result a piece with texts.
    expect(bytes).toBeLessThan(5_000 + 15_000 * title.split(" ").length + 8_000 * titles.length);
  });
});
