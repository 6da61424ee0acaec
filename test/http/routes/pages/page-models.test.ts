/** Custom page models: typed `template_data` and links. */
import { describe, expect, it } from "vitest";
import { memorySite } from "../../../site.ts";

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
  it("is created with the model's name, and shows it", async () => {
    const { api, repo } = await site();
    const programme = await api("POST", "pages/", { title: "Programme" });
    const event = await api("POST", "pages/", {
      model: "event",
      title: "Night",
      programme: programme.id,
      template_data: { starts_at, seats: "12" },
    });
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
      // A draft may lack what is required.
      if (!JSON.stringify(template_data).includes("{}"))
        expect(await put("PATCH", `pages/${event.id}/draft/`, { template_data })).toEqual([400, errors]);
    }
    expect((await repo.state()).head).toBe(head);
  });

  it("merges on PATCH, then validates; replaces on PUT", async () => {
    const { api } = await site();
    const event = await api("POST", "pages/", {
      model: "event",
      title: "Night",
      template_data: { starts_at, seats: 5, talks: [{ title: "A" }] },
    });
    const merged = await api("PATCH", `pages/${event.id}/`, { template_data: { seats: 6 } });
    expect(merged.template_data).toMatchObject({ starts_at, seats: 6, talks: [{ title: "A" }] });
    const replaced = await api("PUT", `pages/${event.id}/`, { template_data: { starts_at } });
    expect(replaced.template_data).toEqual({ starts_at });
  });

  it("has links that follow their pages, in the active language", async () => {
    const { api, ask, page } = await site();
    const about = await page({ title_en: "About", title_it: "Chi siamo" }, ["en", "it"]);
    const link = { link_type: "RE", url_node: about.id };
    const data = { starts_at, more: link };
    const event = await page(
      { model: "event", title_en: "Night", title_it: "Notte", template_data_en: data, template_data_it: data },
      ["en", "it"],
    );
    const url = async (path: string) => (await ask("GET", `api:pages-router/${path}`)).body.template_data.more.url;
    expect([await url("night/"), await url("it/notte/")]).toEqual(["/about/", "/it/chi-siamo/"]);
    await api("PATCH", `pages/${about.id}/`, { title_en: "Info" });
    expect(await url("night/")).toBe("/info/");
    await api("DELETE", `pages/${about.id}/`);
    expect((await ask("GET", "api:pages-router/night/")).body.template_data.more).toEqual({
      link_type: "RE",
      url_node: null,
      url: null,
    });
    expect((await api("GET", `pages/${event.id}/`)).translations.it.template_data.more.url).toBeNull();
  });

  it("written back unchanged, makes no commit", async () => {
    const { api, page, repo } = await site();
    const about = await page({ title: "About" }, ["en"]);
    const event = await api("POST", "pages/", {
      model: "event",
      title: "Night",
      template_data: {
        starts_at,
        more: { link_type: "RE", url_node: about.id },
        talks: [{ title: "A", page: about.id }],
      },
    });
    const { head } = await repo.state();
    await api("PUT", `pages/${event.id}/`, await api("GET", `pages/${event.id}/`));
    expect((await repo.state()).head).toBe(head);
  });

  it("cannot have an unknown model", async () => {
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
  ])("that is invalid is a problem with line and column: %j", async (text, message) => {
    const { cms } = await memorySite({ "content/page-models/event.yaml": text });
    expect(cms.store.current.problems).toEqual([
      expect.objectContaining({ path: "content/page-models/event.yaml", message: expect.stringMatching(message) }),
    ]);
  });
});

