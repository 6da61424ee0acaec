/** Markdown files as Hugo, Eleventy and Astro have them: what they are read as, and what a write leaves of them. */
import { describe, expect, it } from "vitest";
import { FRONT_MATTER_PRESETS } from "../../../src/model/front-matter/front-matter.ts";
import { showProblem } from "../../../src/model/text/problem.ts";
import { withText, type Page } from "../../../src/model/page/page.ts";
import { contentProblems } from "../../../src/store/check/check.ts";
import { KINDS } from "../../../src/cms.ts";
import { ARTICLES, PAGES } from "../../../src/store/records/pages.ts";
import { openTimeZone } from "../../../src/model/time/time-zone.ts";
import { contentOver, EDITH, openContent, openMemory, type Content } from "../store-site.ts";

const localesOf = (preset: string) => ({
  codes: ["en", "it"],
  default: "en",
  frontMatter: FRONT_MATTER_PRESETS[preset]!,
});
const open = (preset: string, files: Readonly<Record<string, string>>, more: object = {}): Promise<Content> =>
  openContent(openMemory, files, { kinds: KINDS, locales: { ...localesOf(preset), ...more } });
const TAG = { "content/tags/rye.yaml": "id: 20\ntranslations: { en: { name: rye } }\n" };
const POST = "content/articles/post.md";
const only = ({ store }: Content): Page => [...store.current.all(ARTICLES), ...store.current.all(PAGES)][0]!;

describe("front matter", () => {
  it.each([
    [
      "hugo",
      '---\ntitle: "My post" # the title\ndate: 2026-01-05\nlastmod: 2026-02-01T10:00:00+01:00\ndraft: false\ntags: [rye]\nweight: 3\nurl: /posts/mine\naliases: [/old, /older]\nkeywords: [a, b]\nshowToc: true\n---\nText.\n',
      {
        tags: [20],
        ordering: 3,
        date_updated_at: "2026-02-01T09:00:00.000Z",
        aliases: [
          { language: "en", from: "/old" },
          { language: "en", from: "/older" },
        ],
        translations: {
          en: {
            title: "My post",
            published_at: "2026-01-05T00:00:00.000Z",
            permalink: "/posts/mine",
            keywords: "a, b",
            content: "Text.",
            template_data: { showToc: true },
          },
        },
      },
    ],
    [
      "eleventy",
      "---\ntitle: My post\ndate: 2026-01-05\ntags: rye\nlayout: post.njk\n---\nText.\n",
      { tags: [20], translations: { en: { title: "My post", template_data: { layout: "post.njk" } } } },
    ],
    [
      "astro",
      "---\ntitle: 'First post'\ndescription: 'Lorem'\npubDate: 'Jul 08 2022'\n---\nText.\n",
      { translations: { en: { title: "First post", description: "Lorem", published_at: "2022-07-08T00:00:00.000Z" } } },
    ],
    [
      "hugo",
      "---\ntitle: Later\ndate: 2026-01-05\ndraft: true\n---\n",
      { translations: { en: { title: "Later", published_at: null } } },
    ],
  ])("of %s is read", async (preset, text, expected) => {
    const content = await open(preset, { ...TAG, [POST]: text });
    expect(content.store.current.problems.map(showProblem)).toEqual([]);
    expect(only(content)).toMatchObject(expected);
  });

  it("has its dates in the time zone of the site, and its tags among the data of a page", async () => {
    const content = await open(
      "hugo",
      { "content/pages/a.md": "---\ntitle: A\ndate: 2026-01-05\ntags: [rye]\n---\n" },
      { timeZone: openTimeZone("Europe/Rome") },
    );
    expect(only(content).translations.en).toMatchObject({
      published_at: "2026-01-04T23:00:00.000Z",
      template_data: { tags: ["rye"], body: "" },
    });
  });

  it("in TOML is read as in YAML, and in JSON refused", async () => {
    const toml =
      '+++\ntitle = "My post"\ndate = 2026-01-05T10:00:00+01:00\ntags = ["rye"]\nweight = 3\n[params]\ncolor = "red"\n+++\nText.\n';
    const content = await open("hugo", { ...TAG, [POST]: toml });
    expect(content.store.current.problems.map(showProblem)).toEqual([]);
    expect(only(content)).toMatchObject({
      tags: [20],
      ordering: 3,
      translations: {
        en: {
          title: "My post",
          published_at: "2026-01-05T09:00:00.000Z",
          content: "Text.",
          template_data: { params: { color: "red" } },
        },
      },
    });
    const { store } = await open("hugo", { [POST]: "+++\ntitle = 'A'\ndraft = maybe\n+++\n" });
    expect(store.current.problems.map(showProblem)).toEqual([expect.stringMatching(/post\.md:3:\d+: Invalid TOML/)]);
    const json = await open("hugo", { [POST]: '{\n"title": "A"\n}\n' });
    expect(json.store.current.problems.map(showProblem)).toEqual([
      "content/articles/post.md:1:1: has front matter in JSON: only YAML and TOML are read",
    ]);
  });

  it.each([
    ["hugo", "draft: 'true'", 4],
    ["hugo", "draft: yes", 4],
    ["hugo", "Draft: true", undefined],
    ["hugo", "draft: maybe", 4],
    ["hugo", "published: false", undefined],
    ["hugo", "published: no", 4],
    ["hugo", "expiryDate: 2020-01-01", 4],
    ["hugo", "ExpiryDate: 2099-01-01", 4],
    ["hugo", "headless: true", 4],
    ["hugo", "build: { render: never }", 4],
    ["hugo", "_build: { render: false }", 4],
    ["hugo", "publishDate: soon", 4],
    ["hugo", "url: /:year/:slug/", 4],
    ["eleventy", "permalink: false", 4],
    ["eleventy", 'permalink: "/blog/{{ title | slugify }}/"', 4],
    ["eleventy", 'permalink: "{% if draft %}false{% endif %}"', 4],
    ["eleventy", "draft: 'no'", 4],
    ["astro", "draft: 'false'", 4],
    ["astro", "published: false", undefined],
    ["astro", "password: x", 4],
  ])(
    "of %s with %s is a draft, which check tells where the file does not say it plainly",
    async (preset, line, told) => {
      const content = await open(preset, { [POST]: `---\ntitle: A\ndate: 2026-01-05\n${line}\n---\nText.\n` });
      expect(only(content).translations.en).toMatchObject({ title: "A", published_at: null });
      const problems = await contentProblems(content.store, { ...localesOf(preset) });
      const key = line.split(":", 1)[0];
      const found = problems.filter(({ message }) => message.startsWith(`${key}: `));
      expect(found.map(({ line: at }) => at)).toEqual(told === undefined ? [] : [told]);
      // Publishing takes away what hid it.
      const moment = "2026-03-01T09:00:00.000Z" as never;
      await content.store.transact(EDITH, (tx) =>
        tx.put(
          ARTICLES,
          withText(only(content), "en", { published_at: moment, permalink: "/a", autopermalink: false }),
        ),
      );
      const fresh = await contentOver(content, { kinds: KINDS, locales: localesOf(preset) });
      expect(only(fresh).translations.en).toMatchObject({ published_at: moment, permalink: "/a" });
    },
  );

  it.each([
    "\n---\ntitle: A\ndate: 2026-01-05\n---\nText.\n",
    "\uFEFF\n \n---\ntitle: A\ndate: 2026-01-05\n---\nText.\n",
  ])("below blank lines is no text: %j", async (text) => {
    const content = await open("hugo", { [POST]: text });
    expect(only(content).translations.en).toMatchObject({ title: "A", content: "Text." });
    await content.store.transact(EDITH, (tx) => tx.put(ARTICLES, withText(only(content), "en", { title: "B" })));
    expect(content.hands.text(POST)).toMatch(/---\n(?:.*\n)*title: B\n(?:.*\n)*---\nText\.\n$/);
  });
});

