/** The public page router: public payloads, paths, languages, caching. */
import { describe, expect, it } from "vitest";
import { memorySite, type MemorySite } from "../../site.ts";
import { PUBLIC_PAGE_KEYS } from "../../support/page-keys.ts";
import { mediaSite } from "../../media/media-site.ts";

const get = ({ ask }: MemorySite, path: string, headers: Record<string, string> = {}) =>
  ask("GET", `api:pages-router/${path}`, { headers });

describe("the payload", () => {
  it("has every public key and no other: no translations, no drafts", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "About", title_it: "Chi siamo" }, ["en", "it"]);
    await site.api("PATCH", `pages/${id}/draft/`, { title: "Secret" });
    const { body, text } = await get(site, "about/");
    expect(Object.keys(body).sort()).toEqual(PUBLIC_PAGE_KEYS);
    expect(text).not.toContain("Secret");
    expect(body).toMatchObject({
      status: "PUB",
      is_public: true,
      language: "en",
      title: "About",
      slug: "about",
      routerlink: "/about/",
      published_at: "2026-03-01T12:00:00Z",
      pubblication_date: "2026-03-01T12:00:00Z",
      deleted_at: null,
      alternates: { it: "/it/chi-siamo/" },
      url_node: { id, permalink: "/about", related_name: "cms_page" },
    });
    expect((await get(site, "it/chi-siamo/")).body).toMatchObject({
      language: "it",
      title: "Chi siamo",
      alternates: { en: "/about/" },
      breadcrumbs: [{ permalink: "/it/chi-siamo/", title: "Chi siamo" }],
    });
  });

  it.each([1, 3])("with NESTING_DEPTH %i parents nest one object less than for editors", async (NESTING_DEPTH) => {
    const site = await memorySite({}, { API: { NESTING_DEPTH } });
    let page = await site.page({ title: "p" }, ["en"]);
    for (let level = 0; level < 4; level++) page = await site.page({ title: "p", parent_page: page.id }, ["en"]);
    let depth = 0;
    let next = (await get(site, "p/p/p/p/p/")).body.parent_page;
    for (; typeof next === "object" && next !== null; next = next.parent_page) depth++;
    expect([depth, next]).toEqual([NESTING_DEPTH - 1, expect.any(Number)]);
  });

  it("the home page has a permalink and no slug", async () => {
    const site = await memorySite();
    await site.page({ title: "Home", autopermalink: false, permalink: "/" }, ["en"]);
    for (const path of ["api:pages-router/", "api:pages-router"]) {
      expect((await site.ask("GET", path)).body).toMatchObject({ permalink: "/", slug: null, routerlink: "/" });
    }
  });

  // oxfmt-ignore
  it.each<[string, string[]]>([
    // query                              languages added
    ["",                                  []],
    ["?included_translations=",           []],
    ["?included_translations=it",         ["it"]],
    ["?included_translations=IT",         ["it"]],
    ["?included_translations=en,it",      ["en", "it"]],
    ["?included_translations=it,en,it",   ["en", "it"]],
    ["?included_translations=all",        ["en", "it"]],
    ["?included_translations=fr",         []],
    ["?included_translations=fr,it",      ["it"]],
    ["?included_translations=__proto__",  []],
  ])("included_translations: %j adds %j", async (query, langs) => {
    const site = await memorySite();
    await site.page({ title: "About", title_it: "Chi siamo", keywords_en: "k" }, ["en", "it"]);
    const { body } = await get(site, `about/${query}`);
    expect(Object.keys(body.translations ?? {})).toEqual(langs);
    expect(Object.keys(body).filter((key) => /_(en|it)$/.test(key)).sort()).toEqual(
      langs.flatMap((lang) => Object.keys(body.translations[lang]).map((field) => `${field}_${lang}`)).sort(),
    );
    for (const lang of langs) {
      expect(body.translations[lang]).toMatchObject({ title: { en: "About", it: "Chi siamo" }[lang], keywords: lang === "en" ? "k" : null });
      expect(body[`title_${lang}`]).toBe(body.translations[lang].title);
      expect(body[`permalink_${lang}`]).toBe(body.translations[lang].permalink);
    }
  });

  // oxfmt-ignore
  it.each<[string, object, string | null]>([
    ["public",   {},                                          "/it/chi-siamo/"],
    ["draft",    { published_at_it: null },                   null],
    ["planned",  { published_at_it: "2026-04-01T00:00:00Z" }, null],
  ])("alternates name the other language where it is public: %s", async (_case, change, it) => {
    const site = await memorySite();
    const { id } = await site.page({ title: "About", title_it: "Chi siamo" }, ["en", "it"]);
    await site.api("PATCH", `pages/${id}/`, change);
    expect((await get(site, "about/")).body.alternates).toEqual({ it });
  });
});

