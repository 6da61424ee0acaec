/** The parts of an export as one. */
import { expect, it } from "vitest";
import type { Remark } from "../../../src/import/imported-site.ts";
import { oneExport } from "../../../src/import/wordpress/parts.ts";
import { readWordPressExport, type WordPressExport } from "../../../src/import/wordpress/wxr.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../../site.ts";
import { wordPressExport, type ExportedSite } from "../../support/wordpress-export.ts";

async function part(name: string, site: ExportedSite): Promise<WordPressExport> {
  const file = join(await temporaryFolder(), name);
  await writeFile(file, wordPressExport(site));
  return readWordPressExport(file, name);
}

/** @returns the titles by number, and what is told */
async function joined(...sites: readonly ExportedSite[]) {
  const remarks: Remark[] = [];
  const parts = await Promise.all(sites.map((site, at) => part(`part-${at + 1}.xml`, site)));
  const source = oneExport(parts, remarks);
  return {
    source,
    posts: source.items.map(({ id, title, file }) => `${id} ${title} (${file})`),
    told: remarks.map(({ file, line, message }) => `${file}:${line}: ${message}`),
  };
}

const post = (id: number, title: string) => ({ id, title });

it("authors, terms and posts that several parts have are there once, in the order of the first", async () => {
  const category = { id: 11, slug: "news", name: "News" };
  const { source, posts, told } = await joined(
    {
      authors: [{ id: 1, login: "anna", first: "Anna" }],
      categories: [category],
      items: [post(1, "One"), post(2, "Two")],
    },
    {
      authors: [
        { id: 1, login: "anna" },
        { id: 2, login: "bruno" },
      ],
      categories: [category, { id: 12, slug: "events", name: "Events" }],
      tags: [{ id: 13, slug: "news", name: "News" }],
      items: [post(2, "Two"), post(3, "Three")],
    },
  );
  expect(posts).toEqual(["1 One (part-1.xml)", "2 Two (part-1.xml)", "3 Three (part-2.xml)"]);
  expect(source.authors.map(({ login, first }) => [login, first])).toEqual([
    ["anna", "Anna"],
    ["bruno", ""],
  ]);
  expect(source.terms.map(({ taxonomy, slug }) => `${taxonomy} ${slug}`)).toEqual([
    "category news",
    "category events",
    "post_tag news",
  ]);
  expect(told).toEqual([]);
});

it("another post with a number that is taken gets a new one, as one without, and both are told", async () => {
  const { posts, told } = await joined({ items: [post(1, "One"), post(7, "Seven")] }, { items: [post(7, "Other")] });
  expect(posts).toEqual(["1 One (part-1.xml)", "7 Seven (part-1.xml)", "8 Other (part-2.xml)"]);
  expect(told).toEqual([
    expect.stringMatching(/^part-2\.xml:\d+: part-1\.xml:\d+ has the number 7, too: "Other" is imported beside it/),
  ]);
  const none = await joined({ items: [post(0, "None"), post(0, "Other"), post(3, "Three")] });
  expect(none.posts).toEqual(["4 None (part-1.xml)", "5 Other (part-1.xml)", "3 Three (part-1.xml)"]);
  expect(none.told).toEqual([expect.stringContaining("It has no number"), expect.stringContaining("It has no number")]);
});

it.each([
  ["another site", "https://other.example", false],
  ["the same with www", "https://www.old.example", true],
  ["the same over http", "http://old.example", true],
])("of %s", async (_what, link, isAccepted) => {
  const both = joined({ items: [post(1, "One")] }, { link, items: [post(2, "Two")] });
  if (isAccepted) expect((await both).posts).toHaveLength(2);
  else await expect(both).rejects.toThrow(`${link} is another site than https://old.example`);
});
