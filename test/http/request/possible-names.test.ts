/** Names that some system or another part of the site has already. */
import { expect, it } from "vitest";
import { contentProblems } from "../../../src/store/check/check.ts";
import { memorySite } from "../../site.ts";

it("records with the names of devices have files that Windows can have", async () => {
  const site = await memorySite();
  const page = await site.page({ title: "Con" }, ["en"]);
  await site.page({ title: "Aux", parent_page: page.id }, ["en"]);
  await site.api("POST", "tags/", { name: "Nul" });
  await site.api("POST", "menus/", { key: "com1" });
  await site.api("POST", "contents/", { identifier: "LPT9", content: "x" });
  const type = await site.api("POST", "meta-types/", { key: "prn", name: "Prn", schema: [] });
  await site.api("POST", "meta-instances/", { meta_type: type.id, identifier: "con", data: {} });
  const files = site.cms.store.kinds.flatMap((kind) =>
    [...site.cms.store.current.table(kind).byBase.values()].flatMap(({ base, files: parts }) =>
      [...parts.keys()].map((part) => base + part),
    ),
  );
  expect(files.sort()).toEqual([
    "content/contents/lpt9-file.yaml",
    "content/menus/com1-file.yaml",
    "content/meta-instances/prn-file/con-file.yaml",
    "content/meta-types/prn-file.yaml",
    "content/pages/con-file.yaml",
    "content/pages/con-file/aux-file.yaml",
    "content/tags/nul-file.yaml",
  ]);
  expect(page.permalink).toBe("/con-2");
  expect(
    (await contentProblems(site.cms.store, site.cms.locales)).filter(({ severity }) => severity !== "warning"),
  ).toEqual([]);
});

it.each([
  ["Media", "media"],
  ["Admin", "admin"],
  ["API", "api"],
  ["Preview", "preview"],
  ["Healthz", "healthz"],
  ["IT", "it"],
  ["Nul", "nul"],
])("a page %j does not get the address of another part of the site", async (title, name) => {
  const site = await memorySite();
  const page = await site.page({ title }, ["en"]);
  expect(page.permalink).toBe(`/${name}-2`);
  expect((await site.ask("GET", `api:pages-router/${name}-2/`)).status).toBe(200);
  const manual = { permalink_en: `/${name}`, autopermalink_en: false };
  const refused = await site.ask("PATCH", `api:pages/${page.id}/`, { as: "staff", body: manual });
  expect([refused.status, Object.keys(refused.body)]).toEqual([400, ["permalink_en"]]);
});

it("MEDIA.URL and ADMIN.PATH are reserved as they are set", async () => {
  const site = await memorySite({}, { MEDIA: { URL: "/files/" }, ADMIN: { PATH: "/edit/" } });
  const titles = ["Files", "Edit", "Media", "Admin"];
  const pages = await Promise.all(titles.map((title) => site.page({ title }, ["en"])));
  expect(pages.map(({ permalink }) => permalink)).toEqual(["/files-2", "/edit-2", "/media", "/admin"]);
});

it("a page whose address becomes that of a language is on no surface, and `cms check` names it and the pages below", async () => {
  const published = 'published_at: "2026-01-01T00:00:00Z"';
  const files = {
    "content/pages/de.yaml": `id: 1\ntranslations: {en: {title: German, permalink: /de, autopermalink: false, ${published}}}\n`,
    "content/pages/child.yaml": `id: 2\nparent_page: 1\ntranslations: {en: {title: Child, permalink: /de/child, ${published}}}\n`,
    "content/pages/aux.yaml": `id: 3\ntranslations: {en: {title: Device, permalink: /device, ${published}}}\n`,
  };
  const site = await memorySite(files, { LANGUAGES: ["en", "de"].map((id) => ({ id, name: id })) });
  expect(
    (await site.ask("GET", "api:pages-router/changes")).body.urls.map(({ path }: { path: string }) => path),
  ).toEqual(["/device/"]);
  for (const path of ["/de/", "/de/child/"]) {
    expect((await site.ask("GET", path)).text).not.toContain("German");
    expect((await site.ask("GET", `api:pages-router${path}`)).status).toBe(404);
  }
  const told = (await contentProblems(site.cms.store, site.cms.locales)).filter(
    ({ severity }) => severity !== "warning",
  );
  expect(told.map(({ path, message }) => `${path} ${message}`)).toEqual([
    "content/pages/de.yaml translations.en.permalink: Addresses below /de are those of a language. No page is shown at /de.",
    "content/pages/child.yaml translations.en.permalink: Addresses below /de are those of a language. No page is shown at /de/child.",
    'content/pages/aux.yaml "aux.yaml" is the name of a device on Windows. Rename the file.',
  ]);
  expect((await site.page({ title: "Renamed" }, ["en"])).permalink).toBe("/renamed");
  await site.api("PATCH", "pages/1/", { permalink_en: "/german" });
  expect((await site.ask("GET", "api:pages-router/german/")).status).toBe(200);
});

it("a redirect at a page's address hides the page on every surface while it is there", async () => {
  const site = await memorySite();
  await site.page({ title: "Old" }, ["en"]);
  const paths = async (): Promise<string[]> =>
    (await site.ask("GET", "api:pages-router/changes")).body.urls.map(({ path }: { path: string }) => path);
  expect(await paths()).toEqual(["/old/"]);
  site.repo.write("content/redirects.yaml", "- { from: /old, to: /new }\n");
  await site.cms.store.refresh();
  expect(await paths()).toEqual([]);
  expect((await site.ask("GET", "/sitemap.xml")).text).not.toContain("/old");
  await site.api("DELETE", "redirects/?from=/old");
  expect(await paths()).toEqual(["/old/"]);
});