describe("hidden pages", () => {
  const hide: [string, (site: MemorySite, id: number) => Promise<unknown>][] = [
    ["draft", ({ api }, id) => api("PATCH", `pages/${id}/`, { published_at_en: null, published_at_it: null })],
    [
      "planned",
      ({ api }, id) => api("PATCH", `pages/${id}/`, { published_at_en: "2026-04-01T00:00:00Z", published_at_it: null }),
    ],
    ["trashed", ({ api }, id) => api("POST", `pages/${id}/trash/`)],
  ];

  it.each(hide)("%s: every path answers like a missing one", async (_state, hidePage) => {
    const site = await memorySite();
    const { id } = await site.page({ title: "Old secret" }, ["en", "it"]);
    await site.api("PATCH", `pages/${id}/`, { title: "Secret" });
    const paths = [
      "secret/",
      "secret",
      "secret//",
      "en/secret/",
      "it/secret/",
      "old-secret/",
      "old-secret",
      "en/old-secret",
    ];
    for (const path of paths) expect((await get(site, path)).status).toBe(200);
    await hidePage(site, id);
    const unknown = await get(site, "never/");
    expect([unknown.status, unknown.text]).toEqual([404, '{"detail":"Not found."}']);
    for (const path of paths) {
      const answer = await get(site, path);
      expect([path, answer.status, answer.text, [...answer.headers]]).toEqual([
        path,
        404,
        unknown.text,
        [...unknown.headers],
      ]);
    }
  });

  it.each(hide)("%s: a public child does not show it", async (_state, hidePage) => {
    const site = await memorySite();
    const top = await site.page({ title: "Top" }, ["en"]);
    const secret = await site.page(
      {
        title: "Secret",
        parent_page: top.id,
        description: "Classified",
        identifier: "hush",
        autopermalink: false,
        permalink: "/hidden-away",
      },
      ["en"],
    );
    await site.page({ title: "Child", parent_page: secret.id, autopermalink: false, permalink: "/child" }, ["en"]);
    const shown = (await get(site, "child/")).body;
    expect(shown.breadcrumbs.map(({ title }: { title: string }) => title)).toEqual(["Top", "Secret", "Child"]);
    expect(shown.parent_page).toMatchObject({
      id: secret.id,
      title: "Secret",
      parent_page: { id: top.id, parent_page: null },
    });
    await hidePage(site, secret.id);
    const { body, text } = await get(site, "child/");
    expect(body.breadcrumbs).toEqual([
      { permalink: "/top/", title: "Top" },
      { permalink: "/child/", title: "Child" },
    ]);
    expect(body.parent_page).toBeNull();
    expect(text).not.toMatch(/Secret|Classified|hush|hidden-away/);
    expect((await site.ask("GET", "api:pages-router/changes")).text).not.toContain("hidden-away");
  });

  it("an ancestor hidden in one language is hidden in that language only", async () => {
    const site = await memorySite();
    const parent = await site.page({ title: "About", title_it: "Chi siamo" }, ["en"]);
    await site.page({ title: "Team", title_it: "Squadra", parent_page: parent.id }, ["en", "it"]);
    expect((await get(site, "about/team/")).body.parent_page).toMatchObject({ id: parent.id });
    const { body } = await get(site, "it/chi-siamo/squadra/");
    expect([body.parent_page, body.breadcrumbs.length]).toEqual([null, 1]);
  });
});

describe("languages: the prefix, else the default", () => {
  // oxfmt-ignore
  it.each<[string, string, Record<string, string>]>([
    ["?language=",      "about/?language=it",      {}],
    ["?language_code=", "about/?language_code=it", {}],
    ["?lang=",          "about/?lang=it",          {}],
    ["Accept-Language", "about/",                  { "accept-language": "it" }],
    ["a cookie",        "about/",                  { cookie: "django_language=it" }],
  ])("%s is ignored", async (_what, path, headers) => {
    const site = await memorySite();
    await site.page({ title: "About", title_it: "Chi siamo" }, ["en", "it"]);
    expect((await get(site, path, headers)).body).toMatchObject({ language: "en", title: "About" });
    expect((await get(site, `it/chi-siamo/?language=en`, headers)).body).toMatchObject({ language: "it" });
  });

  it("the same permalink in two languages leads to two pages", async () => {
    const site = await memorySite();
    const en = await site.page({ title_en: "Menu", title_it: "Carta" }, ["en", "it"]);
    const it = await site.page({ title_en: "Card", title_it: "Menu" }, ["en", "it"]);
    expect((await get(site, "menu/")).body.id).toBe(en.id);
    expect((await get(site, "it/menu/")).body.id).toBe(it.id);
  });
});

