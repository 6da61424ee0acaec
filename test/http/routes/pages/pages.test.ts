/** Create, read, change, delete and order pages. */
import { describe, expect, it } from "vitest";
import { memorySite, START, type AskOptions, type MemorySite, writeTemplate } from "../../../site.ts";
import { PUBLIC_PAGE_KEYS } from "../../../support/page-keys.ts";

/** The keys of a page, the same on all endpoints for editors. */
const PAYLOAD_KEYS = [
  ...PUBLIC_PAGE_KEYS,
  "has_draft",
  "has_scheduled_draft",
  "draft_scheduled_for",
  "draft_data",
  "translations",
].sort();

const TEXT_KEYS = [
  "title",
  "description",
  "og_description",
  "og_title",
  "og_type",
  "og_url",
  "canonical",
  "keywords",
  "breadcrumbs_title",
  "autopermalink",
  "indexable",
  "template_data",
  "published_at",
  "permalink",
].sort();

/** Nested parents. */
const PARENT_KEYS = [
  "id",
  "title",
  "description",
  "og_description",
  "og_title",
  "og_type",
  "og_url",
  "canonical",
  "keywords",
  "meta",
  "identifier",
  "date_created",
  "date_updated_at",
  "breadcrumbs_title",
  "template",
  "template_data",
  "ordering",
  "robots",
  "published_at",
  "deleted_at",
  "indexable",
  "autopermalink",
  "og_image",
  "parent_page",
  "url_node",
].sort();

const SHOWN_START = START.replace(".000Z", "Z");

