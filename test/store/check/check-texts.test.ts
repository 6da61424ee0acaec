/** What `cms check` finds in texts, pictures and translations: dead links and anchors, missing descriptions, unused files. */
import { describe, expect, it } from "vitest";
import { showProblem } from "../../../src/model/text/problem.ts";
import { contentProblems } from "../../../src/store/check/check.ts";
import { addressesIn, anchorsIn } from "../../../src/store/check/texts/text-markup.ts";
import { markdownParts } from "../../../src/render/markdown.ts";
import { mediaSite } from "../../media/media-site.ts";
import { memorySite, type MemorySite } from "../../site.ts";

const LANGUAGES = [
  { id: "en", name: "English" },
  { id: "it", name: "Italiano" },
];
const page = (id: number, permalink: string, more = ""): string =>
  `id: ${id}\ndate_created: 2026-01-01T00:00:00Z\ntranslations:\n  en:\n    title: T\n    permalink: ${permalink}\n` +
  `    autopermalink: false\n    published_at: 2026-01-02T00:00:00Z\n${more}  it:\n    title: T\n    permalink: ${permalink}-it\n    autopermalink: false\n`;

describe("addresses in a text", () => {
  // oxfmt-ignore
  it.each<[string, string[]]>([
    ["[a](/x/) [b](/y?q=1#z) [c](</d e>) [d](#e)",                            ["/x/", "/y?q=1#z", "/d%20e", "#e"]],
    ['![p](/media/p.jpg "title") [t](/t "x")',                                ["/media/p.jpg", "/t"]],
    ["[a][r]\n\n[r]: /r",                                                     ["/r"]],
    [`<a href="/h">h</a><img src='/i.png'><video poster=/v>`,                 ["/h", "/i.png", "/v"]],
    [`Text <a href="/h_1/*x*">h</a>\n<a href="#b">b</a>`,                     ["/h_1/*x*", "#b"]],
    ["[out](https://example.org/x) [host](//example.org/x) [rel](x) /bare",   []],
    ["```html\n[a](/a) <a href=\"/b\">\n```\n\n[c](/c)",                        ["/c"]],
    ["- ~~~\n  [a](/a)\n  ~~~\n\n> ````\n> [b](/b)\n> ```\n> [c](/c)\n> ````",    []],
    ["`[a](/a)` `` <a href='/b'> ` `` [c](/c)",                               ["/c"]],
    ['&lt;a href=&quot;/a&quot;&gt; \\[b](/b)',                                        []],
    ["    [a](/a)\n",                                                         []],
    ['<div>\n\n    <a href="/a">a</a>\n</div>',                               ["/a"]],
    ["<p><code>&lt;a href=&quot;/a&quot;&gt;</code></p>",                     []],
  ])("%j", (text, addresses) => expect([...addressesIn(text, markdownParts)].sort()).toEqual(addresses.toSorted()));
});

describe("anchors in a text", () => {
  // oxfmt-ignore
  it.each<[string, string[]]>([
    ["# One\n\nTwo\n---\n\n## One",                    ["one", "two", "one-2"]],
    ["```\n# One\n```",                                []],
    [`<h2 id="a">A</h2><a name='b'></a><i id=c>`,       ["a", "b", "c"]],
    [`text <b data-id="x" id="y">y</b> \`<b id="z">\``, ["y"]],
  ])("%j", (text, anchors) => expect(anchorsIn(text, markdownParts)).toEqual(anchors));
});

const checkOf = (site: MemorySite, templates: readonly string[] = []) =>
  contentProblems(site.cms.store, site.cms.locales, { mediaUrl: "/media/", readMarkdown: markdownParts, templates });

