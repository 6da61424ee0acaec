/** Answers of the public router that outlive writes, until what they were made from changes; in bounded memory. */
import { describe, expect, it } from "vitest";
import { RouterCache, routerCacheOf } from "../../../src/http/public/router-cache.ts";
import { msOf } from "../../../src/model/time/instant.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { resolveRoute } from "../../../src/views/page/route.ts";
import { memorySite, publicViewOf, type MemorySite } from "../../site.ts";

async function oneAnswer() {
  const { cms, clock, page, api } = await memorySite();
  await page({ title: "About" }, ["en"]);
  const content = cms.store.current;
  const cache = new RouterCache(cms.config);
  const route = resolveRoute(publicViewOf(cms), "/about/");
  const made = { route, reads: [], body: "{}", etag: "version" };
  const answer = cache.remember(content, "key", clock.now(), made);
  return { cms, api, cache, content, route, made, answer, nowMs: msOf(clock.now()), clock };
}

describe("the answer to a target", () => {
  it("is that of its key, until it expires", async () => {
    const { cms, cache, content, answer, nowMs } = await oneAnswer();
    expect(cache.findByTarget(content, "a /", nowMs)).toBeUndefined();
    expect(cache.rememberTarget("a /", answer)).toBe(true);
    expect(cache.findByTarget(content, "a /", nowMs)).toBe(answer);
    const end = nowMs + cms.config.ROUTER_CACHE * 1000;
    expect(cache.findByTarget(content, "a /", end - 1)).toBe(answer);
    expect(cache.findByTarget(content, "a /", end)).toBeUndefined();
  });

  it("is the newest one of its key", async () => {
    const { cache, content, answer, made, nowMs, clock } = await oneAnswer();
    cache.rememberTarget("a /", answer);
    const newer = cache.remember(content, "key", clock.now(), { ...made, body: "[]" });
    expect(cache.findByTarget(content, "a /", nowMs)).toBe(newer);
    expect(cache.rememberTarget("b /", answer)).toBe(false);
    expect(cache.findByTarget(content, "b /", nowMs)).toBeUndefined();
  });

  it("is forgotten with all others when there are too many targets; the answers stay", async () => {
    const { cache, content, answer, nowMs } = await oneAnswer();
    const long = "x".repeat(12_000);
    cache.rememberTarget("a /", answer);
    for (let n = 0; n < 1000; n++) cache.rememberTarget(`a /${long}${n}`, answer);
    expect(cache.findByTarget(content, "a /", nowMs)).toBeUndefined();
    expect(cache.find(content, "key", nowMs)).toBe(answer);
  });
});

describe("after a write", () => {
  it("an answer is of the new content once it was renewed, not before", async () => {
    const { cms, api, cache, route, answer, nowMs, clock } = await oneAnswer();
    cache.rememberTarget("a /", answer);
    await api("POST", "pages/", { title: "Other" });
    const { current } = cms.store;
    expect(cache.find(current, "key", nowMs)).toBeUndefined();
    expect(cache.findByTarget(current, "a /", nowMs)).toBeUndefined();
    expect(cache.renew(current, "key", route, clock.now())).toBe(answer);
    expect(cache.find(current, "key", nowMs)).toBe(answer);
    expect(cache.findByTarget(current, "a /", nowMs)).toBe(answer);
  });

  it("it is not renewed for another route, after its time, or for an earlier clock", async () => {
    const { cms, api, cache, route, clock } = await oneAnswer();
    await api("POST", "pages/", { title: "Other" });
    const { current } = cms.store;
    expect(cache.renew(current, "key", { kind: "redirect", to: "/", status: 301, lang: "en" }, clock.now())).toBe(
      undefined,
    );
    clock.tick(-1000);
    expect(cache.renew(current, "key", route, clock.now())).toBeUndefined();
    clock.tick(1000 + cms.config.ROUTER_CACHE * 1000);
    expect(cache.renew(current, "key", route, clock.now())).toBeUndefined();
  });

  it("answers that expired are dropped as others are made", async () => {
    const { cms, cache, content, answer, made, nowMs, clock } = await oneAnswer();
    clock.tick(1000);
    cache.remember(content, "later", clock.now(), made);
    expect(cache.find(content, "key", nowMs)).toBe(answer);
    clock.tick(cms.config.ROUTER_CACHE * 1000 - 1000);
    cache.remember(content, "other", clock.now(), made);
    expect(cache.find(content, "key", nowMs)).toBeUndefined();
    expect(cache.find(content, "later", nowMs + 1000)).toBeDefined();
  });
});