describe("creating", () => {
  it("an empty body creates a hidden page with all keys and defaults", async () => {
    const { ask } = await memorySite();
    const { status, body } = await ask("POST", "api:pages/", { as: "staff" });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(PAYLOAD_KEYS);
    expect(body).toMatchObject({
      status: "DRF",
      is_public: false,
      published_at: null,
      pubblication_date: null,
      deleted_at: null,
      title: null,
      description: null,
      og_image: null,
      parent_page: null,
      meta: {},
      template_data: {},
      contents: {},
      template: "defaults/pages/default.html",
      template_file: "defaults/pages/default.html",
      ordering: 1,
      autopermalink: true,
      indexable: true,
      language: "en",
      related_name: "cms_page",
      alternates: { it: null },
      has_draft: false,
      has_scheduled_draft: false,
      draft_scheduled_for: null,
      draft_data: {},
      date_created: SHOWN_START,
      date_updated_at: SHOWN_START,
      identifier: expect.stringMatching(/^[0-9a-f-]{36}$/),
      permalink: expect.stringMatching(/^\/[0-9a-f-]{36}$/), // without a title
      url_node: { id: body.id, permalink: body.permalink, related_name: "cms_page" },
    });
    expect(Object.keys(body.translations)).toEqual(["en", "it"]);
    for (const text of Object.values(body.translations)) expect(Object.keys(text as object).sort()).toEqual(TEXT_KEYS);
  });

  it("uses the sent values", async () => {
    const site = await memorySite();
    writeTemplate(site, "team.html");
    const parent = await site.page({ title: "About" });
    const page = await site.api("POST", "pages/", {
      title: "Team",
      title_it: "Squadra",
      breadcrumbs_title: "Us",
      parent_page: parent.id,
      meta: { a: 1 },
      ordering: 7,
      identifier: "team",
      template: "team.html",
      template_data: { intro: "x" },
      indexable: false,
    });
    expect(page).toMatchObject({
      title: "Team",
      permalink: "/about/team",
      slug: "team",
      routerlink: "/about/team/",
      meta: { a: 1 },
      ordering: 7,
      identifier: "team",
      template: "team.html",
      template_file: "team.html",
      template_data: { intro: "x" },
      indexable: false,
      breadcrumbs: [
        { permalink: "/about/", title: "About" },
        { permalink: "/about/team/", title: "Us" },
      ],
    });
    expect(page.translations.it).toMatchObject({
      title: "Squadra",
      permalink: "/about/squadra",
      template_data: {},
      indexable: true,
    });
    expect(Object.keys(page.parent_page).sort()).toEqual(PARENT_KEYS);
    expect(page.parent_page).toMatchObject({ id: parent.id, title: "About", url_node: { permalink: "/about" } });
  });

  // oxfmt-ignore
  it.each([
    ["2026-02-01T00:00:00Z", "PUB"],
    ["2026-04-01T00:00:00Z", "PLA"],
    [null,                   "DRF"],
  ])("published_at %s makes it %s, in that language only", async (published_at_en, status) => {
    const { page } = await memorySite();
    expect(await page({ title: "T", published_at_en })).toMatchObject({ status, published_at: published_at_en });
    expect(await page({ title: "T", published_at_en }).then(({ translations }) => translations.it.published_at)).toBeNull();
  });

  it("a missing ordering is one more than the highest", async () => {
    const { page } = await memorySite();
    const made = [await page({}), await page({ ordering: 10 }), await page({})];
    expect(made.map(({ ordering }) => ordering)).toEqual([1, 10, 11]);
  });

  // oxfmt-ignore
  it.each<[string, object]>([
    ["deleted_at",  { deleted_at: "2026-01-01T00:00:00Z" }],
    ["id",          { id: 999 }],
    ["status",      { status: "PUB", is_public: true }],
    ["dates",       { date_created: "2020-01-01T00:00:00Z", date_updated_at: "2020-01-01T00:00:00Z" }],
    ["drafts",      { drafts: { en: {} }, has_draft: true, draft_data: { title: "x" } }],
    ["aliases",     { aliases: [{ language: "en", from: "/admin" }] }],
  ])("%s cannot be written", async (_what, body) => {
    const { api } = await memorySite({}, { API: { UNKNOWN_FIELDS: "ignore" } });
    const page = await api("POST", "pages/", body);
    expect(page).toMatchObject({ deleted_at: null, status: "DRF", has_draft: false, date_created: SHOWN_START });
    expect(page.id).not.toBe(999);
  });

  // oxfmt-ignore
  it.each<[string, unknown, object]>([
    ["a list",                 [1],                                { non_field_errors: ["Invalid data. Expected a dictionary, but got list."] }],
    ["a text",                 '"x"',                              { non_field_errors: ["Invalid data. Expected a dictionary, but got str."] }],
    ["null",                   "null",                             { non_field_errors: ["Invalid data. Expected a dictionary, but got NoneType."] }],
    ["broken JSON",            "{",                                { detail: expect.stringMatching(/^JSON parse error - /) }],
    ["a wrong value",          { title_en: [] },                   { title_en: ["Not a valid string."] }],
    ["several at once",        { title: [], ordering: -1 },        { title_en: ["Not a valid string."], ordering: ["Ensure this value is greater than or equal to 0."] }],
    ["an unknown parent",      { parent_page: 99 },                { parent_page: ['Invalid pk "99" - object does not exist.'] }],
    ["an unknown image",       { og_image: { id: 99 } },           { og_image: ['Invalid pk "99" - object does not exist.'] }],
    ["a taken identifier",     { identifier: "first" },            { identifier: ["Page with this identifier already exists."] }],
    ["a taken permalink",      { autopermalink: false, permalink: "/first" }, { permalink_en: ["There is an other page with same permalink."] }],
    ["a moment without zone",  { published_at: "2026-03-01T12:00:00" }, { published_at_en: [expect.stringMatching(/^Datetime has wrong format/)] }],
  ])("%s is refused, and nothing is written", async (_what, body, errors) => {
    const site = await memorySite();
    await site.page({ title: "First", identifier: "first" });
    const head = (await site.repo.state()).head;
    const answer = await site.ask("POST", "api:pages/", { as: "staff", body, ...(typeof body === "string" && { headers: { "content-type": "application/json" } }) });
    expect([answer.status, answer.body]).toEqual([400, errors]);
    expect((await site.repo.state()).head).toBe(head);
  });

  // oxfmt-ignore
  it.each([
    ["application/x-www-form-urlencoded", "title_en=Form&indexable_en=no&ordering=3"],
    ["multipart/form-data; boundary=x",   ["--x", 'Content-Disposition: form-data; name="title_en"', "", "Form", "--x", 'Content-Disposition: form-data; name="indexable_en"', "", "no", "--x", 'Content-Disposition: form-data; name="ordering"', "", "3", "--x--", ""].join("\r\n")],
  ])("accepts a form: %s", async (type, body) => {
    const { ask } = await memorySite();
    const answer = await ask("POST", "api:pages/", { as: "staff", body, headers: { "content-type": type } });
    expect([answer.status, answer.body]).toMatchObject([201, { title: "Form", indexable: false, ordering: 3, autopermalink: true }]);
  });

  it("accepts no other type", async () => {
    const { ask } = await memorySite();
    const answer = await ask("POST", "api:pages/", {
      as: "staff",
      body: "x",
      headers: { "content-type": "text/plain" },
    });
    expect([answer.status, answer.body]).toEqual([415, { detail: 'Unsupported media type "text/plain" in request.' }]);
  });
});

