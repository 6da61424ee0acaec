import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SERVICE } from "../../../src/actions/context.ts";
import { readCamomilla } from "../../../src/import/camomilla/read-camomilla.ts";
import { asHtml } from "../../../src/import/texts/html-markdown.ts";
import { importSite } from "../../../src/import/import-site.ts";
import { severityOf } from "../../../src/model/text/problem.ts";
import { contentProblems } from "../../../src/store/check/check.ts";
import { memorySite, temporaryFolder, type MemorySite } from "../../site.ts";
import { ARTICLES, camomillaDump, mediaRoot, PASSWORD } from "../../support/camomilla.ts";

const LANGUAGES = {
  LANGUAGES: [
    { id: "en", name: "English" },
    { id: "it", name: "Italiano" },
  ],
  RENDER: { HEADLESS: false }, // its templates are judged, though the tests write none
};

async function read(site: MemorySite, text: string, media: string | undefined) {
  const temporary = await temporaryFolder();
  const file = join(temporary, "dump.json");
  await writeFile(file, text);
  const options = { sites: ["https://old.example"], mediaUrl: "/media/", mediaHosts: [], onStep: () => undefined };
  return readCamomilla({ ...options, source: { file }, media, temporary, format: asHtml }, site.cms);
}

const run = async (site: MemorySite, text: string, media?: string) =>
  importSite(site.cms, SERVICE, await read(site, text, media), { name: "camomilla" });

const page = async (site: MemorySite, path: string) => (await site.ask("GET", `api:pages-router${path}`)).body;

