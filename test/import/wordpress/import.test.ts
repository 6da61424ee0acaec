import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SERVICE } from "../../../src/actions/context.ts";
import { openDownloads } from "../../../src/import/sources/download.ts";
import { asHtml, markdownFormat, type TextFormat } from "../../../src/import/texts/html-markdown.ts";
import { importSite } from "../../../src/import/import-site.ts";
import { readWordPress } from "../../../src/import/wordpress/read-wordpress.ts";
import { severityOf } from "../../../src/model/text/problem.ts";
import { contentProblems } from "../../../src/store/check/check.ts";
import { memorySite, temporaryFolder, type MemorySite } from "../../site.ts";
import { wordPressExport } from "../../support/wordpress-export.ts";
import { OLD_SITE, PICTURES, POSTS, postPath, uploads } from "./site.ts";

const LANGUAGES = {
  LANGUAGES: [
    { id: "en", name: "English" },
    { id: "it", name: "Italiano" },
  ],
};
const ADDRESSES = { category: "/category", post_tag: "/tag", author: "/author", posts: "/" };

async function read(
  site: MemorySite,
  from: string,
  folder: string | undefined,
  format: TextFormat = asHtml,
  old = OLD_SITE,
) {
  const file = join(from, "export.xml");
  await writeFile(file, wordPressExport(old));
  const downloads = openDownloads({ hosts: [], maxSize: 1e6 });
  const options = { file, uploads: folder, downloads, temporary: from, zone: undefined, format, addresses: ADDRESSES };
  return readWordPress(options, site.cms.locales);
}

const run = async (site: MemorySite, ...rest: [folder?: string, format?: TextFormat, old?: typeof OLD_SITE]) => {
  const [folder, format, old] = rest;
  const imported = await read(site, await temporaryFolder(), folder, format, old);
  return importSite(site.cms, SERVICE, imported, { name: "wordpress" });
};

const page = async (site: MemorySite, path: string) => (await site.ask("GET", `api:pages-router${path}`)).body;

async function errors({ cms }: MemorySite) {
  const found = await contentProblems(cms.store, cms.locales, { mediaUrl: "/media/" });
  return found.filter((each) => severityOf(each) === "error");
}