describe("reading", () => {
  it.each(["api:pages/1000/", "api:pages/1000"])("an unknown id is 404: %s", async (path) => {
    const { ask } = await memorySite();
    const answer = await ask("GET", path, { as: "staff" });
    expect([answer.status, answer.body]).toEqual([404, { detail: "No Page matches the given query." }]);
  });

  it.each(["x", "-1", "1.5", "99999999999", "0x1"])("%s is not a valid id", async (id) => {
    const { ask } = await memorySite();
    const answer = await ask("GET", `api:pages/${id}/`, { as: "staff" });
    expect([answer.status, answer.body]).toEqual([404, { detail: "Not found." }]);
  });

  it("every endpoint answers with and without its final slash", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "T" });
    const rows: [string, string, unknown?][] = [
      ["GET", "pages"],
      ["GET", `pages/${id}`],
      ["GET", `pages/${id}/preview`],
      ["PATCH", `pages/${id}`, {}],
      ["PUT", `pages/${id}`, {}],
      ["PATCH", `pages/${id}/draft`, { title: "D" }],
      ["PUT", `pages/${id}/draft`, { title: "D" }],
      ["POST", `pages/${id}/discard-draft`],
      ["POST", `pages/${id}/publish`],
      ["POST", `pages/${id}/schedule`, { publish_at: "2026-04-01T00:00:00Z" }],
      ["POST", `pages/${id}/trash`],
      ["POST", `pages/${id}/restore`],
    ];
    for (const [method, path, body] of rows) {
      for (const form of [path, `${path}/`]) {
        const answer = await site.ask(method, `api:${form}`, { as: "staff", body });
        expect([form, answer.status]).toEqual([form, 200]);
      }
    }
  });

  it("a list has every page by ordering, trashed ones too", async () => {
    const site = await memorySite();
    const last = await site.page({ title: "Last", ordering: 9 });
    const first = await site.page({ title: "First", ordering: 1 }, ["en"]);
    const trashed = await site.page({ title: "Trashed", ordering: 5 });
    await site.api("POST", `pages/${trashed.id}/trash/`);
    const list = await site.api("GET", "pages/");
    expect(list.map(({ id, status }: { id: number; status: string }) => [id, status])).toEqual([
      [first.id, "PUB"],
      [trashed.id, "TRS"],
      [last.id, "DRF"],
    ]);
    for (const page of list) expect(Object.keys(page).sort()).toEqual(PAYLOAD_KEYS);
  });

  it("flat values fall back to the default language, timestamps and status never", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "About", description: "", keywords_it: "k", template_data: { a: 1 } }, [
      "en",
    ]);
    const it = await site.api("GET", `pages/${id}/?language=it`);
    expect(it).toMatchObject({
      title: "About",
      keywords: "k",
      template_data: { a: 1 },
      description: "",
      published_at: null,
      pubblication_date: null,
      status: "DRF",
      is_public: false,
    });
    expect(it.translations.it).toMatchObject({ title: null, template_data: {}, description: null, published_at: null });
    expect(it.alternates).toEqual({ en: "/about/" });
  });

  it("canonical and og_url do not fall back to another language, other values do", async () => {
    const site = await memorySite();
    const { id } = await site.page({
      title_en: "About",
      og_title_en: "All about",
      canonical_en: "https://example.org/about/",
      og_url_en: "https://example.org/about/",
    });
    const inItalian = await site.api("GET", `pages/${id}/?language=it`);
    expect(inItalian).toMatchObject({ og_title: "All about", canonical: null, og_url: null });
    await site.api("PATCH", `pages/${id}/`, { published_at_it: "2026-01-01T00:00:00Z" });
    expect((await site.ask("GET", `api:pages-router${inItalian.routerlink}`)).body).toMatchObject({
      og_title: "All about",
      canonical: null,
      og_url: null,
    });
    expect(await site.api("GET", `pages/${id}/?language=en`)).toMatchObject({
      canonical: "https://example.org/about/",
      og_url: "https://example.org/about/",
    });
  });

  it("an explicit empty text does not fall back", async () => {
    const site = await memorySite();
    const { id } = await site.page({ description_en: "d", description_it: "" });
    expect(await site.api("GET", `pages/${id}/?language=it`)).toMatchObject({ description: "" });
  });

  it("shows all existing ancestors to an editor, whatever their status", async () => {
    const site = await memorySite();
    const top = await site.page({ title: "Top" });
    const middle = await site.page({ title: "Middle", parent_page: top.id });
    const page = await site.page({ title: "Page", parent_page: middle.id });
    expect(page.breadcrumbs.map(({ title }: { title: string }) => title)).toEqual(["Top", "Middle", "Page"]);
    expect(page.parent_page.parent_page).toMatchObject({ id: top.id, parent_page: null });
  });

  it.each([
    [1, 1],
    [3, 3],
    [10, 10],
  ])("NESTING_DEPTH %i nests %i objects, then the bare id", async (NESTING_DEPTH, levels) => {
    const site = await memorySite({}, { API: { NESTING_DEPTH } });
    let page = await site.page({ title: "p" });
    for (let level = 0; level < 11; level++) page = await site.page({ title: "p", parent_page: page.id });
    let depth = 0;
    let next = page.parent_page;
    for (; typeof next === "object" && next !== null; next = next.parent_page) depth++;
    expect(depth).toBe(levels);
    expect(next).toEqual(expect.any(Number));
  });
});

