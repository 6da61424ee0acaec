/** Pages of WordPress that become blocks, where the site has types of their names. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SERVICE } from "../../../src/actions/context.ts";
import { openDownloads } from "../../../src/import/sources/download.ts";
import { asHtml, markdownFormat, type TextFormat } from "../../../src/import/texts/html-markdown.ts";
import { importSite } from "../../../src/import/import-site.ts";
import { readWordPress } from "../../../src/import/wordpress/read-wordpress.ts";
import { sectionsOf } from "../../../src/import/wordpress/sections.ts";
import { severityOf } from "../../../src/model/text/problem.ts";
import { contentProblems } from "../../../src/store/check/check.ts";
import { memorySite, temporaryFolder, type MemorySite } from "../../site.ts";
import { wordPressExport, type ExportedItem } from "../../support/wordpress-export.ts";
import { BLOCKS_PAGE, BLOCK_FILES, pictureItems, uploads } from "./site.ts";

const ADDRESSES = { category: "/category", post_tag: "/tag", author: "/author", posts: "/" };

const wp = (name: string, html: string, attributes = ""): string =>
  `<!-- wp:${name} ${attributes}-->\n${html}\n<!-- /wp:${name} -->`;
const paragraph = (text: string): string => wp("paragraph", `<p>${text}</p>`);

interface Run {
  readonly files?: Readonly<Record<string, string>>;
  readonly format?: TextFormat;
  readonly folder?: string;
  readonly pageModel?: string;
  readonly site?: MemorySite;
}

async function run(
  pages: readonly Partial<ExportedItem>[],
  { files = BLOCK_FILES, format = asHtml, ...given }: Run = {},
) {
  const site = given.site ?? (await memorySite(files));
  const from = await temporaryFolder();
  const file = join(from, "export.xml");
  const items = pages.map((item, at) => ({
    ...{ id: 40 + at, type: "page", title: `Page ${at}`, link: `/page-${at}/`, slug: `page-${at}` },
    ...item,
  }));
  await writeFile(file, wordPressExport({ items: [...items, ...pictureItems] }));
  const downloads = openDownloads({ hosts: [], maxSize: 1e6 });
  const folder = given.folder ?? (await uploads());
  const options = { file, uploads: folder, downloads, temporary: from, zone: undefined, format, addresses: ADDRESSES };
  const imported = await readWordPress(options, site.cms.locales);
  const report = await importSite(site.cms, SERVICE, imported, { name: "wordpress", pageModel: given.pageModel });
  expect(report.records.filter(({ kind, outcome }) => kind === "Page" && outcome === "failed")).toEqual([]);
  const read = async (at: number) => (await site.ask("GET", `api:pages-router/page-${at}/`)).body;
  return { site, report, read, remarks: report.remarks.map(({ message }) => message) };
}

/** The page with what it has as text: a model and a body. */
const asText = { related_name: "cms_page", template_data: { body: expect.any(String) } };

const withoutIds = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner) => (key === "id" && String(inner).startsWith("b") ? undefined : inner)),
  );

