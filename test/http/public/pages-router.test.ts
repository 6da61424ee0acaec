/** The public page router: which paths are canonical, and where others lead. */
import { describe, expect, it } from "vitest";
import { memorySite, type TestSite } from "../../site.ts";

async function site(): Promise<TestSite> {
  const made = await memorySite({}, { LANGUAGES: { it: "Italiano", en: "English" } as never });
  await made.page(
    { autopermalink_en: false, permalink_en: "/", autopermalink_it: false, permalink_it: "/", title: "Home" },
    ["en", "it"],
  );
  const about = await made.page({ title_en: "About", title_it: "Chi siamo" }, ["en", "it"]);
  await made.page({ title_en: "Team", title_it: "Squadra", parent_page: about.id }, ["en", "it"]);
  return made;
}

describe("the canonical table", () => {
  it.each([
    ["", "page /"],
    ["about/", "page /about"],
    ["about", "redirect /about/"],
    ["about//", "redirect /about/"],
    ["about?x=1", "redirect /about/"],
    ["about/?x=1", "page /about"],
    ["en/about/", "redirect /about/"],
    ["en/about", "redirect /about/"],
    ["en", "redirect /"],
    ["en/", "redirect /"],
    ["it", "redirect /it/"],
    ["it/", "page /"],
    ["it/chi-siamo/", "page /chi-siamo"],
    ["it/chi-siamo", "redirect /it/chi-siamo/"],
    ["IT/chi-siamo/", "redirect /it/chi-siamo/"],
    ["it/about/", "404"],
    ["fr/about/", "404"],
    ["fr", "404"],
    ["it-IT/chi-siamo/", "404"],
    ["en-us/about/", "404"],
    ["itx/", "404"],
    ["it//chi-siamo/", "404"],
    ["About/", "404"],
    ["about/team", "redirect /about/team/"],
    ["about/team/", "page /about/team"],
    ["changes/", "404"],
  ])("%s answers %s", async (path, expected) => {
    const { ask } = await site();
    const answer = await ask("GET", `api:pages-router/${path}`);
    const got =
      answer.status === 404
        ? "404"
        : answer.body.redirect
          ? `redirect ${answer.body.redirect}`
          : `page ${answer.body.permalink}`;
    expect(got).toBe(expected);
    if (answer.status === 404) expect(answer.body).toEqual({ detail: "Not found." });
    else expect(answer.status).toBe(200);
  });
});