describe("the active language", () => {
  const it_IT = { "accept-language": "it-IT,it;q=0.9" };
  const cookie = { cookie: "a=b; django_language=it" };
  // oxfmt-ignore
  it.each<[string, string, AskOptions["headers"], string]>([
    // case                                 query                            headers                                     language
    ["nothing said",                        "",                              {},                                         "en"],
    ["?language=",                          "?language=it",                  {},                                         "it"],
    ["?language_code=",                     "?language_code=it",             {},                                         "it"],
    ["?language= before ?language_code=",   "?language_code=en&language=it", {},                                         "it"],
    ["?language_code= before the cookie",   "?language_code=en",             cookie,                                     "en"],
    ["a cookie",                            "",                              cookie,                                     "it"],
    ["a cookie before the header",          "",                              { ...it_IT, cookie: "django_language=en" }, "en"],
    ["a header",                            "",                              it_IT,                                      "it"],
    ["the header's first choice",           "",                              { "accept-language": "en;q=0.1,it;q=0.2" }, "it"],
    ["?lang= means nothing",                "?lang=it",                      {},                                         "en"],
    ["any case",                            "?language=IT",                  {},                                         "it"],
    ["nofallbacks-",                        "?language=nofallbacks-it",      {},                                         "it"],
    ["an empty one",                        "?language=",                    {},                                         "en"],
    ["an unknown one",                      "?language=fr",                  {},                                         "en"],
    ["an unknown one before a known",       "?language=fr&language_code=it", {},                                         "it"],
  ])("%s", async (_case, query, headers, language) => {
    const site = await memorySite();
    const { id } = await site.page({ title_en: "About", title_it: "Chi siamo" });
    const { body, headers: answered } = await site.ask("GET", `api:pages/${id}/${query}`, { as: "staff", headers });
    expect(body).toMatchObject({ language, title: language === "it" ? "Chi siamo" : "About" });
    expect(answered.get("content-language")).toBe(language);
  });

  it("selects the language of flat values", async () => {
    const site = await memorySite();
    const page = await site.api("POST", "pages/?language=it", { title: "Chi siamo" });
    expect([page.translations.en.title, page.translations.it.title]).toEqual([null, "Chi siamo"]);
    const changed = await site.api("PATCH", `pages/${page.id}/?language=fr`, { title: "About" });
    expect([changed.translations.en.title, changed.translations.it.title]).toEqual(["About", "Chi siamo"]);
    expect(Object.keys(changed.translations)).toEqual(["en", "it"]);
  });
});

