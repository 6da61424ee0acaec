/** The core of imports: what is written, and what a second import does. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it, onTestFinished } from "vitest";
import { SERVICE } from "../../src/actions/context.ts";
import { CmsError } from "../../src/errors.ts";
import { importSite } from "../../src/import/import-site.ts";
import type { ImportedEntry, ImportedMedia, ImportedSite, ImportedText } from "../../src/import/imported-site.ts";
import { ledgerPath } from "../../src/import/ledger.ts";
import { sourceLink, sourceReference } from "../../src/import/texts/source-links.ts";
import type { Instant } from "../../src/model/time/instant.ts";
import { severityOf } from "../../src/model/text/problem.ts";
import { contentProblems } from "../../src/store/check/check.ts";
import { memorySite, type MemorySite } from "../site.ts";

const PUBLISHED = "2025-01-02T03:04:05.000Z" as Instant;
const place = { file: "source.txt", line: 3 };

const text = (title: string, more: Partial<ImportedText> = {}): ImportedText => ({
  fields: { title },
  permalink: `/${title.toLowerCase()}`,
  published: PUBLISHED,
  ...more,
});

const entry = (name: string, more: Partial<ImportedEntry> = {}): ImportedEntry => ({
  source: `test:${name}`,
  place,
  model: "page",
  texts: { en: text(name) },
  ...more,
});

const siteOf = (entries: readonly ImportedEntry[], more: Partial<ImportedSite> = {}): ImportedSite => ({
  entries,
  remarks: [],
  ...more,
});

const run = ({ cms }: MemorySite, site: ImportedSite, options: { force?: boolean; dryRun?: boolean } = {}) =>
  importSite(cms, SERVICE, site, { name: "test", ...options });

const get = async (site: MemorySite, path: string) => (await site.ask("GET", `api:pages-router${path}`)).body;

async function picture(color: string): Promise<ImportedMedia> {
  const folder = mkdtempSync(join(tmpdir(), "cms-import-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "picture.png");
  const bytes = await sharp({ create: { width: 900, height: 30, channels: 3, background: color } })
    .png()
    .toBuffer();
  writeFileSync(file, bytes);
  return {
    source: "test:picture",
    place,
    name: "picture.png",
    folder: "images",
    address: "/images/picture.png",
    open: async () => ({ file, size: bytes.length }),
  };
}

/** Commits since the start of the site. */
async function commits({ repo }: MemorySite): Promise<string[]> {
  const messages: string[] = [];
  for await (const { message } of repo.log((await repo.state()).head!, null, [""])) messages.unshift(message);
  return messages;
}

