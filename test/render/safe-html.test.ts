/** HTML of imported sites in a page: what stays, and that nothing in it runs or reaches beyond it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlTokens } from "../../src/model/text/html-tokens.ts";
import { safeHtml } from "../../src/render/safe-html.ts";
import { processorTimer } from "../support/processor-time.ts";

describe("safeHtml", () => {
  it.each([
    ['<p class="lead">A <em>b</em> &eacute; &amp;copy;</p>'],
    [
      '<figure class="wp-block-image"><img src="/media/a.png" alt="A &quot;b" width="3"><figcaption>C</figcaption></figure>',
    ],
    ['<table><caption>C</caption><tr><td colspan="2" style="text-align:right">x</td></tr></table>'],
    ['<a href="https://x.example/?a=1&amp;b=2" target="_blank" rel="noopener">x</a> <a href="#n">1</a>'],
    ['<ol start="3"><li value="4">x</li></ol><pre><code class="language-js">a &lt; b\n\nc</code></pre>'],
    ['<video controls="" src="/media/a.mp4" poster="/media/a.png"></video>'],
    ['<h2 id="öffnung">x</h2><details open=""><summary>s</summary>t</details>'],
    ['<img src="data:image/png;base64,AAAA">'],
  ])("%s stays", (html) => {
    expect(safeHtml(html)).toBe(html);
  });

  it.each([
    ["a <script>alert(1)</script>b", "a b"],
    ["<style>p{}</style><!-- x --><p>a", "<p>a</p>"],
    ["<script>", "&lt;script&gt;"],
    ['<p onclick="x()" style="position:fixed" data-x="1">a</p>', "<p>a</p>"],
    ['<a href="javascript:x()">a</a>', "<a>a</a>"],
    ['<a href="java&#115;cript:x()">a</a>', "<a>a</a>"],
    ['<a href=" java\nscript:x()">a</a>', "<a>a</a>"],
    ['<img src="data:text/html,x" alt="a">', '<img alt="a">'],
    ['<img src=x srcset="javascript:x 1x">', '<img src="x">'],
    ["<svg><a href='/x'><style>x</style></a></svg>b", "b"],
    ['<iframe src="https://v.example/1"></iframe>', '<a href="https://v.example/1">https://v.example/1</a>'],
    ['<iframe srcdoc="<b>x</b>"></iframe>', ""],
    ["<noscript><img src=a.png></noscript>", '<img src="a.png">'],
    ["<form action=/x><input name=a>b</form>", "b"],
    ["</div></body>a<div><b>c", "a<div><b>c</b></div>"],
    ["<b><p>x</b>y</p>", "<b><p>x</p></b>y"],
    ["<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"],
    ["<p>a<p>b", "<p>a</p><p>b</p>"],
    ["<td>x</td><T> <your-name>", "<td>x</td>&lt;T&gt; &lt;your-name&gt;"],
    ['<a id="a b" href="/x" HREF="javascript:x">y</a>', '<a href="/x">y</a>'],
    ["1 < 2 > 0", "1 &lt; 2 &gt; 0"],
    ["<textarea><img src=x onerror=y></textarea>", "&lt;textarea&gt;&lt;img src=x onerror=y&gt;&lt;/textarea&gt;"],
  ])("%s", (html, safe) => {
    expect(safeHtml(html)).toBe(safe);
  });

  it("has no handler, script or open element for any input", () => {
    const pieces =
      "< > </ /> <!-- --> & \" ' = p b a li script svg style img x- onload= href= javascript: /x \n textarea <![CDATA[ ]]>";
    fc.assert(
      fc.property(fc.array(fc.constantFrom(" ", ...pieces.split(" ")), { maxLength: 40 }), (parts) => {
        const html = safeHtml(parts.join(""));
        const open: string[] = [];
        for (const { name, isClosing, attributes } of htmlTokens(html)) {
          expect(name).toMatch(/^(?:p|b|a|li|img)$/);
          for (const each of attributes) expect(each.name).toBe("href");
          for (const { value } of attributes) expect(value).not.toMatch(/script/i);
          if (isClosing) expect(open.pop()).toBe(name);
          else if (name !== "img") open.push(name);
        }
        expect(open).toEqual([]);
        expect(safeHtml(html)).toBe(html);
      }),
      { numRuns: 3000 },
    );
  });

  it("takes linear time for hostile input", () => {
    const used = processorTimer();
    for (const piece of [
      "<div>",
      "<b a=1>",
      "<p><b>",
      "</p>",
      "<!--",
      "<script>",
      "<svg>",
      "<td>",
      '<a href="',
      "<x>",
      "&",
    ])
      safeHtml(piece.repeat(200_000 / piece.length));
    expect(used()).toBeLessThan(3000);
  });
});
