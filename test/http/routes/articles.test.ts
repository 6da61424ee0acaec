/** Articles and tags: pages with their own model. */
import { describe, expect, it } from "vitest";
import { memorySite } from "../../site.ts";

describe("an article", () => {
  it("is written, published, served by the routers and listed in the manifest", async () => {
    const { api, ask, repo, cms } = await memorySite();
    const tag = await api("POST", "tags/", { name_en: "Sea", name_it: "Mare" });
    const [anna] = await cms.accounts.store.list();
    const article = await api("POST", "articles/", {
      title_en: "Fog",
      content_en: "It **came** in.",
      tags: [tag.id],
      author: anna!.id,
    });
    expect(article).toMatchObject({
      related_name: "cms_article",
      template: "defaults/articles/default.html",
      content: "It **came** in.",
      tags: [{ id: tag.id, name: "Sea" }],
      author: { id: anna!.id, username: "staff" },
      highlight_image: null,
      status: "DRF",
    });
    await api("POST", `articles/${article.id}/publish/`);
    expect((await ask("GET", "api:pages-router/fog/")).body).toMatchObject({
      id: article.id,
      content: "It **came** in.",
      related_name: "cms_article",
    });
    expect((await ask("GET", "api:pages-router/changes")).body.urls).toMatchObject([{ path: "/fog/" }]);
    expect(repo.text("content/articles/fog.yaml")).toContain("content: It **came** in.");
  });

  it("has all lifecycle actions", async () => {
    const { api } = await memorySite();
    const { id } = await api("POST", "articles/", { title: "Fog" });
    await api("PATCH", `articles/${id}/draft/`, { content_en: "Soon" });
    expect(await api("GET", `articles/${id}/preview/`)).toMatchObject({ content: "Soon", has_draft: true });
    expect(await api("POST", `articles/${id}/publish/`, { comment: "At last" })).toMatchObject({
      status: "PUB",
      content: "Soon",
    });
    expect((await api("GET", `articles/${id}/revisions/`))[0]).toMatchObject({ comment: "At last" });
    expect(await api("POST", `articles/${id}/trash/`)).toMatchObject({ status: "TRS" });
    expect(await api("POST", `articles/${id}/restore/`)).toMatchObject({ status: "PUB" });
  });

  it("shares permalinks and ids with pages", async () => {
    const { api, ask } = await memorySite();
    const page = await api("POST", "pages/", { title: "Fog" });
    const article = await api("POST", "articles/", { title: "Fog" });
    expect(article.permalink).not.toBe(page.permalink);
    expect((await ask("GET", `api:pages/${article.id}/`, { as: "staff" })).body).toEqual({
      detail: "No Page matches the given query.",
    });
    expect((await ask("GET", `api:articles/${page.id}/`, { as: "staff" })).body).toEqual({
      detail: "No Article matches the given query.",
    });
    const answer = await ask("POST", "api:articles/", {
      body: { autopermalink_en: false, permalink_en: "/fog" },
      as: "staff",
    });
    expect(answer.body).toEqual({ permalink_en: ["There is an other page with same permalink."] });
  });

  it.each([
    [{ tags: "x" }, { tags: ['Expected a list of items but got type "str".'] }],
    [{ tags: [404404] }, { tags: ['Invalid pk "404404" - object does not exist.'] }],
    [{ author: 404404 }, { author: ['Invalid pk "404404" - object does not exist.'] }],
    [{ highlight_image: 404404 }, { highlight_image: ['Invalid pk "404404" - object does not exist.'] }],
    [{ parent_page: 404404 }, { parent_page: ['Invalid pk "404404" - object does not exist.'] }],
  ])("refuses %j", async (body, errors) => {
    const answer = await (await memorySite()).ask("POST", "api:articles/", { body, as: "staff" });
    expect([answer.status, answer.body]).toEqual([400, errors]);
  });

  it("keeps an author without an account", async () => {
    const { api, ask, repo } = await memorySite({
      "content/articles/fog.yaml":
        "id: 7\nauthor: { id: 404404, username: anna, first_name: Anna, last_name: '' }\ntranslations: { en: { title: Fog } }\n",
    });
    const { head } = await repo.state();
    await api("PUT", "articles/7/", await api("GET", "articles/7/"));
    expect((await repo.state()).head).toBe(head);
    expect(await api("PATCH", "articles/7/", { title: "The fog", author: 404404 })).toMatchObject({
      title: "The fog",
      author: { username: "anna" },
    });
    const answer = await ask("PATCH", "api:articles/7/", { body: { author: 404405 }, as: "staff" });
    expect([answer.status, answer.body]).toEqual([400, { author: ['Invalid pk "404405" - object does not exist.'] }]);
    expect(await api("PATCH", "articles/7/", { author: null })).toMatchObject({ author: null });
  });

  it("can have an author in a draft, shown in previews, live once published", async () => {
    const { api, ask, cms, repo } = await memorySite();
    const { id } = await api("POST", "articles/", { title: "Fog" });
    const anna = (await cms.accounts.store.list())[0]!;
    await api("PATCH", `articles/${id}/draft/`, { author: anna.id });
    const { head } = await repo.state();
    await api("PATCH", `articles/${id}/draft/`, { author: anna.id });
    expect((await repo.state()).head).toBe(head);
    expect(await api("GET", `articles/${id}/preview/`)).toMatchObject({ author: { username: "staff" } });
    expect(await api("GET", `articles/${id}/`)).toMatchObject({ author: null });
    await api("PATCH", `articles/${id}/draft/`, { content_en: "It came in." });
    await api("POST", `articles/${id}/publish/`);
    expect((await ask("GET", "api:pages-router/fog/")).body).toMatchObject({
      author: { id: anna.id, username: "staff" },
      content: "It came in.",
    });
    await api("PATCH", `articles/${id}/draft/`, { author: null });
    expect(await api("POST", `articles/${id}/publish/`)).toMatchObject({ author: null });
    const refused = await ask("PATCH", `api:articles/${id}/draft/`, { body: { author: 404404 }, as: "staff" });
    expect([refused.status, refused.body]).toEqual([400, { author: ['Invalid pk "404404" - object does not exist.'] }]);
  });

  it("is reverted without tags that no longer exist", async () => {
    const { api, repo } = await memorySite();
    const [sea, fog] = [await api("POST", "tags/", { name: "Sea" }), await api("POST", "tags/", { name: "Fog" })];
    const { id } = await api("POST", "articles/", { title: "Fog", tags: [sea.id, fog.id] });
    const { head } = await repo.state();
    await api("PATCH", `articles/${id}/`, { tags: [] });
    await api("DELETE", `tags/${sea.id}/`);
    expect(await api("POST", `articles/${id}/revert/${head}/`)).toMatchObject({ tags: [{ id: fog.id }] });
    expect(repo.text("content/articles/fog.yaml")).toContain(`tags:\n  - ${fog.id}\n`);
  });

  it("may be a Markdown file, and stays one when written", async () => {
    const { api, ask, repo } = await memorySite({
      "content/articles/fog.md":
        "---\nid: 7\n# who saw it\ntranslations:\n  en:\n    title: Fog\n    published_at: 2026-01-01T00:00:00Z\n---\n\nIt came *in*.\n",
    });
    expect((await ask("GET", "api:pages-router/fog/")).body.content).toBe("It came *in*.");
    await api("PATCH", "articles/7/", { title_en: "The fog" });
    expect(repo.text("content/articles/fog.md")).toMatch(
      /# who saw it[\s\S]*title: The fog[\s\S]*---\n\nIt came \*in\*\.\n$/,
    );
    await api("PATCH", "articles/7/", { content_en: "It left." });
    expect(repo.text("content/articles/fog.md")).toMatch(/It left\.\n$/);
  });
});

