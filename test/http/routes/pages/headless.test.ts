/** Sites whose pages another program renders, and clients of the upstream system: templates are names of theirs. */
import { describe, expect, it } from "vitest";
import { memorySite, writeTemplate, type MemorySite } from "../../../site.ts";

const DEFAULT = "defaults/pages/default.html";
const FOREIGN = "website/pages/landing.html";
const ALIAS = "/api/camomilla";

/** A published page of this site that names a template of another program. */
async function foreignPage(site: MemorySite, root: string): Promise<{ id: number; status: number }> {
  const { id } = await site.page({ title: "Landing" }, ["en"]);
  const body = { template: FOREIGN };
  return { id, status: (await site.ask("PATCH", `${root}/pages/${id}/`, { as: "staff", body })).status };
}

// oxfmt-ignore
describe.each([
  // templates/      settings                                 root         stored  HTML route
  ["no template",    {},                                       "/api/cms",  200,    404],
  ["a 404.html",     {},                                       "/api/cms",  200,    404],
  ["the default",    {},                                       "/api/cms",  400,    200],
  ["the default",    { RENDER: { HEADLESS: true } },           "/api/cms",  200,    200],
  ["no template",    { RENDER: { HEADLESS: false } },          "/api/cms",  400,    500],
  ["the default",    { API: { ALIASES: [ALIAS] } },            ALIAS,       200,    200],
  ["the default",    { API: { ALIASES: [ALIAS] } },            "/api/cms",  400,    200],
] as const)("a site with %s and the settings %j", (templates, settings, root, stored, shown) => {
  it(`answers ${stored} below ${root} to a template that is no file, and ${shown} for the page`, async () => {
    const site = await memorySite({}, settings as object);
    if (templates !== "no template") writeTemplate(site, templates === "a 404.html" ? "404.html" : DEFAULT);
    const { status } = await foreignPage(site, root);
    expect(status).toBe(stored);
    expect((await site.ask("GET", "/landing/")).status).toBe(shown);
    if (stored !== 200) return;
    expect((await site.ask("GET", "api:pages-router/landing/")).body).toMatchObject({ template: FOREIGN, template_file: FOREIGN });
  });
});

describe("on a headless site", () => {
  it("a draft names such a template and is published with it", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "Landing" }, ["en"]);
    await site.api("PATCH", `pages/${id}/draft/`, { template: FOREIGN });
    expect(await site.api("POST", `pages/${id}/publish/`, {})).toMatchObject({ template: FOREIGN });
  });

  it("previews as HTML say that another program renders the page", async () => {
    const site = await memorySite();
    const { id } = await foreignPage(site, "/api/cms");
    const answer = await site.ask("GET", `api:pages/${id}/render/`, { as: "staff" });
    expect([answer.status, answer.body]).toEqual([404, { detail: expect.stringContaining(FOREIGN) }]);
  });

  it.each(["/etc/passwd", "../../../secret.html", "a\\b.html", ".git/config"])(
    "%j is refused by its form",
    async (template) => {
      const site = await memorySite({}, { API: { ALIASES: [ALIAS] } });
      for (const root of ["/api/cms", ALIAS]) {
        const { status, body } = await site.ask("POST", `${root}/pages/`, {
          as: "staff",
          body: { title: "T", template },
        });
        expect([status, Object.keys(body)]).toEqual([400, ["template"]]);
      }
    },
  );
});

describe("values that are not saved", () => {
  it.each(["", null, DEFAULT])("with the template %j are shown with the default one", async (template) => {
    const site = await memorySite();
    writeTemplate(site, DEFAULT);
    const { id } = await site.page({ title: "T" }, ["en"]);
    const render = await site.ask("POST", `api:pages/${id}/render/`, { as: "staff", body: { template } });
    expect(render.status).toBe(200);
    const preview = await site.ask("POST", `api:pages/${id}/preview/`, { as: "staff", body: { template } });
    expect(preview.body).toMatchObject({ template: DEFAULT, template_file: DEFAULT });
    await site.api("PATCH", `pages/${id}/draft/`, { template });
    expect(await site.api("GET", `pages/${id}/preview/`)).toMatchObject({ template: DEFAULT, template_file: DEFAULT });
  });

  it.each(["pages", "articles"])("of %s with a template that does not exist are refused", async (path) => {
    const site = await memorySite();
    writeTemplate(site, DEFAULT);
    const { id } = await site.api("POST", `${path}/`, { title: "T" });
    for (const action of ["render", "preview"]) {
      const answer = await site.ask("POST", `api:${path}/${id}/${action}/`, {
        as: "staff",
        body: { template: FOREIGN },
      });
      expect([action, answer.status, answer.body]).toEqual([
        action,
        400,
        { template: [`There is no template "${FOREIGN}" below templates/.`] },
      ]);
    }
  });
});