describe("a link in a text", () => {
  const FILES = {
    "content/redirects.yaml": "- { from: /moved, to: /there }\n",
    "content/pages/list.yaml": page(4, "/list").replace("id: 4", "id: 4\npaginate: { of: articles, each: tags }"),
    "content/pages/there.yaml": page(2, "/there", "") + "aliases:\n  - language: en\n    from: /before\n",
    "content/pages/hidden.yaml": page(3, "/hidden").replace(/ {4}published_at.*\n/, ""),
  };
  // oxfmt-ignore
  it.each<[string, string | undefined]>([
    ["/there/",               undefined],
    ["/there?x=1",            undefined],
    ["/before",               undefined],
    ["/list/page/2/",         undefined],
    ["/list/tag/clay/",       undefined],
    ["/list/author/ada/",     "There is no page at this address."],
    ["/there/page/2/",        "There is no page at this address."],
    ["/moved/#y",             undefined],
    ["/api/cms/pages/",       undefined],
    ["/feed.xml",             undefined],
    ["/nowhere/?x=1#y",       "content/pages/a.yaml:10:18: warning: translations.en.template_data.body: /nowhere/: There is no page at this address."],
    ["/it/there/",            "There is no page at this address."],
    ["/it/there-it/",         "warning: translations.en.template_data.body: /it/there-it/: The page is not published"],
    ["/hidden/",              "warning: translations.en.template_data.body: /hidden/: The page is not published"],
    ["/media/none.jpg",       "There is no such file in media/."],
  ])("%s", async (address, problem) => {
    const text = `    template_data:\n      body: "[x](${address})"\n`;
    const site = await memorySite({ ...FILES, "content/pages/a.yaml": page(1, "/a", text) }, { LANGUAGES });
    const found = await checkOf(site);
    expect(found.map(showProblem)).toEqual(problem === undefined ? [] : [expect.stringContaining(problem)]);
  });
});

describe("a typed link with a fixed address", () => {
  const NOWHERE = "There is no page at this address.";
  const link = (address: string): string => `{ link_type: ST, static: ${JSON.stringify(address)} }`;
  // oxfmt-ignore
  it.each<[string, string | undefined]>([
    ["/a/",                  undefined],
    ["/a/?x=1",              undefined],
    ["https://example.org/", undefined],
    ["mailto:a@example.org", undefined],
    ["/nowhere/",            `/nowhere/: ${NOWHERE}`],
    ["/media/none.jpg",      "/media/none.jpg: There is no such file in media/."],
  ])("%s in a menu, a page and an instance", async (address, message) => {
    const files = {
      "content/pages/a.yaml": page(1, "/a", `    template_data: { call: ${link(address)} }\n`),
      "content/menus/main.yaml": `id: 2\nkey: main\ntranslations:\n  en: { nodes: [{ title: N, link: ${link(address)}, nodes: [{ title: O, link: ${link(address)} }] }] }\n`,
      "content/meta-types/card.yaml": "id: 3\nkey: card\nname: Card\nschema: [{ name: to, kind: permalink }]\n",
      "content/meta-instances/card/a.yaml": `id: 4\nidentifier: a\ndata: { to: ${link(address)} }\n`,
    };
    const found = (await checkOf(await memorySite(files, { LANGUAGES }))).map(showProblem);
    const expected = [
      "content/menus/main.yaml: warning: translations.en.nodes.0.link.static: ",
      "content/menus/main.yaml: warning: translations.en.nodes.0.nodes.0.link.static: ",
      "content/meta-instances/card/a.yaml: warning: data.to.static: ",
      "content/pages/a.yaml: warning: translations.en.template_data.call.static: ",
    ];
    const places = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/:\d+:\d+(?=:)/, "")).sort();
    expect(places(found)).toEqual(places(message === undefined ? [] : expected.map((place) => place + message)));
  });

  it("is not a path elsewhere in data", async () => {
    const text = `    template_data: { static: /nowhere/, to: { link_type: RE, static: /nowhere/ } }\n`;
    expect(await checkOf(await memorySite({ "content/pages/a.yaml": page(1, "/a", text) }, { LANGUAGES }))).toEqual([]);
  });
});

