import { describe, expect, it } from "vitest";
import { CmsError, type FieldErrors } from "../../../src/errors.ts";
import type { Json } from "../../../src/model/input/json.ts";
import { EMPTY_TEXT, PAGE_FIELDS, textOf } from "../../../src/model/page/page.ts";
import { applyChange, readPageChange, type PageChange } from "../../../src/model/page/page-input.ts";
import { readValue } from "../../../src/model/input/field.ts";
import { blankPage, LOCALES } from "./blank-page.ts";

const read = (body: unknown, lang = "en"): PageChange => readPageChange(body, LOCALES, lang);

function errorsOf(body: unknown): FieldErrors {
  try {
    read(body);
    return {};
  } catch (error) {
    if (error instanceof CmsError && error.code === "invalid") return error.fields;
    throw error;
  }
}

const rowOf = (name: string): (typeof PAGE_FIELDS)[number] => PAGE_FIELDS.find((row) => row.name === name)!;

const NULL = "This field may not be null.";
const BLANK = "This field may not be blank.";
const STRING = "Not a valid string.";
const BOOLEAN = "Must be a valid boolean.";
const INTEGER = "A valid integer is required.";
const NEGATIVE = "Ensure this value is greater than or equal to 0.";
const MOMENT =
  "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].";
const OBJECT = (what: string): string => `Invalid data. Expected a dictionary, but got ${what}.`;
const PK = (what: string): string => `Incorrect type. Expected pk value, received ${what}.`;
const LONG = (max: number): string => `Ensure this field has no more than ${max} characters.`;

describe("values that are accepted", () => {
  // oxfmt-ignore
  it.each<[string, Json, Json]>([
    // field            sent                           stored
    ["title",           "  About  ",                   "About"],
    ["title",           123,                           "123"],
    ["title",           1.5,                           "1.5"],
    ["title",           "",                            ""],
    ["title",           null,                          null],
    ["title",           "x".repeat(200),               "x".repeat(200)],
    ["title",           "𝕏".repeat(200),               "𝕏".repeat(200)], // characters, not code units
    ["description",     "x".repeat(5000),              "x".repeat(5000)],
    ["identifier",      "front",                       "front"],
    ["identifier",      null,                          null],
    ["template",        "",                            ""],
    ["indexable",       true,                          true],
    ["indexable",       "True",                        true],
    ["indexable",       " yes ",                       true],
    ["indexable",       1,                             true],
    ["indexable",       "on",                          true],
    ["indexable",       "0",                           false],
    ["indexable",       "no",                          false],
    ["autopermalink",   false,                         false],
    ["ordering",        0,                             0],
    ["ordering",        " 12 ",                        12],
    ["ordering",        "3.0",                         3],
    ["published_at",    null,                          null],
    ["published_at",    "2026-03-01T12:00:00+01:00",   "2026-03-01T11:00:00.000Z"],
    ["meta",            { a: [1] },                    { a: [1] }],
    ["template_data",   { a: 1 },                      { a: 1 }],
    ["template_data",   [1],                           [1]],
    ["template_data",   "x",                           "x"],
    ["template_data",   null,                          null],
    ["parent_page",     7,                             7],
    ["parent_page",     "7",                           7],
    ["parent_page",     { id: 7, title: "x" },         7],
    ["parent_page",     "",                            null],
    ["parent_page",     null,                          null],
    ["og_image",        { id: "3" },                   3],
  ])("%s: %j", (field, sent, stored) => {
    expect(readValue(rowOf(field), sent)).toEqual({ value: stored });
  });
});

