/**
 * The addresses of an old site, written down from the rules of WordPress: each leads to its page, in the running service and
 * in a build, or is told.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SERVICE } from "../../../src/actions/context.ts";
import { importSite } from "../../../src/import/import-site.ts";
import { openDownloads } from "../../../src/import/sources/download.ts";
import { asHtml } from "../../../src/import/texts/html-markdown.ts";
import { readWordPress } from "../../../src/import/wordpress/read-wordpress.ts";
import { memorySite, temporaryFolder, type MemorySite } from "../../site.ts";
import { picture } from "../../support/markdown-sites.ts";
import { wordPressExport, type ExportedItem } from "../../support/wordpress-export.ts";
import { leadsIn, leadsInBuild } from "../markdown/old-site.ts";

const HOME = "https://old.example";
/** The structure /%year%/%monthnum%/%day%/%postname%/ takes the date of the site's own zone. */
const post = (id: number, link: string, more: Partial<ExportedItem> = {}): ExportedItem => ({
  id,
  link,
  title: `Post ${id}`,
  date: "2024-01-10 00:30:00",
  dateGmt: "2024-01-09 23:30:00",
  content: "Text",
  ...more,
});
const page = (id: number, link: string, more: Partial<ExportedItem> = {}): ExportedItem =>
  post(id, link, { type: "page", ...more });

const QUERIES = [
  "/?p=20",
  `${HOME}/?p=21`,
  "/?page_id=3",
  `http://www.old.example/?page_id=2#top`,
  "/?attachment_id=30",
  "/2024/01/10/hello/?replytocom=3",
];

const ITEMS: readonly ExportedItem[] = [
  // A page for the front, and one for the list of posts.
  page(1, "/", { slug: "home" }),
  page(2, "/about/", { slug: "about" }),
  page(3, "/about/team/", { slug: "team", parent: 2 }),
  page(4, "/about/team/anna/", { slug: "anna", parent: 3 }),
  // The numbers of pages that have the same slug count below one parent only.
  page(5, "/team/", { slug: "team" }),
  page(6, "/blog/", { slug: "blog" }),
  page(7, "/about/secret/", { slug: "secret", parent: 2, status: "private" }),
  page(8, "/?page_id=8", { slug: "", status: "draft", parent: 2 }),
  post(20, "/2024/01/10/hello/", {
    slug: "hello",
    meta: [
      ["_wp_old_slug", "helo"],
      ["_thumbnail_id", "30"],
    ],
    terms: [
      ["category", "concerts", "Concerts"],
      ["post_tag", "garden", "Garden"],
    ],
    content: QUERIES.map((address) => `<a href="${address}">x</a>`).join(" "),
  }),
  post(21, "/2024/01/10/hello-2/", { slug: "hello-2", title: "Post 20" }),
  // Slugs in other scripts are percent-encoded, in lower case.
  post(22, "/2024/01/10/%e6%97%a5%e6%9c%ac/", { slug: "%e6%97%a5%e6%9c%ac" }),
  post(23, "/2024/01/10/100-percent/", { slug: "100-percent", title: "100% of it" }),
  post(24, "/?p=24", { slug: "later", status: "future", date: "2099-01-10 10:00:00", dateGmt: "2099-01-10 09:00:00" }),
  // What visitors did not see, or not all of them.
  post(40, "/2024/01/11/parts/", {
    date: "2024-01-11 10:00:00",
    content: `<!-- wp:group {"metadata":{"blockVisibility":false}} -->
<div><!-- wp:group --><div>SECRET</div><!-- /wp:group --></div>
<!-- /wp:group -->
<!-- wp:paragraph {"metadata":{"blockVisibility":{"viewport":{"mobile":false}}}} -->
<p>One</p>
<!-- /wp:paragraph -->
<!-- wp:block {"ref":41} /-->
<!-- wp:nextpage -->
<!--nextpage-->
<!-- /wp:nextpage -->`,
  }),
  post(41, "/?p=41", { type: "wp_block", status: "draft", content: "<p>SECRET</p>" }),
  post(42, "/2024/01/10/members/", { content: "Open [members_only]SECRET[/members_only]" }),
  post(43, "/?elementor_library=footer", { type: "elementor_library", content: "SECRET" }),
  post(25, "/?p=25", { slug: "gone__trashed", status: "trash" }),
  // The page of a file is below the post that it was uploaded to, or at the top.
  ...[
    { id: 30, link: "/2024/01/10/hello/photo/", parent: 20, file: "2024/01/photo.png" },
    { id: 31, link: "/plan/", parent: 0, file: "plan.png" },
  ].map(({ file, ...item }) => ({
    ...item,
    type: "attachment",
    status: "inherit",
    attachmentUrl: `${HOME}/wp-content/uploads/${file}`,
    meta: [["_wp_attached_file", file]] as const,
  })),
];

