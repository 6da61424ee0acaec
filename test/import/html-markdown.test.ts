/** HTML of an old site as Markdown: what it looks like, and that a reader sees the same as of the HTML. */
import { describe, expect, it } from "vitest";
import { markdownFormat } from "../../src/import/texts/html-markdown.ts";
import { markdownHtml } from "../../src/render/markdown.ts";

const format = await markdownFormat();

describe("HTML as Markdown", () => {
  it.each([
    ["<pre>a\n\n  b &lt;i&gt;</pre>", "```\na\n\n  b <i>\n```"],
    ["<pre class='language-js'>a<br>b</pre>", "```js\na\nb\n```"],
    ["<pre><code class='language-js'>a\n```\nb</code></pre>", "````js\na\n```\nb\n````"],
    ["<pre>a <b>b</b>\n\nc</pre>", "<pre>a <b>b</b>&#10;\nc</pre>"],
    ["<p>x<sup id='r1'>2</sup> H<sub>2</sub>O</p>", 'x<sup id="r1">2</sup> H<sub>2</sub>O'],
    ["<p>~~no~~ &amp;copy; &lt;b&gt; 1 &lt; 2 AT&amp;T</p>", "\\~~no\\~~ &amp;copy; \\<b> 1 < 2 AT&T"],
    ["<ul><li>a</li></ul>\n<ul><li>b</li></ul>", "-   a\n\n<!-- -->\n\n-   b"],
    ["<h2 id='x'>A &amp; b</h2><h2 id='c'>C</h2>", '## <a id="x"></a>A & b\n\n## C'],
    ["<p id=n>a</p><p id=o>b</p><a href='#n'>c</a>", '<a id="n"></a>a\n\nb\n\n[c](#n)'],
    ["<a name='top'></a>a", '<a id="top"></a>a'],
    [
      '<img src="a b.png" alt="~~a~~ &amp;lt; [b]" title="c &quot;d&quot;">',
      '![\\~~a\\~~ &amp;lt; \\[b\\]](<a b.png> "c \\"d\\"")',
    ],
    ['<figure><img src="/a.png" alt="A"><figcaption>C &amp; "d"</figcaption></figure>', '![A](/a.png "C & \\"d\\"")'],
    ['<figure><img src="/a.png"><figcaption>C <b>d</b></figcaption></figure>', "![](/a.png)\n\nC **d**"],
    ['<figure><a href="/x"><img src="/a.png"></a><figcaption>C</figcaption></figure>', "[![](/a.png)](/x)\n\nC"],
    ['<figure><img src="/a.png"><img src="/b.png"><figcaption>C</figcaption></figure>', "![](/a.png)![](/b.png)\n\nC"],
    ["<table><tr><th>a</th></tr><tr><td>b<br>c</td></tr></table>", "| a |\n| --- |\n| b<br>c |"],
    [
      "<table><caption>T</caption><tr><td>a</td></tr></table>",
      "<table><caption>T</caption><tbody><tr><td>a</td></tr></tbody></table>",
    ],
    [
      "<table><tr><th>a</th></tr><tr><td>b</td><td>c</td></tr></table>",
      "<table><tbody><tr><th>a</th></tr><tr><td>b</td><td>c</td></tr></tbody></table>",
    ],
    ['<table><tr><td colspan="2">a</td></tr></table>', '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>'],
    ["<dl><dt>a</dt><dd>b</dd></dl>", "<dl><dt>a</dt><dd>b</dd></dl>"],
    ["<details><summary>a</summary>\n\n<p>b</p></details>", "<details><summary>a</summary><p>b</p></details>"],
    ["<ol type='a'><li>x</li></ol>", '<ol type="a"><li>x</li></ol>'],
    ['<p>The <abbr title="a &amp; b">X</abbr></p>', 'The <abbr title="a &amp; b">X</abbr>'],
  ])("%s", (html, markdown) => {
    expect(format(html).text).toBe(markdown);
  });

  it.each([
    "<p>~~no~~ &amp;copy; &lt;b&gt; 1 &lt; 2 AT&amp;T</p>\n",
    '<figure><img src="/a.png" alt="A"><figcaption>C</figcaption></figure>\n',
    "<p>x<sup>2</sup> and <u>that</u></p>\n",
    "<pre><code>a\n\n\nb &lt;i&gt;\n</code></pre>\n",
    "<h2>a_b *c*</h2>\n".replace("<h2>", '<h2 id="a_b-c">'),
  ])("%s is shown as it was", (html) => {
    expect(markdownHtml(format(html).text)).toBe(html);
  });
});
