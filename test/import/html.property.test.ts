/** Whatever HTML an old site has: as it is imported, nothing in it runs, no word is lost, and what is stored loads again. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { SERVICE } from "../../src/actions/context.ts";
import { importSite } from "../../src/import/import-site.ts";
import type { ImportedEntry } from "../../src/import/imported-site.ts";
import { asHtml, markdownFormat } from "../../src/import/texts/html-markdown.ts";
import { htmlTokens, plainTextOf } from "../../src/model/text/html-tokens.ts";
import { severityOf } from "../../src/model/text/problem.ts";
import { markdownHtml } from "../../src/render/markdown.ts";
import { safeHtml } from "../../src/render/safe-html.ts";
import { contentProblems } from "../../src/store/check/check.ts";
import { memorySite } from "../site.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

/** A text with the words that a reader sees; `#` stands for the next one. */
type Html = string;

const attributes = fc
  .subarray([
    'onclick="bad()"',
    "onload=bad()",
    'style="color:red"',
    'class="lead"',
    'id="here"',
    "data-x='1'",
    "ONERROR = 'bad()'",
  ])
  .map((all) => all.map((each) => ` ${each}`).join(""));
const wrapped = (names: readonly string[], inner: fc.Arbitrary<Html>): fc.Arbitrary<Html> =>
  fc.tuple(fc.constantFrom(...names), attributes, inner).map(([name, has, text]) => `<${name}${has}>${text}</${name}>`);
const several = (item: fc.Arbitrary<Html>, maxLength = 3, join = " "): fc.Arbitrary<Html> =>
  fc.array(item, { minLength: 1, maxLength }).map((all) => all.join(join));

const word = fc.constantFrom("#", "#", "#*", "_#_", "&lt;#&gt;", "#&amp;copy;", "[#](x)", "1. #", "- #", "`#`", "# ~~");
const link = fc
  .tuple(fc.constantFrom("/x/", "https://x.example/", "javascript:bad()", " java\nscript:bad()", "#here"), word)
  .map(([href, text]) => `<a href="${href}">${text}</a>`);
const active = fc.constantFrom(
  "<script>bad()</script>",
  "<style>p{}</style>",
  '<img src="/a.png" alt="" onerror="bad()">',
  "<!-- bad() -->",
  "<br>",
);
const inline = fc.oneof(
  word,
  word,
  link,
  active,
  wrapped(["b", "em", "strong", "i", "code", "span", "sup", "u"], word),
);
const inlines = several(inline);
const items = several(wrapped(["li"], inlines), 3, "\n");
const table = several(wrapped(["tr"], several(wrapped(["td", "th"], inlines), 2, ""))).map(
  (rows) => `<table>${rows}</table>`,
);
const flat = fc.oneof(
  wrapped(["p", "h2", "h3", "div", "pre", "section", "address"], inlines),
  wrapped(["ul", "ol"], items),
  table,
  wrapped(["figure"], wrapped(["figcaption"], word)),
);
const documents = several(
  fc.oneof(flat, flat, wrapped(["blockquote", "div", "details"], several(flat, 2, "\n"))),
  5,
  "\n\n",
);

/** The text with its words, and these. */
function withWords(html: Html): { readonly html: string; readonly words: readonly string[] } {
  const words: string[] = [];
  const text = html.replace(/(?<!")#/g, () => words[words.push(`word${words.length}w`) - 1]!);
  return { html: text, words };
}

function expectHarmless(shown: string, { html, words }: ReturnType<typeof withWords>): void {
  for (const { name, attributes: has } of htmlTokens(shown)) {
    expect(["script", "style"], html).not.toContain(name);
    for (const each of has) {
      expect(each.name, html).not.toMatch(/^on/i);
      expect(each.value.replace(/\s/g, ""), html).not.toMatch(/^javascript:/i);
    }
  }
  const read = plainTextOf(shown);
  expect(
    words.filter((each) => !read.includes(each)),
    `${html}\n->\n${shown}`,
  ).toEqual([]);
}

it("runs nothing and loses no word, as HTML and as Markdown", async () => {
  const asMarkdown = await markdownFormat();
  fc.assert(
    fc.property(documents, (document) => {
      const old = withWords(document);
      expectHarmless(safeHtml(asHtml(old.html).text), old);
      expectHarmless(markdownHtml(asMarkdown(old.html).text), old);
    }),
    { numRuns: Number(process.env.RUNS ?? 200) },
  );
});

it("loads again as it was imported, and a second import changes nothing", async () => {
  const formats = [asHtml, await markdownFormat()];
  const entries = fc.sample(documents, { numRuns: 30, seed: 7 }).map((document, at): ImportedEntry => ({
    source: `old:${at}`,
    place: { file: "old.html", line: at + 1 },
    model: "article",
    texts: {
      en: {
        fields: { title: `Text ${at}` },
        permalink: `/text-${at}`,
        published: "undated",
        body: formats[at % 2]!(withWords(document).html).text,
      },
    },
  }));
  const site = await memorySite({}, { LANGUAGES: [{ id: "en", name: "English" }] });
  const run = () =>
    importSite(
      site.cms,
      SERVICE,
      { entries, tags: [], media: [], menus: [], redirects: [], remarks: [] },
      { name: "old" },
    );
  expect((await run()).counts).toMatchObject({ created: entries.length, failed: 0 });
  const problems = await contentProblems(site.cms.store, site.cms.locales, { mediaUrl: "/media/" });
  expect(problems.filter((each) => severityOf(each) === "error")).toEqual([]);
  await expectSameAfterRestart(site);
  expect(await run()).toMatchObject({ committed: false, counts: { created: 0, updated: 0 } });
});