describe("an import of a dump of camomilla", () => {
  it("carries pages, articles, menus, blocks, meta types, files with folders, drafts and accounts", async () => {
    const site = await memorySite({}, LANGUAGES);
    const report = await run(site, camomillaDump(), await mediaRoot());
    expect(report.records.filter(({ outcome }) => outcome === "failed")).toMatchObject([
      { source: "camomilla:metainstance:3" },
    ]);
    const problems = await contentProblems(site.cms.store, site.cms.locales, { mediaUrl: "/media/" });
    expect(problems.filter((each) => severityOf(each) === "error")).toEqual([]);

    const about = await page(site, "/about/");
    const team = await page(site, "/about/team/");
    expect(about).toMatchObject({
      title: "About",
      identifier: "identifier-2",
      autopermalink: true,
      published_at: "2024-01-02T03:04:05.678Z",
      date_created: "2023-05-06T07:08:09Z",
      date_updated_at: "2024-02-03T04:05:06Z",
      alternates: { it: "/it/chi-siamo/" },
      og_image: { alt_text: "A field in 2 colours", file: expect.stringContaining("/media/spring-2024/photo-2.png") },
      contents: { intro: { content: '<p><a href="/post-1/">first</a></p>' } },
    });
    const [photo] = await site.api("GET", "media/?search=photo-1");
    expect(about.template_data).toMatchObject({
      hero: { headline: "<b>About us</b>", image: { id: photo.id, file: "/media/photo-1.png" } },
      cta: { link_type: "RE", url_node: team.id, url: "/about/team/" },
      numbers: [1, null, "x"],
      imported: { template: "website/pages/about.html" },
    });
    expect(team.parent_page.id).toBe(about.id);
    expect(await page(site, "/it/chi-siamo/squadra/")).toMatchObject({ title: "Squadra", autopermalink: true });
    // Its permalink was not made from the title.
    expect(await page(site, "/2ed57d3b-7db3-4ecb-9d95-11c5427d5661/")).toMatchObject({ autopermalink: false });

    // The article with the id of a page is another record.
    const post = await page(site, "/post-2/");
    const anna = (await site.cms.accounts.store.findByName("anna"))!;
    expect(post).toMatchObject({
      title: "Post 2",
      published_at: "2024-03-12T08:30:00Z",
      author: { id: anna.id, username: "anna", first_name: "Anna" },
      tags: [{ name: "News" }],
      highlight_image: { file: expect.stringContaining("/media/spring-2024/ofen-more/photo-3.png") },
      contents: { intro: { content: "<p>Of the article</p>" } },
      content:
        '<h2>Top</h2><p>See <a href="/post-3/#top">the next</a>, <a href="/it/chi-siamo/">us</a> and <img src="/media/spring-2024/ofen-more/photo-3.png" alt="Field"></p>',
    });
    expect((await page(site, "/it/pane/")).template_data).toEqual({
      imported: { model: "shop.product", fields: { price: "9.50", flavour: "segale" } },
    });

    const all: any[] = await site.api("GET", "pages/");
    expect(Object.fromEntries(all.map((each) => [each.title, each.status]))).toMatchObject({
      ...{ Home: "PUB", Sketch: "DRF", "To come": "PLA", "Thrown away": "TRS" },
    });
    expect(all.find(({ title }) => title === "Thrown away").deleted_at).toBe("2024-03-04T05:06:07Z");
    expect(await site.api("GET", `pages/${about.id}/preview/`)).toMatchObject({
      title: "About us, soon",
      draft_scheduled_for: "2099-06-07T08:09:10Z",
      og_image: { title: "Photo 3" },
    });

    const menu = await site.api("GET", "menus/main/");
    const shown = (nodes: any[]): unknown[] =>
      nodes.map(({ title, link, nodes: below }) => [title, link.url, ...(below ? shown(below) : [])]);
    expect([menu.enabled, shown(menu.translations.en.nodes)]).toEqual([
      false,
      [
        ["About", "/about/", ["Team", "/about/team/"]],
        ["Post", "/post-1/"],
        ["Elsewhere", "https://elsewhere.example/"],
        ["Only a title", null],
      ],
    ]);

    const instances: any[] = await site.api("GET", "meta-instances/");
    const [one, two] = ["One", "Two"].map((en) => instances.find(({ data }) => data.heading.en === en));
    expect(two.data.heading).toEqual({ en: "Two" });
    expect(one.data).toMatchObject({
      heading: { en: "One", it: "Uno" },
      photo: { id: photo.id },
      tag: { name: "Garden" },
      items: [{ more: { id: two.id } }],
    });
    const folders = await site.api("GET", "media-folder");
    expect(folders.folders).toMatchObject([{ title: "Spring 2024", path: "/spring-2024" }]);
    expect((await site.api("GET", `media-folder/${folders.folders[0].id}`)).folders).toMatchObject([
      { title: "Öfen & more", path: "/spring-2024/ofen-more" },
    ]);
    expect(photo.renditions_config).toEqual([{ name: "tiny", width: 10, format: "webp" }]);

    for (const [from, to, status] of [
      ["/former-about/", "/about/", 301],
      ["/it/vecchio/", "/it/chi-siamo/", 301],
      ["/offer/", "/bread/", 302],
    ])
      expect(await page(site, from as string), from as string).toMatchObject({ redirect: to, status });
    const moved = await site.ask("GET", "/media/photo-3.png");
    expect([moved.status, moved.headers.get("location")]).toEqual([301, "/media/spring-2024/ofen-more/photo-3.png"]);

    expect(anna).toMatchObject({ is_staff: true, email: "anna@example.org", user_permissions: ["cms.change_page"] });
    const signedIn = await site.ask("POST", "api:token-auth/", {
      body: { username: "anna", password: PASSWORD },
      as: null,
    });
    expect(signedIn.status).toBe(200);
  });

  it("says what is not carried, with lines, and keeps beside what has no place", async () => {
    const site = await memorySite({}, LANGUAGES);
    const text = camomillaDump();
    const { remarks } = await run(site, text, await mediaRoot());
    const lines = text.split("\n");
    const told = remarks.map(({ message, line }) => [message, line === undefined ? "" : lines[line]?.trim()]);
    const expected: [string, string][] = [
      ["Revisions are not imported: 2 rows", '"model": "camomilla.contentversion",'],
      ["Rows of shop.order are not of camomilla, and may be private: 1 is not imported", '"model": "shop.order",'],
      ["Its template website/pages/about.html is not in templates/", '"model": "camomilla.page",'],
      ["Its draft in it is not imported: ordering:", '"model": "camomilla.page",'],
      ["No password that can be verified here, so that they need a new one (cms user): off.", '"model": "auth.user",'],
      ["Permissions that are not known here are not imported: shop.change_product.", '"model": "auth.user",'],
    ];
    for (const [message, line] of expected) expect(told).toContainEqual([expect.stringContaining(message), line]);
    const kept = new TextDecoder().decode((await site.repo.read("content/imports/camomilla.kept.jsonl"))?.bytes);
    expect(kept.split("\n").map((row) => row && [JSON.parse(row).source, JSON.parse(row).what])).toEqual([
      ["camomilla:metainstance:3", "meta instance"],
      ["camomilla:page:3", "draft in it"],
      "",
    ]);
    expect(JSON.stringify(remarks) + kept).not.toMatch(/a private person|pbkdf2|secret/);
  });

  it("changes nothing the second time; a changed source updates, and what was edited here stays", async () => {
    const site = await memorySite({}, LANGUAGES);
    const media = await mediaRoot();
    const first = await run(site, camomillaDump(), media);
    const again = await run(site, camomillaDump(), media);
    expect(again).toMatchObject({
      committed: false,
      counts: { created: 0, updated: 0, unchanged: first.counts.created },
    });
    const about = await page(site, "/about/");
    await site.api("PATCH", `pages/${about.id}/`, { title_en: "Edited" });
    const changed = camomillaDump((rows) =>
      rows.map((row) => {
        const isChanged = row.model === "camomilla.article" && row.pk === 9;
        const isEdited = row.model === "camomilla.page" && row.pk === 2;
        return isChanged || isEdited
          ? { ...row, fields: { ...row.fields, title_en: "Changed", title: "Changed" } }
          : row;
      }),
    );
    const third = await run(site, changed, media);
    const outcomes = third.records.map(({ source, outcome }) => [source, outcome]);
    expect(outcomes).toContainEqual(["camomilla:article:9", "updated"]);
    expect(outcomes).toContainEqual(["camomilla:page:2", "edited"]);
    expect((await page(site, "/post-9/")).title).toBe("Changed");
    expect((await site.api("GET", `pages/${about.id}/`)).title).toBe("Edited");
  });

  it("without files keeps the old addresses, and tells each file", async () => {
    const site = await memorySite({}, LANGUAGES);
    const report = await run(site, camomillaDump());
    expect(report.remarks.map(({ message }) => message)).toContain(
      "photo-1.png is not imported: Its file is not in the dump: give the folder MEDIA_ROOT with --media.",
    );
    expect((await page(site, "/post-2/")).content).toContain('<img src="/media/photo-3.png" alt="Field">');
    expect((await site.api("GET", "articles/")).length).toBe(ARTICLES);
  });

  // oxfmt-ignore
  it.each([
    ["[]x",                                              /^dump\.json:1: The file is not JSON/],
    ["hello",                                            /^dump\.json:1: This is no dump of Django/],
    ['[\n{"model": "camomilla.page"}]',                  /^dump\.json:2: This is no row of a dump/],
    ['{"model": "a.b", "fields": {}}\n{"model": 1}',     /^dump\.json:2: This is no row of a dump/],
    ['{"model": "a.b", "fields": {}}\n{',                /^dump\.json:2: The line is not JSON/],
  ])("refuses %j", async (text, message) => {
    const site = await memorySite({}, LANGUAGES);
    await expect(read(site, text, undefined)).rejects.toThrow(message);
  });

  it("reads a row a line, natural keys, and the status of camomilla before 6.5", async () => {
    const site = await memorySite({}, LANGUAGES);
    const rows = [
      {
        model: "auth.user",
        fields: {
          username: "bo",
          password: "x",
          email: "",
          groups: [["G"]],
          user_permissions: [["add_page", "camomilla", "page"]],
        },
      },
      { model: "auth.group", fields: { name: "G", permissions: [["change_tag", "camomilla", "tag"]] } },
      { model: "camomilla.urlnode", pk: 1, fields: { permalink: "/one", related_name: "camomilla_page" } },
      { model: "camomilla.page", pk: 1, fields: { title: "One", url_node: 1, status: "PUB", publication_date: null } },
      {
        model: "camomilla.page",
        pk: 2,
        fields: { title: "Two", url_node: 2, status: "PLA", publication_date: "2099-01-01T00:00:00Z" },
      },
      {
        model: "camomilla.page",
        pk: 3,
        fields: { title: "Three", url_node: 3, status: "TRS", publication_date: null },
      },
      {
        model: "camomilla.content",
        pk: 1,
        fields: { identifier: "a", content: "A", content_type: ["camomilla", "page"], object_id: 1 },
      },
    ];
    await run(site, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const all: any[] = await site.api("GET", "pages/");
    expect(all.map(({ title, status }) => [title, status]).sort()).toEqual([
      ["One", "PUB"],
      ["Three", "TRS"],
      ["Two", "PLA"],
    ]);
    expect((await page(site, "/one/")).contents).toMatchObject({ a: { content: "A" } });
    expect(await site.cms.accounts.store.findByName("bo")).toMatchObject({
      user_permissions: ["cms.add_page", "cms.change_tag"],
      password: null,
    });
  });
});
