/** All field kinds: accepted values, their stored form, and the errors of refused values. */
import { describe, expect, it } from "vitest";
import { linkedDefinitions } from "../../../src/model/fields/blocks.ts";
import { isShown } from "../../../src/model/fields/shown.ts";
import { jsonSchema } from "../../../src/model/fields/type-schema.ts";
import type { Json, JsonObject } from "../../../src/model/input/json.ts";
import {
  prunedData,
  readData,
  readDefinitions,
  resolveData,
  type Definitions,
} from "../../../src/model/records/schema.ts";
import { BLOCK_TYPES, FIELD_CASES, MEDIA_ID, PAGE_ID, TAG_ID } from "./field-cases.ts";

const locales = { codes: ["en", "it"], default: "en" };
const MODELS = ["cms.Page", "cms.Media", "cms.Tag"];
const IDS: Readonly<Record<string, number>> = {
  "cms.Media": MEDIA_ID,
  "cms.Page": PAGE_ID,
  "cms.UrlNode": PAGE_ID,
  "cms.Tag": TAG_ID,
};
const exists = ({ model, id }: { model: string; id: number }): boolean => IDS[model] === id;

function define(...rows: JsonObject[]): Definitions {
  const read = readDefinitions(rows, (name) => MODELS.find((model) => model.toLowerCase() === name.toLowerCase()));
  if ("errors" in read) throw new Error(JSON.stringify(read.errors));
  return linkedDefinitions(BLOCK_TYPES)(read.definitions);
}

const messages = (errors: unknown): unknown => (typeof errors === "string" ? [errors] : errors);

describe.each(Object.entries(FIELD_CASES))("%s", (_name, { field, valid, invalid }) => {
  const optional = define({ name: "it", ...field });
  const required = define({ name: "it", required: true, ...field });
  const isReference = field.kind === "media" || field.kind === "ref";
  const whenNull = field.kind === "queryset" || field.multiple ? [] : null;

  it.each(valid)("accepts %j and stores %j", (sent, stored) => {
    expect(readData(optional, { it: sent }, { locales, exists })).toEqual({ data: { it: stored } });
    expect(readData(required, { it: stored }, { locales, exists })).toEqual({ data: { it: stored } });
  });

  it.each(invalid)("refuses %j", (sent, errors) => {
    expect(readData(optional, { it: sent }, { locales, exists })).toEqual({ errors: { it: messages(errors) } });
    expect(readData(required, { it: sent }, { locales, exists })).toEqual({ errors: { it: messages(errors) } });
  });

  it("may be missing, or null, unless it is required", () => {
    expect(readData(optional, {}, { locales, exists })).toEqual({ data: {} });
    expect(readData(optional, { it: null }, { locales, exists })).toEqual({ data: { it: whenNull } });
    expect(prunedData(optional, { it: null })).toEqual({});
    expect(readData(required, {}, { locales, exists })).toEqual({ errors: { it: ["This field is required."] } });
    const withNull = readData(required, { it: null }, { locales, exists });
    // A reference without a target is shown as null, and every answer can be written back.
    if (isReference || field.kind === "queryset") expect(withNull).toEqual({ data: { it: whenNull } });
    else if (field.multiple) expect(withNull).toEqual({ errors: { it: ["This field is required."] } });
    else expect(withNull).toEqual({ errors: { it: ["This field may not be null."] } });
  });

  it("shows invalid data unchanged", () => {
    const resolver = { reference: () => "shown", link: () => "shown" };
    for (const [sent] of [...valid, ...invalid]) {
      expect(() => resolveData(optional, { it: sent, more: 1 }, locales, resolver, { fill: true })).not.toThrow();
    }
    expect(resolveData(optional, { more: 1 }, locales, resolver)).toEqual({ more: 1 });
  });
});

