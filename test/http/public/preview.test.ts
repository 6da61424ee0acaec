/** The preview page router and the preview action: unpublished content with the draft applied. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memorySite, type Answer, type MemorySite } from "../../site.ts";

interface Previewed extends MemorySite {
  readonly id: number;
  router(path: string): Promise<Answer>;
  // oxlint-disable-next-line typescript/no-explicit-any
  action(lang?: string): Promise<any>;
}

/** A page at /about and /it/chi-siamo in a given state, with a draft of its English text. */
async function previewed(state: object = {}, draft: object | null = { title: "New" }): Promise<Previewed> {
  const site = await memorySite();
  const { id } = await site.page({
    title_en: "About",
    title_it: "Chi siamo",
    autopermalink_en: false,
    permalink_en: "/about",
    meta: { a: 1, b: 1 },
    ...state,
  });
  if (draft) await site.api("PATCH", `pages/${id}/draft/`, draft);
  return {
    ...site,
    id,
    router: (path) => site.ask("GET", `api:pages-router-preview/${path}`, { as: "reader" }),
    action: (lang = "en") => site.api("GET", `pages/${id}/preview/?language=${lang}`),
  };
}

describe("preview router and preview action", () => {
  // oxfmt-ignore
  it.each<[string, object, object]>([
    ["no draft",                         {},                                                       { title: "About", meta: { a: 1, b: 1 } }],
    ["a flat text",                      { title: "New" },                                         { title: "New" }],
    ["a text by suffix",                 { title_en: "New" },                                      { title: "New" }],
    ["a text under translations",        { translations: { en: { title: "New" } } },               { title: "New" }],
    ["JSON, merged as publishing would", { meta: { b: 2 } },                                       { meta: { a: 1, b: 2 } }],
    ["a global field",                   { ordering: 42 },                                         { ordering: 42 }],
    ["another language's text",          { title: "About", translations: { it: { title: "Noi" } } }, { title: "About" }],
    ["a manual permalink",               { permalink: "/new" },                                    { permalink: "/new", routerlink: "/new/", slug: "new" }],
    ["the state stays",                  { published_at: "2026-01-01T00:00:00Z" },                 { status: "DRF", is_public: false, published_at: null }],
  ])("%s", async (_case, draft, expected) => {
    const { router, action, repo } = await previewed({}, Object.keys(draft).length > 0 ? draft : null);
    const head = (await repo.state()).head;
    const marks = { has_draft: Object.keys(draft).length > 0, draft_data: draft, has_scheduled_draft: false, draft_scheduled_for: null };
    expect((await router("about/")).body).toMatchObject({ ...expected, ...marks });
    expect(await action()).toMatchObject({ ...expected, ...marks });
    expect((await repo.state()).head).toBe(head);
  });

  it("a draft is shown in its own language only", async () => {
    const { router, action } = await previewed({}, { title_en: "New" });
    expect((await router("it/chi-siamo/")).body).toMatchObject({
      title: "Chi siamo",
      has_draft: false,
      draft_data: {},
    });
    expect((await action("it")).translations.en.title).toBe("About");
  });

  it("a scheduled draft is shown with its schedule", async () => {
    const { router, api, id, action } = await previewed({ published_at_en: "2026-01-01T00:00:00Z" });
    await api("POST", `pages/${id}/schedule/`, { publish_at: "2026-04-01T00:00:00Z" });
    for (const body of [(await router("about/")).body, await action()]) {
      expect(body).toMatchObject({
        title: "New",
        status: "PUB",
        has_scheduled_draft: true,
        draft_scheduled_for: "2026-04-01T00:00:00Z",
      });
    }
  });
});

