/** HTML of editors in a page: what it may be, and that nothing else gets through. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { richText } from "../../src/render/rich-text.ts";
import { processorTimer } from "../support/processor-time.ts";

it.each([
  ["<p>A <strong>bold</strong> word &amp; more</p>", "<p>A <strong>bold</strong> word &amp; more</p>"],
  ["a<br>b<br/>c<BR />", "a<br>b<br/>c<BR/>"],
  ["<ul><li>x</li></ul>", "<ul><li>x</li></ul>"],
  ["1 < 2 & 3 > 2", "1 &lt; 2 &amp; 3 &gt; 2"],
  ["&nbsp;&#39;&#x27;&eacute; &bogus", "&nbsp;&#39;&#x27;&eacute; &amp;bogus"],
  ['<h2 id="öffnung-2">x</h2>', '<h2 id="öffnung-2">x</h2>'],
  ['<h2 id="a b">x</h2>', "&lt;h2 id=&quot;a b&quot;&gt;x</h2>"],
  ['<p id="a">x</p>', "&lt;p id=&quot;a&quot;&gt;x</p>"],
  ['<a href="/contact/">x</a>', '<a href="/contact/">x</a>'],
  [
    '<a class="b" href="https://x.example/?a=1&amp;b=2" target="_blank">x</a>',
    '<a href="https://x.example/?a=1&amp;b=2">x</a>',
  ],
  ['<a href="mailto:a@b.example">x</a>', '<a href="mailto:a@b.example">x</a>'],
  ['<a href="sms:+39061234?body=a">x</a>', '<a href="sms:+39061234?body=a">x</a>'],
])("%s", (html, shown) => {
  expect(richText(html)).toBe(shown);
});

it.each([
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//x></SCRIPT>",
  "<img src=x onerror=alert(1)>",
  '<p onclick="alert(1)">x</p>',
  '<p style="background:url(javascript:x)">x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="java&#115;cript:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href="java&Tab;script:alert(1)">x</a>',
  '<a href="VBScript:x">x</a>',
  '<a href="blob:https://x/y">x</a>',
  '<a href="view-source:https://x/">x</a>',
  '<a href="data:text/html,x">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="/\\evil.example">x</a>',
  "<a href='/x' onmouseover='alert(1)'>x</a>",
  '<a href="/x" onmouseover="alert(1)">x</a>',
  '<a href="/x""onmouseover=alert(1)>x</a>',
  "<svg/onload=alert(1)>",
  "<iframe src=/x></iframe>",
  "<style>*{}</style>",
  "<!-- x --><p>",
  "<p <script>>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "<<p>script>",
  '<a href="/x"<script>alert(1)</script>">',
])("%s is harmless", (html) => {
  harmless(richText(html));
});

/** Only tags as they stand in the list, without attributes, and links with an address that leads somewhere. */
function harmless(html: string): void {
  const rest = html
    .replace(/<\/?[a-z0-9]{1,10}\/?>/gi, "")
    .replace(/<a href="(?:https?:\/\/|mailto:|tel:|sms:|\/(?![/\\])|#)[^"<>\s\\]*">/g, "");
  expect(rest).not.toMatch(/[<>]/);
  expect(html).not.toMatch(/<\/?(?:script|style|iframe|svg|img|object|form|input)/i);
}

it("lets no other tag or attribute through", () => {
  const piece = fc.constantFrom(
    "<",
    ">",
    "&lt;",
    "&gt;",
    "&quot;",
    '"',
    "'",
    "a",
    "a ",
    "p",
    "script",
    "/",
    "href=",
    'href="',
    "onload=x",
    "javascript:",
    "https://x",
    "&",
    ";",
    "#",
    " ",
    "\n",
    "\\",
    "b>",
    "</a>",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => harmless(richText(pieces.join("")))),
    { numRuns: 3000 },
  );
});

it("takes linear time for hostile input", () => {
  const used = processorTimer();
  for (const text of [
    "<a ".repeat(50_000),
    '<a href="/'.repeat(20_000),
    `<a ${" ".repeat(100_000)}`,
    "<p ".repeat(50_000),
    "&".repeat(100_000),
  ])
    richText(text);
  expect(used()).toBeLessThan(3000);
});