describe("data as a whole", () => {
  const definitions = define({ name: "title", required: true }, { name: "n", kind: "integer" });

  it.each([
    [undefined, ["This field is required."]],
    [null, ["This field may not be null."]],
    ["x", ["Invalid data. Expected a dictionary, but got str."]],
    [[1], ["Invalid data. Expected a dictionary, but got list."]],
    [[], { title: ["This field is required."] }],
    [{ n: "x" }, { title: ["This field is required."], n: ["A valid integer is required."] }],
  ])("%j is refused", (sent, errors) => {
    expect(readData(definitions, sent, { locales })).toEqual({ errors });
  });

  it("reports at most a hundred errors", () => {
    const many = define({ name: "rows", kind: "list", children: [{ name: "n", kind: "integer" }] });
    const read = readData(many, { rows: Array.from({ length: 1000 }, () => ({ n: "x" })) }, { locales });
    expect(Object.keys((read as { errors: { rows: object } }).errors.rows)).toHaveLength(100);
  });

  it("accepts a language in a file that was removed from the settings", () => {
    const definitions = define({ name: "title", translated: true });
    expect(readData(definitions, { title: { en: "a", fr: "b" } }, { locales, mode: "stored" })).toEqual({
      data: { title: { en: "a" } },
    });
    expect(readData(definitions, { title: { en: "a", fr: "b" } }, { locales })).toHaveProperty("errors");
  });

  it("accepts keys that JavaScript objects inherit", () => {
    const sent = JSON.parse('{"title":"x","__proto__":{"n":1},"constructor":1}') as JsonObject;
    expect(readData(definitions, sent, { locales })).toEqual({ data: { title: "x" } });
    expect(
      readData(
        define({ name: "n", kind: "integer", required: true }),
        JSON.parse('{"__proto__":{"n":1}}') as JsonObject,
        { locales },
      ),
    ).toHaveProperty("errors");
  });

  it("shows references as objects, links with their addresses, missing values as null", () => {
    const definitions = define(
      { name: "photo", kind: "media" },
      { name: "gone", kind: "ref", target_model: "cms.Page" },
      { name: "tags", kind: "queryset", target_model: "cms.Tag" },
      { name: "none", kind: "queryset", target_model: "cms.Tag" },
      { name: "link", kind: "permalink" },
      {
        name: "rows",
        kind: "list",
        children: [{ name: "page", kind: "ref", target_model: "cms.Page", translated: true }, { name: "note" }],
      },
    );
    const resolver = {
      reference: (model: string, id: number) => (id === 404 ? null : { model, id }),
      link: (link: unknown) => ({ ...(link as object), url: "/x/" }),
    };
    const data = {
      photo: 1,
      gone: 404,
      tags: [3, 404, 3],
      link: { link_type: "RE", url_node: 5 },
      rows: [{ page: { en: 7 } }],
    };
    expect(resolveData(definitions, data, locales, resolver, { fill: true })).toEqual({
      photo: { model: "cms.Media", id: 1 },
      gone: null,
      tags: [
        { model: "cms.Tag", id: 3 },
        { model: "cms.Tag", id: 3 },
      ],
      none: [],
      link: { link_type: "RE", url_node: 5, url: "/x/" },
      rows: [{ page: { en: { model: "cms.Page", id: 7 } }, note: null }],
    });
  });
});

describe("a pattern", () => {
  const coded = define(
    { name: "code", pattern: "^[A-Z]{2}$", message: "Two capital letters." },
    { name: "mail", kind: "email", pattern: "@example\\.org$" },
    { name: "slow", kind: "text", pattern: "(x+x+)+y" },
  );
  it.each([
    [{ code: "AB", mail: "ada@example.org" }, {}],
    [{ code: "ABC" }, { code: ["Two capital letters."] }],
    [{ code: "" }, { code: ["Two capital letters."] }],
    [{ mail: "ada@example.com" }, { mail: ["This does not match the pattern @example\\.org$."] }],
    [{ mail: "ada" }, { mail: ["Enter a valid email address."] }],
    [{ slow: "x".repeat(100_000) }, { slow: ["This does not match the pattern (x+x+)+y."] }],
  ])("%#: %j", (sent, errors) => {
    const read = readData(coded, sent, { locales });
    expect("errors" in read ? read.errors : {}).toEqual(errors);
  });
});

describe("a condition", () => {
  const definitions = define(
    { name: "where", kind: "select", choices: [{ value: "here" }, { value: "there" }, { value: "online" }] },
    { name: "days", kind: "select", multiple: true, choices: [{ value: "sat" }, { value: "sun" }] },
    { name: "paid", kind: "boolean" },
    { name: "link", kind: "url", required: true, show_if: { where: "online" } },
    { name: "room", required: true, show_if: { where: ["here", "there"], paid: false } },
    { name: "price", kind: "number", required: true, show_if: { paid: "yes" } },
    { name: "note", required: true, show_if: { days: "sun" } },
    {
      name: "tags",
      kind: "select",
      multiple: true,
      required: true,
      choices: [{ value: "a" }],
      show_if: { link: "https://x.it" },
    },
  );
  const REQUIRED = ["This field is required."];

  it.each<[JsonObject, unknown]>([
    [{}, {}],
    [{ where: "online" }, { link: REQUIRED }],
    [{ where: "online", link: null }, { link: ["This field may not be null."] }],
    [{ where: "there", link: null }, { room: REQUIRED }],
    [{ where: "there", paid: true }, { price: REQUIRED }],
    [{ days: ["sat"] }, {}],
    [{ days: ["sat", "sun"] }, { note: REQUIRED }],
    [{ where: "online", link: "https://x.it", tags: [] }, { tags: REQUIRED }],
    [{ where: "online", link: "https://x.it", tags: ["a"] }, {}],
    // A field is hidden with the one that it depends on; a hidden value is valid all the same.
    [{ where: "here", room: "1", link: "https://x.it" }, {}],
    [{ where: "here", room: "1", link: "x" }, { link: ["Enter a valid URL that begins with http:// or https://."] }],
  ])("%#: %j", (sent, errors) => {
    const read = readData(definitions, sent, { locales });
    expect("errors" in read ? read.errors : {}).toEqual(errors);
  });

  // As the editor has them: values as they are typed, and kinds of plugins by name.
  it.each<[string, Json, Json, boolean]>([
    ["color", "#abc", "#aabbcc", true],
    ["color", "#AABBCC", "#abc", true],
    ["time", "6:30", "06:30:00", true],
    ["number", 1, "1.0", true],
    ["number", 1, "1.5", false],
    ["integer", "1", 1, true],
    ["boolean", false, null, true],
    ["boolean", "yes", true, true],
    ["date", "2026-03-01", "2026-03-01T00:00", true],
    ["email", "ada@example.org", " ada@example.org ", true],
    ["string", "1", 1, false],
    ["select", ["here", "there"], "there", true],
    ["select", "here", null, false],
    ["stars", 3, 3, true],
  ])("on a %s that is %j holds for %j: %j", (kind, wanted, value, expected) => {
    const siblings = [
      { name: "other", kind },
      { name: "it", show_if: { other: wanted } },
    ];
    expect(isShown(siblings[1]!, siblings, { other: value })).toBe(expected);
  });

  it("leaves what it may hide out of the required properties", () => {
    const schema = jsonSchema(definitions, "T", locales);
    expect(schema.required).toBeUndefined();
  });
});