describe("an import", () => {
  it("writes pages, articles, tags, files, menus and redirects in one commit, with links between them", async () => {
    const site = await memorySite(
      {},
      {
        LANGUAGES: [
          { id: "en", name: "English" },
          { id: "it", name: "Italiano" },
        ],
      },
    );
    const before = (await commits(site)).length;
    const body = `[b](${sourceLink("test:post", { tail: "#part" })}) ![p](${sourceLink("test:picture")})`;
    const imported = siteOf(
      [
        entry("Child", { parent: "test:About", texts: { en: text("Child", { permalink: "/about/child" }) } }),
        entry("About", { texts: { en: text("About", { body, addresses: ["/old-about/", "/About.html"] }) } }),
        entry("post", {
          model: "article",
          tags: ["test:tag"],
          highlightImage: "test:picture",
          texts: { en: text("Post", { body: "Text" }), it: text("Articolo", { permalink: "/articolo" }) },
        }),
      ],
      {
        tags: [{ source: "test:tag", place, names: { en: "News" } }],
        media: [await picture("#0af")],
        menus: [
          { source: "test:menu", place, key: "main", nodes: { en: [{ title: "A", link: { entry: "test:About" } }] } },
        ],
        redirects: [{ place, from: "/tags/news/", to: sourceLink("test:post") }],
      },
    );
    const report = await run(site, imported);
    expect(report).toMatchObject({ committed: true, counts: { created: 7, failed: 0 }, remarks: [] });
    expect((await commits(site)).slice(before)).toEqual([
      "Import test: 7 added, 0 changed\n\nCms-Action: import\nCms-Import: test\n",
    ]);
    const about = await get(site, "/about/");
    expect(about.template_data.body).toBe("[b](/post/#part) ![p](/media/images/picture.png)");
    expect(await get(site, "/about/child/")).toMatchObject({ parent_page: { id: about.id } });
    const post = await get(site, "/it/articolo/");
    expect(post).toMatchObject({ content: "Text", tags: [{ name: "News" }], published_at: "2025-01-02T03:04:05Z" });
    expect(post.highlight_image.thumbnail).toMatch(/^http.*_thumb\.png$/);
    for (const [from, to] of [
      ["/old-about/", "/about/"],
      ["/About.html", "/about/"],
      ["/tags/news/", "/post/"],
    ])
      expect(await get(site, from!)).toMatchObject({ redirect: to, status: 301 });
    const problems = await contentProblems(site.cms.store, site.cms.locales, { mediaUrl: "/media/" });
    expect(problems.filter((problem) => severityOf(problem) === "error")).toEqual([]);
    expect(JSON.stringify(about)).not.toContain("test:");

    const again = await run(site, imported);
    expect(again).toMatchObject({ committed: false, counts: { unchanged: 7, created: 0, updated: 0 }, records: [] });
    expect((await commits(site)).length).toBe(before + 1);
  });

  it("updates what changed in the source, keeps what was edited here, and lists what is gone", async () => {
    const site = await memorySite();
    await run(site, siteOf(["A", "B", "C", "D"].map((name) => entry(name))));
    const { id } = await get(site, "/b/");
    await site.api("PATCH", `pages/${id}/`, { title: "Edited" });
    const changed = ["A", "B"].map((name) => entry(name, { texts: { en: text(name, { body: "New" }) } }));
    const next = siteOf([...changed, entry("C")]);
    const report = await run(site, next);
    expect(report.records.map(({ source, outcome }) => [source, outcome])).toEqual([
      ["test:B", "edited"],
      ["test:A", "updated"],
      ["test:D", "gone"],
    ]);
    expect((await get(site, "/a/")).template_data.body).toBe("New");
    expect(await get(site, "/b/")).toMatchObject({ title: "Edited", template_data: {} });
    expect(await get(site, "/d/")).toMatchObject({ title: "D" });
    expect((await run(site, next)).committed).toBe(false);

    const forced = await run(site, next, { force: true });
    expect(forced.counts).toMatchObject({ updated: 1, unchanged: 2, edited: 0 });
    expect(await get(site, "/b/")).toMatchObject({ title: "B", template_data: { body: "New" } });
  });

  it("does not count as edited what follows from another change", async () => {
    const site = await memorySite();
    const child = entry("Child", { parent: "test:Parent", texts: { en: text("Child", { permalink: undefined }) } });
    await run(site, siteOf([entry("Parent"), child]));
    const { id } = await get(site, "/parent/");
    await site.api("PATCH", `pages/${id}/`, { autopermalink: true, title: "Moved" });
    const { records } = await run(site, siteOf([entry("Parent"), child]));
    expect(records.map(({ source, outcome }) => [source, outcome])).toEqual([["test:Parent", "edited"]]);
    expect(await get(site, "/moved/child/")).toMatchObject({ title: "Child" });
  });

  it("follows a permalink that changed in the source, and redirects from the former one", async () => {
    const site = await memorySite();
    await run(site, siteOf([entry("A")]));
    await run(site, siteOf([entry("A", { texts: { en: text("A", { permalink: "/new" }) } })]));
    expect(await get(site, "/a/")).toMatchObject({ redirect: "/new/" });
  });

  it("leaves a taken address to the page that has it, unless it is forced", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "Here", autopermalink: false, permalink: "/a" }, ["en"]);
    const report = await run(site, siteOf([entry("A")]));
    expect(report.remarks).toEqual([
      { ...place, message: `Page ${id} has the address /a: this one is at /a-2. With --force it is replaced.` },
      { ...place, message: `/a does not redirect here: page ${id} has this address.` },
    ]);
    expect(await get(site, "/a/")).toMatchObject({ id, title: "Here" });

    const other = await memorySite();
    const { id: there } = await other.page({ title: "Here", autopermalink: false, permalink: "/a" }, ["en"]);
    expect((await run(other, siteOf([entry("A")]), { force: true })).counts).toMatchObject({ updated: 1 });
    expect(await get(other, "/a/")).toMatchObject({ id: there, title: "A" });
  });

  it("keeps whole what it has to cut, and says so", async () => {
    const site = await memorySite();
    const long = "x".repeat(201);
    const report = await run(site, siteOf([entry("A", { texts: { en: text("A", { fields: { title: long } }) } })]));
    expect(report.remarks).toEqual([
      { ...place, message: "title was cut after 200 characters: all of it is in template_data.imported." },
    ]);
    const page = await get(site, "/a/");
    expect([page.title, page.template_data.imported.title]).toEqual([`${"x".repeat(199)}…`, long]);
  });

  it("reports drafts, future moments, languages and addresses that the site cannot have", async () => {
    const site = await memorySite();
    const draft = entry("Draft", { texts: { en: text("Draft", { published: undefined }) } });
    const planned = entry("Planned", {
      texts: { en: text("Planned", { published: "2030-01-01T00:00:00.000Z" as Instant }) },
    });
    const french = entry("French", { texts: { en: text("French"), fr: text("Français") } });
    const prefixed = entry("Prefixed", { texts: { en: text("Prefixed", { permalink: "/en/prefixed" }) } });
    const { remarks } = await run(site, siteOf([draft, planned, french, prefixed]));
    expect(remarks.map(({ message }) => message)).toEqual([
      "The site has no language fr: its text is not imported. Add it to LANGUAGES, and import again.",
      "No page can have the address /en/prefixed, so the permalink is made from the title. A permalink cannot begin with a language code.",
    ]);
    const items = await site.api("GET", "pages/");
    expect(items.map(({ title, status }: { title: string; status: string }) => `${title} ${status}`).sort()).toEqual([
      "Draft DRF",
      "French PUB",
      "Planned PLA",
      "Prefixed PUB",
    ]);
  });

  it("reports an entry that no file can have, and imports the others", async () => {
    const site = await memorySite();
    const withData = (data: ImportedText["data"]): ImportedText => text("Data", { data });
    const keys = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`k${n}`, n]));
    const report = await run(
      site,
      siteOf([
        entry("Good"),
        entry("Long", { texts: { en: withData({ body: "x ".repeat(1_000_000) }) } }),
        entry("Keys", { texts: { en: withData(keys) } }),
        entry("Infinite", { texts: { en: withData({ n: Infinity }) } }),
      ]),
    );
    expect(report.records.map(({ title, outcome }) => [title, outcome])).toEqual([
      ["Good", "created"],
      ["Data", "failed"],
      ["Data", "failed"],
      ["Data", "failed"],
    ]);
    expect(report.remarks.filter(({ message }) => message.startsWith("It is not imported"))).toHaveLength(3);
    expect((await get(site, "/good/")).title).toBe("Good");
  });

  it("writes nothing on a dry run, and reports the same", async () => {
    const site = await memorySite();
    const before = (await commits(site)).length;
    const imported = siteOf([entry("A"), entry("B")], { media: [await picture("red")] });
    const report = await run(site, imported, { dryRun: true });
    expect(report).toMatchObject({ committed: false, counts: { created: 3 } });
    expect((await commits(site)).length).toBe(before);
    expect(await site.api("GET", "pages/")).toEqual([]);
  });

  it("replaces a file that changed in the source at the same address, and leaves out a broken one", async () => {
    const site = await memorySite();
    await run(site, siteOf([], { media: [await picture("red")] }));
    const bytes = async () => (await site.repo.read("media/images/picture.png"))!.bytes;
    const first = await bytes();
    expect((await run(site, siteOf([], { media: [await picture("blue")] }))).counts).toMatchObject({ updated: 1 });
    expect(Buffer.from(first).equals(await bytes())).toBe(false);

    const good = await picture("red");
    const { file } = await good.open();
    writeFileSync(file, "no picture");
    const broken = { ...good, source: "test:broken", open: async () => ({ file, size: 10 }) };
    const report = await run(site, siteOf([], { media: [broken] }));
    expect(report.records.map(({ source, outcome }) => [source, outcome])).toEqual([
      ["test:broken", "failed"],
      ["test:picture", "gone"],
    ]);
    expect(report.remarks[0]!.message).toMatch(/^picture\.png is not imported: Upload a valid image/);
  });

  it("shows a file that could not be read before, once it is there; a page that was edited here stays", async () => {
    const site = await memorySite();
    const media = await picture("red");
    const absent: ImportedMedia = {
      ...media,
      open: () => Promise.reject(new CmsError("invalid", "There is no such file.")),
    };
    const body = `![p](${sourceLink("test:picture")})`;
    const entries = ["A", "B", "C"].map((name) =>
      entry(name, { texts: { en: text(name, name === "C" ? {} : { body }) } }),
    );
    const article = entry("D", { model: "article", highlightImage: "test:picture" });
    const data = entry("E", {
      texts: { en: text("E", { data: { image: { id: sourceReference("test:picture") } } }) },
    });
    const imported = (file: ImportedMedia) => siteOf([...entries, article, data], { media: [file] });
    await run(site, imported(absent));
    expect((await run(site, imported(absent))).committed).toBe(false);
    expect((await get(site, "/a/")).template_data.body).toBe("![p](/images/picture.png)");
    const { id } = await get(site, "/b/");
    await site.api("PATCH", `pages/${id}/`, { title: "Edited" });

    const { records } = await run(site, imported(media));
    expect(records.map(({ source, outcome }) => [source, outcome])).toEqual([
      ["test:picture", "created"],
      ["test:B", "edited"],
      ["test:A", "updated"],
      ["test:D", "updated"],
      ["test:E", "updated"],
    ]);
    expect((await get(site, "/a/")).template_data.body).toBe("![p](/media/images/picture.png)");
    expect((await get(site, "/d/")).highlight_image.file).toContain("/media/images/picture.png");
    expect((await run(site, imported(media))).committed).toBe(false);
  });

  it("refuses a ledger that is damaged, and page models that the site lacks", async () => {
    const site = await memorySite({ [ledgerPath("test")]: "<<<<<<< ours\n" });
    await expect(run(site, siteOf([]))).rejects.toThrow("content/imports/test.jsonl:1 is no row of an import");
    const other = await memorySite();
    await expect(run(other, siteOf([entry("A", { model: "recipe" })]))).rejects.toMatchObject({
      fields: { model: ["The site has no page model recipe: add content/page-models files first."] },
    });
  });
});