describe("changing", () => {
  const stored = {
    title: "T",
    title_it: "I",
    ordering: 4,
    keywords: "k",
    meta: { a: { b: 1 }, l: [1, 2] },
    template_data: { x: { y: 1 } },
    template_data_it: { z: 1 },
  };
  // oxfmt-ignore
  it.each<[string, object, object]>([
    ["PATCH", { meta: { a: { c: 2 } } },              { meta: { a: { b: 1, c: 2 }, l: [1, 2] } }],
    ["PUT",   { meta: { a: { c: 2 } } },              { meta: { a: { c: 2 } } }],
    ["PATCH", { meta: { l: [3] } },                   { meta: { a: { b: 1 }, l: [3] } }],
    ["PATCH", { template_data_en: { x: { w: 2 } } },  { template_data: { x: { y: 1, w: 2 } } }],
    ["PUT",   { template_data_en: { x: { w: 2 } } },  { template_data: { x: { w: 2 } } }],
    ["PATCH", { template_data_en: [1] },              { template_data: [1] }],
    ["PUT",   { title: "N" },                         { title: "N", ordering: 4, keywords: "k", meta: { a: { b: 1 }, l: [1, 2] } }],
    ["PATCH", { title: null },                        { title: null, ordering: 4 }],
    ["PUT",   { template_data: null },                { template_data: {} }],
    ["PATCH", { template: "defaults/pages/default.html" }, { template: "defaults/pages/default.html" }],
    ["PATCH", { og_image: "" },                       { og_image: null }],
  ])("%s %j", async (method, body, expected) => {
    const site = await memorySite();
    const { id } = await site.page(stored);
    const page = await site.api(method, `pages/${id}/`, body);
    expect(page).toMatchObject(expected);
    expect(page.translations.it).toMatchObject({ title: "I", template_data: { z: 1 } });
    expect(await site.api("GET", `pages/${id}/`)).toEqual(page);
  });

  it("moves date_updated_at, and only when something changed", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "T" });
    site.clock.tick(60_000);
    const head = (await site.repo.state()).head;
    expect(await site.api("PATCH", `pages/${id}/`, { title: "T" })).toMatchObject({ date_updated_at: SHOWN_START });
    expect((await site.repo.state()).head).toBe(head);
    expect(await site.api("PATCH", `pages/${id}/`, { title: "U" })).toMatchObject({
      date_created: SHOWN_START,
      date_updated_at: "2026-03-01T12:01:00Z",
    });
  });

  it("the default template, written out, stores nothing", async () => {
    const site = await memorySite();
    await site.page({ title: "T", template: "defaults/pages/default.html" });
    expect(site.repo.text("content/pages/t.yaml")).not.toContain("template");
  });

  it("does not change a pending draft", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "T" });
    await site.api("PATCH", `pages/${id}/draft/`, { title: "D" });
    expect(await site.api("PATCH", `pages/${id}/`, { title: "U" })).toMatchObject({
      title: "U",
      draft_data: { title: "D" },
    });
  });

  it("a page cannot be below itself, at any depth", async () => {
    const site = await memorySite();
    const a = await site.page({ title: "A" });
    const b = await site.page({ title: "B", parent_page: a.id });
    const c = await site.page({ title: "C", parent_page: b.id });
    for (const parent of [a, b, c]) {
      const answer = await site.ask("PATCH", `api:pages/${a.id}/`, { as: "staff", body: { parent_page: parent.id } });
      expect([answer.status, answer.body]).toEqual([400, { parent_page: ["A page cannot be below itself."] }]);
    }
  });

  it("a circle in files blocks no write, and a write can break it", async () => {
    const site = await memorySite({
      "content/pages/a.yaml": "id: 8\nparent_page: 9\ntranslations: { en: { title: A } }\n",
      "content/pages/b.yaml": "id: 9\nparent_page: 8\ntranslations: { en: { title: B } }\n",
    });
    expect(await site.api("PATCH", "pages/8/", { title: "Z" })).toMatchObject({ permalink: "/z" });
    expect((await site.api("GET", "pages/9/")).breadcrumbs.length).toBe(2);
    expect(await site.api("PATCH", "pages/8/", { parent_page: null })).toMatchObject({ parent_page: null });
    expect(await site.api("PATCH", "pages/9/", { title: "Y" })).toMatchObject({ permalink: "/z/y" });
  });

  it("children follow their parent's permalink, manual ones stay", async () => {
    const site = await memorySite();
    const a = await site.page({ title: "A", title_it: "Alfa" }, ["en"]);
    const b = await site.page({ title: "B", parent_page: a.id }, ["en"]);
    const c = await site.page({ title: "C", parent_page: b.id }, ["en"]);
    const manual = await site.page({ title: "M", parent_page: a.id, autopermalink: false, permalink: "/mine" }, ["en"]);
    await site.api("PATCH", `pages/${a.id}/`, { title: "Z" });
    const permalink = async ({ id }: { id: number }) => (await site.api("GET", `pages/${id}/`)).permalink;
    expect([await permalink(b), await permalink(c), await permalink(manual)]).toEqual(["/z/b", "/z/b/c", "/mine"]);
    expect((await site.ask("GET", "api:pages-router/a/b/c/")).body).toEqual({ redirect: "/z/b/c/", status: 301 });
    expect((await site.api("GET", `pages/${c.id}/?language=it`)).permalink).toBe("/alfa/b/c");
  });

  it("a page that takes a former permalink removes its redirect", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "Old" }, ["en"]);
    await site.api("PATCH", `pages/${id}/`, { title: "New" });
    expect((await site.ask("GET", "api:pages-router/old/")).body).toEqual({ redirect: "/new/", status: 301 });
    const other = await site.page({ title: "Old" }, ["en"]);
    expect((await site.ask("GET", "api:pages-router/old/")).body).toMatchObject({ id: other.id });
    await site.api("DELETE", `pages/${other.id}/`);
    expect((await site.ask("GET", "api:pages-router/old/")).status).toBe(404);
  });
});

