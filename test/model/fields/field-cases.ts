/**
 * Valid and invalid values of every kind, for all kinds of input: create, PATCH, a file written
 * by hand, and page models.
 */
import type { Json, JsonObject } from "../../../src/model/input/json.ts";

export interface FieldCase {
  /** Besides `name: it`. */
  readonly field: JsonObject;
  /** `[sent, stored]`, or a value that is stored as sent. */
  readonly valid: readonly (readonly [sent: Json, stored: Json])[];
  /** `[sent, errors]`: a message, or errors nested like the value. */
  readonly invalid: readonly (readonly [sent: Json, errors: unknown])[];
}

/** Ids of existing records: media 11, page 21, tag 31. */
export const MEDIA_ID = 11;
export const PAGE_ID = 21;
export const TAG_ID = 31;
export const GONE = 404;

const same = (...values: Json[]): [Json, Json][] => values.map((value) => [value, value]);
const all = (message: unknown, ...values: Json[]): [Json, unknown][] => values.map((value) => [value, message]);

const STRING = "Not a valid string.";
const NUMBER = "A valid number is required.";
const INTEGER = "A valid integer is required.";
const BOOLEAN = "Must be a valid boolean.";
const DATE = "Date has wrong format. Use one of these formats instead: YYYY-MM-DD.";
const DATETIME =
  "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].";
const EMAIL = "Enter a valid email address.";
const LINK = "Enter a valid URL that begins with http:// or https://.";
const PHONE = "Enter a phone number of digits, spaces and + ( ) . / -";
const COLOR = 'Enter a color as "#rrggbb".';
const TIME = "Time has wrong format. Use one of these formats instead: hh:mm[:ss].";
const gone = `Invalid pk "${GONE}" - object does not exist.`;
const pk = (type: string): string => `Incorrect type. Expected pk value, received ${type}.`;
const dict = (type: string): string => `Invalid data. Expected a dictionary, but got ${type}.`;
const list = (type: string): string => `Expected a list of items but got type "${type}".`;
const choices: Json = [{ value: "red" }, { value: "green", label: "Grün" }];

/** The types that the values of `blocks` name, and the files that declare them. */
export const BLOCK_TYPES = [
  { name: "note", category: "", schema: [{ name: "a", label: "A", required: true }] },
  {
    name: "row",
    category: "Lists",
    schema: [{ name: "in", label: "In", kind: "blocks" as const, types: ["@Lists", "note"] }],
  },
];
export const BLOCK_FILES = Object.fromEntries(
  BLOCK_TYPES.map(({ name, ...type }) => [`content/block-types/${name}.yaml`, JSON.stringify(type)]),
);

