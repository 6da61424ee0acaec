import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readWordPressExport, type WordPressExport } from "../../../src/import/wordpress/wxr.ts";
import { temporaryFolder } from "../../site.ts";
import { wordPressExport } from "../../support/wordpress-export.ts";

async function read(text: string | Uint8Array): Promise<WordPressExport> {
  const file = join(await temporaryFolder(), "export.xml");
  await writeFile(file, text);
  return readWordPressExport(file, "export.xml");
}

const item = (inner: string): string =>
  `<rss xmlns:wp="w" xmlns:content="c"><channel><wp:wxr_version>1.2</wp:wxr_version><item>${inner}</item></channel></rss>`;

describe("readWordPressExport", () => {
  it("reads what WordPress writes, with lines", async () => {
    const source = await read(
      wordPressExport({
        authors: [{ id: 2, login: "anna", first: "Anna", last: "Rossi" }],
        categories: [{ id: 3, slug: "news", name: "News & more" }],
        items: [
          {
            id: 7,
            title: "A ]]> in a title",
            content: "one\ntwo",
            terms: [["category", "news", "News"]],
            meta: [["mood", "good"]],
            comments: 2,
          },
        ],
      }),
    );
    expect(source).toMatchObject({ link: "https://old.example", language: "en-US" });
    expect(source.authors).toEqual([{ id: 2, login: "anna", display: "anna", first: "Anna", last: "Rossi" }]);
    expect(source.terms[0]).toMatchObject({ taxonomy: "category", slug: "news", name: "News & more" });
    expect(source.items[0]).toMatchObject({
      id: 7,
      title: "A ]]> in a title",
      content: "one\ntwo",
      dateGmt: "2024-03-01 10:00:00",
      terms: [{ taxonomy: "category", slug: "news", name: "News" }],
      meta: [["mood", "good"]],
      comments: 2,
    });
    const lines = wordPressExport({ items: [{ id: 7 }] }).split("\n");
    const [only] = (await read(lines.join("\n"))).items;
    expect(lines[only!.line - 1]).toContain("<item>");
    expect(lines[only!.contentLine - 1]).toContain("<content:encoded>");
  });

  it.each([
    ["cut off", wordPressExport({ items: [{ id: 1 }] }).slice(0, -60), /export\.xml:\d+: The file is not well-formed/],
    ["no XML", "id,title\n1,Hello", /not well-formed/],
    ["no export", "<rss><channel><title>Feed</title></channel></rss>", /no WordPress export/],
    ["with a document type", `<!DOCTYPE rss SYSTEM "http://evil.example/x.dtd"><rss/>`, /document type/],
    [
      "with entities that expand each other",
      `<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><rss><channel>&b;</channel></rss>`,
      /document type/,
    ],
    ["nested without end", `<rss>${"<a>".repeat(100_000)}`, /nest deeper/],
    ["in another encoding", `<?xml version="1.0" encoding="ISO-8859-1"?><rss/>`, /ISO-8859-1, not in UTF-8/],
    ["with bytes of another encoding", Buffer.from(item("<title>Perch\u00e9</title>"), "latin1"), /not UTF-8/],
  ])("refuses a file that is %s", async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it("leaves out characters that XML does not allow, and tells unknown entities", async () => {
    const source = await read(item("<title>a\u0008b&nbsp;c &amp; d</title>\n<wp:post_id>1</wp:post_id>"));
    expect(source.items[0]!.title).toBe("ab&nbsp;c & d");
    expect(source.unknownEntities).toEqual([{ file: "export.xml", line: 1 }]);
  });

  it("takes names of elements and fields that JavaScript knows for what they are", async () => {
    const meta = "<wp:postmeta><wp:meta_key>__proto__</wp:meta_key><wp:meta_value>x</wp:meta_value></wp:postmeta>";
    const text = item(meta).replace("<item>", "<constructor>1</constructor><__proto__>2</__proto__><item>");
    const source = await read(text);
    expect(source.items[0]!.meta).toEqual([["__proto__", "x"]]);
    expect(source.terms).toEqual([]);
  });

  it("reads a text of megabytes in linear time", async () => {
    const size = (count: number): string =>
      item(`<content:encoded><![CDATA[${"<p>x</p>\n".repeat(count)}]]></content:encoded>`);
    const source = await read(size(300_000));
    expect(source.items[0]!.content).toHaveLength(2_700_000);
  });
});
