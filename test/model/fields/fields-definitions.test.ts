/** Definitions of fields: valid ones, and the positions of errors. */
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/model/input/json.ts";
import { KIND_NAMES } from "../../../src/model/fields/definition.ts";
import { FIELDS_MAX } from "../../../src/model/fields/read-definitions.ts";
import { readDefinitions, storedDefinitions } from "../../../src/model/records/schema.ts";

const NO_MODEL = (name: string): string =>
  `There is no model "${name}". There are cms.Page, cms.Article, cms.Media, cms.MediaFolder, cms.Menu, cms.Content, cms.MetaType, cms.MetaInstance, auth.User, cms.Tag, and pages. with the name of a page model.`;

const read = (value: Json | undefined) =>
  readDefinitions(value, (name) => (name.toLowerCase() === "cms.page" ? "cms.Page" : undefined));

describe("a definition", () => {
  it.each<[JsonObject, JsonObject]>([
    [{ name: "opening_hours" }, { name: "opening_hours", label: "Opening Hours" }],
    [{ name: "cta-link" }, { name: "cta-link", label: "Cta Link" }],
    [
      { name: " a ", label: "" },
      { name: "a", label: "A" },
    ],
    [
      { name: "a", label: "Mine", kind: "text" },
      { name: "a", label: "Mine", kind: "text" },
    ],
    [
      { name: "a", required: "yes", translated: 1, multiline: "off", integer: false },
      { name: "a", label: "A", required: true, translated: true, multiline: false, integer: false },
    ],
    [
      { name: "a", required: null, label: null, minimum: null },
      { name: "a", label: "A" },
    ],
    [
      { name: "a", colour: "red", __proto__: "x" },
      { name: "a", label: "A" },
    ],
    [
      { name: "a", kind: "ref", target_model: " CMS.page " },
      { name: "a", label: "A", kind: "ref", target_model: "cms.Page" },
    ],
    [
      { name: "a", kind: "number", minimum: "1.5", maximum: 3 },
      { name: "a", label: "A", kind: "number", minimum: 1.5, maximum: 3 },
    ],
    [
      { name: "a", pattern: "^[A-Z]{2}$", message: "Two capitals.", help: "As on the label.", group: "Code" },
      {
        name: "a",
        label: "A",
        pattern: "^[A-Z]{2}$",
        message: "Two capitals.",
        help: "As on the label.",
        group: "Code",
      },
    ],
    [
      { name: "a", pattern: "", message: "", help: "", group: null, show_if: {} },
      { name: "a", label: "A" },
    ],
    [
      { name: "a", min_length: "2", max_length: 3, placeholder: "" },
      { name: "a", label: "A", min_length: 2, max_length: 3, placeholder: "" },
    ],
    [
      {
        name: "a",
        kind: "select",
        choices: [
          { value: "x", more: 1 },
          { value: "y", label: "Y!" },
        ],
      },
      {
        name: "a",
        label: "A",
        kind: "select",
        choices: [
          { value: "x", label: "x" },
          { value: "y", label: "Y!" },
        ],
      },
    ],
    [
      { name: "a", kind: "group", children: [{ name: "b" }] },
      { name: "a", label: "A", kind: "group", children: [{ name: "b", label: "B" }] },
    ],
  ])("%j is stored as sent, with a label", (sent, kept) => {
    expect(read([sent])).toEqual({ definitions: [kept] });
  });

  it("may have any kind of both lists", () => {
    const rows = KIND_NAMES.map((kind) => ({
      name: kind,
      kind,
      target_model: "cms.Page",
      children: [{ name: "a" }],
      choices: [{ value: "a" }],
    }));
    expect(read(rows)).toHaveProperty("definitions");
  });

  it("omits defaults in files", () => {
    const { definitions } = read([
      { name: "a_b", kind: "list", label: "A B", children: [{ name: "c", label: "Sea" }] },
    ]) as { definitions: never };
    expect(storedDefinitions(definitions)).toEqual([
      { name: "a_b", kind: "list", children: [{ name: "c", label: "Sea" }] },
    ]);
  });
});

