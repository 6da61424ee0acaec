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
    [`One <img\nsrc="a.png"\n\nalt="a\n\nb">\ntwo`, `<p>One <img\nsrc="a.png"\n\nalt="a\n\nb"><br />\ntwo</p>`],
    ["<b>One\n\ntwo</b>\n\nThree", "<p><b>One<br />\n<br />\ntwo</b></p>\n\n<p>Three</p>"],
    ["<b>One\n\ntwo", "<p><b>One</p>\n\n<p>two</p>"],
    ["<!-- a\n\nb -->\n\nText <!-- c\nd -->", "<!-- a\n\nb -->\n\n<p>Text <!-- c\nd --></p>"],
    ["a<video>\n<source src=x>\n</video>b\nc", "<p>a<video>\n<source src=x>\n</video>b<br />\nc</p>"],
    ["<ul>\n<li>\na\nb\n</li>\n</ul>", "<ul>\n<li>\na<br />\nb\n</li>\n</ul>"],
    ["<div>\n<script>\na\n\nb\n</script>\nc</div>", "<div>\n<script>\na\n\nb\n</script>\n<p>c</p>\n</div>"],
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
    [
      "[embed]\nhttps://video.example/1\n[/embed]",
      `<p><a href="https://video.example/1">https://video.example/1</a></p>`,
    ],
    [
      `[caption]<img\nsrc="a.png"\nalt="a > b"> A [audio src="a.mp3"] b\nc[/caption]`,
      `<figure><img\nsrc="a.png"\nalt="a > b"><figcaption>A <audio controls src="a.mp3"></audio> b<br />\nc</figcaption></figure>`,
    ],
    [
      "<code>[audio src=x] [[gallery]]</code> <a title='[audio src=x] [[gallery]]'>x</a> m[[a]]",
      "<p><code>[audio src=x] [gallery]</code> <a title='[audio src=x] [[gallery]]'>x</a> m[[a]]</p>",
    ],
    ["<pre>\nhttps://a.example/\n</pre>", "<pre>\nhttps://a.example/\n</pre>"],
    [
      "<!-- wp:code -->\n<pre><code>a\n\n\nb\nhttps://a.example\n</code></pre>\n<!-- /wp:code -->",
      "<pre><code>a\n\n\nb\nhttps://a.example\n</code></pre>",
    ],
    [
      "<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:paragraph -->\n<p>b</p>\n<!-- /wp:paragraph -->",
      "<p>a</p>\n\n<p>b</p>",
    ],
    [
      `<!-- wp:embed -->\n<figure><div>\nhttps://v.example/1\n</div></figure>\n<!-- /wp:embed -->`,
      `<figure><div>\n<a href="https://v.example/1">https://v.example/1</a>\n</div></figure>`,
    ],
    ["One\r\n\r\nTwo", "<p>One</p>\n\n<p>Two</p>"],
    ["[[gallery]] is a shortcode, [sic], [1], [a](b)", "<p>[gallery] is a shortcode, [sic], [1], [a](b)</p>"],
    [`<!-- wp:block {"ref":9} /-->`, "<p>Shared</p>"],
    [
      "<!-- wp:html -->\n<div>\n\n    <p>a</p>\n\n<b>c_d_e</b>\n\n*f*\n<pre>g\n\n    h</pre>\n</div>\n<!-- /wp:html -->",
      "<div>\n    <p>a</p>\n<b>c_d_e</b>\n*f*\n<pre>g&#10;\n    h</pre>\n</div>",
    ],
    ["<!-- wp:code -->\n<pre>a\n\n    b</pre>\n<!-- /wp:code -->", "<pre>a\n\n    b</pre>"],
    ["<!-- wp:code -->\n<div><pre>a\n\n    b</pre></div>\n<!-- /wp:code -->", "<div><pre>a&#10;\n    b</pre></div>"],
  ])("%j", (content, expected) => {
    expect(html(content)).toEqual({ html: expected, notes: [] });
  });

  it("replaces the known shortcodes within others, and tells each of those", () => {
    const { html: text, notes } = html(
      `[vc_row][vc_column w="1"]\n[caption]<img src="a.png"> A[/caption]\n[/vc_column][/vc_row]`,
    );
    expect(text).toContain(`<figure><img src="a.png"><figcaption>A</figcaption></figure>`);
    expect(notes.map(({ line, message }) => [line, /\[(\w+)\]/.exec(message)?.[1]])).toEqual([
      [10, "vc_row"],
      [10, "vc_column"],
    ]);
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
      [14, "The reusable block 1 is not in the export, or not public"],
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