describe("values that are refused", () => {
  // oxfmt-ignore
  it.each<[string, Json, string]>([
    // field              sent                     message
    ["title",             true,                    STRING],
    ["title",             ["x"],                   STRING],
    ["title",             {},                      STRING],
    ["title",             "x".repeat(201),         LONG(200)],
    ["keywords",          "x".repeat(201),         LONG(200)],
    ["og_title",          "x".repeat(201),         LONG(200)],
    ["og_type",           "x".repeat(201),         LONG(200)],
    ["og_url",            "x".repeat(201),         LONG(200)],
    ["canonical",         "x".repeat(201),         LONG(200)],
    ["breadcrumbs_title", "x".repeat(129),         LONG(128)],
    ["template",          "x/".repeat(250) + "x",    LONG(500)],
    ["identifier",        "x".repeat(201),         LONG(200)],
    ["identifier",        "",                      BLANK],
    ["identifier",        "   ",                   BLANK],
    ["title",             "a\0b",                  "Null and invalid characters are not allowed."],
    ["title",             "a\ud800b",              "Null and invalid characters are not allowed."],
    ["indexable",         null,                    NULL],
    ["indexable",         "perhaps",               BOOLEAN],
    ["indexable",         "",                      BOOLEAN],
    ["indexable",         2,                       BOOLEAN],
    ["indexable",         [],                      BOOLEAN],
    ["ordering",          null,                    NULL],
    ["ordering",          -1,                      NEGATIVE],
    ["ordering",          "-1",                    NEGATIVE],
    ["ordering",          1.5,                     INTEGER],
    ["ordering",          "x",                     INTEGER],
    ["ordering",          "",                      INTEGER],
    ["ordering",          true,                    INTEGER],
    ["ordering",          [1],                     INTEGER],
    ["ordering",          1e300,                   INTEGER],
    ["published_at",      "2026-03-01",            MOMENT],
    ["published_at",      "2026-03-01T12:00:00",   MOMENT],
    ["published_at",      "tomorrow",              MOMENT],
    ["published_at",      "",                      MOMENT],
    ["published_at",      0,                       MOMENT],
    ["published_at",      true,                    MOMENT],
    ["meta",              null,                    NULL],
    ["meta",              [],                      OBJECT("list")],
    ["meta",              "x",                     OBJECT("str")],
    ["meta",              1,                       OBJECT("int")],
    ["meta",              1.5,                     OBJECT("float")],
    ["meta",              true,                    OBJECT("bool")],
    ["parent_page",       "x",                     PK("str")],
    ["parent_page",       1.5,                     PK("float")],
    ["parent_page",       true,                    PK("bool")],
    ["parent_page",       [1],                     PK("list")],
    ["parent_page",       {},                      PK("NoneType")],
    ["parent_page",       { id: {} },              PK("dict")],
  ])("%s: %j", (field, sent, message) => {
    expect(readValue(rowOf(field), sent)).toEqual({ error: message });
  });
});

describe("the forms of a translatable value", () => {
  // oxfmt-ignore
  it.each<[string, object, string, object]>([
    // case                                body                                                                   active  texts
    ["flat, in the active language",       { title: "T" },                                                        "it",   { it: { title: "T" } }],
    ["under translations",                 { translations: { it: { title: "T" } } },                              "en",   { it: { title: "T" } }],
    ["with a suffix",                      { title_it: "T" },                                                     "en",   { it: { title: "T" } }],
    ["translations before flat",           { title: "flat", translations: { en: { title: "T" } } },               "en",   { en: { title: "T" } }],
    ["the suffix before translations",     { translations: { en: { title: "no" } }, title_en: "T" },              "en",   { en: { title: "T" } }],
    ["the suffix before both",             { title_en: "T", title: "a", translations: { en: { title: "b" } } },   "en",   { en: { title: "T" } }],
    ["field by field",                     { title_en: "T", translations: { en: { title: "no", keywords: "K" } } }, "en", { en: { title: "T", keywords: "K" } }],
    ["languages apart",                    { title: "E", translations: { it: { title: "I" } } },                  "en",   { en: { title: "E" }, it: { title: "I" } }],
    ["a code in any case",                 { translations: { IT: { title: "T" } } },                              "en",   { it: { title: "T" } }],
    ["an unknown language is ignored",     { translations: { fr: { title: "T" } }, title_fr: "T" },               "en",   {}],
    ["even when it is no object",          { translations: { fr: 7 } },                                           "en",   {}],
    ["global keys there are ignored",      { translations: { en: { ordering: 3, id: 9 } }, ordering_en: 3 },      "en",   {}],
    ["unknown keys are ignored",           { nonsense: 1, nonsense_en: 1, translations: { en: { nonsense: 1 } } }, "en",  {}],
    ["inherited names are ignored",        { constructor: 1, translations: { en: { toString: 1 }, constructor: {} } }, "en", {}],
  ])("%s", (_case, body, lang, texts) => {
    expect(read(body, lang)).toEqual({ globals: {}, texts });
  });

  it("read-only keys are ignored", () => {
    const body = {
      id: 9,
      status: "PUB",
      is_public: true,
      deleted_at: "2026-01-01T00:00:00Z",
      date_created: "x",
      date_updated_at: "x",
      breadcrumbs: 1,
      routerlink: 1,
      template_file: 1,
      url_node: 1,
      pubblication_date: "x",
      slug: "x",
      drafts: {},
      aliases: [],
    };
    expect(read(body)).toEqual({ globals: {}, texts: {} });
  });

  it("__proto__ is neither a language nor a field", () => {
    const body: unknown = JSON.parse(
      '{"__proto__": {"title": "x"}, "translations": {"__proto__": {"title": "x"}, "en": {"__proto__": {"title": "x"}}}}',
    );
    expect(read(body)).toEqual({ globals: {}, texts: {} });
    expect(({} as { title?: unknown }).title).toBeUndefined();
  });
});