describe("the router's answer to a page", () => {
  const get = async (site: MemorySite, path = "about/") => (await site.ask("GET", `api:pages-router/${path}`)).headers;
  const keptIn = async (write: (site: MemorySite, about: number) => Promise<unknown>): Promise<boolean> => {
    const site = await memorySite({
      "content/contents/a.yaml": "id: 300\nidentifier: a\ntranslations: { en: { content: One } }\n",
      "media/a.jpg": "jpg",
      "media/b.jpg": "jpg",
      "content/media/a.jpg.yaml": "id: 400\n",
      "content/media/b.jpg.yaml": "id: 401\n",
      "content/contents/b.yaml": "id: 301\nidentifier: b\ntranslations: { en: { content: One } }\n",
    });
    const parent = await site.page({ title: "Parent" }, ["en"]);
    const { id } = await site.page(
      { title: "About", permalink: "/about", autopermalink: false, parent_page: parent.id, og_image: 400 },
      ["en"],
    );
    await site.api("PATCH", "contents/301/", { object_id: id });
    const { etag } = Object.fromEntries(await get(site));
    const cache = routerCacheOf(site.cms);
    const remember = cache.remember.bind(cache);
    let isMade = false;
    cache.remember = (...given) => ((isMade = true), remember(...given));
    await write(site, id);
    const { etag: after } = Object.fromEntries(await get(site));
    if (!isMade) expect(after).toBe(etag);
    return !isMade;
  };

  type Write = (site: MemorySite, about: number) => Promise<unknown>;
  const patch =
    (path: string, body: object): Write =>
    ({ api }) =>
      api("PATCH", path, body);
  const newPage: Write = ({ page }) => page({ title: "Other" }, ["en"]);
  const newMenu: Write = ({ api }) => api("POST", "menus/", { key: "main", nodes: [] });
  const newBlock: Write = ({ api }, about) =>
    api("POST", "contents/", { identifier: "c", content: "New", object_id: about });
  const draftOfAnother: Write = async ({ page, api }) =>
    api("PATCH", `pages/${(await page({ title: "Other" })).id}/draft/`, { title: "New" });
  const parent: Write = async ({ api, cms }) =>
    api("PATCH", `pages/${cms.store.current.summaries(PAGES)[0]!.id}/`, { keywords: "k" });
  const itself =
    (below: string): Write =>
    ({ api }, about) =>
      api("PATCH", `pages/${about}/${below}`, { keywords: "k" });
  const toPage: Write = ({ api }, about) => api("PATCH", "contents/300/", { object_id: about });

  // oxfmt-ignore
  it.each<[string, Write, boolean]>([
    // write                      how                                                    is it kept?
    ["a new page",                newPage,                                               true],
    ["a draft of another page",   draftOfAnother,                                        true],
    ["a new menu",                newMenu,                                               true],
    ["its own text",              itself(""),                                            false],
    ["its own draft",             itself("draft/"),                                      false],
    ["its parent",                parent,                                                false],
    ["another image",             patch("media/401/?language=en", { title: "New" }),     true],
    ["its image",                 patch("media/400/?language=en", { title: "New" }),     false],
    ["a block of another page",   patch("contents/300/", { content: "Two" }),            true],
    ["its block",                 patch("contents/301/", { content: "Two" }),            false],
    ["a new block of its own",    newBlock,                                              false],
    ["a block that comes to it",  toPage,                                                false],
    ["a block that goes from it", patch("contents/301/", { object_id: null }),           false],
  ])("after %s", async (_write, write, isKept) => {
    expect(await keptIn(write)).toBe(isKept);
  });

  it("is kept no longer than until what was planned since", async () => {
    const site = await memorySite();
    await site.page({ title: "About" }, ["en"]);
    expect((await get(site)).get("cache-control")).toBe("public, max-age=900");
    await site.page({ title: "Planned", published_at: "2026-03-01T12:00:30Z" });
    expect((await get(site)).get("cache-control")).toBe("public, max-age=30");
  });
});