describe("an import of WordPress", () => {
  it("carries posts, pages, languages, files and menus, and keeps or redirects each address", async () => {
    const site = await memorySite({}, LANGUAGES);
    const folder = await uploads();
    const report = await run(site, folder);
    expect(report.counts.failed).toBe(0);
    expect(await errors(site)).toEqual([]);
    for (let at = 0; at < POSTS; at++)
      expect(await page(site, postPath(at))).toMatchObject({ status: "PUB", title: `Post ${at} & more` });
    expect(await page(site, postPath(0))).toMatchObject({
      published_at: "2024-01-10T08:30:00Z",
      description: "Summary of 0",
      author: { username: "anna", first_name: "Anna", last_name: "Rossi" },
      tags: [{ name: "News" }, { name: "Garden" }],
      highlight_image: {
        alt_text: "A field in 0 colours",
        file: expect.stringContaining("/media/2024/01/photo-0.png"),
      },
      template_data: { custom_fields: { mood: "good" } },
      content:
        '<p>See <a href="/2024/02/post-1/">the next</a>, <a href="/about/team/">the team</a>, <a href="/">news</a> ' +
        'and <a href="https://elsewhere.example/x">elsewhere</a>.</p>\n\n' +
        '<figure class="wp-block-image"><img src="/media/2024/01/photo-0.png" alt="Field"/></figure>',
    });
    expect((await page(site, postPath(1))).content).toBe(
      '<p>Written in the <em>classic</em> editor,<br />\nsee <a href="/2024/03/post-2/">the next</a>.</p>\n' +
        '<figure><img src="/media/2024/02/photo-1.png" alt="Field" /><figcaption>A field</figcaption></figure>',
    );
    // The category and the tag that are called the same are one tag.
    const tags: any[] = await site.api("GET", "tags/");
    expect(tags.map(({ name }) => name).sort()).toEqual(["Concerts", "Events", "Garden", "News"]);
    const about = await page(site, "/about/");
    expect(about).toMatchObject({
      ordering: 2,
      alternates: { it: "/it/chi-siamo/" },
      template_data: { body: "<p>About us</p>", page_template: "templates/wide.php" },
    });
    expect((await page(site, "/it/chi-siamo/")).template_data.body).toBe('<p><a href="/it/">Casa</a></p>');
    expect((await page(site, "/about/team/")).parent_page.id).toBe(about.id);
    for (const [from, to] of [
      ["/category/news/", "/"],
      ["/category/events/concerts/", "/"],
      ["/it/category/notizie/", "/it/"],
      ["/tag/garden/", "/"],
      ["/author/anna/", "/"],
      ["/feed/", "/feed.xml"],
      ["/photo-3/", "/media/2024/04/photo-3.png"],
      ["/wp-content/uploads/2024/04/photo-3.png", "/media/2024/04/photo-3.png"],
      ["/2024/06/first-name-5/", "/2024/06/post-5/"],
      ["/archive/With.Dot.html", "/archive/withdothtml/"],
    ])
      expect(await page(site, from!), from).toMatchObject({ redirect: to, status: 301 });
    const menu = await site.api("GET", "menus/main/");
    const shown = (nodes: any[]): unknown[] =>
      nodes.map(({ title, link, nodes: below }) => [title, link.url, ...(below ? shown(below) : [])]);
    expect(shown(menu.nodes)).toEqual([
      ["About", "/about/", ["Our team", "/about/team/"]],
      ["Elsewhere", "https://elsewhere.example/"],
      ["News", "/"],
    ]);
  });

  it("leaves unpublished what is no page for everybody, and says what it could not carry, with lines", async () => {
    const site = await memorySite({}, LANGUAGES);
    const { remarks } = await run(site, await uploads());
    const all: any[] = [...(await site.api("GET", "pages/")), ...(await site.api("GET", "articles/"))];
    const statusOf = (title: string) => all.find((each) => each.title === title)?.status;
    expect(["Sketch", "For us", "Locked", "To review", "To come", "Thrown away", "Home"].map(statusOf)).toEqual([
      ...["DRF", "DRF", "DRF", "DRF"],
      "PLA",
      "TRS",
      "PUB",
    ]);
    expect(all.find(({ title }) => title === "To come").published_at).toBe("2099-05-01T08:00:00Z");
    for (const path of ["/for-us/", "/locked/", "/to-come/", "/to-review/", "/sketch/"])
      expect((await site.ask("GET", `api:pages-router${path}`, { as: null })).status, path).toBe(404);
    const lines = wordPressExport(OLD_SITE).split("\n");
    const told = remarks.map(({ line, message }) => [message, line === undefined ? "" : lines[line - 1]!.trim()]);
    const expected: [string, string][] = [
      ["Comments of readers are not imported: 8, of 4 posts", "<item>"],
      ["Of the type wpcf7_contact_form, which has no pages, 1 is not imported", "<item>"],
      ["The site has no language de", "<item>"],
      ["Categories are below others", "<wp:category>"],
      ['"For us" is private', "<item>"],
      ['"Locked" has a password', "<item>"],
      ["The shortcode [contact-form-7] is not known here", '[contact-form-7 id="13"]'],
      ['"With a shortcode" links to /lost/, which is not in the export', "<item>"],
      ['The menu entry "Nowhere" is left out', "<item>"],
      ["Hidden custom fields are of plugins and may be private, so they are not imported: _private (1)", ""],
    ];
    for (const [message, line] of expected) expect(told).toContainEqual([expect.stringContaining(message), line]);
    const odd = all.find(({ title }) => title === "With a shortcode");
    expect(odd.template_data).toEqual({ custom_fields: { list: ["a", "b"] } });
    expect(odd.content).toContain('[contact-form-7 id="13"]');
  });

  it("changes nothing the second time, and what changed in the source only, the third time", async () => {
    const site = await memorySite({}, LANGUAGES);
    const folder = await uploads();
    const first = await run(site, folder);
    const again = await run(site, folder);
    expect(again).toMatchObject({ committed: false, records: [] });
    expect(again.counts).toMatchObject({ created: 0, updated: 0, unchanged: first.counts.created });
    const items = OLD_SITE.items.map((item) => (item.id === 1003 ? { ...item, title: "Another title" } : item));
    const third = await run(site, folder, asHtml, { ...OLD_SITE, items });
    expect(third.records).toMatchObject([{ outcome: "updated", title: "Another title" }]);
  });

  it("without files keeps the old addresses, and tells each file", async () => {
    const site = await memorySite({}, LANGUAGES);
    const report = await run(site);
    expect(report.counts.failed).toBeGreaterThanOrEqual(PICTURES);
    expect(report.remarks.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("allow fetching with --allow-media-from old.example"),
    );
    expect((await page(site, postPath(0))).content).toContain(
      'src="https://old.example/wp-content/uploads/2024/01/photo-0.png"',
    );
    // Where the file is, nothing redirects to itself.
    expect((await page(site, "/wp-content/uploads/2024/01/photo-0.png")).redirect).toBeUndefined();
  });

  it("turns texts into Markdown", async () => {
    const site = await memorySite({}, LANGUAGES);
    await run(site, await uploads(), await markdownFormat());
    expect((await page(site, postPath(0))).content).toBe(
      "See [the next](/2024/02/post-1/), [the team](/about/team/), [news](/) and [elsewhere](https://elsewhere.example/x).\n\n" +
        "![Field](/media/2024/01/photo-0.png)",
    );
    expect(await errors(site)).toEqual([]);
  });
});
