/** Permalinks in requests and answers. */
import { describe, expect, it } from "vitest";
import { folderOfPath } from "../../../../src/static-site/output/output-path.ts";
import { memorySite } from "../../../site.ts";

const permalinks = ({ translations }: { translations: Record<string, { permalink: string }> }): string[] =>
  ["en", "it"].map((lang) => translations[lang]!.permalink);

describe("automatic permalinks", () => {
  it("of pages with one title get a number, and keep it on the next save", async () => {
    const { api } = await memorySite();
    const made = [];
    for (let n = 0; n < 3; n++) made.push(await api("POST", "pages/", { title: "Title" }));
    expect(made.map(permalinks)).toEqual([
      ["/title", "/title"],
      ["/title-2", "/title-2"],
      ["/title-3", "/title-3"],
    ]);
    expect(permalinks(await api("PATCH", `pages/${made[2].id}/`, { description: "Changed" }))).toEqual([
      "/title-3",
      "/title-3",
    ]);
  });

  it.each([
    ["Changes", "/changes-2"],
    ["Publish due", "/publish-due-2"],
    ["It", "/it-2"],
  ])("%s is reserved and gives way to %s", async (title, permalink) => {
    const { api } = await memorySite();
    expect(permalinks(await api("POST", "pages/", { title }))).toEqual([permalink, permalink]);
  });

  it.each(["\u0434".repeat(150), "\u65e5".repeat(200), "\u{1f9d1}x".repeat(100), "x".repeat(200)])(
    "of %j have a folder in a build",
    async (title) => {
      const { page, ask } = await memorySite();
      const { routerlink, translations } = await page({ title }, ["en"]);
      expect(folderOfPath(translations.en.permalink, "/media/")).toBeDefined();
      expect((await ask("GET", `api:pages-router${routerlink}`)).status).toBe(200);
    },
  );

  it("below parents are never too long", async () => {
    const { api } = await memorySite();
    let parent: number | null = null;
    for (let depth = 0; depth < 6; depth++) {
      const page: { id: number; translations: Record<string, { permalink: string }> } = await api("POST", "pages/", {
        title: "t".repeat(150),
        parent_page: parent,
      });
      expect(page.translations.en!.permalink.length).toBeLessThanOrEqual(400);
      parent = page.id;
    }
  });
});

describe("permalinks in requests", () => {
  const automatic = ["This permalink is automatic. Send autopermalink_en: false with it, or leave it out."];
  // oxfmt-ignore
  it.each<[object, object]>([
    [{ permalink_en: "/x" },                                          { permalink_en: automatic }],
    [{ permalink: "/x" },                                             { permalink_en: automatic }],
    [{ translations: { en: { permalink: "/x" } } },                   { permalink_en: automatic }],
    [{ permalink_en: "/x", autopermalink_en: true },                  { permalink_en: automatic }],
    [{ permalink_en: null, autopermalink_en: false },                 { permalink_en: ["This field may not be null."] }],
    [{ permalink_en: "_".repeat(120_000), autopermalink_en: false },  { permalink_en: ["Ensure this field has no more than 400 characters."] }],
    [{ permalink_en: `/${"\u0434".repeat(101)}`, autopermalink_en: false }, { permalink_en: ["Ensure no part of this path has more than 200 bytes."] }],
  ])("%j is refused, on new and existing pages", async (sent, errors) => {
    const { api, ask } = await memorySite();
    const page = await api("POST", "pages/", { title_en: "Title" });
    for (const [method, path] of [["POST", "pages/"], ["PATCH", `pages/${page.id}/`], ["PUT", `pages/${page.id}/`], ["PATCH", `pages/${page.id}/draft/`]] as const) {
      const answer = await ask(method, `api:${path}`, { as: "staff", body: sent });
      expect([method, answer.status, answer.body]).toEqual([method, 400, errors]);
    }
  });

  it("are ignored below an alias root, as the clients of the upstream system expect", async () => {
    const { api, ask } = await memorySite({}, { API: { ALIASES: ["/api/other"] } });
    const page = await api("POST", "pages/", { title_en: "Title" });
    const body = { permalink_en: "/x" };
    const answer = await ask("PATCH", `/api/other/pages/${page.id}/`, { as: "staff", body });
    expect([answer.status, permalinks(answer.body)]).toEqual([200, ["/title", "/title"]]);
  });

  it("are accepted when a page is written back unchanged, also after it moved", async () => {
    const { api } = await memorySite();
    const read = await api("POST", "pages/", { title_en: "One", title_it: "Uno" });
    expect(permalinks(await api("PUT", `pages/${read.id}/`, read))).toEqual(["/one", "/uno"]);
    await api("POST", `pages/${read.id}/publish/`);
    await api("PATCH", `pages/${read.id}/`, { title_en: "Two" });
    expect(
      permalinks(await api("PATCH", `pages/${read.id}/`, { permalink_en: read.translations.en.permalink })),
    ).toEqual(["/two", "/uno"]);
    expect(
      permalinks(await api("PATCH", `pages/${read.id}/`, { permalink_en: "/three", autopermalink_en: false })),
    ).toEqual(["/three", "/uno"]);
  });
});