describe("errors", () => {
  // oxfmt-ignore
  it.each<[string, unknown, object]>([
    ["a list",                           [1],                                     { non_field_errors: [OBJECT("list")] }],
    ["a text",                           "x",                                     { non_field_errors: [OBJECT("str")] }],
    ["null",                             null,                                    { non_field_errors: [OBJECT("NoneType")] }],
    ["a number",                         1,                                       { non_field_errors: [OBJECT("int")] }],
    ["a boolean",                        true,                                    { non_field_errors: [OBJECT("bool")] }],
    ["null for translations",            { translations: null },                  { translations: [OBJECT("NoneType")] }],
    ["translations that are a list",     { translations: [] },                    { translations: [OBJECT("list")] }],
    ["a language that is a text",        { translations: { en: "x" } },           { "translations.en": [OBJECT("str")] }],
    ["keys are suffixed",                { translations: { en: { title: [] } } }, { title_en: [STRING] }],
    ["for flat ones too",                { title: [] },                           { title_en: [STRING] }],
    ["all are told at once",             { title_it: [], ordering: -1, meta: 1 }, { title_it: [STRING], ordering: [NEGATIVE], meta: [OBJECT("int")] }],
    ["a value overruled is not judged",  { title: [], title_en: "T" },            {}],
  ])("%s", (_case, body, errors) => {
    expect(errorsOf(body)).toEqual(errors);
  });
});

describe("applyChange", () => {
  const page = blankPage({
    meta: { a: { b: 1, c: 1 }, d: [1, 2] },
    ordering: 5,
    translations: { en: { title: "E", template_data: { x: { y: 1 } } }, it: { title: "I" } },
  });

  // oxfmt-ignore
  it.each<["merge" | "replace", object, object]>([
    ["merge",   { meta: { a: { b: 2 } } },                     { meta: { a: { b: 2, c: 1 }, d: [1, 2] } }],
    ["merge",   { meta: { d: [9] } },                          { meta: { a: { b: 1, c: 1 }, d: [9] } }],
    ["merge",   { meta: {} },                                  { meta: page.meta }],
    ["replace", { meta: { a: { b: 2 } } },                     { meta: { a: { b: 2 } } }],
    ["replace", { meta: {} },                                  { meta: {} }],
    ["replace", { title: "T" },                                { meta: page.meta, ordering: 5 }],
  ])("%s %j", (mode, body, expected) => {
    expect(applyChange(page, read(body), mode)).toMatchObject(expected);
  });

  // oxfmt-ignore
  it.each<["merge" | "replace", Json, Json]>([
    ["merge",   { x: { z: 2 } }, { x: { y: 1, z: 2 } }],
    ["merge",   [1],             [1]],
    ["merge",   null,            {}],
    ["replace", { x: { z: 2 } }, { x: { z: 2 } }],
    ["replace", null,            {}],
  ])("%s template_data %j", (mode, sent, stored) => {
    expect(textOf(applyChange(page, read({ template_data: sent }), mode), "en").template_data).toEqual(stored);
  });

  it("keeps other languages and fields in both modes", () => {
    for (const mode of ["merge", "replace"] as const) {
      const next = applyChange(page, read({ keywords: "K" }), mode);
      expect(next.translations.it).toBe(page.translations.it);
      expect(textOf(next, "en")).toEqual({ ...textOf(page, "en"), keywords: "K" });
    }
  });

  it("gives a new language all defaults", () => {
    expect(applyChange(blankPage(), read({ title_it: "I" }), "merge").translations.it).toEqual({
      ...EMPTY_TEXT,
      title: "I",
    });
  });
});
