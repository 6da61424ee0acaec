/** Markdown of any text: what it looks like, and that its size is bounded. */
import { describe, expect, it } from "vitest";
import { markdownHtml, markdownParts } from "../../src/render/markdown.ts";
import { richText } from "../../src/render/rich-text.ts";

describe("markdownHtml", () => {
  it.each([
    ["Heard *before* it is <b>seen</b>.", "<p>Heard <em>before</em> it is <b>seen</b>.</p>\n"],
    ["A word in <brackets>.", "<p>A word in &lt;brackets&gt;.</p>\n"],
    ["E = mc<sup>2</sup>", "<p>E = mc<sup>2</sup></p>\n"],
    ["So</div> and <!-- a comment --> *on*", "<p>So and  <em>on</em></p>\n"],
    ["`<b>` is bold", "<p><code>&lt;b&gt;</code> is bold</p>\n"],
    [
      "<details>\n<summary>More</summary>\n\n*here*\n\n</details>",
      "<details>\n<summary>More</summary>\n<p><em>here</em></p>\n</details>",
    ],
  ])("renders Markdown, and makes HTML safe: %j", (text, html) => {
    expect(markdownHtml(text)).toBe(html);
  });

  it("shows a long HTML text as HTML", () => {
    expect(markdownHtml("<p>One</p>\n".repeat(10_000))).toBe("<p>One</p>\n".repeat(10_000));
  });

  it.each([
    ["![Q&amp;A snake\\_case](x.png)", "Q&amp;A snake_case"],
    ["![A `code` and *more* &copy; \\* a\nb](x.png)", "A code and more © * a b"],
    ["![<b>bold</b> [link](/a) ![inner](y.png)](x.png)", "bold link inner"],
  ])("%s is described in plain words", (text, alt) => {
    expect(/alt="([^"]*)"/.exec(markdownHtml(text))?.[1]).toBe(alt);
    expect(markdownHtml(`${text}\n\n<b>x</b>`)).toContain(`alt="${alt}"`);
  });

  it.each([
    [
      '![a](/m.png "A *cap* & <b>")',
      '<figure><img src="/m.png" alt="a"><figcaption>A *cap* &amp; &lt;b&gt;</figcaption></figure>\n',
    ],
    [
      '[![a](/m.png "t")](/x)',
      '<figure><a href="/x"><img src="/m.png" alt="a"></a><figcaption>t</figcaption></figure>\n',
    ],
    [
      '![a](/m.png "t")\n\n<div>x</div>',
      '<figure><img src="/m.png" alt="a"><figcaption>t</figcaption></figure>\n<div>x</div>',
    ],
    ['so ![a](/m.png "t")', '<p>so <img src="/m.png" alt="a" title="t"></p>\n'],
    ['- ![a](/m.png "t")', '<ul>\n<li><img src="/m.png" alt="a" title="t"></li>\n</ul>\n'],
    ["![a](/m.png)", '<p><img src="/m.png" alt="a"></p>\n'],
  ])("shows the title of a picture that stands alone below it: %j", (text, html) => {
    expect(markdownHtml(text)).toBe(html);
  });

  it("gives headings the slugs of their texts as ids", () => {
    const html = markdownHtml('# *Öffnung* & `Preise`\n\nZwei\n---\n\n## Zwei\n\n## [Zwei](/z)\n\n## !\n\n## "><b> x');
    expect([...html.matchAll(/<h\d.*?>/g)].map(([tag]) => tag)).toEqual([
      '<h1 id="öffnung-preise">',
      '<h2 id="zwei">',
      '<h2 id="zwei-2">',
      '<h2 id="zwei-3">',
      "<h2>",
      '<h2 id="x">',
    ]);
    expect(richText(markdownHtml("## Zwei"))).toBe('<h2 id="zwei">Zwei</h2>\n');
    expect(markdownParts("## A &amp; *b*\n\n## A b\n\n## A <u>b</u>").headings).toEqual(["a-b", "a-b-2", "a-b-3"]);
  });

  it.each(["[", "![", "*a_", "|a", "~~a", "a\n\n", "a\n=\n", "\\", "<![CDATA[", "](", "&a", "`"])(
    "shows a text of hundreds of thousands of %j as it was written",
    (piece) => {
      const html = markdownHtml(piece.repeat(300_000));
      expect([
        html.startsWith("<pre>"),
        html.endsWith("</pre>\n"),
        html.includes("<", 5) && html.indexOf("<", 5) === html.length - 7,
      ]).toEqual([true, true, true]);
    },
  );

  it("renders a long text of prose", () => {
    const html = markdownHtml("Heard before it is **seen**, as every [lighthouse](/lamp) is.\n\n".repeat(2000));
    expect(html.match(/<strong>/g)).toHaveLength(2000);
  });

  it("drops long link definitions, which each use would repeat", () => {
    const uses = (definition: string): string => markdownHtml(`${"[r]\n\n".repeat(1000)}[r]: ${definition}`);
    expect(uses("/lamp").match(/<a href="\/lamp">/g)).toHaveLength(1000);
    for (const definition of [`/${"x".repeat(900_000)}`, `/lamp "${"x".repeat(900_000)}"`])
      expect(uses(definition).length).toBeLessThan(1_000_000);
  });
});