const EXPECTED: Record<string, string> = {
  "/": "/",
  "/about/": "/about/",
  "/about/team/": "/about/team/",
  "/about/team/anna/": "/about/team/anna/",
  "/team/": "/team/",
  "/blog/": "/blog/",
  "/2024/01/10/hello/": "/2024/01/10/hello/",
  "/2024/01/10/helo/": "/2024/01/10/hello/",
  "/2024/01/10/hello-2/": "/2024/01/10/hello-2/",
  "/2024/01/10/日本/": "/2024/01/10/日本/",
  "/2024/01/10/100-percent/": "/2024/01/10/100-percent/",
  "/category/events/": "/blog/",
  "/category/events/concerts/": "/blog/",
  "/category/concerts/": "/blog/",
  "/tag/garden/": "/blog/",
  "/author/anna/": "/blog/",
  "/2024/01/10/hello/photo/": "/media/2024/01/photo.png",
  "/plan/": "/media/plan.png",
  "/wp-content/uploads/2024/01/photo.png": "/media/2024/01/photo.png",
  "/wp-content/uploads/plan.png": "/media/plan.png",
  "/2024/": "/blog/",
  "/2024/01/": "/blog/",
  "/2024/01/10/": "/blog/",
  "/2024/01/11/": "/blog/",
  "/2024/01/11/parts/": "/2024/01/11/parts/",
  "/2024/01/11/parts/2/": "/2024/01/11/parts/",
  // Not of the old site, for the public.
  "/2024/01/10/members/": "nothing",
  "/about/secret/": "nothing",
  "/later/": "nothing",
  "/gone/": "nothing",
};

async function imported(): Promise<MemorySite> {
  const temporary = await temporaryFolder();
  const uploads = join(temporary, "uploads");
  await mkdir(join(uploads, "2024/01"), { recursive: true });
  await writeFile(join(uploads, "2024/01/photo.png"), await picture(0));
  await writeFile(join(uploads, "plan.png"), await picture(1));
  const file = join(temporary, "export.xml");
  const categories = [
    { id: 11, slug: "events", name: "Events" },
    { id: 12, slug: "concerts", name: "Concerts", parent: "events" },
  ];
  const tags = [{ id: 21, slug: "garden", name: "Garden" }];
  const authors = [{ id: 1, login: "anna" }];
  await writeFile(file, wordPressExport({ link: HOME, authors, categories, tags, items: ITEMS }));
  const site = await memorySite({}, { LANGUAGES: [{ id: "en", name: "English" }] });
  const addresses = { category: "/category", post_tag: "/tag", author: "/author", posts: "/blog/" };
  const downloads = openDownloads({ hosts: [], maxSize: 1e6 });
  const options = { file, uploads, downloads, temporary, zone: undefined, format: asHtml, addresses };
  const report = await importSite(site.cms, SERVICE, await readWordPress(options, site.cms.locales), { name: "old" });
  expect(report.records.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  return site;
}

it("lead where they led: pages below others, posts by their day, lists, files and their pages, former slugs", async () => {
  const site = await imported();
  expect(await leadsIn(site, Object.keys(EXPECTED))).toEqual(EXPECTED);
  expect(await leadsInBuild(site, Object.keys(EXPECTED))).toEqual(EXPECTED);
  expect((await site.ask("GET", "api:pages-router/2024/01/11/parts/")).body).toMatchObject({ content: "<p>One</p>" });
  expect((await site.api("GET", "pages/")).map(({ permalink }: { permalink: string }) => permalink)).not.toContain(
    "/2",
  );
});

it("with the number of a post, in links, become the present ones", async () => {
  const site = await imported();
  const { content } = (await site.ask("GET", "api:pages-router/2024/01/10/hello/")).body as { content: string };
  expect([...content.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual([
    "/2024/01/10/hello/",
    "/2024/01/10/hello-2/",
    "/about/team/",
    "/about/#top",
    "/media/2024/01/photo.png",
    "/2024/01/10/hello/",
  ]);
});
