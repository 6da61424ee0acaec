/** The page field `robots`: the example of CONTRIBUTING.md for a field that is one row of `PAGE_FIELDS`. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { isNoindex } from "../../../src/model/page/robots.ts";
import { copyStarter } from "../../../src/cli/init/copy-starter.ts";
import { BARE_SITE } from "../../../src/cli/init/starters.ts";
import { buildTree, emptyDir, filesIn } from "../../static-site/build-site.ts";
import { memorySite } from "../../site.ts";

it.each([
  // robots                        not listed
  ["", false],
  ["nofollow", false],
  ["noindex", true],
  ["NoIndex,nofollow", true],
  ["nofollow, noindex", true],
  ["none", true],
  ["noindexed", false],
  ["max-snippet:-1 noindex", true],
])("%j keeps a page out of search results: %s", (robots, expected) => {
  expect(isNoindex(robots)).toBe(expected);
});

it("is written, filtered by, drafted, published, reverted and stored like any other field", async () => {
  const { api, ask, repo } = await memorySite();
  const page = await api("POST", "pages/", { title: "About" });
  expect(page.robots).toBe("");
  expect(repo.text("content/pages/about.yaml")).not.toContain("robots");
  const { id } = await api("PATCH", `pages/${page.id}/`, { robots: " noindex, nofollow " });
  expect(repo.text("content/pages/about.yaml")).toMatch(/^robots: noindex, nofollow$/m);
  const found = async (query: string) => (await api("GET", `pages/?${query}`)).map((each: { id: number }) => each.id);
  expect(await found("fltr=robots__icontains=NOINDEX")).toEqual([id]);
  expect(await found("fltr=robots=nofollow")).toEqual([]);
  const put = await api("PUT", `pages/${id}/`, { title: "About us" });
  expect(put).toMatchObject({ title: "About us", robots: "noindex, nofollow" });

  const drafted = await api("PATCH", `pages/${id}/draft/`, { robots: "nofollow" });
  expect(drafted).toMatchObject({ robots: "noindex, nofollow", draft_data: { robots: "nofollow" } });
  expect(await api("GET", `pages/${id}/preview/`)).toMatchObject({ robots: "nofollow" });
  expect(await api("POST", `pages/${id}/publish/`)).toMatchObject({ robots: "nofollow" });
  const [, , before] = await api("GET", `pages/${id}/revisions/`);
  expect(await api("POST", `pages/${id}/revert/${before.revision_id}/`)).toMatchObject({ robots: "noindex, nofollow" });

  for (const [robots, message] of [
    [null, "This field may not be null."],
    [["x"], "Not a valid string."],
    ["x".repeat(201), "Ensure this field has no more than 200 characters."],
  ])
    expect((await ask("PATCH", `api:pages/${id}/`, { as: "staff", body: { robots } })).body).toEqual({
      robots: [message],
    });
  const { components } = (await ask("GET", "api:openapi/?format=openapi-json")).body;
  expect(components.schemas.PageInput.properties.robots).toMatchObject({ type: "string", maxLength: 200 });
  const schemas = components.schemas as Record<string, { properties?: object }>;
  const having = Object.keys(schemas).filter((name) => "robots" in (schemas[name]!.properties ?? {}));
  expect(having.sort()).toEqual(["ArticleInput", "FlatPage", "PageInput"]); // not in those of translations
});

it("is read from a file's front matter, rendered, and keeps the page out of the sitemap, served and built", async () => {
  const site = await memorySite({
    "content/pages/open.yaml": `id: 1\ntranslations: {en: {title: Open, ${PUBLISHED}}}\n`,
    "content/pages/shut.md": `---\nid: 2\nrobots: noindex\ntranslations: {en: {title: Shut, ${PUBLISHED}}}\n---\nText\n`,
  });
  await copyStarter(BARE_SITE, site.cms.root, ["en", "it"]);
  const meta = '<meta name="robots" content="noindex">';
  expect((await site.ask("GET", "/shut/")).text).toContain(meta);
  expect((await site.ask("GET", "/open/")).text).not.toContain('name="robots"');
  expect((await site.ask("GET", "api:pages-router/shut/")).body).toMatchObject({ robots: "noindex" });
  const out = join(emptyDir(), "out");
  await buildTree(site, out);
  const listed = (text: string) => ["open", "shut"].filter((slug) => text.includes(`/${slug}/</loc>`));
  expect(listed((await site.ask("GET", "/sitemap.xml")).text)).toEqual(["open"]);
  expect(listed(filesIn(out).get("sitemap.xml")!)).toEqual(["open"]);
  expect(filesIn(out).get("shut/index.html")).toContain(meta);

  await site.api("PATCH", "pages/1/", { robots: "none" });
  await site.api("PATCH", "pages/2/", { robots: "" });
  await buildTree(site, out);
  expect(listed(filesIn(out).get("sitemap.xml")!)).toEqual(["shut"]);
});

const PUBLISHED = 'published_at: "2026-01-01T00:00:00Z"';