describe("versions", () => {
  async function versioned(): Promise<{ site: MemorySite; path: string; first: string; second: string }> {
    const site = await memorySite();
    const { id } = await site.page({ title: "T" });
    const path = `api:pages/${id}/`;
    const first = (await site.ask("GET", path, { as: "staff" })).headers.get("etag")!;
    const second = (await site.ask("PATCH", path, { as: "staff", body: { title: "U" } })).headers.get("etag")!;
    return { site, path, first, second };
  }

  it("are strong ETags, and change with the stored record", async () => {
    const { site, path, first, second } = await versioned();
    expect([first, second]).toEqual([expect.stringMatching(/^"[0-9a-f]+"$/), expect.stringMatching(/^"[0-9a-f]+"$/)]);
    expect(first).not.toBe(second);
    expect((await site.ask("GET", `${path}?language=it`, { as: "staff" })).headers.get("etag")).toBe(second);
  });

  // oxfmt-ignore
  it.each([
    ["the one there is", "SECOND",        304],
    ["a former one",     "FIRST",         200],
    ["a list with it",   "FIRST, SECOND", 304],
    ["a weakened one",   "W/SECOND",      304],
    ["nonsense",         "x",             200],
  ])("If-None-Match with %s", async (_case, header, status) => {
    const { site, path, first, second } = await versioned();
    const answer = await site.ask("GET", path, { as: "staff", headers: { "if-none-match": header.replace("FIRST", first).replace("SECOND", second) } });
    expect(answer.status).toBe(status);
    if (status === 304) expect([answer.text, answer.headers.get("etag")]).toEqual(["", second]);
  });

  // oxfmt-ignore
  it.each([
    ["PATCH",  "",                { title: "V" },                          200],
    ["PUT",    "",                { title: "V" },                          200],
    ["PATCH",  "draft/",          { title: "V" },                          200],
    ["PUT",    "draft/",          { title: "V" },                          200],
    ["POST",   "discard-draft/",  undefined,                               200],
    ["POST",   "publish/",        undefined,                               200],
    ["POST",   "schedule/",       { publish_at: "2026-04-01T00:00:00Z" },  200],
    ["POST",   "trash/",          undefined,                               200],
    ["POST",   "restore/",        undefined,                               200],
    ["DELETE", "",                undefined,                               204],
  ])("%s %s with If-Match of a former version is 412 and changes nothing", async (method, action, body, status) => {
    const { site, path, first, second } = await versioned();
    const head = (await site.repo.state()).head;
    const stale = await site.ask(method, path + action, { as: "staff", body, headers: { "if-match": first } });
    expect([stale.status, stale.body]).toEqual([412, { detail: expect.any(String), current: expect.any(String) }]);
    expect(stale.body.current.replaceAll('"', "")).toBe(second.replaceAll('"', ""));
    expect((await site.repo.state()).head).toBe(head);
    const good = await site.ask(method, path + action, { as: "staff", body, headers: { "if-match": `"other", ${second}` } });
    expect(good.status).toBe(status);
  });

  it("If-Match: * is any version", async () => {
    const { site, path } = await versioned();
    expect(
      (await site.ask("PATCH", path, { as: "staff", body: { title: "V" }, headers: { "if-match": "*" } })).status,
    ).toBe(200);
  });
});

