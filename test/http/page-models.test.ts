/** Custom page models (interface.md, Resources; contract.md 13; decisions.md 42): typed `template_data`, links that follow. */
import { describe, expect, it } from "vitest";
import { memorySite } from "../site.ts";

const EVENT = `parent_page_field: programme
default_template: pages/event.html
schema:
  - { name: starts_at, kind: datetime, required: true }
  - { name: seats, kind: integer, minimum: 0 }
  - { name: more, kind: permalink }
  - { name: talks, kind: list, children: [{ name: title, kind: string, required: true }, { name: page, kind: ref, target_model: cms.Page }] }
`;

const site = () => memorySite({ "content/page-models/event.yaml": EVENT });
const starts_at = "2026-06-01T18:00:00Z";

describe("a page of a custom model", () => {
  it("is made by naming the model, and says so", async () => {
    const { api, repo } = await site();
    const programme = await api("POST", "pages/", { title: "Programme" });
    const event = await api("POST", "pages/", { model: "event", title: "Night", programme: programme.id, template_data: { starts_at, seats: "12" } });
    expect(event).toMatchObject({
      related_name: "pages_event",
      template: "pages/event.html",
      permalink: "/programme/night",
      programme: { id: programme.id },
      parent_page: { id: programme.id },
      template_data: { starts_at, seats: 12 },
    });
    expect(repo.text("content/pages/programme/night.yaml")).toContain("model: event");
    expect((await api("GET", "menus/page_types/")).map(({ model }: { model: string }) => model)).toContain("event");
  });

  it.each([
    [{}, { template_data_en: { starts_at: [expect.any(String)] } }],
    [{ starts_at: "soon" }, { template_data_en: { starts_at: [expect.any(String)] } }],
    [{ starts_at, seats: -1 }, { template_data_en: { seats: [expect.any(String)] } }],
    [{ starts_at, talks: [{ title: "A" }, {}] }, { template_data_en: { talks: expect.anything() } }],
    [{ starts_at, talks: [{ title: "A", page: 404404 }] }, { template_data_en: { talks: expect.anything() } }],
    [{ starts_at, more: { link_type: "RE", url_node: 404404 } }, { template_data_en: { more: expect.anything() } }],
    [{ starts_at, more: { link_type: "XX" } }, { template_data_en: { more: expect.anything() } }],
  ])("refuses template_data %j, on create, PATCH and in drafts", async (template_data, errors) => {
    const { api, ask, repo } = await site();
    const event = await api("POST", "pages/", { model: "event", title: "Night", template_data: { starts_at } });
    const { head } = await repo.state();
    const put = async (method: string, path: string, body: object) => {
      const answer = await ask(method, `api:${path}`, { body, as: "staff" });
      return [answer.status, answer.body];
    };
    expect(await put("POST", "pages/", { model: "event", template_data })).toEqual([400, errors]);
    if (Object.keys(template_data).length > 0) {
      expect(await put("PATCH", `pages/${event.id}/`, { template_data })).toEqual([400, errors]);
      expect(await put("PATCH", `pages/${event.id}/draft/`, { template_data })).toEqual([400, errors]);
    }
    expect((await repo.state()).head).toBe(head);
  });

  it("merges on PATCH, then validates; replaces on PUT", async () => {
    const { api } = await site();
    const event = await api("POST", "pages/", { model: "event", title: "Night", template_data: { starts_at, seats: 5, talks: [{ title: "A" }] } });
    const merged = await api("PATCH", `pages/${event.id}/`, { template_data: { seats: 6 } });
    expect(merged.template_data).toMatchObject({ starts_at, seats: 6, talks: [{ title: "A" }] });
    const replaced = await api("PUT", `pages/${event.id}/`, { template_data: { starts_at } });
    expect(replaced.template_data).toEqual({ starts_at });
  });

  it("has links that follow their pages, in the reader's language", async () => {
    const { api, ask, page } = await site();
    const about = await page({ title_en: "About", title_it: "Chi siamo" }, ["en", "it"]);
    const link = { link_type: "RE", url_node: about.id };
    const data = { starts_at, more: link };
    const event = await page({ model: "event", title_en: "Night", title_it: "Notte", template_data_en: data, template_data_it: data }, ["en", "it"]);
    const url = async (path: string) => (await ask("GET", `api:pages-router/${path}`)).body.template_data.more.url;
    expect([await url("night/"), await url("it/notte/")]).toEqual(["/about/", "/it/chi-siamo/"]);
    await api("PATCH", `pages/${about.id}/`, { title_en: "Info" });
    expect(await url("night/")).toBe("/info/");
    await api("DELETE", `pages/${about.id}/`);
    expect((await ask("GET", "api:pages-router/night/")).body.template_data.more).toEqual({ link_type: "RE", url_node: null, url: null });
    expect((await api("GET", `pages/${event.id}/`)).translations.it.template_data.more.url).toBeNull();
  });

  it("written back as read, changes nothing", async () => {
    const { api, page, repo } = await site();
    const about = await page({ title: "About" }, ["en"]);
    const event = await api("POST", "pages/", {
      model: "event",
      title: "Night",
      template_data: { starts_at, more: { link_type: "RE", url_node: about.id }, talks: [{ title: "A", page: about.id }] },
    });
    const { head } = await repo.state();
    await api("PUT", `pages/${event.id}/`, await api("GET", `pages/${event.id}/`));
    expect((await repo.state()).head).toBe(head);
  });

  it("cannot be of a model the site does not have", async () => {
    const answer = await (await site()).ask("POST", "api:pages/", { body: { model: "nope" }, as: "staff" });
    expect([answer.status, answer.body]).toEqual([400, { model: ['There is no page model "nope".'] }]);
  });
});

describe("a page model's file", () => {
  it.each([
    ["schema:\n  - name: a\n    kind: nope\n", /schema.*kind/],
    ["schema: 5\n", /schema/],
    ["parent_page_field: 5\n", /parent_page_field/],
    ["default_template: ../x.html\n", /default_template/],
  ])("that does not fit is a problem with its place: %j", async (text, message) => {
    const { cms } = await memorySite({ "content/page-models/event.yaml": text });
    expect(cms.store.current.problems).toEqual([expect.objectContaining({ path: "content/page-models/event.yaml", message: expect.stringMatching(message) })]);
  });
});