describe("a write", () => {
  it("replaces TOML by YAML, and leaves a file that does not change", async () => {
    const toml = "+++\ntitle = 'A' # the title\ndate = 2026-01-05\nshowToc = true\n+++\nText.\n";
    const content = await open("hugo", { [POST]: toml });
    await content.store.transact(EDITH, (tx) => tx.put(ARTICLES, only(content)));
    expect(content.hands.text(POST)).toBe(toml);
    await content.store.transact(EDITH, (tx) => tx.put(ARTICLES, withText(only(content), "en", { title: "B" })));
    expect(content.hands.text(POST)).toMatch(
      /^---\n(?:.*\n)*title: B\n(?:.*\n)*showToc: true\n(?:.*\n)*---\nText\.\n$/,
    );
    const fresh = await contentOver(content, { kinds: KINDS, locales: localesOf("hugo") });
    expect(only(fresh)).toEqual(only(content));
  });

  const TEXT =
    '---\ntitle: "My post" # the title\ndate: 2026-01-05\ndraft: true\ntags: [rye]\nshowToc: true\n---\n\nText.\n';
  const change = async (content: Content, work: (page: Page) => Page): Promise<string> => {
    await content.store.transact(EDITH, (tx) => tx.put(ARTICLES, work(only(content))));
    const fresh = await contentOver(content, { kinds: KINDS, locales: localesOf("hugo") });
    expect(only(fresh)).toEqual(only(content));
    return content.hands.text(POST)!;
  };

  it("keeps the keys of the file, and their places", async () => {
    const content = await open("hugo", { ...TAG, [POST]: TEXT });
    const titled = await change(content, (page) => withText(page, "en", { title: "Our post" }));
    expect(titled).toContain('\ntitle: "Our post" # the title\ndate: 2026-01-05\ndraft: true\ntags: [rye]\n');
    expect(titled).toContain("\nshowToc: true\n");
    expect(titled).not.toContain("template_data");
    expect(titled).not.toContain("published_at");
    const published = "2026-03-01T09:00:00.000Z" as never;
    const live = await change(content, (page) => withText(page, "en", { published_at: published }));
    expect(live).toMatch(/date: "?2026-03-01T09:00:00.000Z"?\ndraft: false\n/);
    const hidden = await change(content, (page) => withText(page, "en", { published_at: null }));
    expect(hidden).toMatch(/date: "?2026-03-01T09:00:00.000Z"?\ndraft: true\n/);
    const italian = await change(content, (page) => withText(page, "it", { title: "Il nostro" }));
    expect(italian).toMatch(/\n {2}it:\n(?: {4}.*\n)* {4}title: Il nostro\n/);
    const data = await change(content, (page) => withText(page, "en", { template_data: { showToc: false, more: 1 } }));
    expect(data).toContain("showToc: false\n");
    expect(data).toMatch(/\n\nText\.\n$/);
  });

  it("gives a plain file front matter", async () => {
    const content = await open("hugo", { [POST]: "# A *plain* file\n\nText.\n" });
    expect(only(content).translations.en).toMatchObject({ title: "A plain file", published_at: null });
    const text = await change(content, (page) => withText(page, "en", { description: "New" }));
    expect(text).toMatch(/^---\nid: \d+\n[^]*description: New\n[^]*---\n# A \*plain\* file\n\nText\.\n$/);
  });
});
