/** What a language lacks is shown in the default language, by one rule for all content. */
import { describe, expect, it } from "vitest";
import { contentIn } from "../../../src/model/records/content.ts";
import { withFallback } from "../../../src/model/language/fallback.ts";
import type { Definitions } from "../../../src/model/fields/definition.ts";
import { localisedData } from "../../../src/model/fields/walk.ts";
import { fallbackText, type PageText } from "../../../src/model/page/page.ts";
import { memorySite } from "../../site.ts";
import { blankPage } from "../page/blank-page.ts";

const shown = (own: unknown, isNullable?: boolean): unknown =>
  withFallback((lang) => (lang === "it" ? own : "default"), "it", "en", isNullable);

// oxfmt-ignore
describe("a value", () => {
  it.each([
    // own       nullable  otherwise
    [null,       "default", "default"],
    [undefined,  "default", "default"],
    ["",         "",        "default"],
    [{},         {},        "default"],
    [[],         [],        "default"],
    ["own",      "own",     "own"],
    [{ a: null}, {a: null}, {a: null}],
    [0,          0,         0],
    [false,      false,     false],
  ])("%j is shown as %j where it may be null, else as %j", (own, nullable, otherwise) => {
    expect(shown(own)).toEqual(nullable);
    expect(shown(own, false)).toEqual(otherwise);
  });
});

describe("a page", () => {
  // oxfmt-ignore
  it.each<[keyof PageText, unknown, unknown, unknown]>([
    // field          English         Italian  shown in Italian
    ["title",         "Hello",        null,    "Hello"],
    ["title",         "Hello",        "",      ""],
    ["template_data", { a: 1 },       {},      { a: 1 }],
    ["content",       "Text",         "",      "Text"],
    ["autopermalink", false,          true,    true],
    ["published_at",  "2026-01-01",   null,    null],
    ["permalink",     "/hello",       null,    null],
    ["canonical",     "https://a.eu", null,    null],
    ["og_url",        "https://a.eu", null,    null],
  ])("with %s %j and %j shows %j", (field, en, it, expected) => {
    const page = blankPage({ translations: { en: { [field]: en }, it: { [field]: it } } });
    expect(fallbackText(page, "it", "en", field)).toEqual(expected);
  });
});

describe("typed data", () => {
  // null is stored as [] in a queryset, so [] is no value there; a list keeps both.
  it.each([
    ["string", null, "Hello"],
    ["string", "", ""],
    ["queryset", [], "Hello"],
    ["list", [], []],
  ] as const)("of kind %s with %j shows %j", (kind, own, expected) => {
    const definitions: Definitions = [{ name: "field", label: "Field", kind, translated: true }];
    const data = { field: { en: "Hello", it: own } };
    expect(localisedData(definitions, data, "it", "en")).toEqual({ field: expected });
  });
});

describe("a block", () => {
  it("without a text shows that of the default language", () => {
    const block = { id: 1, identifier: "hero", page: null, content: { en: "Hello", it: "" } };
    expect(contentIn(block, "it", "en")).toBe("Hello");
  });

  it("is found in lists by the text that it shows", async () => {
    const { api } = await memorySite();
    const hero = await api("POST", "contents/", { identifier: "hero", content_en: "Hello", content_it: "Ciao" });
    await api("PATCH", `contents/${hero.id}/`, { content_it: "" });
    const body = await api("GET", "contents/?search=hello&language=it");
    expect(body).toMatchObject([{ identifier: "hero", content: "Hello" }]);
  });
});
