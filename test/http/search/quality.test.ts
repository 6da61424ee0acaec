/** The search of the API over the texts of the example site and the starters. */
import { expect, it } from "vitest";
import { memorySite } from "../../site.ts";
import {
  contentOf,
  recallOf,
  SEARCHED_QUERIES,
  SEARCHED_SITES,
  type SearchedSite,
} from "../../support/search-queries.ts";

it("finds 19 of 20 pages that are meant among the first ten results", async () => {
  const names = Object.keys(SEARCHED_SITES) as SearchedSite[];
  const sites = new Map(
    await Promise.all(names.map(async (name) => [name, await memorySite(contentOf(name))] as const)),
  );
  const answers = [];
  for (const query of SEARCHED_QUERIES) {
    const [site, lang, words] = query;
    const path = `api:search-router/?q=${encodeURIComponent(words)}&language=${lang}&items=10`;
    const { body } = await sites.get(site)!.ask("GET", path, { as: null });
    answers.push([query, body.items.map(({ title }: { title: string }) => title)] as const);
  }
  const { recall, missed } = recallOf(answers);
  expect(recall, missed.join("\n")).toBeGreaterThanOrEqual(0.95);
});