describe("the schema", () => {
  const schemaOf = (row: JsonObject) =>
    (jsonSchema(define({ name: "it", ...row }), "T", locales) as { properties: { it: JsonObject } }).properties.it;

  it.each([
    [
      { kind: "string", min_length: 1, placeholder: "Ada" },
      { type: "string", minLength: 1, examples: ["Ada"] },
    ],
    [{ kind: "html" }, { type: "string", contentMediaType: "text/html" }],
    [
      { kind: "integer", minimum: 3 },
      { type: "integer", minimum: 3 },
    ],
    [
      { kind: "number", integer: true, maximum: 3 },
      { type: "integer", maximum: 3 },
    ],
    [{ kind: "number" }, { type: "number" }],
    [{ kind: "boolean" }, { type: "boolean" }],
    [{ kind: "date" }, { type: "string", format: "date" }],
    [
      { kind: "textarea", max_length: 9 },
      { type: "string", maxLength: 9 },
    ],
    [
      { kind: "string", pattern: "^a", help: "Begins with a." },
      { type: "string", pattern: "^a" },
    ],
    [{ kind: "email" }, { type: "string", format: "email" }],
    [{ kind: "url" }, { type: "string", format: "uri" }],
    [{ kind: "color" }, { type: "string", pattern: "^#[0-9a-f]{6}$" }],
    [{ kind: "location" }, { $ref: "#/$defs/T__it" }],
    [{ kind: "datetime" }, { type: "string", anyOf: [{ format: "date-time" }, {}] }],
    [
      { kind: "select", choices: [{ value: "a", label: "A!" }] },
      { type: "string", enum: ["a"], oneOf: [{ const: "a", title: "A!" }] },
    ],
    [
      { kind: "queryset", target_model: "cms.Tag" },
      { type: "array", items: { type: "integer" }, "x-model": "cms.Tag", "x-multiple": true },
    ],
    [
      { kind: "string", translated: true },
      { type: "object", additionalProperties: { type: "string" }, propertyNames: { enum: ["en", "it"] } },
    ],
    [{ kind: "group", children: [{ name: "a" }] }, { $ref: "#/$defs/T__it" }],
    [
      { kind: "list", children: [{ name: "a" }] },
      { type: "array", items: { $ref: "#/$defs/T__it_item" } },
    ],
  ])("of %j", (row, schema) => {
    expect(schemaOf({ ...row, required: true })).toMatchObject({ title: "It", ...schema });
    expect(schemaOf(row)).toMatchObject({
      title: "It",
      anyOf: [schema, { type: "null" }],
      default: row.kind === "queryset" ? [] : null,
    });
  });

  it("of a reference names the target model, and allows null even where it is required", () => {
    const reference = { type: "integer", "x-model": "cms.Media", "x-multiple": false };
    expect(schemaOf({ kind: "media", required: true })).toEqual({ title: "It", anyOf: [reference, { type: "null" }] });
  });

  it("separates parts with the same name", () => {
    const clash = define(
      { name: "a", kind: "list", children: [{ name: "x" }] },
      { name: "a_item", kind: "group", children: [{ name: "y" }] },
      { name: "a__b", kind: "group", children: [{ name: "z" }] },
    );
    const schema = jsonSchema(clash, "T", locales) as { properties: JsonObject; $defs: JsonObject };
    expect(Object.keys(schema.$defs)).toEqual(["T__a_item", "T__a_item_2", "T__a__b"]);
    expect(schema.properties.a_item).toMatchObject({ anyOf: [{ $ref: "#/$defs/T__a_item_2" }, { type: "null" }] });
  });

  it("of a type without fields is a valid schema", () => {
    expect(jsonSchema([], "T", locales)).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "T",
      type: "object",
      properties: {},
    });
  });
});