describe("a page of columns, gallery, cover and buttons", () => {
  it("arrives as blocks, with its words, pictures and links, and passes the check", async () => {
    const { site, read, remarks } = await run([{ content: BLOCKS_PAGE }, { title: "Team" }]);
    expect(remarks.filter((each) => each.includes("one piece"))).toEqual([]);
    const page = await read(0);
    const [photo0, photo1] = await Promise.all(
      [0, 1].map(async (at) => (await site.api("GET", `media/?search=photo-${at}.png`))[0].id as number),
    );
    expect(page.related_name).toBe("pages_landing");
    expect(withoutIds((await site.api("GET", `pages/${page.id}/`)).template_data.sections)).toMatchObject([
      {
        type: "cover",
        image: { id: photo0 },
        title: "The garden opens",
        text: '<p class="has-text-align-center">From the first of <em>April</em>.</p>',
      },
      { type: "text", body: '<h2 class="wp-block-heading">About us</h2>\n\n<p>We dig.</p>' },
      {
        type: "columns",
        columns: [
          {
            content: [
              { type: "text", body: "Left" },
              { type: "quote", words: "So it goes", who: "Kurt" },
            ],
          },
          { content: [{ type: "image", image: { id: photo1 }, caption: "A field", alt: "Green" }] },
        ],
      },
      {
        type: "gallery",
        pictures: [{ picture: { id: photo0 }, caption: "First" }, { picture: { id: photo1 } }],
        caption: "Two of them",
      },
      {
        type: "buttons",
        links: [
          { label: "The team", to: { link_type: "RE", url: "/page-1/" } },
          { label: "Elsewhere", to: { link_type: "ST", static: "https://elsewhere.example/" } },
        ],
      },
    ]);
    expect(
      (await contentProblems(site.cms.store, site.cms.locales)).filter((each) => severityOf(each) === "error"),
    ).toEqual([]);
  });

  it("changes nothing when it is imported again", async () => {
    const { site } = await run([{ content: BLOCKS_PAGE }, {}]);
    const { commit } = site.cms.store.current;
    const again = await run([{ content: BLOCKS_PAGE }, {}], { site });
    expect([again.report.counts.unchanged > 0, site.cms.store.current.commit]).toEqual([true, commit]);
  });

  it("is text where the site has no such types, without a word about blocks", async () => {
    const { read, remarks } = await run([{ content: BLOCKS_PAGE }], { files: {} });
    expect(await read(0)).toMatchObject(asText);
    expect(remarks.filter((each) => each.includes("block types"))).toEqual([]);
  });

  it("has texts in Markdown where that is asked for", async () => {
    const { read } = await run(
      [
        {
          content: `${paragraph("So <b>it</b> goes")}\n${wp("buttons", `<div class="wp-block-buttons">${wp("button", '<div><a href="/x">Go &amp; see</a></div>')}</div>`)}`,
        },
      ],
      { format: await markdownFormat() },
    );
    expect((await read(0)).template_data.sections).toMatchObject([
      { type: "text", body: "So **it** goes" },
      { type: "buttons", links: [{ label: "Go & see" }] },
    ]);
  });
});

