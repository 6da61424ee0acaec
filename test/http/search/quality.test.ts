/** The search of the API over the texts of the example site, the starters and an imported site. */
import { expect, it } from "vitest";
import { recallOf, SEARCHED_QUERIES } from "../../support/search-queries.ts";
import { searchedSites } from "../../support/searched-sites.ts";

it("finds 19 of 20 pages that are meant among the first ten results", async () => {
  const sites = await searchedSites();
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
