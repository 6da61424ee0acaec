/** Combined rules of pages: reverts, reused paths, duplicate claims after merges, circular redirects. */
import { describe, expect, it } from "vitest";
import { contentProblems } from "../../../../src/store/check/check.ts";
import { PAGES } from "../../../../src/store/records/pages.ts";
import { memorySite } from "../../../site.ts";

const file = (id: number, rest: string, created = "2026-01-01T00:00:00Z"): string =>
  `id: ${id}\ndate_created: ${created}\n${rest}`;
const live = (title: string, permalink: string): string =>
  `translations:\n  en:\n    title: ${title}\n    permalink: ${permalink}\n    autopermalink: false\n    published_at: 2026-01-01T00:00:00Z\n`;

describe("a revert", () => {
  it("creates no circle of parents, and takes no identifier of another page", async () => {
    const { api, cms } = await memorySite();
    const a = await api("POST", "pages/", { title: "Alpha", identifier: "one" });
    const b = await api("POST", "pages/", { title: "Beta" });
    await api("PATCH", `pages/${a.id}/`, { parent_page: b.id });
    await api("PATCH", `pages/${a.id}/`, { parent_page: null, identifier: "two" });
    await api("PATCH", `pages/${b.id}/`, { parent_page: a.id, identifier: "one" });
    const revisions = await api("GET", `pages/${a.id}/revisions/`);
    expect(await api("POST", `pages/${a.id}/revert/${revisions[1].id}/`)).toMatchObject({
      parent_page: null,
      identifier: "two",
    });
    expect(await contentProblems(cms.store, cms.locales)).toEqual([]);
  });
});

describe("a reused path", () => {
  it("has no history of the page that had it", async () => {
    const { api, ask } = await memorySite();
    const old = await api("POST", "pages/", { title: "Gamma" });
    await api("PATCH", `pages/${old.id}/`, { description: "of the old page" });
    const [secret] = await api("GET", `pages/${old.id}/revisions/`);
    await api("DELETE", `pages/${old.id}/`);
    const page = await api("POST", "pages/", { title: "Gamma" });
    expect(await api("GET", `pages/${page.id}/revisions/`)).toHaveLength(1);
    expect((await ask("POST", `api:pages/${page.id}/revert/${secret.id}/`, { as: "staff" })).status).toBe(404);
  });
});

describe("two pages with one manual permalink, as a merge makes them", () => {
  const twins = () =>
    memorySite({
      "content/pages/a.yaml": file(801, live("A", "/mm")),
      "content/pages/b.yaml": file(802, live("B", "/mm"), "2026-02-01T00:00:00Z"),
    });

  it("can each be hidden, published, moved and corrected", async () => {
    const { api } = await twins();
    expect(await api("POST", "pages/802/trash/")).toMatchObject({ status: "TRS" });
    expect(await api("POST", "pages/802/restore/")).toMatchObject({ status: "PUB" });
    expect(await api("PATCH", "pages/802/", { published_at_en: null })).toMatchObject({ status: "DRF" });
    expect(await api("PATCH", "pages/802/", { permalink_en: "/other" })).toMatchObject({ permalink: "/other" });
  });

  it("are listed once, and the newer is served once the older has moved", async () => {
    const { api, ask } = await twins();
    const paths = async () =>
      (await ask("GET", "api:pages-router/changes")).body.urls.map(({ path }: { path: string }) => path);
    expect(await paths()).toEqual(["/mm/"]);
    await api("PATCH", "pages/801/", { permalink_en: "/moved" });
    expect((await ask("GET", "api:pages-router/mm/")).body.id).toBe(802);
    const { body } = await ask("GET", "api:pages-router/changes");
    expect(body.urls.map(({ path }: { path: string }) => path).sort()).toEqual(["/mm/", "/moved/"]);
    expect(body.redirects).toEqual([]);
  });
});