describe("a link to an anchor", () => {
  const italian = (text: string): string =>
    text.replace(/-it\n.*\n$/, (end) => `${end}    published_at: 2026-01-02T00:00:00Z\n`);
  const body = (text: string): string => `    template_data:\n      body: ${JSON.stringify(text)}\n`;
  const FILES = {
    "content/pages/hours.yaml": italian(
      page(2, "/hours", body("# Öffnung\n\n## Öffnung\n\n<i id='mark'>\n\n```\n# Not this\n```")),
    ),
    "content/pages/orte.yaml": `${italian(page(3, "/places", body("# English")))}${body("# Italiano").replace("en", "it")}`,
    "content/contents/note.yaml": "id: 50\nidentifier: note\ntranslations:\n  en: { content: '# Note' }\n",
    "content/contents/own.yaml": "id: 51\nidentifier: own\npage: 2\ntranslations:\n  en: { content: '# Own' }\n",
  };
  const TEMPLATES = ['<main class="x" id="main"><p id="room-{{ n }}">'];
  const NONE = "There is no heading or element with this id.";
  // oxfmt-ignore
  it.each<[string, string[]]>([
    ["/hours/#öffnung",          []],
    ["/hours?x=1#%C3%B6ffnung-2",[]],
    ["/hours#mark",              []],
    ["/hours#own",               []],
    ["/hours#main",              []],
    ["/hours#room-7",            []],
    ["/hours#note",              []],
    ["/hours/#",                 []],
    ["/hours/#Top",              []],
    ["/hours/#:~:text=closed",   []],
    ["/it/hours-it/#öffnung",    []],
    ["/it/places-it/#italiano",  []],
    ["#here",                    []],
    ["/a/#here",                 []],
    ["/hours/#not-this",         [`content/pages/a.yaml:10:18: warning: translations.en.template_data.body: /hours/#not-this: ${NONE}`]],
    ["/hours/#%C3%B6ffnung-3",   [`content/pages/a.yaml:10:18: warning: translations.en.template_data.body: /hours/#öffnung-3: ${NONE}`]],
    ["/it/places-it/#english",   [`content/pages/a.yaml:10:18: warning: translations.en.template_data.body: /it/places-it/#english: ${NONE}`]],
    ["/places/#own",             [`content/pages/a.yaml:10:18: warning: translations.en.template_data.body: /places/#own: ${NONE}`]],
    ["#there",                   [`content/pages/a.yaml:10:18: warning: translations.en.template_data.body: #there: ${NONE}`]],
  ])("%s", async (address, problems) => {
    const text = page(1, "/a", body(`[x](${address})\n\n## Here`));
    const site = await memorySite({ ...FILES, "content/pages/a.yaml": text }, { LANGUAGES });
    expect((await checkOf(site, TEMPLATES)).map(showProblem).filter((each) => each.includes("pages/a"))).toEqual(problems);
  });

  it("in a draft may lead to what the draft adds", async () => {
    const draft = (text: string): string =>
      `language: en\ncreated_at: 2026-03-02T10:00:00Z\nupdated_at: 2026-03-02T10:00:00Z\n` +
      `payload:\n  translations:\n    en:\n      template_data:\n        body: ${JSON.stringify(text)}\n`;
    const found = async (text: string): Promise<string[]> => {
      const files = { "content/pages/a.yaml": page(1, "/a"), "content/pages/a.draft.en.yaml": draft(text) };
      return (await checkOf(await memorySite(files, { LANGUAGES }), TEMPLATES)).map(showProblem);
    };
    expect(await found("# New\n\n[x](#new) [y](/a/#new)")).toEqual([]);
    expect(await found("[x](#new)")).toEqual([
      `content/pages/a.draft.en.yaml:8:20: warning: payload.translations.en.template_data.body: #new: ${NONE}`,
    ]);
  });

  it("is told where a template makes ids of data, and not checked without templates", async () => {
    const site = await memorySite({ "content/pages/a.yaml": page(1, "/a", body("[x](#x)")) }, { LANGUAGES });
    expect((await checkOf(site, ['<p id="{{ x }}">'])).map(({ severity }) => severity)).toEqual(["warning"]);
    expect(await checkOf(site)).toEqual([]);
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
