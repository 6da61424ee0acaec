/** In which language a saved draft lands. */
import { describe, expect, it } from "vitest";
import { memorySite } from "../../../site.ts";

const ALIAS = "/api/camomilla";

async function saved(path: string, body: object, root = "/api/cms", method = "PATCH") {
  const { page, ask, cms } = await memorySite({}, { API: { ALIASES: [ALIAS] } });
  const { id } = await page({ title_en: "About", title_it: "Chi siamo" }, ["en", "it"]);
  const { commit } = cms.store.current;
  const { status, body: answer } = await ask(method, `${root}/pages/${id}/draft/${path}`, { as: "staff", body });
  const draftIn = async (lang: string): Promise<unknown> =>
    ((await ask("GET", `/api/cms/pages/${id}/?language=${lang}`, { as: "staff" })).body as { draft_data: unknown })
      .draft_data;
  const drafts = { en: await draftIn("en"), it: await draftIn("it") };
  return { status, answer, drafts, isUnchanged: cms.store.current.commit === commit };
}

describe.each(["PATCH", "PUT"])("a draft saved by %s", (method) => {
  // oxfmt-ignore
  it.each<[string, object, "en" | "it"]>([
    ["",               { title: "New" },                                                              "en"],
    ["",               { translations: { en: { title: "New" } } },                                    "en"],
    ["",               { translations: { en: { title: "New" }, it: { title: "Nuovo" } } },            "en"], // wholesale
    ["",               { title: "New", translations: { it: { title: "Nuovo" } } },                    "en"],
    ["?language=it",   { translations: { en: { title: "New" } } },                                    "it"], // the request says so
    ["?language=en",   { translations: { it: { title: "Nuovo" } } },                                  "en"],
    ["?language_code=en", { title_it: "Nuovo" },                                                      "en"],
    ["",               { meta: { a: 1 } },                                                            "en"],
  ])("to draft/%s with %j is of the active language", async (path, body, lang) => {
    const { status, drafts } = await saved(path, body, undefined, method);
    expect([status, drafts]).toEqual([200, { en: {}, it: {}, [lang]: body }]);
  });

  it.each([
    [{ translations: { it: { title: "Nuovo" } } }, "translations"],
    [{ title_it: "Nuovo" }, "title_it"],
    [{ meta: { a: 1 }, translations: { it: { title: "Nuovo" } } }, "translations"],
  ])("with the texts of one other language, %j, is refused at %s, and nothing is stored", async (body, field) => {
    const { status, answer, isUnchanged } = await saved("", body, undefined, method);
    expect([status, isUnchanged]).toEqual([400, true]);
    expect(answer).toEqual({ [field]: [expect.stringContaining("?language=it")] });
  });

  it.each([{ translations: { it: { title: "Nuovo" } } }, { title_it: "Nuovo" }])(
    "below an alias root lands in the language that %j names",
    async (body) => {
      const { status, drafts } = await saved("", body, ALIAS, method);
      expect([status, drafts]).toEqual([200, { en: {}, it: body }]);
    },
  );
});
