/** Deletion clears references; links keep their page's id. */
import { describe, expect, it } from "vitest";
import { contentProblems } from "../../../src/store/check/check.ts";
import { jpeg, mediaSite } from "../../media/media-site.ts";
import { memorySite } from "../../site.ts";

describe("a deleted tag", () => {
  it.each([
    ["DELETE", "tags/ID/"],
    ["POST", "tags/bulk_delete/"],
  ])("is removed from articles and their drafts in the same commit: %s %s", async (method, path) => {
    const site = await memorySite();
    const [sea, fog] = [
      await site.api("POST", "tags/", { name: "Sea" }),
      await site.api("POST", "tags/", { name: "Fog" }),
    ];
    const article = await site.api("POST", "articles/", { title: "Out", tags: [sea.id, fog.id] });
    await site.api("PATCH", `articles/${article.id}/draft/`, { tags: [{ id: sea.id }, String(fog.id)], title: "In" });
    const before = (await site.api("GET", `articles/${article.id}/revisions/`)).length;
    await site.api(method, path.replace("ID", sea.id), method === "POST" ? [sea.id] : undefined);
    const shown = await site.api("GET", `articles/${article.id}/`);
    expect(shown.tags).toEqual([{ id: fog.id, name: "Fog" }]);
    expect(shown.draft_data).toEqual({ tags: [fog.id], title: "In" });
    expect(site.repo.text("content/articles/out.yaml")).not.toContain(String(sea.id) + "\n");
    const revisions = await site.api("GET", `articles/${article.id}/revisions/`);
    expect([revisions.length - before, revisions[0].comment]).toEqual([1, expect.stringContaining("Delete")]);
    expect(await site.api("POST", `articles/${article.id}/publish/`)).toMatchObject({
      title: "In",
      tags: [{ id: fog.id }],
    });
  });
});

describe("a deleted media item", () => {
  it.each<[string, (ids: { media: number; folder: number }) => [string, string, unknown?]]>([
    ["by itself", ({ media }) => ["DELETE", `media/${media}/`]],
    ["in bulk", ({ media }) => ["POST", "media/bulk_delete/", [media]]],
    ["with its folder", ({ folder }) => ["DELETE", `media-folders/${folder}/?confirm=true`]],
  ])("is removed from pages and drafts in the same commit: %s", async (_how, how) => {
    const site = await mediaSite({ MEDIA: { RENDITIONS: { ENABLE: false } } });
    const folder = (await site.api("POST", "media-folders/", { title: "Sea" })).id;
    const { id: media } = await site.upload("a.jpg", await jpeg(60, 40), { folder: String(folder) });
    const page = await site.page({ title: "About", og_image: media }, ["en"]);
    const article = await site.api("POST", "articles/", { title: "Fog", highlight_image: media, og_image: media });
    const drafted = await site.page({ title: "Drafted" });
    await site.api("PATCH", `pages/${drafted.id}/draft/`, { og_image: String(media), title: "Next" });
    const commits = site.commits();
    await site.api(...how({ media, folder }));
    expect(site.commits() - commits).toBe(1);
    expect(await site.api("GET", `pages/${page.id}/`)).toMatchObject({ og_image: null });
    expect(await site.api("GET", `articles/${article.id}/`)).toMatchObject({ og_image: null, highlight_image: null });
    expect((await site.api("GET", `pages/${drafted.id}/`)).draft_data).toEqual({ og_image: null, title: "Next" });
    expect(site.disk.git("grep", "-h", "_image", "--", "content").trim()).toBe("og_image: null"); // in the draft
    expect(site.leftovers()).toBe("");
  });
});

describe("cms check", () => {
  it("warns of links and references without target, not of cleared ones", async () => {
    const { api, page, cms } = await memorySite({
      "content/page-models/event.yaml":
        "schema:\n  - { name: more, kind: permalink }\n  - { name: who, kind: ref, target_model: cms.Tag }\n",
    });
    const about = await page({ title: "About" }, ["en"]);
    const tag = await api("POST", "tags/", { name: "Sea" });
    await api("POST", "articles/", { title: "Fog", tags: [tag.id] });
    const link = { link_type: "RE", url_node: about.id };
    await page({ model: "event", title: "Night", template_data: { more: link, who: tag.id } });
    await api("POST", "menus/", { key: "main", nodes_en: [{ title: "About", link }] });
    await api("DELETE", `pages/${about.id}/`);
    await api("DELETE", `tags/${tag.id}/`);
    const found = await contentProblems(cms.store, cms.locales, { mediaUrl: cms.config.MEDIA.URL });
    expect(found.map(({ path, severity, message }) => [path, severity, message])).toEqual([
      [
        "content/pages/night.yaml",
        "warning",
        `translations.en.template_data.more.url_node: There is no page ${about.id}: the link has no URL.`,
      ],
      [
        "content/pages/night.yaml",
        "warning",
        `translations.en.template_data.who: There is no cms.Tag ${tag.id}: null is shown in its place.`,
      ],
      [
        "content/menus/main.yaml",
        "warning",
        `translations.en.nodes.0.link.url_node: There is no page ${about.id}: the node has no URL.`,
      ],
    ]);
    expect(found.every(({ line }) => line !== undefined)).toBe(true);
  });
});

