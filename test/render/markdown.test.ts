/** Markdown of any text: what it looks like, and that its size is bounded. */
import { describe, expect, it } from "vitest";
import { markdownHtml } from "../../src/render/markdown.ts";

describe("markdownHtml", () => {
  it("renders Markdown, and escapes HTML", () => {
    expect(markdownHtml("Heard *before* it is <b>seen</b>.")).toBe(
      "<p>Heard <em>before</em> it is &lt;b&gt;seen&lt;/b&gt;.</p>\n",
    );
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