describe("paths", () => {
  // oxfmt-ignore
  it.each([
    // title           encoded path                                             canonical
    ["Crème brûlée",   "cr%C3%A8me-br%C3%BBl%C3%A9e",                           "/cr%C3%A8me-br%C3%BBl%C3%A9e/"],
    ["日本語",          "%E6%97%A5%E6%9C%AC%E8%AA%9E",                           "/%E6%97%A5%E6%9C%AC%E8%AA%9E/"],
    ["Été",            "e%CC%81te%CC%81",                                       "/%C3%A9t%C3%A9/"], // a decomposed form is equal
    ["Привет мир",     "%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82-%d0%bc%d0%b8%d1%80", "/%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82-%D0%BC%D0%B8%D1%80/"],
  ])("%s: encoded in request and answer", async (title, path, canonical) => {
    const site = await memorySite();
    await site.page({ title }, ["en"]);
    const answer = await get(site, `${path}/`);
    expect(answer.body).toMatchObject({ title, routerlink: canonical, breadcrumbs: [{ permalink: canonical, title }] });
    expect((await get(site, path)).body).toEqual({ redirect: canonical, status: 301 });
  });

  it.each(["about%2f", "about%2F"])("%s, the path as one encoded parameter, is the page", async (path) => {
    const site = await memorySite();
    await site.page({ title: "About" }, ["en"]);
    expect((await get(site, path)).body).toMatchObject({ title: "About" });
    const preview = await site.ask("GET", `api:pages-router-preview/${path}`, { as: "staff" });
    expect(preview.body).toMatchObject({ title: "About" });
  });

  it.each(["%00/", "..%2f..%2fetc/passwd", "about%5c/", "%2e%2e/about%2f/"])("%s names nothing", async (path) => {
    const site = await memorySite();
    await site.page({ title: "About" }, ["en"]);
    const answer = await get(site, path);
    expect([answer.status, answer.body]).toEqual([404, { detail: "Not found." }]);
  });

  // oxfmt-ignore
  it.each([
    // path                     a page with that name, not the endpoint
    ["changes/",                "page /changes"],
    ["en/changes/",             "redirect /changes/"],
    ["en/changes",              "redirect /changes/"],
    ["it/changes",              "redirect /it/changes/"],
    ["it/changes/",             "page /changes"],
    ["publish-due/",            "page /publish-due"],
    ["en/publish-due",          "redirect /publish-due/"],
    ["it/publish-due/",         "page /publish-due"],
  ])("reserved: %s is %s", async (path, expected) => {
    const site = await memorySite();
    for (const name of ["changes", "publish-due"]) {
      const manual = { autopermalink: false, permalink: `/${name}` };
      await site.page({ translations: { en: { title: name, ...manual }, it: manual } }, ["en", "it"]);
    }
    const { body } = await get(site, path);
    expect(body.redirect ? `redirect ${body.redirect}` : `page ${body.permalink}`).toBe(expected);
    expect(Object.keys((await get(site, "changes")).body)).toEqual(["server_time", "epoch", "urls", "redirects"]);
    expect((await get(site, "publish-due")).status).toBe(401);
  });

  // oxfmt-ignore
  it.each([
    ["about",         "page /about"],
    ["about/",        "redirect /about"],
    ["it",            "page /"],
    ["it/",           "redirect /it"],
    ["it/chi-siamo/", "redirect /it/chi-siamo"],
    ["",              "page /"],
  ])("without APPEND_SLASH %s is %s", async (path, expected) => {
    const site = await memorySite({}, { APPEND_SLASH: false });
    await site.page({ title: "Home", autopermalink: false, permalink: "/", autopermalink_it: false, permalink_it: "/" }, ["en", "it"]);
    await site.page({ title: "About", title_it: "Chi siamo" }, ["en", "it"]);
    const { body } = await get(site, path);
    expect(body.redirect ? `redirect ${body.redirect}` : `page ${body.permalink}`).toBe(expected);
  });
});