describe("a tag", () => {
  it("is created, named in each language, unique in each, and deleted", async () => {
    const { api, ask } = await memorySite();
    const tag = await api("POST", "tags/", { name_en: "Sea", name_it: "Mare" });
    expect(tag).toEqual({ id: tag.id, name: "Sea", translations: { en: { name: "Sea" }, it: { name: "Mare" } } });
    expect((await ask("POST", "api:tags/", { body: { name_it: "Mare" }, as: "staff" })).body).toEqual({
      name_it: ["tag with this name [it] already exists."],
    });
    expect((await ask("POST", "api:tags/", { body: {}, as: "staff" })).body).toEqual({
      name_en: ["This field is required."],
    });
    expect(await api("PATCH", `tags/${tag.id}/?language=it`, { name: "Acqua" })).toMatchObject({ name: "Acqua" });
    const article = await api("POST", "articles/", { title: "Fog", tags: [tag] });
    expect(article.tags).toEqual([{ id: tag.id, name: "Sea" }]);
    expect((await ask("DELETE", `api:tags/${tag.id}/`, { as: "staff" })).status).toBe(204);
    expect((await api("GET", `articles/${article.id}/`)).tags).toEqual([]);
  });

  it("filters articles", async () => {
    const { api } = await memorySite();
    const sea = await api("POST", "tags/", { name: "Sea" });
    const fog = await api("POST", "articles/", { title: "Fog", tags: [sea.id] });
    await api("POST", "articles/", { title: "Roof" });
    const ids = async (query: string) => (await api("GET", `articles/?${query}`)).map(({ id }: { id: number }) => id);
    expect(await ids("fltr=tags__name=Sea")).toEqual([fog.id]);
    expect(await ids(`fltr=tags=${sea.id}`)).toEqual([fog.id]);
    expect(await ids("search=roo")).toHaveLength(1);
    expect(await ids("fltr=author__username=anna")).toEqual([]);
  });
});