describe("files written by hand", () => {
  it("without a date do not displace a page with one", async () => {
    const { ask } = await memorySite({
      "content/pages/long-name.yaml": file(7, live("Victim", "/victim")),
      "content/pages/a.yaml": "id: 7\ntranslations:\n  en:\n    title: Usurper\n",
    });
    expect((await ask("GET", "api:pages-router/victim/")).status).toBe(200);
  });

  it("keep the permalink derived in place of a taken one", async () => {
    const { api, cms } = await memorySite({
      "content/pages/a.yaml": file(1, "translations:\n  en:\n    title: Same name\n"),
      "content/pages/b.yaml": file(2, "translations:\n  en:\n    title: Same name\n"),
    });
    const before = cms.store.current.all(PAGES).map((page) => page.translations.en!.permalink);
    const saved = await api("PATCH", "pages/2/", { description: "d" });
    expect(before).toContain(saved.permalink);
  });

  it("are warned of if a save would change their permalink", async () => {
    const { cms } = await memorySite({
      "content/pages/a.yaml": file(1, "translations:\n  en:\n    title: Opening hours\n    permalink: /hours\n"),
    });
    expect(await contentProblems(cms.store, cms.locales)).toEqual([
      expect.objectContaining({
        severity: "warning",
        message: expect.stringContaining("would change this permalink to /opening-hours, which follows the title"),
      }),
    ]);
  });
});

describe("configured redirects", () => {
  it.each([
    ["two that lead to each other", "- { from: /a, to: /b }\n- { from: /b, to: /a }\n", 2],
    ["one that leads to itself", "- { from: /a, to: /a/ }\n", 1],
    ["one through another language", "- { from: /a, to: /it/b }\n- { from: /it/b, to: /en/a }\n", 2],
  ])("in a circle are refused, each of them: %s", async (_name, rows, count) => {
    const { cms } = await memorySite({ "content/redirects.yaml": rows });
    expect(cms.store.current.problems.map(({ message }) => message)).toEqual(
      Array.from({ length: count }, (_, at) => expect.stringContaining(`${at}: This redirect leads back to itself.`)),
    );
  });

  it("may have a language prefix, and may lead to a former permalink", async () => {
    const { api, ask, page } = await memorySite({
      "content/redirects.yaml": "- { from: /it/vecchio, to: /it/nuovo }\n- { from: /victim-two, to: /victim }\n",
    });
    expect((await ask("GET", "api:pages-router/it/vecchio/")).body).toEqual({ redirect: "/it/nuovo/", status: 301 });
    const victim = await page({ title: "Victim" }, ["en"]);
    await api("PATCH", `pages/${victim.id}/`, { title_en: "Victim two" });
    expect((await ask("GET", "api:pages-router/victim/")).body).toEqual({ redirect: "/victim-two/", status: 301 });
    expect((await ask("GET", "api:pages-router/victim-two/")).body.id).toBe(victim.id);
  });
});

describe("a language that is not public", () => {
  it("is not shown on request either", async () => {
    const { ask, page } = await memorySite();
    await page({ title_en: "Public", title_it: "Segreto", description_it: "SEGRETO" }, ["en"]);
    const { text, body } = await ask("GET", "api:pages-router/public/?included_translations=all");
    expect(text.toLowerCase()).not.toContain("segreto");
    expect(body.translations.en.title).toBe("Public");
  });
});

describe("a due draft that is no longer valid", () => {
  it("is tried once for each version of the content, not by every reader", async () => {
    const { ask, logged } = await memorySite({
      "content/pages/a.yaml": file(1, live("A", "/a")),
      "content/pages/a.draft.en.yaml": "scheduled_for: 2020-01-01T00:00:00Z\npayload:\n  title: [1]\n",
    });
    for (let n = 0; n < 5; n++) expect((await ask("GET", "api:pages-router/a/")).body.title).toBe("A");
    expect(logged.filter((line) => line.includes("cannot be published"))).toHaveLength(1);
  });
});