describe("redirects", () => {
  it("a former permalink redirects directly to the present one, in its language", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "One", title_it: "Uno" }, ["en", "it"]);
    for (const title of ["Two", "Three", "Four"]) await site.api("PATCH", `pages/${id}/`, { title });
    for (const path of ["one", "one/", "two/", "three/", "en/one"])
      expect((await get(site, path)).body).toEqual({ redirect: "/four/", status: 301 });
    expect((await get(site, "it/one/")).status).toBe(404);
    await site.api("PATCH", `pages/${id}/`, { title: "One" });
    expect((await get(site, "one/")).body).toMatchObject({ title: "One" });
    expect((await get(site, "four/")).body).toEqual({ redirect: "/one/", status: 301 });
  });

  const FILES = {
    "content/redirects.yaml": [
      "- { from: /tmp1, to: /info, status: 302 }",
      "- { from: /tmp2, to: /chi-siamo, language: it }",
      "- { from: /away, to: 'https://example.com/x' }",
      "- { from: /info, to: /elsewhere }",
    ].join("\n"),
  };
  // oxfmt-ignore
  it.each([
    ["tmp1",      { redirect: "/info/", status: 302 }],
    ["tmp1/",     { redirect: "/info/", status: 302 }],
    ["en/tmp1",   { redirect: "/info/", status: 302 }],
    ["it/tmp2",   { redirect: "/it/chi-siamo/", status: 301 }],
    ["away/?a=1", { redirect: "https://example.com/x", status: 301 }],
    ["info/",     { redirect: "/elsewhere/", status: 301 }], // before any page
    ["tmp2",      { detail: "Not found." }],
    ["it/tmp1",   { detail: "Not found." }],
  ])("configured: %s", async (path, body) => {
    const site = await memorySite(FILES);
    await site.page({ title: "Info" }, ["en"]);
    expect((await get(site, path)).body).toEqual(body);
  });
});

describe("the cache", () => {
  const age = async (site: MemorySite, path = "about/"): Promise<number> =>
    Number(/^public, max-age=(\d+)$/.exec((await get(site, path)).headers.get("cache-control")!)![1]);

  // oxfmt-ignore
  it.each([
    [{},                   900, 800],
    [{ ROUTER_CACHE: 60 }, 60,  60], // a new answer then
    [{ ROUTER_CACHE: 0 },  0,   0],
  ])("with %j an answer is cached %i seconds, 100 seconds later %i", async (settings, first, later) => {
    const site = await memorySite({}, settings);
    await site.page({ title: "About" }, ["en"]);
    expect(await age(site)).toBe(first);
    site.clock.tick(100_000);
    expect(await age(site)).toBe(later);
  });

  // oxfmt-ignore
  it.each<[string, (site: MemorySite, id: number) => Promise<unknown>]>([
    ["a planned page",            ({ page }) => page({ title: "Planned", published_at: "2026-03-01T12:00:30Z" })],
    ["its own other language",    ({ api }, id) => api("PATCH", `pages/${id}/`, { published_at_it: "2026-03-01T12:00:30Z" })],
    ["a scheduled draft",         async ({ api }, id) => {
      await api("PATCH", `pages/${id}/draft/`, { keywords: "k" });
      await api("POST", `pages/${id}/schedule/`, { publish_at: "2026-03-01T12:00:30Z" });
    }],
  ])("no answer is cached beyond the next scheduled change: %s", async (_what, plan) => {
    const site = await memorySite();
    const { id } = await site.page({ title: "About" }, ["en"]);
    await plan(site, id);
    expect(await age(site)).toBe(30);
    site.clock.tick(29_500);
    expect(await age(site)).toBe(0);
    site.clock.tick(500);
    expect(await age(site)).toBe(900);
  });

  it("a planned page goes public by time, and so do answers that show it", async () => {
    const site = await memorySite();
    await site.page({ title: "About", title_it: "Chi siamo", published_at_it: "2026-03-01T12:05:00Z" }, ["en"]);
    expect((await get(site, "about/")).body.alternates).toEqual({ it: null });
    expect((await get(site, "it/chi-siamo/")).status).toBe(404);
    site.clock.set("2026-03-01T12:05:00Z");
    expect((await get(site, "about/")).body.alternates).toEqual({ it: "/it/chi-siamo/" });
    expect((await get(site, "it/chi-siamo/")).status).toBe(200);
  });

  // oxfmt-ignore
  it.each<[string, (site: MemorySite, id: number, parent: number) => Promise<unknown>, object | number]>([
    ["a change",              ({ api }, id) => api("PATCH", `pages/${id}/`, { keywords: "k" }),    { keywords: "k" }],
    ["a change of a parent",  ({ api }, _id, parent) => api("PATCH", `pages/${parent}/`, { keywords: "k" }), { parent_page: { keywords: "k" } }],
    ["a publication",         async ({ api }, id) => {
      await api("PATCH", `pages/${id}/draft/`, { title: "New" });
      await api("POST", `pages/${id}/publish/`);
    }, { title: "New" }],
    ["a rename",              ({ api }, id) => api("PATCH", `pages/${id}/`, { permalink: "/new" }), { redirect: "/new/" }],
    ["the trash",             ({ api }, id) => api("POST", `pages/${id}/trash/`),                  404],
    ["a removal",             ({ api }, id) => api("DELETE", `pages/${id}/`),                      404],
  ])("%s invalidates the cached answer at once", async (_what, write, expected) => {
    const site = await memorySite();
    const parent = await site.page({ title: "Parent" }, ["en"]);
    const { id } = await site.page({ title: "About", autopermalink: false, permalink: "/about", parent_page: parent.id }, ["en"]);
    await get(site, "about/");
    await write(site, id, parent.id);
    const answer = await get(site, "about/");
    if (typeof expected === "number") expect(answer.status).toBe(expected);
    else expect(answer.body).toMatchObject(expected);
  });

  it("separates queries and languages", async () => {
    const site = await memorySite();
    await site.page({ title: "About" }, ["en", "it"]);
    expect((await get(site, "about/")).body.translations).toBeUndefined();
    expect((await get(site, "about/?included_translations=it")).body.translations).toBeDefined();
    expect((await get(site, "about/")).body.translations).toBeUndefined();
    expect((await get(site, "it/about/")).body.language).toBe("it");
  });

  it("If-None-Match with the answer's tag is 304, and 200 once the answer has changed", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "About" }, ["en"]);
    const etag = (await get(site, "about/")).headers.get("etag")!;
    const known = await get(site, "about/", { "if-none-match": etag });
    expect([known.status, known.text, known.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await get(site, "about/", { "if-none-match": '"other"' })).status).toBe(200);
    await site.api("PATCH", `pages/${id}/`, { keywords: "k" });
    expect((await get(site, "about/", { "if-none-match": etag })).status).toBe(200);
  });

  it("a missing page is not cached", async () => {
    const site = await memorySite();
    expect((await get(site, "about/")).headers.get("cache-control")).toBe("no-store, private");
    await site.page({ title: "About" }, ["en"]);
    expect((await get(site, "about/")).status).toBe(200);
  });
});

