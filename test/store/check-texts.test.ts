/** What `cms check` finds in texts, pictures and translations: dead links, missing descriptions, files that nothing uses. */
import { describe, expect, it } from "vitest";
import { showProblem } from "../../src/model/problem.ts";
import { contentProblems } from "../../src/store/check/check.ts";
import { addressesIn } from "../../src/store/check/text-links.ts";
import { mediaSite } from "../media/media-site.ts";
import { memorySite } from "../site.ts";

const LANGUAGES = [
  { id: "en", name: "English" },
  { id: "it", name: "Italiano" },
];
const page = (id: number, permalink: string, more = ""): string =>
  `id: ${id}\ndate_created: 2026-01-01T00:00:00Z\ntranslations:\n  en:\n    title: T\n    permalink: ${permalink}\n` +
  `    autopermalink: false\n    published_at: 2026-01-02T00:00:00Z\n${more}  it:\n    title: T\n    permalink: ${permalink}-it\n    autopermalink: false\n`;

describe("addresses in a text", () => {
  it.each([
    ["[a](/x/) [b](/y?q=1#z) [c](</d e>)", ["/x/", "/y", "/d"]],
    ['![p](/media/p.jpg "title") [t](/t "x")', ["/media/p.jpg", "/t"]],
    [`<a href="/h">h</a><img src='/i.png'><video poster=/v>`, ["/h", "/i.png", "/v"]],
    ["[out](https://example.org/x) [host](//example.org/x) [rel](x) [frag](#x) /bare", []],
  ])("%s", (text, addresses) => expect([...addressesIn(text)].sort()).toEqual(addresses.toSorted()));
});

describe("a link in a text", () => {
  const FILES = {
    "content/redirects.yaml": "- { from: /moved, to: /there }\n",
    "content/pages/there.yaml": page(2, "/there", "") + "aliases:\n  - language: en\n    from: /before\n",
    "content/pages/hidden.yaml": page(3, "/hidden").replace(/ {4}published_at.*\n/, ""),
  };
  // oxfmt-ignore
  it.each<[string, string | undefined]>([
    ["/there/",               undefined],
    ["/there?x=1#y",          undefined],
    ["/before",               undefined],
    ["/moved/",               undefined],
    ["/api/cms/pages/",       undefined],
    ["/feed.xml",             undefined],
    ["/nowhere/",             "content/pages/a.yaml:10:7: translations.en.template_data.body: /nowhere/: There is no page at this address."],
    ["/it/there/",            "There is no page at this address."],
    ["/it/there-it/",         "warning: translations.en.template_data.body: /it/there-it/: The page is not published"],
    ["/hidden/",              "warning: translations.en.template_data.body: /hidden/: The page is not published"],
    ["/media/none.jpg",       "There is no such file in media/."],
  ])("%s", async (address, problem) => {
    const text = `    template_data:\n      body: "[x](${address})"\n`;
    const site = await memorySite({ ...FILES, "content/pages/a.yaml": page(1, "/a", text) }, { LANGUAGES });
    const found = await contentProblems(site.cms.store, site.cms.locales, { mediaUrl: "/media/" });
    expect(found.map(showProblem)).toEqual(problem === undefined ? [] : [expect.stringContaining(problem)]);
  });
});

it("a published page that is not translated is a warning", async () => {
  const text = page(1, "/a").replace(/ {2}it:[^]*$/, "");
  const site = await memorySite({ "content/pages/a.yaml": text }, { LANGUAGES });
  const [problem, ...others] = await contentProblems(site.cms.store, site.cms.locales);
  expect([problem, others]).toEqual([
    expect.objectContaining({ severity: "warning", message: expect.stringContaining("not translated into it") }),
    [],
  ]);
});

it("a picture without alt text, and one that nothing uses, are warnings", async () => {
  const site = await mediaSite({ LANGUAGES });
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  );
  const used = await site.upload("used.png", png);
  await site.upload("unused.png", png);
  await site.api("PATCH", `media/${used.id}/`, { alt_text_en: "A dot", alt_text_it: "Un punto" });
  await site.page({ title: "T", title_it: "T", og_image: used.id }, ["en", "it"]);
  const found = await contentProblems(site.cms.store, site.cms.locales, { mediaUrl: "/media/", templates: [] });
  expect(found.map(({ path, severity, message }) => [path, severity, message])).toEqual([
    ["content/media/unused.png.yaml", "warning", expect.stringContaining("The picture has no alt_text in en, it")],
    ["content/media/unused.png.yaml", "warning", "No content and no template uses this file."],
  ]);
  const named = { mediaUrl: "/media/", templates: ['<img src="/media/unused.png">'] };
  expect(await contentProblems(site.cms.store, site.cms.locales, named)).toHaveLength(1);
});
