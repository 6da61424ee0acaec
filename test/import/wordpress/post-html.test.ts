import { describe, expect, it } from "vitest";
import { withParagraphs } from "../../../src/import/wordpress/paragraphs.ts";
import { postHtml, type PostParts } from "../../../src/import/wordpress/post-html.ts";
import type { WordPressItem } from "../../../src/import/wordpress/wxr.ts";

const PARTS: PostParts = {
  block: (id) =>
    id === 9 ? `<!-- wp:paragraph --><p>Shared</p><!-- /wp:paragraph --><!-- wp:block {"ref":9} /-->` : undefined,
  picture: (id) => (id === 5 ? { url: "https://old.example/a.png", alt: 'A "b"', caption: "" } : undefined),
};
const html = (content: string) => postHtml({ content, contentLine: 10 } as WordPressItem, PARTS);

describe("withParagraphs", () => {
  it.each([
    ["One\n\nTwo", "<p>One</p>\n\n<p>Two</p>"],
    ["One\nline", "<p>One<br />\nline</p>"],
    ["One<br />\nline", "<p>One<br />\nline</p>"],
    ["<h2>Title</h2>\nText", "<h2>Title</h2>\n<p>Text</p>"],
    ["<p>Done</p>", "<p>Done</p>"],
    ["<ul>\n<li>a</li>\n</ul>", "<ul>\n<li>a</li>\n</ul>"],
    ["<pre>a\n\nb</pre>", "<pre>a\n\nb</pre>"],
    ["<blockquote>Said\n\nso</blockquote>", "<blockquote>\n<p>Said</p>\n\n<p>so</p>\n</blockquote>"],
    [
      "<table><tr><td><table></table>a\n\nb</td></tr></table>c",
      "<table><tr><td><table></table>a\n\nb</td></tr></table>\n<p>c</p>",
    ],
    ["", ""],
  ])("%j", (text, expected) => {
    expect(withParagraphs(text).trim()).toBe(expected);
  });

  it.each(["<div>", "</div>", "<div></p>", "\n ", "<table>", "<br>\n"])(
    "takes linear time for 100,000 characters of %j",
    (piece) => {
      expect(withParagraphs(piece.repeat(100_000 / piece.length)).length).toBeGreaterThan(0);
    },
  );
});

describe("postHtml", () => {
  it.each([
    ["<!-- wp:paragraph -->\n<p>Hi</p>\n<!-- /wp:paragraph -->", "<p>Hi</p>"],
    [`<!-- wp:image {"id":5,"sizeSlug":"large"} -->\n<figure>x</figure>\n<!-- /wp:image -->`, "<figure>x</figure>"],
    ["<p>a</p><!--more--><p>b</p>", "<p>a</p><p>b</p>"],
    [
      `[caption id="attachment_5" width="3"]<a href="/x"><img src="a.png" /></a> A caption[/caption]`,
      `<figure><a href="/x"><img src="a.png" /></a><figcaption>A caption</figcaption></figure>`,
    ],
    [
      `[gallery ids="5,77"]`,
      `<div class="gallery">\n<figure><img src="https://old.example/a.png" alt="A &quot;b&quot;" /></figure>\n</div>`,
    ],
    [
      "[embed]https://video.example/?v=1&amp;t=2[/embed]",
      `<p><a href="https://video.example/?v=1&amp;t=2">https://video.example/?v=1&amp;t=2</a></p>`,
    ],
    [
      "https://video.example/1\n\nText",
      `<p><a href="https://video.example/1">https://video.example/1</a></p>\n\n<p>Text</p>`,
    ],
    [
      `[audio mp3="https://old.example/a.mp3"][/audio]`,
      `<p><audio controls src="https://old.example/a.mp3"></audio></p>`,
    ],
    ["[[gallery]] is a shortcode, [sic], [1], [a](b)", "<p>[gallery] is a shortcode, [sic], [1], [a](b)</p>"],
    [`<!-- wp:block {"ref":9} /-->`, "<p>Shared</p>"],
  ])("%j", (content, expected) => {
    expect(html(content)).toEqual({ html: expected, notes: [] });
  });

  it("keeps what it does not know, and says where it is", () => {
    const { html: text, notes } = html(
      `One [sic].\n\n[contact-form-7 id="3"]\n[row]in[/row]\n<!-- wp:latest-posts {"postsToShow":3} /--><!-- wp:block {"ref":1} /-->`,
    );
    expect(text).toContain(`[contact-form-7 id="3"]`);
    expect(text).toContain("[row]in[/row]");
    expect(notes.map(({ line, message }) => [line, message.split(":")[0]])).toEqual([
      [12, "The shortcode [contact-form-7] is not known here"],
      [13, "The shortcode [row] is not known here"],
      [14, "The block latest-posts has no text of its own"],
      [14, "The reusable block 1 is not in the export"],
    ]);
  });

  it.each([
    "[a ",
    "[a b=c]",
    "[[a]]",
    "[/a]",
    "[a][/a]",
    "<!-- wp:x ",
    "<!-- wp:x {} -->",
    "\nhttps://a.example",
    "[caption]<img ",
    "[gallery ids=5]",
  ])("takes linear time for 100,000 characters of %j", (piece) => {
    expect(html(piece.repeat(100_000 / piece.length)).html.length).toBeGreaterThanOrEqual(0);
  });

  it("does not let a reusable block multiply a text", () => {
    const long: PostParts = { ...PARTS, block: () => "x".repeat(1_000_000) };
    const content = `<!-- wp:block {"ref":9} /-->`.repeat(1000);
    expect(postHtml({ content, contentLine: 1 } as WordPressItem, long).html.length).toBeLessThan(5_000_000);
  });
});
