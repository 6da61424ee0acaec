import { describe, expect, it } from "vitest";
import { recordActions } from "../../../src/model/access/asked.ts";

const menu = { id: 1, key: "main", nodes: { en: [], it: [] } };
const media = { id: 1, file: "a.jpg", deleted_at: null, translations: { en: { title: "A" } }, derivatives: null };

describe("recordActions", () => {
  // oxfmt-ignore
  it.each<[string, string, object | undefined, object | undefined, string]>([
    ["a new menu, which is public",      "menu",  undefined, menu,                                   "create, publish"],
    ["the entries of a language",        "menu",  menu, { ...menu, nodes: { en: [], it: [{}] } },    "edit it.nodes, publish it.nodes"],
    ["a field of all languages",         "menu",  menu, { ...menu, key: "b" },                       "edit key, publish key"],
    ["a removed menu",                   "menu",  menu, undefined,                                   "delete"],
    ["new media, which nothing shows",   "media", undefined, media,                                  "create"],
    ["texts of media",                   "media", media, { ...media, translations: { en: { title: "B", alt: "C" } } }, "edit en.title, edit en.alt"],
    ["texts of another language",        "media", media, { ...media, translations: { ...media.translations, it: { title: "B" } } }, "edit it.title"],
    ["another file",                     "media", media, { ...media, file: "b.jpg" },                "edit file, publish file"],
    ["its renditions",                   "media", media, { ...media, derivatives: {} },              ""],
    ["media in the trash",               "media", media, { ...media, deleted_at: "2026" },           "trash"],
    ["a tag",                            "tag",   { id: 1, values: {}, translations: { en: { name: "A" } } }, { id: 1, values: {}, translations: { en: { name: "B" } } }, "edit en.name, publish en.name"],
  ])("%s", (_what, model, before, after, expected) => {
    const asked = recordActions(model, before, after, ["en", "it"]);
    const said = asked.map(({ action, language, field }) => `${action} ${[language, field].filter(Boolean).join(".")}`.trim());
    expect(said.join(", ")).toBe(expected);
  });
});
