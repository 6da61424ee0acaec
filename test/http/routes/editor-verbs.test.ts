/** What an editor takes back or is asked before: schedules, revisions of one language, incomplete drafts, redirects over pages. */
import { describe, expect, it } from "vitest";
import { allProblems } from "../../../src/store/check/check.ts";
import { memorySite } from "../../site.ts";

const FUTURE = "2026-04-01T08:00:00Z";

describe("a schedule is cancelled by null", () => {
  it("of a language that was never public: it is a draft again", async () => {
    const { api, page, clock, ask } = await memorySite();
    const { id, routerlink } = await page({ title: "About" });
    await api("PATCH", `pages/${id}/draft/`, { description: "New" });
    await api("POST", `pages/${id}/schedule/`, { publish_at: FUTURE, with_draft: true });
    const cancelled = await api("POST", `pages/${id}/schedule/`, { publish_at: null });
    expect(cancelled).toMatchObject({ status: "DRF", has_draft: true, draft_scheduled_for: null });
    expect(cancelled.draft_data).toEqual({ description: "New" });
    clock.set("2026-05-01T00:00:00Z");
    expect((await ask("GET", `api:pages-router${routerlink}`)).status).toBe(404);
  });

  it("of a public language: the draft stays pending", async () => {
    const { api, page, clock } = await memorySite();
    const { id } = await page({ title: "About" }, ["en"]);
    await api("PATCH", `pages/${id}/draft/`, { title: "New" });
    await api("POST", `pages/${id}/schedule/`, { publish_at: FUTURE });
    const { date_updated_at: before } = await api("GET", `pages/${id}/`);
    const cancelled = await api("POST", `pages/${id}/schedule/`, { publish_at: null });
    expect(cancelled).toMatchObject({
      status: "PUB",
      title: "About",
      draft_scheduled_for: null,
      date_updated_at: before,
    });
    clock.set("2026-05-01T00:00:00Z");
    expect(await api("POST", "pages-router/publish-due")).toMatchObject({ published: 0 });
  });

  it("where nothing is scheduled nothing is written; without a moment it is 400", async () => {
    const { api, ask, page, repo } = await memorySite();
    const { id } = await page({ title: "About" }, ["en"]);
    const { head } = await repo.state();
    await api("POST", `pages/${id}/schedule/`, { publish_at: null });
    expect((await repo.state()).head).toBe(head);
    for (const body of [{}, { publish_at: "" }, { publish_at: "soon" }])
      expect((await ask("POST", `api:pages/${id}/schedule/`, { as: "staff", body })).status).toBe(400);
  });
});

describe("a revert of languages", () => {
  it("leaves the other languages and what all share; they stay as public as they are", async () => {
    const { api, page, clock } = await memorySite();
    const { id } = await page({ title: "Boats", og_title: "Old", robots: "noindex" });
    const [first] = await api("GET", `pages/${id}/revisions/`);
    clock.tick(60_000);
    await api("PATCH", `pages/${id}/`, { og_title: "New", robots: "", translations: { it: { title: "Barche" } } });
    await api("POST", `pages/${id}/publish/`);
    await api("POST", `pages/${id}/publish/?language=it`);
    const reverted = await api("POST", `pages/${id}/revert/${first.id}/`, { languages: ["en"] });
    expect(reverted).toMatchObject({ status: "PUB", og_title: "Old", robots: "" });
    expect(await api("GET", `pages/${id}/?language=it`)).toMatchObject({ status: "PUB", title: "Barche" });
    expect(await api("POST", `pages/${id}/revert/${first.id}/`, { languages: ["it"] })).toMatchObject({
      status: "PUB",
    });
    expect(await api("GET", `pages/${id}/?language=it`)).toMatchObject({ status: "DRF" });
    expect(await api("POST", `pages/${id}/revert/${first.id}/`)).toMatchObject({ status: "DRF", robots: "noindex" });
  });

  it.each([[[]], ["en"], [["xx"]], [[1]]])("with %j is 400", async (languages) => {
    const { api, ask, page } = await memorySite();
    const { id } = await page({ title: "Boats" });
    const [first] = await api("GET", `pages/${id}/revisions/`);
    const answer = await ask("POST", `api:pages/${id}/revert/${first.id}/`, { as: "staff", body: { languages } });
    expect([answer.status, answer.body]).toEqual([400, { languages: [expect.any(String)] }]);
  });
});

