/** Markdown of any text: what it looks like, and that its size is bounded. */
import { describe, expect, it } from "vitest";
import { markdownHtml, markdownParts } from "../../src/render/markdown.ts";
import { richText } from "../../src/render/rich-text.ts";

describe("markdownHtml", () => {
  it("renders Markdown, and escapes HTML", () => {
    expect(markdownHtml("Heard *before* it is <b>seen</b>.")).toBe(
      "<p>Heard <em>before</em> it is &lt;b&gt;seen&lt;/b&gt;.</p>\n",
    );
  });

  it("gives headings the slugs of their texts as ids", () => {
    const html = markdownHtml('# *Öffnung* & `Preise`\n\nZwei\n---\n\n## Zwei\n\n## [Zwei](/z)\n\n## !\n\n## "><b> x');
    expect([...html.matchAll(/<h\d.*?>/g)].map(([tag]) => tag)).toEqual([
      '<h1 id="öffnung-preise">',
      '<h2 id="zwei">',
      '<h2 id="zwei-2">',
      '<h2 id="zwei-3">',
      "<h2>",
      '<h2 id="b-x">',
    ]);
    expect(richText(markdownHtml("## Zwei"))).toBe('<h2 id="zwei">Zwei</h2>\n');
    expect(markdownParts("## A &amp; *b*\n\n## A b").headings).toEqual(["a-b", "a-b-2"]);
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