describe("models/<name>/", () => {
  const two = async () => {
    const site = await memorySite({
      "content/page-models/event.yaml": EVENT,
      "content/page-models/Landing.yaml": "schema: []\n",
    });
    const landing = await site.api("POST", "models/Landing/", { title: "Welcome" });
    const event = await site.api("POST", "models/event/", { title: "Night", template_data: { starts_at } });
    return { site, landing, event, plain: await site.page({ title: "About" }) };
  };

  it("creates and lists pages of that model only", async () => {
    const { site, landing, event } = await two();
    expect([landing.related_name, event.related_name]).toEqual(["pages_landing", "pages_event"]);
    const ids = async (path: string) => (await site.api("GET", path)).map(({ id }: { id: number }) => id);
    expect([await ids("models/event/"), await ids("models/Landing")]).toEqual([[event.id], [landing.id]]);
    expect(await ids("models/event/?search=welcome")).toEqual([]);
    expect(await site.api("GET", "models/event/?items=5")).toMatchObject({
      items: [{ id: event.id }],
      paginator: { count: 1 },
    });
    expect(await site.api("GET", `models/event/${event.id}/`)).toEqual(await site.api("GET", `pages/${event.id}/`));
  });

  it("validates input by the model's schema", async () => {
    const { site, event } = await two();
    for (const [method, path] of [
      ["POST", ""],
      ["PATCH", `${event.id}/`],
      ["PUT", `${event.id}/draft/`],
    ] as const) {
      const answer = await site.ask(method, `api:models/event/${path}`, {
        as: "staff",
        body: { template_data: { starts_at, seats: -1 } },
      });
      expect([method, answer.status, answer.body]).toEqual([
        method,
        400,
        { template_data_en: { seats: [expect.any(String)] } },
      ]);
    }
  });

  it("has all actions of pages", async () => {
    const { site, event } = await two();
    const act = (method: string, path: string, body?: object) =>
      site.api(method, `models/event/${event.id}/${path}`, body);
    expect(await act("POST", "publish/")).toMatchObject({ status: "PUB" });
    expect(await act("PATCH", "draft/", { title: "Late night" })).toMatchObject({ has_draft: true });
    expect(await act("GET", "preview/")).toMatchObject({ title: "Late night" });
    expect(await act("POST", "schedule/", { publish_at: "2027-01-01T00:00:00Z" })).toMatchObject({
      has_scheduled_draft: true,
    });
    expect(await act("POST", "discard-draft/")).toMatchObject({ has_draft: false });
    expect(await act("POST", "trash/")).toMatchObject({ status: "TRS" });
    expect(await act("POST", "restore/")).toMatchObject({ status: "PUB" });
    const [, , , first] = [...(await act("GET", "revisions/"))].reverse();
    expect(await act("POST", `revert/${first.id}/`)).toMatchObject({ id: event.id });
    await act("DELETE", "");
    expect((await site.ask("GET", `api:models/event/${event.id}/`, { as: "staff" })).status).toBe(404);
  });

  it("is 404 for pages of other models, and for unknown models", async () => {
    const { site, landing, plain } = await two();
    const { commit } = site.cms.store.current;
    const paths = [
      `event/${landing.id}`,
      `event/${plain.id}`,
      `page/${plain.id}`,
      "page",
      "article",
      "Event",
      "nope",
      "constructor",
      `nope/${landing.id}`,
    ];
    for (const path of paths)
      expect([path, (await site.ask("GET", `api:models/${path}/`, { as: "staff" })).status]).toEqual([path, 404]);
    const writes = [
      ["PATCH", ""],
      ["DELETE", ""],
      ["PUT", "draft/"],
      ["POST", "publish/"],
      ["POST", "trash/"],
      ["POST", "revert/abcdef01/"],
    ] as const;
    for (const [method, action] of writes) {
      const answer = await site.ask(method, `api:models/event/${landing.id}/${action}`, {
        as: "staff",
        ...(method !== "DELETE" && { body: {} }),
      });
      expect([method, action, answer.status]).toEqual([method, action, 404]);
    }
    await site.api("POST", "models/event/bulk_delete/", [landing.id, plain.id]);
    expect(site.cms.store.current.commit).toBe(commit);
    expect(
      (
        await site.ask("POST", "api:models/event/update_order/", {
          as: "staff",
          body: { startId: landing.id, endId: plain.id },
        })
      ).status,
    ).toBe(404);
  });

  it("refuses another model's name, and cannot change a page's model", async () => {
    const { site, event } = await two();
    const message = { model: ['These are pages of the model "event", which does not change.'] };
    for (const [method, path] of [
      ["POST", "models/event/"],
      ["PATCH", `models/event/${event.id}/`],
      ["PATCH", `pages/${event.id}/`],
    ] as const) {
      const answer = await site.ask(method, `api:${path}`, {
        as: "staff",
        body: { model: "Landing", template_data: { starts_at } },
      });
      expect([path, answer.status, answer.body]).toEqual([path, 400, message]);
      expect(
        (await site.ask(method, `api:${path}`, { as: "staff", body: { model: "event", template_data: { starts_at } } }))
          .status,
      ).toBeLessThan(300);
    }
  });

  it("is in the OpenAPI description", async () => {
    const { site } = await two();
    const { paths } = JSON.parse((await site.ask("GET", "api:openapi/?format=openapi-json")).text);
    expect(Object.keys(paths["/api/cms/models/{model}/{id}/"])).toEqual(["get", "put", "patch", "delete"]);
    expect(paths).toHaveProperty(["/api/cms/models/{model}/{id}/publish/"]);
  });
});