describe("a page stays in one piece, and is told why", () => {
  const gallery = (inner: string): string => wp("gallery", `<figure class="wp-block-gallery">${inner}</figure>`);
  const image = (html: string, attributes = ""): string => wp("image", html, attributes);
  const picture = '<figure class="wp-block-image"><img src="/wp-content/uploads/2024/01/photo-0.png" alt=""/></figure>';

  it.each<[string, string, string]>([
    ["an attribute", image(picture, '{"expires":"2030"} '), 'the attribute "expires"'],
    ["words outside", image(`${picture}<p>More</p>`), "HTML that is not known"],
    ["another element", image(picture.replace("<img", "<video></video><img")), "HTML that is not known"],
    ["an attribute of a tag", image(picture.replace("<figure", '<figure id="top"')), "HTML that is not known"],
    ["another block within", gallery(`${image(picture)}${paragraph("x")}`), "HTML that is not known"],
    ["a value without a field", wp("quote", "<blockquote><p>a</p><p>b</p></blockquote>"), 'no field for "text"'],
    ["an alternative text", gallery(image(picture.replace('alt=""', 'alt="Mine"'))), 'no field for "alt"'],
    [
      "a link of a picture",
      gallery(image(picture.replace("<img", '<a href="/x"><img').replace("/></figure>", "/></a></figure>"))),
      'no field for "link"',
    ],
    ["a picture that is missing", image(picture.replaceAll("photo-0", "lost")), 'no field for "image"'],
    [
      "nested too deep in what has no field",
      wp("media-text", `<div>${picture}<div>${wp("acme/map", "<p>x</p>")}</div></div>`),
      "media-text",
    ],
  ])("for %s", async (_, content, reason) => {
    const { read, remarks } = await run([{ content: `${paragraph("One")}\n${content}` }]);
    expect(remarks.filter((each) => each.includes("one piece"))).toEqual([expect.stringContaining(reason)]);
    expect(await read(0)).toMatchObject(asText);
    expect((await read(0)).template_data.body).toContain("<p>One</p>");
  });

  it("for text without a type `text`, a required field, custom fields, and files that are not there", async () => {
    const { "content/block-types/text.yaml": _text, ...files } = BLOCK_FILES;
    const content = `${paragraph("One")}\n${image(picture)}`;
    const reasons = async (item: Partial<ExportedItem>, given?: Run) =>
      (await run([item], given)).remarks.filter((each) => each.includes("one piece"));
    expect(await reasons({ content }, { files })).toEqual([expect.stringContaining('no block type "text"')]);
    const strict = {
      ...BLOCK_FILES,
      "content/block-types/image.yaml": "schema: [{ name: image, kind: media }, { name: credit, required: true }]\n",
    };
    expect(await reasons({ content }, { files: strict })).toEqual([expect.stringContaining("credit")]);
    expect(await reasons({ content, meta: [["mood", "good"]] })).toEqual([expect.stringContaining("custom_fields")]);
    expect(await reasons({ content }, { folder: await temporaryFolder() })).toEqual([
      expect.stringContaining("is not imported"),
    ]);
  });

  it("where several page models take blocks, until one is named", async () => {
    const files = { ...BLOCK_FILES, "content/page-models/other.yaml": "schema: [{ name: parts, kind: blocks }]\n" };
    const { remarks } = await run([{ content: image(picture) }], { files });
    expect(remarks).toContainEqual(expect.stringContaining("other, landing take blocks: name one with --page-model."));
    const { read } = await run([{ content: image(picture) }], { files, pageModel: "other" });
    expect(await read(0)).toMatchObject({ related_name: "pages_other", template_data: { parts: [{ type: "image" }] } });
    await expect(run([], { files, pageModel: "nothing" })).rejects.toMatchObject({
      fields: { model: expect.anything() },
    });
  });

  it("until it fits: a page that was text becomes blocks, and the other way round", async () => {
    const content = image(picture);
    const { site } = await run([{ content: `${content}${paragraph("x")}`, meta: [["mood", "good"]] }]);
    const next = await run([{ content: `${content}${paragraph("x")}` }], { site });
    expect(await next.read(0)).toMatchObject({ related_name: "pages_landing" });
    const last = await run([{ content: `${content}${paragraph("x")}`, meta: [["mood", "good"]] }], { site });
    expect(await last.read(0)).toMatchObject(asText);
  });
});

it("blocks in a group stand in its place, and reusable blocks where they are used", async () => {
  const inner = wp("buttons", `<div>${wp("button", '<div><a href="/x">Go</a></div>')}</div>`);
  const { read } = await run([
    {
      content: `${wp("group", `<div class="wp-block-group">${paragraph("One")}${inner}</div>`)}\n<!-- wp:block {"ref":90} /-->`,
    },
    { id: 90, type: "wp_block", content: inner.replace("Go", "Shared") },
  ]);
  expect((await read(0)).template_data.sections).toMatchObject([
    { type: "text", body: "One" },
    { type: "buttons", links: [{ label: "Go" }] },
    { type: "buttons", links: [{ label: "Shared" }] },
  ]);
});

it("an article keeps its text", async () => {
  const { site } = await run([{ type: "post", content: BLOCKS_PAGE }]);
  expect((await site.api("GET", "articles/"))[0].content).toContain("wp-block-columns");
});

it("reads covers inside of covers once", () => {
  let read = 0;
  const words = (html: string) => {
    read++;
    return { text: html.trim(), isHtml: true };
  };
  const reading = { words, address: String, media: () => undefined, altOf: () => "", lineAt: () => 1 };
  const open = "<!-- wp:cover --><div><!-- wp:heading --><h2>A</h2><!-- /wp:heading -->";
  expect(sectionsOf(open.repeat(40) + "</div><!-- /wp:cover -->".repeat(40), reading)).toHaveLength(1);
  expect(read).toBeLessThan(200);
});