describe("deleting", () => {
  it("removes the page, its descendants and drafts in one commit", async () => {
    const site = await memorySite();
    const stays = await site.page({ title: "Stays" });
    const a = await site.page({ title: "A" }, ["en"]);
    const b = await site.page({ title: "B", parent_page: a.id });
    const c = await site.page({ title: "C", parent_page: b.id });
    await site.api("PATCH", `pages/${c.id}/draft/`, { title: "D" });
    const before = (await site.repo.state()).head!;
    const answer = await site.ask("DELETE", `api:pages/${a.id}/`, { as: "staff" });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await site.api("GET", "pages/")).map(({ id }: { id: number }) => id)).toEqual([stays.id]);
    expect([...(await site.repo.files(["content/pages"])).keys()]).toEqual(["content/pages/stays.yaml"]);
    let commits = 0;
    for await (const _commit of site.repo.log((await site.repo.state()).head!, before, [""])) commits++;
    expect(commits).toBe(1);
    for (const { id } of [a, b, c])
      expect((await site.ask("GET", `api:pages/${id}/`, { as: "staff" })).status).toBe(404);
    expect((await site.ask("DELETE", `api:pages/${a.id}/`, { as: "staff" })).status).toBe(404);
  });

  it("removes former permalinks too", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "Old" }, ["en"]);
    await site.api("PATCH", `pages/${id}/`, { title: "New" });
    await site.api("DELETE", `pages/${id}/`);
    for (const path of ["old/", "new/"]) expect((await site.ask("GET", `api:pages-router/${path}`)).status).toBe(404);
  });

  it("several at once, ignoring unknown ids", async () => {
    const site = await memorySite();
    const a = await site.page({ title: "A" });
    const b = await site.page({ title: "B" });
    const answer = await site.ask("POST", "api:pages/bulk_delete/", { as: "staff", body: [a.id, String(b.id), 999] });
    expect([answer.status, answer.body]).toEqual([200, { detail: "Eliminazione multipla andata a buon fine" }]);
    expect(await site.api("GET", "pages/")).toEqual([]);
  });

  it.each([[["a"]], [{ ids: [6] }], [[{}]], ["null"]])(
    "many at once: %j is refused, and nothing goes",
    async (body) => {
      const site = await memorySite();
      await site.page({ title: "A" });
      const answer = await site.ask("POST", "api:pages/bulk_delete/", {
        as: "staff",
        body,
        headers: { "content-type": "application/json" },
      });
      expect(answer.status).toBe(400);
      expect(await site.api("GET", "pages/")).toHaveLength(1);
    },
  );
});