describe("the preview router", () => {
  // oxfmt-ignore
  it.each<[string, object, string]>([
    ["draft",     {},                                            "DRF"],
    ["planned",   { published_at_en: "2026-04-01T00:00:00Z" },   "PLA"],
    ["published", { published_at_en: "2026-01-01T00:00:00Z" },   "PUB"],
  ])("serves a page that is %s", async (_state, state, status) => {
    const { router } = await previewed(state);
    const answer = await router("about/");
    expect([answer.status, answer.body.status, answer.headers.get("cache-control")]).toEqual([200, status, "no-store, private"]);
  });

  it("serves a trashed page", async () => {
    const { router, api, id } = await previewed();
    await api("POST", `pages/${id}/trash/`);
    expect((await router("about/")).body).toMatchObject({ status: "TRS", title: "New" });
  });

  // oxfmt-ignore
  it.each([
    ["about",          { redirect: "/about/", status: 301 }],
    ["en/about/",      { redirect: "/about/", status: 301 }],
    ["IT/chi-siamo/",  { redirect: "/it/chi-siamo/", status: 301 }],
    ["it/chi-siamo",   { redirect: "/it/chi-siamo/", status: 301 }],
    ["it/about/",      { detail: "Not found." }],
    ["fr/about/",      { detail: "Not found." }],
    ["",               { detail: "Not found." }],
  ])("%s: canonical redirects and languages as on the public router", async (path, body) => {
    const { router } = await previewed();
    const answer = await router(path);
    expect(answer.body).toEqual(body);
    expect(answer.headers.get("cache-control")).toBe("no-store, private");
  });

  it("is 404 for former permalinks", async () => {
    const { router, api, id } = await previewed({ published_at_en: "2026-01-01T00:00:00Z" });
    await api("PATCH", `pages/${id}/`, { permalink: "/info" });
    expect((await router("about/")).status).toBe(404);
  });

  it("has the public payload and the draft's status, no translations", async () => {
    const { router, ask } = await previewed({ published_at_en: "2026-01-01T00:00:00Z" });
    const shown = (await ask("GET", "api:pages-router/about/")).body;
    const { body } = await router("about/");
    expect(Object.keys(body).sort()).toEqual(
      [...Object.keys(shown), "has_draft", "has_scheduled_draft", "draft_scheduled_for", "draft_data"].sort(),
    );
    expect(Object.keys((await router("about/?included_translations=all")).body.translations)).toEqual(["en", "it"]);
  });

  it("shows hidden ancestors", async () => {
    const { router, page, id } = await previewed();
    await page({ title: "Team", parent_page: id });
    expect((await router("about/team/")).body).toMatchObject({
      parent_page: { id },
      breadcrumbs: [{ title: "About" }, { title: "Team" }],
    });
  });

  it("is for all accounts, and for them only", async () => {
    const { ask } = await previewed();
    for (const [as, status] of [
      [null, 401],
      ["reader", 200],
      ["staff", 200],
      ["superuser", 200],
    ] as const) {
      const answer = await ask("GET", "api:pages-router-preview/about/", { as });
      expect([as, answer.status, answer.headers.get("cache-control")]).toEqual([as, status, "no-store, private"]);
    }
    expect((await ask("GET", "api:pages-router-preview/never/")).status).toBe(401);
  });
});

describe("pages/{id}/preview/", () => {
  it("always has translations, the draft merged in", async () => {
    const { action } = await previewed({}, { title: "New", translations: { it: { title: "Noi" } } });
    const { translations } = await action();
    expect([translations.en.title, translations.it.title]).toEqual(["New", "Noi"]);
    expect(translations.it.permalink).toBe("/chi-siamo"); // only publishing changes it
  });

  it("equals the page when there is no draft", async () => {
    const { action, api, id } = await previewed({}, null);
    expect(await action()).toEqual(await api("GET", `pages/${id}/`));
  });
});

describe("pages/{id}/render/", () => {
  // oxfmt-ignore
  it.each<[string, object | null, string]>([
    ["live values beside the draft", { title: "New" }, "About|New|DRF"],
    ["no draft: no draft_data", null,             "About|none|DRF"],
    ["an empty one: none too",  {},               "About|none|DRF"],
  ])("%s", async (_case, draft, text) => {
    const { cms, ask, id } = await previewed({}, draft);
    await mkdir(join(cms.root, "templates/defaults/pages"), { recursive: true });
    await writeFile(join(cms.root, "templates/defaults/pages/default.html"), "{{ page.title }}|{{ draft_data.title if draft_data else 'none' }}|{{ page.status }}");
    const answer = await ask("GET", `api:pages/${id}/render/`, { as: "staff" });
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control"), answer.text]).toEqual([200, "text/html; charset=utf-8", "no-store, private", text]);
  });
});

describe("preview and render of values that are not saved", () => {
  it("shows the draft and the values as published, and stores nothing", async () => {
    const site = await previewed({}, { description: "Drafted" });
    const head = (await site.repo.state()).head;
    const typed = { title: "Typed", template_data: { lead: "Also typed" } };
    expect(await site.api("POST", `pages/${site.id}/preview/`, typed)).toMatchObject({
      ...typed,
      description: "Drafted",
      status: "DRF",
      has_draft: false,
    });
    await mkdir(join(site.cms.root, "templates/defaults/pages"), { recursive: true });
    await writeFile(
      join(site.cms.root, "templates/defaults/pages/default.html"),
      "{{ page.title }}|{{ page.description }}|{{ 'draft' if draft_data else 'none' }}",
    );
    const { status, text } = await site.ask("POST", `api:pages/${site.id}/render/`, { as: "staff", body: typed });
    expect([status, text]).toEqual([200, "Typed|Drafted|none"]);
    expect((await site.repo.state()).head).toBe(head);
  });

  it("refuses what saving would refuse", async () => {
    const site = await previewed();
    for (const verb of ["preview", "render"]) {
      const answer = await site.ask("POST", `api:pages/${site.id}/${verb}/`, {
        as: "staff",
        body: { title: 12.5, ordering: "x" },
      });
      expect(answer).toMatchObject({ status: 400, body: { ordering: [expect.any(String)] } });
    }
  });
});