export const FIELD_CASES: { readonly [name: string]: FieldCase } = {
  string: {
    field: { kind: "string" },
    valid: same("x", "", " kept ", "12", "é🌊", "a\nb"),
    invalid: all(STRING, 12, true, [], {}, 0.5),
  },
  "no kind": { field: {}, valid: same("x"), invalid: all(STRING, 12) },
  "string with lengths": {
    field: { kind: "string", min_length: 2, max_length: 3 },
    valid: same("ab", "abc", "🌊🌊🌊"),
    invalid: [
      ["a", "Ensure this field has at least 2 characters."],
      ["abcd", "Ensure this field has no more than 3 characters."],
      ["🌊🌊🌊🌊", "Ensure this field has no more than 3 characters."],
    ],
  },
  text: { field: { kind: "text" }, valid: same("two\nlines\n", ""), invalid: all(STRING, 12, false) },
  html: { field: { kind: "html" }, valid: same("<p>x</p>", ""), invalid: all(STRING, 12, ["<p>"]) },
  number: {
    field: { kind: "number" },
    valid: [...same(0, 5, -1.5, 1e21), ["2.5", 2.5], [" 7 ", 7], ["1e3", 1000], [true, 1], [false, 0], [-0, 0]],
    invalid: all(NUMBER, "x", "", "1,5", "0x10", "Infinity", "NaN", "1 2", [], {}),
  },
  "number with bounds": {
    field: { kind: "number", minimum: 0.5, maximum: 10 },
    valid: [...same(0.5, 10), ["3", 3]],
    invalid: [
      [0, "Ensure this value is greater than or equal to 0.5."],
      ["10.5", "Ensure this value is less than or equal to 10."],
      [false, "Ensure this value is greater than or equal to 0.5."],
    ],
  },
  "whole number": {
    field: { kind: "number", integer: true, minimum: 1 },
    valid: [
      ["7.0", 7],
      [3, 3],
    ],
    invalid: [
      [7.5, INTEGER],
      [0, "Ensure this value is greater than or equal to 1."],
    ],
  },
  integer: {
    field: { kind: "integer" },
    valid: [...same(0, -3, 12), ["12", 12], ["7.0", 7], [true, 1]],
    invalid: all(INTEGER, 7.5, "abc", "7.5", "", "99999999999999999999", [], {}),
  },
  boolean: {
    field: { kind: "boolean" },
    valid: [
      ...same(true, false),
      ...["true", "yes", "on", "t", "y", "1", "TRUE", 1].map((sent): [Json, Json] => [sent, true]),
      ...["false", "no", "off", "f", "n", "0", "No", 0].map((sent): [Json, Json] => [sent, false]),
    ],
    invalid: all(BOOLEAN, 2, -1, "maybe", "", [], {}),
  },
  date: {
    field: { kind: "date" },
    valid: [
      ...same("2024-02-29", "0001-01-01", "9999-12-31"),
      ["2024-01-01T00:00:00Z", "2024-01-01"],
      ["2024-01-01 00:00", "2024-01-01"],
      [86_400, "1970-01-02"],
    ],
    invalid: [
      ...all(
        DATE,
        "2024-02-30",
        "2023-02-29",
        "1900-02-29",
        "01/02/2024",
        "2024-1-1",
        "0000-01-01",
        "",
        5,
        0,
        true,
        {},
      ),
      ["2024-01-01T10:00:00", "Expected a date but got a datetime."],
    ],
  },
  datetime: {
    field: { kind: "datetime" },
    valid: [
      ...same("2024-01-01T10:00:00", "2024-01-01T10:00:00Z", "2024-01-01T10:00:00.5+05:30"),
      ["2024-01-01 10:00", "2024-01-01T10:00:00"],
      ["2024-01-01", "2024-01-01T00:00:00"],
      ["2024-01-01t10:00:00z", "2024-01-01T10:00:00Z"],
      ["2024-01-01T10:00:00+00:00", "2024-01-01T10:00:00Z"],
      ["2024-01-01T10:00:00-0330", "2024-01-01T10:00:00-03:30"],
      ["2024-01-01T10:00:00.1234567", "2024-01-01T10:00:00.123456"],
      [1_704_067_200, "2024-01-01T00:00:00Z"],
      [1_704_067_200_500, "2024-01-01T00:00:00.500Z"],
    ],
    invalid: all(
      DATETIME,
      "soon",
      "2024-02-30T10:00",
      "2024-01-01T24:00",
      "2024-01-01T10:60",
      "2024-01-01T10:00:60",
      "2024-01-01T10:00+24:00",
      "",
      1e18,
      true,
      [],
    ),
  },
  select: {
    field: { kind: "select", choices },
    valid: same("red", "green"),
    invalid: [
      ["blue", '"blue" is not a valid choice.'],
      ["Red", '"Red" is not a valid choice.'],
      ["", '"" is not a valid choice.'],
      ...all(STRING, 1, true, ["red"]),
    ],
  },
  "select of several": {
    field: { kind: "select", choices, multiple: true },
    valid: [
      ...same(["red"], ["green", "red"]),
      ["red", ["red"]],
      [
        ["red", "red", "green"],
        ["red", "green"],
      ],
    ],
    invalid: [
      [["red", "blue", 1], { 1: ['"blue" is not a valid choice.'], 2: [STRING] }],
      ["blue", { 0: ['"blue" is not a valid choice.'] }],
      [1, list("int")],
      [{}, list("dict")],
    ],
  },
  textarea: { field: { kind: "textarea" }, valid: same("two\nlines\n", " *x* "), invalid: all(STRING, 12, ["x"]) },
  email: {
    field: { kind: "email" },
    valid: [...same("ada@example.org", "a.b+c@x-y.example.museum", "O'Hara@example.it"), [" a@b.it ", "a@b.it"]],
    invalid: [
      ...all(
        EMAIL,
        "",
        "ada",
        "ada@",
        "@example.org",
        "a@b",
        "a b@example.org",
        "a@example.org\nb",
        "a@-x.it",
        "<a@b.it>",
      ),
      ...all(EMAIL, `a@${"b".repeat(64)}.it`, "a..b@example.org", "a@example..org"),
      ...all(STRING, 5, true, ["a@b.it"]),
    ],
  },
  url: {
    field: { kind: "url" },
    valid: [
      ...same("https://example.org", "http://localhost:3000/a?b=c&d#e", "HTTPS://Example.org/%C3%A0"),
      [" https://example.org/ ", "https://example.org/"],
      ["https://it.example.org/Città?a[]=1", "https://it.example.org/Citt%C3%A0?a%5B%5D=1"],
      ["https://münchen.example/", "https://xn--mnchen-3ya.example/"],
    ],
    invalid: [
      ...all(
        LINK,
        "",
        "example.org",
        "/about",
        "//example.org",
        "ftp://example.org/",
        "javascript:alert(1)",
        "https://",
      ),
      ...all(LINK, "https:/example.org", "https://a b.org/", "https://example.org/a b", "https://user@example.org/"),
      ...all(LINK, "https://example.org/%zz", "https://example.org:999999/", "mailto:a@example.org"),
      ...all(STRING, 5, {}),
    ],
  },
  phone: {
    field: { kind: "phone" },
    valid: [...same("+39 02 1234-5678", "(020) 7946 0018", "112", "+1 555.010.9999 ext. 12"), [" 112 ", "112"]],
    invalid: [...all(PHONE, "", "call us", "+", "1", "12-", "12a4", "+39/", "1".repeat(42)), ...all(STRING, 112)],
  },
  color: {
    field: { kind: "color" },
    valid: [...same("#a1b2c3"), ["#A1B2C3", "#a1b2c3"], [" #fA0 ", "#ffaa00"]],
    invalid: [...all(COLOR, "", "red", "a1b2c3", "#a1b2c", "#a1b2c3d4", "#gggggg"), ...all(STRING, 0)],
  },
  time: {
    field: { kind: "time" },
    valid: [
      ...same("06:30", "23:59", "00:00", "12:00:01"),
      ["6:30", "06:30"],
      ["18:00:00", "18:00"],
      [" 9:05 ", "09:05"],
    ],
    invalid: [
      ...all(TIME, "", "24:00", "12:60", "12", "1230", "12:00:60", "12:00Z", "6:30 pm", "noon"),
      ...all(STRING, 390),
    ],
  },
  location: {
    field: { kind: "location" },
    valid: [
      ...same({ latitude: 41.9, longitude: -12.5 }, { latitude: -90, longitude: 180 }),
      [
        { latitude: "41.9", longitude: 12 },
        { latitude: 41.9, longitude: 12 },
      ],
    ],
    invalid: [
      ["41.9, 12.5", dict("str")],
      [[41.9, 12.5], dict("list")],
      [{ latitude: 41.9 }, { longitude: ["This field is required."] }],
      [
        { latitude: 91, longitude: "x" },
        { latitude: ["Ensure this value is less than or equal to 90."], longitude: [NUMBER] },
      ],
      [
        { latitude: null, longitude: -181 },
        {
          latitude: ["This field may not be null."],
          longitude: ["Ensure this value is greater than or equal to -180."],
        },
      ],
    ],
  },
  media: {
    field: { kind: "media" },
    valid: [
      ...same(MEDIA_ID),
      [String(MEDIA_ID), MEDIA_ID],
      [{ id: MEDIA_ID, model: "cms.Media", title: "x" }, MEDIA_ID],
    ],
    invalid: [
      ["x", pk("str")],
      [true, pk("bool")],
      [1.5, pk("float")],
      [{}, pk("NoneType")],
      [[MEDIA_ID], pk("list")],
      [GONE, gone],
      [{ id: GONE }, gone],
      [PAGE_ID, `Invalid pk "${PAGE_ID}" - object does not exist.`],
    ],
  },
  ref: {
    field: { kind: "ref", target_model: "cms.page" },
    valid: [...same(PAGE_ID), [{ id: String(PAGE_ID) }, PAGE_ID]],
    invalid: [
      ["x", pk("str")],
      ["", pk("str")],
      [GONE, gone],
    ],
  },
  queryset: {
    field: { kind: "queryset", target_model: "cms.Tag" },
    valid: [
      ...same([TAG_ID], [TAG_ID, TAG_ID]),
      [
        [{ id: TAG_ID }, String(TAG_ID)],
        [TAG_ID, TAG_ID],
      ],
    ],
    invalid: [
      [TAG_ID, list("int")],
      ["1,2", list("str")],
      [{}, list("dict")],
      [[TAG_ID, "x"], { 1: [pk("str")] }],
      [[TAG_ID, null], { 1: [pk("NoneType")] }],
      [[GONE, TAG_ID], { 0: [gone] }],
    ],
  },
  group: {
    field: {
      kind: "group",
      children: [
        { name: "a", required: true },
        { name: "b", kind: "integer" },
      ],
    },
    valid: [
      [{ a: "x" }, { a: "x" }],
      [
        { a: "x", b: "2" },
        { a: "x", b: 2 },
      ],
    ],
    invalid: [
      [[], dict("list")],
      ["x", dict("str")],
      [{}, { a: ["This field is required."] }],
      [
        { a: null, b: 1.5 },
        { a: ["This field may not be null."], b: [INTEGER] },
      ],
    ],
  },
  list: {
    field: {
      kind: "list",
      children: [
        { name: "a", required: true },
        { name: "in", kind: "list", children: [{ name: "n", kind: "integer" }] },
      ],
    },
    valid: [...same([]), [[{ a: "x", in: [{ n: "1" }] }], [{ a: "x", in: [{ n: 1 }] }]]],
    invalid: [
      [{}, list("dict")],
      ["x", list("str")],
      [["x"], { 0: [dict("str")] }],
      [[{ a: "x" }, {}], { 1: { a: ["This field is required."] } }],
      [[{ a: "x", in: [{ n: 1 }, { n: "y" }] }], { 0: { in: { 1: { n: [INTEGER] } } } }],
    ],
  },
  blocks: {
    field: { kind: "blocks", maximum: 2 },
    valid: [
      ...same([], [{ type: "note", id: "b1", a: "x" }], [{ type: "note", id: "b1", hidden: true, a: "x" }]),
      [
        [
          {
            type: "row",
            id: "r",
            in: [{ type: "row", id: "s", in: [{ type: "note", id: "n", a: "x", hidden: "true" }] }],
          },
        ],
        [
          {
            type: "row",
            id: "r",
            in: [{ type: "row", id: "s", in: [{ type: "note", id: "n", a: "x", hidden: true }] }],
          },
        ],
      ],
    ],
    invalid: [
      [{}, list("dict")],
      ["x", list("str")],
      [["x"], { 0: [dict("str")] }],
      [[{}], { 0: { type: ["This field is required."] } }],
      [[{ type: "nope" }], { 0: { type: ['"nope" is not a valid choice.'] } }],
      [[{ type: "note" }], { 0: { a: ["This field is required."] } }],
      [[{ type: "note", a: "x", id: 5 }], { 0: { id: [STRING] } }],
      [
        [{ type: "row", in: [{ type: "note" }, { type: "row", in: 1 }] }],
        { 0: { in: { 0: { a: ["This field is required."] }, 1: { in: [list("int")] } } } },
      ],
      [Array.from({ length: 3 }, () => ({ type: "note", a: "x" })), "There are 3 sections, and at most 2 are allowed."],
    ],
  },
  permalink: {
    field: { kind: "permalink" },
    valid: [
      [
        { link_type: "RE", url_node: PAGE_ID },
        { link_type: "RE", url_node: PAGE_ID },
      ],
      [
        { link_type: "RE", url_node: { id: PAGE_ID, permalink: "/x" }, url: "/x/" },
        { link_type: "RE", url_node: PAGE_ID },
      ],
      [{ link_type: "RE" }, { link_type: "RE", url_node: null }],
      [{ static: "mailto:x@y.z" }, { link_type: "ST", static: "mailto:x@y.z" }],
      [
        { link_type: "ST", static: "/a", url: "/a", content_type: { id: 3 } },
        { link_type: "ST", static: "/a" },
      ],
      [{}, { link_type: "ST", static: null }],
    ],
    invalid: [
      ["/about", dict("str")],
      [[], dict("list")],
      [{ link_type: "XX" }, { link_type: ["Input should be 'RE' or 'ST'"] }],
      [{ link_type: "RE", url_node: "x" }, { url_node: [pk("str")] }],
      [{ link_type: "RE", url_node: GONE }, { url_node: [gone] }],
      [{ static: 5 }, { static: [STRING] }],
    ],
  },
  "translated string": {
    field: { kind: "string", translated: true, max_length: 3 },
    valid: [...same({}, { en: "a" }, { en: "a", it: "" }), [{ EN: "a" }, { en: "a" }]],
    invalid: [
      ["a", dict("str")],
      [[], dict("list")],
      [{ fr: "a" }, { fr: ['"fr" is not among the languages of this site (en, it).'] }],
      [{ en: null }, { en: ["This field may not be null."] }],
      [
        { en: "abcd", it: 1 },
        { en: ["Ensure this field has no more than 3 characters."], it: [STRING] },
      ],
    ],
  },
  "translated reference": {
    field: { kind: "media", translated: true },
    valid: [...same({ en: MEDIA_ID, it: null }), [{ it: { id: MEDIA_ID } }, { it: MEDIA_ID }]],
    invalid: [[{ en: GONE }, { en: [gone] }]],
  },
  "translated list": {
    field: { kind: "list", translated: true, children: [{ name: "a", translated: true }] },
    valid: [...same({ en: [{ a: { it: "x" } }] })],
    invalid: [[{ en: [{ a: "x" }] }, { en: { 0: { a: [dict("str")] } } }]],
  },
};