describe("a draft without what is required", () => {
  const site = () =>
    memorySite({
      "content/page-models/event.yaml":
        "schema:\n  - { name: starts_at, kind: datetime, required: true }\n  - { name: seats, kind: integer }\n  - { name: talks, kind: list, children: [{ name: title, kind: string, required: true }] }\n",
    });
  const missing = {
    template_data_en: { starts_at: ["This field is required."], talks: { 0: { title: expect.anything() } } },
  };

  it("is saved, and refused with its places by publish, schedule, release and sweep", async () => {
    const { api, ask, clock } = await site();
    const { id } = await api("POST", "pages/", { model: "event", title: "Night" });
    const as = "staff";
    await api("PATCH", `pages/${id}/draft/`, { template_data: { seats: 3, talks: [{}] } });
    const type = await ask("PATCH", `api:pages/${id}/draft/`, { as, body: { template_data: { seats: "many" } } });
    expect([type.status, type.body]).toEqual([400, { template_data_en: { seats: [expect.any(String)] } }]);
    expect(await ask("POST", `api:pages/${id}/publish/`, { as })).toMatchObject({ status: 400, body: missing });
    const schedule = { publish_at: FUTURE, with_draft: true };
    expect(await ask("POST", `api:pages/${id}/schedule/`, { as, body: schedule })).toMatchObject({
      status: 400,
      body: missing,
    });
    const items = [{ page: id, language: "en", action: "publish" }];
    await api("POST", "releases/", { name: "spring", publish_at: null, items });
    expect((await ask("POST", "api:releases/spring/publish/", { as: "superuser" })).status).toBe(400);
    expect(await api("GET", `pages/${id}/`)).toMatchObject({ status: "DRF", has_draft: true });

    const starts_at = "2026-06-01T18:00:00Z";
    await api("PATCH", `pages/${id}/draft/`, { template_data: { starts_at, seats: 3 } });
    await api("POST", `pages/${id}/schedule/`, schedule);
    await api("PATCH", `pages/${id}/draft/`, { template_data: { seats: 4 } });
    clock.set("2026-05-01T00:00:00Z");
    expect(await api("POST", "pages-router/publish-due")).toMatchObject({ published: 0 });
    expect(await api("GET", `pages/${id}/`)).toMatchObject({ has_draft: true });
  });

  it("data that was never sent is judged when its language becomes public", async () => {
    const { api, ask } = await site();
    const { id } = await api("POST", "pages/", { model: "event", title: "Night" });
    const answer = await ask("POST", `api:pages/${id}/publish/`, { as: "staff" });
    expect([answer.status, answer.body]).toEqual([
      400,
      { template_data_en: { starts_at: ["This field is required."] } },
    ]);
    const body = { publish_at: FUTURE };
    expect((await ask("POST", `api:pages/${id}/schedule/`, { as: "staff", body })).status).toBe(400);
  });
});

describe("a redirect from the address of a page", () => {
  it("that is public or planned is refused with the page, in its language", async () => {
    const { ask, page, api } = await memorySite();
    const { id } = await page({ title: "About", translations: { it: { title: "Chi siamo" } } }, ["en"]);
    const add = (body: object) => ask("POST", "api:redirects/", { as: "superuser", body });
    const answer = await add({ from: "/about", to: "/contact" });
    expect([answer.status, answer.body]).toEqual([400, { from: [expect.stringContaining(`"About" (${id})`)] }]);
    expect((await add({ from: "/about/?a=b", to: "/contact" })).status).toBe(400);
    await api("POST", `pages/${id}/schedule/?language=it`, { publish_at: FUTURE });
    expect((await add({ from: "/it/chi-siamo", to: "/contact" })).status).toBe(400);
    expect((await add({ from: "/chi-siamo", to: "/contact" })).status).toBe(201);
    await api("PATCH", `pages/${id}/`, { published_at: null });
    expect((await add({ from: "/about", to: "/contact" })).status).toBe(201);
  });

  it("is named by cms check", async () => {
    const { cms } = await memorySite({
      "content/redirects.yaml": "- { from: /old, to: /about }\n- { from: /about, to: /contact }\n",
      "content/pages/about.yaml":
        "id: 12\ndate_created: 2026-01-02T00:00:00.000Z\ntranslations:\n  en: { title: About, permalink: /about, published_at: 2026-01-02T00:00:00.000Z }\n",
    });
    const found = await allProblems(cms.store, cms.locales);
    expect(found.filter(({ path }) => path === "content/redirects.yaml")).toEqual([
      expect.objectContaining({
        line: 2,
        message: expect.stringContaining('/about is the address of "About" (page 12)'),
      }),
    ]);
  });
});