describe("fields", () => {
  it.each([
    ["title,permalink", ["permalink", "title"]],
    ["title,permalink&fields=title,permalink,nope", ["permalink", "title"]],
  ])("%s returns exactly those", async (fields, names) => {
    const site = await memorySite();
    await site.page({ title: "About" }, ["en"]);
    const { body } = await site.ask("GET", `api:pages-router/about/?fields=${fields}`);
    expect(Object.keys(body).sort()).toEqual(names);
  });

  it("keeps the complete address when only the page is reduced", async () => {
    const site = await memorySite();
    await site.page({ title: "About" }, ["en"]);
    const { body } = await site.ask("GET", "api:pages-router/about/?fields=title");
    expect(body).toMatchObject({ title: "About", alternates: { it: null }, permalink: "/about" });
    expect(body).not.toHaveProperty("template_data");
    const { body: whole } = await site.ask("GET", "api:pages-router/about/");
    expect(whole).toHaveProperty("template_data");
  });
});

it("an address stays with the page that had it, also where a newcomer has been published before", async () => {
  const file = (id: number, title: string, published: string): string =>
    `id: ${id}\ntranslations:\n  en:\n    title: ${title}\n    permalink: /about\n    autopermalink: false\n` +
    `    status: PUB\n    published_at: ${published}\n`;
  const site = await mediaSite({}, { "content/pages/about.yaml": file(1, "About", "2026-01-02T00:00:00Z") });
  const served = async (): Promise<unknown> =>
    (await site.ask("GET", "api:pages-router/about/?language=en")).body.title;
  site.disk.save("content/pages/a-newcomer.yaml", file(2, "Newcomer", "2020-01-01T00:00:00Z"));
  await site.cms.store.refresh();
  expect(await served()).toBe("About");
  site.disk.git("add", "--all");
  site.disk.git("commit", "--quiet", "--message=Newcomer");
  await site.cms.store.refresh();
  expect(await served()).toBe("About");
  expect(site.cms.store.current.problems.map(({ path }) => path)).toEqual(["content/pages/a-newcomer.yaml"]);
});