describe("an article below a page", () => {
  it("has its address below it, which follows renames of the page", async () => {
    const { api, ask, page, repo } = await memorySite();
    const journal = await page({ title_en: "Journal", title_it: "Diario" }, ["en", "it"]);
    const { id } = await api("POST", "articles/", { title_en: "Fog", title_it: "Nebbia", parent_page: journal.id });
    await api("POST", `articles/${id}/publish/?language=en`);
    await api("POST", `articles/${id}/publish/?language=it`);
    expect((await ask("GET", "api:pages-router/journal/fog/")).body).toMatchObject({
      id,
      parent_page: { id: journal.id },
      breadcrumbs: [{ title: "Journal" }, { title: "Fog" }],
    });
    expect((await ask("GET", "api:pages-router/it/diario/nebbia/")).body).toMatchObject({ id });
    expect(repo.text("content/articles/fog.yaml")).toContain("permalink: /journal/fog");
    await api("PATCH", `pages/${journal.id}/`, { title_en: "Diary" });
    expect((await ask("GET", "api:pages-router/diary/fog/")).body).toMatchObject({ id });
    expect((await ask("GET", "api:pages-router/journal/fog/")).body).toMatchObject({ redirect: "/diary/fog/" });
    const told = await ask("POST", `api:pages/${journal.id}/addresses/`, { as: "staff", body: { title_en: "Log" } });
    expect(told.body.changes).toContainEqual(expect.objectContaining({ page: id, to: "/log/fog" }));
    const listed = await api("GET", "articles/?fltr=parent_page__title='Diary'");
    expect(listed).toMatchObject([{ id }]);
  });

  it("is in no page tree, and is deleted with its page", async () => {
    const { api, ask, page } = await memorySite();
    const journal = await page({ title: "Journal" });
    const { id } = await api("POST", "articles/", { title: "Fog", parent_page: journal.id });
    expect(await api("GET", "page-tree/")).toMatchObject([{ id: journal.id, children: 0 }]);
    expect(await api("GET", `page-tree/?parent=${journal.id}`)).toEqual([]);
    await api("POST", `pages/${journal.id}/trash/`);
    expect(await api("GET", `articles/${id}/`)).toMatchObject({ permalink: "/journal/fog" });
    await api("DELETE", `pages/${journal.id}/`);
    expect((await ask("GET", `api:articles/${id}/`, { as: "staff" })).status).toBe(404);
  });

  it("keeps its page when it is reverted", async () => {
    const { api, page, repo } = await memorySite();
    const journal = await page({ title: "Journal" });
    const { id } = await api("POST", "articles/", { title: "Fog", parent_page: journal.id });
    const { head } = await repo.state();
    await api("PATCH", `articles/${id}/`, { parent_page: null });
    expect(await api("POST", `articles/${id}/revert/${head}/`)).toMatchObject({
      parent_page: { id: journal.id },
      permalink: "/journal/fog",
    });
  });

  it("may be below another one, but above no page", async () => {
    const { api, ask, page } = await memorySite();
    const above = await api("POST", "articles/", { title: "Fog" });
    expect(await api("POST", "articles/", { title: "Late", parent_page: above.id })).toMatchObject({
      permalink: "/fog/late",
    });
    const { id } = await page({ title: "Journal" });
    const refused = { parent_page: [`Invalid pk "${above.id}" - object does not exist.`] };
    for (const [method, path] of [
      ["PATCH", `pages/${id}/`],
      ["PATCH", `pages/${id}/draft/`],
      ["POST", "pages/"],
    ] as const) {
      const answer = await ask(method, `api:${path}`, { body: { parent_page: above.id }, as: "staff" });
      expect([answer.status, answer.body]).toEqual([400, refused]);
    }
    await api("PATCH", `articles/${above.id}/`, { parent_page: id });
    const circle = await ask("PATCH", `api:articles/${above.id}/`, { body: { parent_page: above.id }, as: "staff" });
    expect(circle.body).toEqual({ parent_page: ["A page cannot be below itself."] });
  });
});
