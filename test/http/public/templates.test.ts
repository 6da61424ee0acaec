/** A page can only be given a template that exists. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { showProblem } from "../../../src/model/text/problem.ts";
import { contentProblems } from "../../../src/store/check/check.ts";
import { memorySite, writeTemplate, type MemorySite } from "../../site.ts";

const DEFAULT = "defaults/pages/default.html";

async function withTemplates(): Promise<MemorySite> {
  const site = await memorySite();
  writeTemplate(site, DEFAULT);
  writeTemplate(site, "team/list.html");
  mkdirSync(join(site.repo.root, "secret"));
  writeFileSync(join(site.repo.root, "secret", "x.html"), "hush");
  return site;
}

const WRONG = [
  "none.html",
  "team",
  "team/",
  "/team/list.html",
  "constructor",
  "__proto__",
  "../secret/x.html",
  "team/../../secret/x.html",
  "team\\list.html",
  ".",
];

describe("template", () => {
  it.each(WRONG)("%j is refused by create, PATCH, PUT and in drafts", async (template) => {
    const site = await withTemplates();
    const { id } = await site.page({ title: "T" }, ["en"]);
    const { commit } = site.cms.store.current;
    for (const [method, path] of [
      ["POST", ""],
      ["PATCH", `${id}/`],
      ["PUT", `${id}/`],
      ["PATCH", `${id}/draft/`],
      ["PUT", `${id}/draft/`],
    ] as const) {
      const answer = await site.ask(method, `api:pages/${path}`, { as: "staff", body: { template } });
      expect([method, path, answer.status, answer.body]).toEqual([
        method,
        path,
        400,
        { template: [expect.stringContaining("templates/")] },
      ]);
    }
    expect(site.cms.store.current.commit).toBe(commit);
  });

  it("that exists is stored, and the default one is not", async () => {
    const site = await withTemplates();
    const { id } = await site.page({ title: "T" });
    expect(await site.api("PATCH", `pages/${id}/`, { template: "team/list.html" })).toMatchObject({
      template: "team/list.html",
    });
    expect(await site.api("PATCH", `pages/${id}/`, { template: DEFAULT })).toMatchObject({ template: DEFAULT });
    expect(site.repo.text("content/pages/t.yaml")).not.toContain("template");
  });

  it("the default one may be written back on a site without templates", async () => {
    const site = await memorySite();
    const page = await site.page({ title: "T" });
    await site.api("PUT", `pages/${page.id}/`, page);
  });

  it("that was removed prevents neither changing the page nor writing it back", async () => {
    const site = await withTemplates();
    const { id } = await site.page({ title: "T", template: "team/list.html" });
    rmSync(join(site.repo.root, "templates/team/list.html"));
    expect(await site.api("PATCH", `pages/${id}/`, { title: "U" })).toMatchObject({ title: "U" });
    await site.api("PUT", `pages/${id}/`, await site.api("GET", `pages/${id}/`));
  });

  it("that was removed prevents publishing a draft with it", async () => {
    const site = await withTemplates();
    const { id } = await site.page({ title: "T" }, ["en"]);
    await site.api("PUT", `pages/${id}/draft/`, { template: "team/list.html" });
    rmSync(join(site.repo.root, "templates/team/list.html"));
    const answer = await site.ask("POST", `api:pages/${id}/publish/`, { as: "staff" });
    expect([answer.status, answer.body]).toEqual([
      400,
      { template: ['There is no template "team/list.html" below templates/.'] },
    ]);
  });
});

describe("cms check", () => {
  it("reports files with a missing template", async () => {
    const site = await memorySite({
      "content/page-models/event.yaml": "default_template: event.html\n",
      "content/pages/a.yaml": "id: 1\ntemplate: gone.html\n",
      "content/pages/b.yaml": `id: 2\ntemplate: ${DEFAULT}\n`,
      "content/pages/b.draft.en.yaml": "payload:\n  template: soon.html\n",
      "content/articles/c.yaml": "id: 3\ntemplate: gone.html\n",
      "content/pages/d.yaml": "id: 4\nmodel: event\ntemplate: gone.html\n",
    });
    writeTemplate(site, DEFAULT);
    expect(
      (await contentProblems(site.cms.store, site.cms.locales, { hasTemplate: site.cms.hasTemplate })).map(showProblem),
    ).toEqual([
      'content/pages/a.yaml:2:1: template: There is no template "gone.html" below templates/.',
      'content/pages/b.draft.en.yaml:2:3: payload.template: The draft cannot be published: There is no template "soon.html" below templates/.',
      'content/pages/d.yaml:3:1: template: There is no template "gone.html" below templates/.',
      'content/articles/c.yaml:2:1: template: There is no template "gone.html" below templates/.',
      'content/page-models/event.yaml:1:1: default_template: There is no template "event.html" below templates/.',
    ]);
  });

  it("the log names the template of a page that cannot be shown", async () => {
    const site = await memorySite({
      "content/pages/a.yaml":
        "id: 1\ntemplate: gone.html\ntranslations: { en: { permalink: /a, published_at: 2026-01-01T00:00:00Z } }\n",
    });
    writeTemplate(site, DEFAULT);
    expect((await site.ask("GET", "/a/")).status).toBe(500);
    expect(site.logged.join("\n")).toContain("gone.html");
  });
});

describe("the example's macro for addresses", () => {
  it.each<[unknown, string]>([
    ["/visit/", "/visit/"],
    ["https://example.org/", "https://example.org/"],
    ["javascript:alert(1)", ""],
    [{ link_type: "ST" }, ""],
    [["/a"], ""],
    [5, ""],
    [null, ""],
  ])("turns %j into %j, and never fails", async (to, shown) => {
    const site = await memorySite();
    const macros = "defaults/parts/macros.html";
    writeTemplate(site, macros, readFileSync(new URL(`../../../templates/${macros}`, import.meta.url), "utf8"));
    writeTemplate(
      site,
      DEFAULT,
      `{% from "${macros}" import href %}[{{ href(localized_url(page.template_data.to)) }}]`,
    );
    await site.page({ title: "T", template_data: { to } as never }, ["en"]);
    const answer = await site.ask("GET", "/t/");
    expect([answer.status, answer.text]).toEqual([200, `[${shown}]`]);
  });
});