describe("errors of definitions", () => {
  const kinds =
    "'string', 'text', 'textarea', 'html', 'email', 'url', 'phone', 'integer', 'number', 'boolean', 'date', 'datetime', 'time', " +
    "'color', 'location', 'select', 'media', 'ref', 'queryset', 'group', 'list', 'permalink' or 'blocks'";

  it.each<[JsonObject, unknown]>([
    [{}, { name: ["Field required"] }],
    [{ name: null }, { name: ["Input should be a valid string"] }],
    [{ name: 5 }, { name: ["Input should be a valid string"] }],
    [{ name: "  " }, { name: ["String should have at least 1 character"] }],
    [{ name: "x".repeat(101) }, { name: ["String should have at most 100 characters"] }],
    [{ name: "_a" }, { name: ["A name may not begin with an underscore."] }],
    [{ name: "__proto__" }, { name: ["A name may not begin with an underscore."] }],
    [{ name: "constructor" }, { name: ['"constructor" is a reserved word.'] }],
    [{ name: "toString" }, { name: ['"toString" is a reserved word.'] }],
    [{ name: "a\nb" }, { name: ["A name is one line of text."] }],
    [{ name: "a", kind: "tint" }, { kind: [`Input should be ${kinds}`] }],
    [{ name: "a", kind: null }, { kind: [`Input should be ${kinds}`] }],
    [
      { name: "a", label: 5, required: "maybe", minimum: "x", max_length: -1, min_length: 1.5, placeholder: [] },
      {
        label: ["Input should be a valid string"],
        required: ["Input should be a valid boolean"],
        minimum: ["Input should be a valid number"],
        min_length: ["Input should be a whole number from 0"],
        max_length: ["Input should be a whole number from 0"],
        placeholder: ["Input should be a valid string"],
      },
    ],
    [{ name: "a", kind: "ref" }, ["Value error, target_model is required when kind is 'ref'"]],
    [
      { name: "a", kind: "queryset", target_model: null },
      ["Value error, target_model is required when kind is 'queryset'"],
    ],
    [{ name: "a", kind: "ref", target_model: "cms.Nothing" }, { target_model: [NO_MODEL("cms.Nothing")] }],
    [
      {
        name: "a",
        kind: "ref",
        target_model: "cms.Page",
        target: { model: "Nothing", below: "journal", meta_type: 1 },
      },
      {
        target: {
          model: ["The name of a page model is expected."],
          meta_type: ["The key of a meta type is expected."],
          below: ["The permalink of a page is expected, such as /journal."],
        },
      },
    ],
    [
      { name: "a", kind: "ref", target_model: "cms.Page", target: { meta_type: "week" } },
      ["Value error, target.meta_type does not narrow records of 'cms.Page'"],
    ],
    [
      { name: "a", kind: "media", target: { meta_type: "week" } },
      ["Value error, target.meta_type does not narrow a field of the kind 'media'"],
    ],
    [{ name: "a", kind: "ref", target_model: "cms.Page", target: "x" }, { target: [expect.stringContaining("str")] }],
    [{ name: "a", kind: "ref", target_model: {} }, { target_model: [NO_MODEL("dict")] }],
    [{ name: "a", kind: "group" }, ["Value error, children is required when kind is 'group'"]],
    [{ name: "a", kind: "list", children: [] }, ["Value error, children is required when kind is 'list'"]],
    [{ name: "a", kind: "list", children: {} }, { children: ['Expected a list of items but got type "dict".'] }],
    [{ name: "a", kind: "select" }, ["Value error, choices is required when kind is 'select'"]],
    [{ name: "a", kind: "select", choices: "a,b" }, { choices: ['Expected a list of items but got type "str".'] }],
    [
      {
        name: "a",
        kind: "select",
        choices: [{ value: "x" }, {}, { value: "" }, { value: "x" }, "y", { value: "z", label: 1 }],
      },
      {
        choices: [
          {},
          { value: ["Field required"] },
          { value: ["Input should be a text that is not empty"] },
          { value: ['"x" is there twice.'] },
          { non_field_errors: ["Invalid data. Expected a dictionary, but got str."] },
          { label: ["Input should be a valid string"] },
        ],
      },
    ],
    [{ name: "a", pattern: "(a" }, { pattern: ["The regular expression has an open group."] }],
    [
      { name: "a", pattern: "(?=a)b" },
      { pattern: ["The regular expression uses a group with (?, which is not supported."] },
    ],
    [{ name: "a", pattern: "\\-" }, { pattern: ["This is not a regular expression that JSON Schema can have."] }],
    [{ name: "a", pattern: 5 }, { pattern: ["Input should be a valid string"] }],
    [{ name: "a", kind: "integer", pattern: "1" }, ["Value error, a field of the kind 'integer' has no pattern"]],
    [{ name: "a", message: "No." }, ["Value error, message is without a pattern"]],
    [{ name: "a", show_if: "fine" }, { show_if: ["Invalid data. Expected a dictionary, but got str."] }],
    [
      { name: "a", show_if: { fine: [], b: null } },
      {
        show_if: {
          fine: ["Input should be a text, number or boolean, or a list of some"],
          b: ["Input should be a text, number or boolean, or a list of some"],
        },
      },
    ],
    [{ name: "a", show_if: { fin: "x" } }, { show_if: { fin: ['There is no field named "fin" beside this one.'] } }],
    [{ name: "a", show_if: { a: "x" } }, { show_if: { a: ['Whether "a" is shown depends on this field.'] } }],
    [{ name: "a", kind: "number", minimum: 3, maximum: 2 }, ["Value error, minimum is greater than maximum"]],
    [{ name: "a", min_length: 3, max_length: 2 }, ["Value error, min_length is greater than max_length"]],
  ])("%j", (row, errors) => {
    expect(read([{ name: "fine" }, row])).toEqual({ errors: [{}, errors] });
  });

  it.each<[JsonObject, unknown, string]>([
    [{ kind: "select", choices: [{ value: "x" }] }, "y", '"y" is not a value of the field "by".'],
    [
      { kind: "select", choices: [{ value: "x" }], multiple: true },
      ["x", "y"],
      '"y" is not a value of the field "by".',
    ],
    [{ kind: "boolean" }, "maybe", '"maybe" is not a value of the field "by".'],
    [{ kind: "integer" }, 1.5, '1.5 is not a value of the field "by".'],
    [{ translated: true }, "x", 'The field "by" has no plain value for all languages.'],
    [{ kind: "location" }, "x", 'The field "by" has no plain value for all languages.'],
    [{ kind: "ref", target_model: "cms.Page" }, 1, 'The field "by" has no plain value for all languages.'],
    [{ show_if: { a: "x" } }, "x", 'Whether "by" is shown depends on this field.'],
  ])("of a condition on %j with %j", (by, wanted, message) => {
    const { errors } = read([
      { name: "by", ...by },
      { name: "a", show_if: { by: wanted as Json } },
    ]) as {
      errors: readonly unknown[];
    };
    expect(errors[1]).toEqual({ show_if: { by: [message] } });
  });

  it("are at the index of their row, {} for valid rows, nested ones inside", () => {
    const rows: Json = [
      { name: "ok" },
      { kind: "text" },
      { name: "ok" },
      { name: "g", kind: "group", children: [{ name: "fine" }, { kind: "list", name: "l", children: [{}] }] },
      5,
    ];
    expect(read(rows)).toEqual({
      errors: [
        {},
        { name: ["Field required"] },
        { name: ['There is another field named "ok".'] },
        { children: [{}, { children: [{ name: ["Field required"] }] }] },
        { non_field_errors: ["Invalid data. Expected a dictionary, but got int."] },
      ],
    });
  });

  it.each<[Json | undefined, unknown]>([
    [undefined, { definitions: [] }],
    [[], { definitions: [] }],
    [null, { errors: ["This field may not be null."] }],
    [{}, { errors: ['Expected a list of items but got type "dict".'] }],
    ["x", { errors: ['Expected a list of items but got type "str".'] }],
  ])("%j as a whole", (value, result) => {
    expect(read(value)).toEqual(result);
  });

  it("report a type that is too large, at any depth, before anything else", () => {
    const many = Array.from({ length: FIELDS_MAX }, (_, n) => ({ name: `f${n}` }));
    expect(read(many)).toHaveProperty("definitions");
    expect(read([...many, { name: "one" }])).toEqual({
      errors: [`A type has at most ${FIELDS_MAX} fields, and this one has ${FIELDS_MAX + 1}.`],
    });
    let deep: JsonObject = { name: "a" };
    for (let n = 0; n < 60; n++) deep = { name: "a", kind: "list", children: [deep] };
    expect(read([deep])).toHaveProperty("definitions");
  });
});
