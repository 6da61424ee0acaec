import { describe, expect, it } from "vitest";
import { attributeOf, htmlTags, replaceAddresses } from "../../src/import/texts/html-tags.ts";

const names = (html: string): string[] =>
  [...htmlTags(html)].map(({ name, isClosing }) => (isClosing ? `/${name}` : name));

describe("htmlTags", () => {
  it.each([
    ["<p>a</p>", ["p", "/p"]],
    ["<IMG src=a.png/>", ["img"]],
    ["a < b and <3", []],
    ["<!-- <p> --><b>", ["b"]],
    ['<script>"<p>"</script><i>', ["script", "/script", "i"]],
    ['<a title="a > b">', ["a"]],
    ["<p", []],
    ['<p title="', []],
    ["<!-- <p>", []],
    ["<script>x", ["script"]],
    ["<br/><br />", ["br", "br"]],
  ])("%s", (html, tags) => {
    expect(names(html)).toEqual(tags);
  });

  it("decodes attributes", () => {
    const [tag] = htmlTags(`<a HREF='/a?b=1&amp;c=2&#38;d' data-x=3 hidden>`);
    expect(attributeOf(tag!, "href")).toBe("/a?b=1&c=2&d");
    expect(attributeOf(tag!, "data-x")).toBe("3");
    expect(attributeOf(tag!, "hidden")).toBe("");
    expect(attributeOf(tag!, "id")).toBeUndefined();
  });

  it.each(["<", "<a ", '<a b="', "<!--", "<a b=c", "</", "<script>", "<a\t=", "&amp;<"])(
    "reads 100,000 characters of %s in linear time",
    (piece) => {
      expect([...htmlTags(piece.repeat(100_000 / piece.length))].length).toBeLessThan(100_000);
    },
  );
});

describe("replaceAddresses", () => {
  const moved = (address: string): string | undefined =>
    address.startsWith("/old") ? address.replace("old", "new") : undefined;

  it.each([
    [`<a href="/old/a">x</a>`, `<a href="/new/a">x</a>`],
    [`<a class=x href=/old/a>x</a>`, `<a class=x href="/new/a">x</a>`],
    [`<a href="/other">x</a> /old/a`, `<a href="/other">x</a> /old/a`],
    [`<a href="/old?a&amp;b"></a>`, `<a href="/new?a&amp;b"></a>`],
    [`<img src="/old.png" srcset="/old-1.png 1x, /old-2.png 2x" sizes="5px" alt="x">`, `<img src="/new.png" alt="x">`],
    [`<img srcset="/b 1x" src="/other.png">`, `<img srcset="/b 1x" src="/other.png">`],
    [`<!-- <a href="/old"> -->`, `<!-- <a href="/old"> -->`],
  ])("%s", (html, replaced) => {
    expect(replaceAddresses(html, moved)).toBe(replaced);
  });
});