describe("ordering", () => {
  async function ordered(...ranks: number[]): Promise<{ site: MemorySite; ids: number[]; order(): Promise<number[]> }> {
    const site = await memorySite();
    const ids: number[] = [];
    for (const ordering of ranks) ids.push((await site.page({ ordering })).id);
    const order = async () => (await site.api("GET", "pages/")).map((page: { id: number }) => ids.indexOf(page.id));
    return { site, ids, order };
  }

  // oxfmt-ignore
  it.each([
    // from  to  order            moved
    [4,      0,  [4, 0, 1, 2, 3], [[0, 2], [1, 3], [2, 4], [3, 5], [4, 1]]],
    [0,      2,  [1, 2, 0, 3, 4], [[1, 1], [2, 2], [0, 3]]],
    [1,      2,  [0, 2, 1, 3, 4], [[2, 2], [1, 3]]],
  ])("moves page %i to the rank of %i", async (from, to, expected, moved) => {
    const { site, ids, order } = await ordered(1, 2, 3, 4, 5);
    const answer = await site.api("POST", "pages/update_order/", { startId: ids[from], endId: String(ids[to]) });
    expect(await order()).toEqual(expected);
    expect(answer).toEqual({ moved: moved.map(([at, rank]) => ({ pk: ids[at!], order: rank })), reordered: false });
  });

  it("pages with equal ranks get different ones, and only necessary pages are written", async () => {
    const { site, ids, order } = await ordered(1, 1, 3, 3, 5, 6);
    const before = await order();
    const changed = (from: number, to: number) =>
      site.api("POST", "pages/update_order/", { startId: ids[from], endId: ids[to] });
    expect(await changed(4, 5)).toEqual({
      moved: [
        { pk: ids[5], order: 5 },
        { pk: ids[4], order: 6 },
      ],
      reordered: false,
    });
    const swapped = [...before.slice(0, 4), 5, 4];
    expect(await order()).toEqual(swapped);
  });

  it("pages with equal ranks can be swapped", async () => {
    const { site, ids, order } = await ordered(3, 3);
    const before = await order();
    const answer = await site.api("POST", "pages/update_order/", { startId: ids[before[1]!], endId: ids[before[0]!] });
    expect(answer.reordered).toBe(true);
    expect(await order()).toEqual([...before].reverse());
  });

  it.each([
    [{}],
    [{ startId: 1 }],
    [{ startId: "x", endId: 1 }],
    [{ startId: 998, endId: 999 }],
    [{ startId: null, endId: null }],
  ])("%j is refused", async (body) => {
    const { site, order } = await ordered(1, 2);
    const answer = await site.ask("POST", "api:pages/update_order/", { as: "staff", body });
    expect([400, 404]).toContain(answer.status);
    expect(await order()).toEqual([0, 1]);
  });
});