describe("a deleted page", () => {
  it("is removed from drafts that name it as the parent", async () => {
    const { api, page } = await memorySite();
    const [about, team] = [await page({ title: "About" }), await page({ title: "Team" })];
    await api("PATCH", `pages/${team.id}/draft/`, { parent_page: about.id });
    await api("DELETE", `pages/${about.id}/`);
    expect((await api("GET", `pages/${team.id}/`)).draft_data).toEqual({ parent_page: null });
  });

  it("stays in links of menus: null for the public, its id for editors, who may write it back", async () => {
    const { api, ask, page } = await memorySite();
    const about = await page({ title: "About" }, ["en"]);
    const menu = await api("POST", "menus/", {
      key: "main",
      nodes_en: [{ title: "About", link: { link_type: "RE", url_node: about.id } }],
    });
    await api("DELETE", `pages/${about.id}/`);
    const seen = await api("GET", `menus/${menu.id}/`);
    expect(seen.nodes[0].link).toEqual({
      link_type: "RE",
      url_node: { id: about.id, permalink: null, related_name: null },
      url: null,
    });
    expect((await ask("GET", "api:menus-router/main")).text).not.toContain(String(about.id) + ",");
    expect((await ask("GET", "api:menus-router/main")).body.nodes[0].link).toEqual({
      link_type: "RE",
      url_node: null,
      url: null,
    });
    expect((await api("PATCH", `menus/${menu.id}/`, { nodes: seen.nodes })).nodes).toEqual(seen.nodes);
  });

  const SCHEMA = [
    { name: "note", kind: "string" },
    { name: "more", kind: "permalink" },
  ];

  it("stays in links of instances and typed pages, which can still be saved", async () => {
    const { api, ask, page } = await memorySite({
      "content/page-models/event.yaml":
        "schema:\n  - { name: note, kind: string }\n  - { name: more, kind: permalink }\n",
    });
    const about = await page({ title: "About" }, ["en"]);
    const link = { link_type: "RE", url_node: about.id };
    const type = await api("POST", "meta-types/", { key: "box", name: "Box", schema: SCHEMA });
    const instance = await api("POST", "meta-instances/", { meta_type: type.id, data: { note: "a", more: link } });
    const event = await page({ model: "event", title: "Night", template_data: { note: "a", more: link } }, ["en"]);
    await api("DELETE", `pages/${about.id}/`);
    const gone = { link_type: "RE", url_node: { id: about.id, permalink: null, related_name: null }, url: null };
    const [data, typed] = [
      (await api("GET", `meta-instances/${instance.id}/`)).data,
      (await api("GET", `pages/${event.id}/`)).template_data,
    ];
    expect([data.more, typed.more]).toEqual([gone, gone]);
    expect((await api("PATCH", `meta-instances/${instance.id}/`, { data: { ...data, note: "b" } })).data).toEqual({
      note: "b",
      more: gone,
    });
    expect(
      (await api("PATCH", `pages/${event.id}/`, { template_data: { ...typed, note: "b" } })).template_data,
    ).toEqual({ note: "b", more: gone });
    await api("PATCH", `pages/${event.id}/draft/`, { template_data: { ...typed, note: "c" } });
    expect((await api("POST", `pages/${event.id}/publish/`)).template_data).toEqual({ note: "c", more: gone });
    expect((await ask("GET", "api:pages-router/night/")).body.template_data.more).toEqual({
      link_type: "RE",
      url_node: null,
      url: null,
    });
    const other = await ask("PATCH", `api:pages/${event.id}/`, {
      as: "staff",
      body: { template_data: { more: { link_type: "RE", url_node: 987 } } },
    });
    expect(other.status).toBe(400);
  });
});

describe("references to large records", () => {
  it("are shown in full up to four million characters, and as ids beyond", async () => {
    const { api, page } = await memorySite({
      "content/page-models/shelf.yaml": "schema:\n  - { name: pages, kind: queryset, target_model: cms.Page }\n",
    });
    const large = await page({ title: "Large", template_data: { text: "x".repeat(900_000) } }, ["en"]);
    const small = await page({ title: "Small" }, ["en"]);
    const shelf = await page(
      { model: "shelf", title: "Shelf", template_data: { pages: [small.id, ...Array<number>(19_000).fill(large.id)] } },
      ["en"],
    );
    const { template_data } = await api("GET", "pages-router/shelf/");
    expect(template_data.pages.map((each: unknown) => typeof each).slice(0, 7)).toEqual([
      "object",
      "object",
      "object",
      "object",
      "object",
      "number",
      "number",
    ]);
    expect(template_data.pages).toHaveLength(19_001);
    expect(template_data.pages[0]).toMatchObject({ id: small.id, title: "Small" });
    expect((await api("GET", `models/shelf/${shelf.id}/`)).template_data.pages.at(-1)).toBe(large.id);
  });
});
