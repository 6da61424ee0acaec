/** A hidden page appears on no public surface, whatever refers to it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildTree, emptyDir, saveFile } from "../static-site/build-site.ts";
import { memorySite, type MemorySite } from "../site.ts";

const MODEL =
  "schema:\n  - { name: more, kind: permalink }\n  - { name: who, kind: ref, target_model: cms.Page }\n  - { name: all, kind: queryset, target_model: cms.Page }\n";
const TEMPLATE =
  "{{ page.title }}|{{ page | dump | safe }}|{{ menus | dump | safe }}|{{ pages_of(page) | dump | safe }}|{{ articles() | dump | safe }}|" +
  "{{ instances('box') | dump | safe }}";

/** The secret is a page that was published and renamed, with children, links, references, menus and an article below it. */
async function siteWithSecret(): Promise<MemorySite & { readonly secret: number }> {
  const site = await memorySite({ "content/page-models/event.yaml": MODEL }, { BASE_URL: "https://example.org" });
  for (const name of ["defaults/pages/default.html", "defaults/articles/default.html", "404.html"])
    saveFile(site.cms.root, `templates/${name}`, TEMPLATE);
  const top = await site.page({ title: "About" }, ["en", "it"]);
  const manual = (permalink: string) => ({
    autopermalink_en: false,
    permalink_en: permalink,
    autopermalink_it: false,
    permalink_it: permalink,
  });
  const { id } = await site.page(
    {
      title: "Sesame",
      description: "Sesame seeds",
      parent_page: top.id,
      ...manual("/old-one"),
      breadcrumbs_title: "Sesame",
    },
    ["en", "it"],
  );
  await site.api("PATCH", `pages/${id}/`, { permalink_en: "/hidden-one", permalink_it: "/hidden-one" });
  await site.page({ title: "Child", parent_page: id, ...manual("/child") }, ["en", "it"]);
  const link = { link_type: "RE", url_node: id };
  await site.page({ model: "event", title: "Night", template_data: { more: link, who: id, all: [id, top.id] } }, [
    "en",
    "it",
  ]);
  await site.api("POST", "menus/", { key: "main", nodes: [{ title: "Node", link }] });
  const type = await site.api("POST", "meta-types/", {
    key: "box",
    name: "Box",
    schema: [
      { name: "more", kind: "permalink" },
      { name: "who", kind: "ref", target_model: "cms.Page" },
    ],
  });
  await site.api("POST", "meta-instances/", { meta_type: type.id, data: { more: link, who: id } });
  await site.api("POST", "contents/", { identifier: "hush", content: "Sesame block", object_id: id });
  return { ...site, secret: id };
}

/** Every public answer as text, by address. */
async function publicTexts(site: MemorySite): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const manifest = (await site.ask("GET", "api:pages-router/changes")).body as { urls: { path: string }[] };
  const paths = manifest.urls.map(({ path }) => path);
  const addresses = [
    ...paths,
    ...paths.map((path) => `/api/cms/pages-router${path}?included_translations=all`),
    "/sitemap.xml",
    "/robots.txt",
    "/nowhere/",
    "/api/cms/pages-router/changes",
    "/api/cms/menus-router/main",
    "/api/cms/menus-router/main?lang=it",
  ];
  for (const address of addresses) texts.set(address, (await site.ask("GET", address)).text);
  const out = join(emptyDir(), "out");
  await buildTree(site, out, { full: true, redirects: ["nginx"] });
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      texts.set(join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), "utf8"));
  }
  return texts;
}

const TRACE = /sesame|old-one|hidden-one/i;

const tracesIn = (texts: ReadonlyMap<string, string>): string[] =>
  [...texts].filter(([path, text]) => TRACE.test(path) || TRACE.test(text)).map(([path]) => path);

describe("a page that is", () => {
  it.each<[string, (site: MemorySite, id: number) => Promise<unknown>]>([
    ["trashed", (site, id) => site.api("POST", `pages/${id}/trash/`)],
    [
      "a draft again",
      (site, id) => site.api("PATCH", `pages/${id}/`, { published_at_en: null, published_at_it: null }),
    ],
    [
      "planned",
      (site, id) =>
        site.api("PATCH", `pages/${id}/`, {
          published_at_en: "2027-01-01T00:00:00Z",
          published_at_it: "2027-01-01T00:00:00Z",
        }),
    ],
    [
      "deleted",
      (site, id) =>
        site
          .api("PATCH", `pages/${id}/`, { published_at_en: null, published_at_it: null })
          .then(() => site.api("POST", `pages/${id}/trash/`)),
    ],
  ])("%s appears nowhere, and its former permalink is 404", async (_state, hide) => {
    const site = await siteWithSecret();
    expect(tracesIn(await publicTexts(site)).length).toBeGreaterThan(5);
    await hide(site, site.secret);
    expect(tracesIn(await publicTexts(site))).toEqual([]);
    for (const lang of ["", "it/"]) {
      for (const path of ["old-one/", "hidden-one/", "old-one", "hidden-one"]) {
        const unknown = await site.ask("GET", `api:pages-router/${lang}nowhere/`);
        const answer = await site.ask("GET", `api:pages-router/${lang}${path}`);
        expect([path, answer.status, answer.body]).toEqual([path, 404, unknown.body]);
        if (path.endsWith("/")) expect([path, (await site.ask("GET", `/${lang}${path}`)).status]).toEqual([path, 404]);
      }
    }
  });

  it("hidden in one language appears nowhere in that language", async () => {
    const site = await siteWithSecret();
    await site.api("PATCH", `pages/${site.secret}/`, { published_at_it: null });
    const texts = [...(await publicTexts(site))].filter(
      ([path]) => /\/it\//.test(path) && !path.includes("included_translations"),
    );
    expect(texts.length).toBeGreaterThan(5);
    expect(tracesIn(new Map(texts))).toEqual([]);
    expect((await site.ask("GET", "api:menus-router/main?lang=it")).body.nodes[0].link).toEqual({
      link_type: "RE",
      url_node: null,
      url: null,
    });
    expect((await site.ask("GET", "/it/old-one/")).status).toBe(404);
    expect((await site.ask("GET", "/old-one/")).status).toBe(301);
  });
});
