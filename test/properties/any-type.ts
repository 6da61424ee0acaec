/** Random content types, and data for them: valid, nearly valid and invalid. */
import fc from "fast-check";
import type { Json, JsonObject } from "../../src/model/input/json.ts";
import type { BlockType } from "../../src/model/fields/blocks.ts";
import { KIND_NAMES, type FieldDefinition } from "../../src/model/fields/definition.ts";

export const LANGS = ["en", "pt-BR"];

/** Existing records of every model. */
export const THERE = [1, 2, 3];

const name = fc.oneof(
  fc.constantFrom(
    "title",
    "body",
    "price",
    "starts_at",
    "a",
    "b",
    "item",
    "a_item",
    "schema",
    "type",
    "length",
    "x-model",
    "with space",
    "ü/~%",
    "$ref",
    "0",
    "en",
  ),
  fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/),
);
const fields = { maxLength: 5, selector: ({ name: key }: { name: string }) => key };

/** A definition as sent, without contradictory constraints. */
const definition = (depth: number): fc.Arbitrary<JsonObject> =>
  fc
    .record(
      {
        name,
        kind: fc.constantFrom(...KIND_NAMES.filter((kind) => depth > 0 || (kind !== "group" && kind !== "list"))),
        required: fc.boolean(),
        translated: fc.boolean(),
        integer: fc.boolean(),
        multiple: fc.boolean(),
        label: fc.string({ maxLength: 5 }),
        placeholder: fc.string({ maxLength: 5 }),
        min_length: fc.integer({ min: 0, max: 3 }),
        max_length: fc.integer({ min: 3, max: 6 }),
        minimum: fc.constantFrom(-1, 0, 0.5),
        maximum: fc.constantFrom(1, 2.5, 10),
        choices: fc
          .uniqueArray(fc.constantFrom("red", "green", "blue", "__proto__", "0"), { minLength: 1 })
          .map((values) => values.map((value) => ({ value }))),
        target_model: fc.constantFrom("cms.Page", "cms.media", "CMS.Tag", "auth.User"),
        children:
          depth > 0
            ? fc.uniqueArray(definition(depth - 1), { minLength: 1, ...fields, selector: (row) => String(row.name) })
            : fc.constant([]),
      },
      { requiredKeys: ["name", "kind", "choices", "target_model", "children"] },
    )
    .map(({ minimum, maximum, ...row }) =>
      row.kind === "blocks"
        ? ({ ...row, ...(maximum !== undefined && { maximum: 2 }) } as JsonObject)
        : ({
            ...row,
            ...(minimum !== undefined && { minimum }),
            ...(maximum !== undefined && { maximum }),
          } as JsonObject),
    );

export const anySchema = fc.uniqueArray(definition(2), {
  minLength: 1,
  maxLength: 6,
  selector: (row) => String(row.name),
});

const texts = fc.constantFrom("", "x", "hello", "12345678", "é🌊", "  spaced ", "red", "green", "blue", "en");
const scalars = fc.oneof(
  texts,
  fc.constantFrom<Json>(
    null,
    true,
    false,
    0,
    -1,
    1,
    2,
    3,
    4,
    0.5,
    1.5,
    7.0,
    1e21,
    1.7e9,
    -86400,
    86400,
    "1",
    "7.0",
    "1.5",
    " 2 ",
    "yes",
    "off",
    "T",
    "maybe",
  ),
  fc.constantFrom(
    "2024-02-29",
    "2023-02-29",
    "0000-01-01",
    "2024-13-01",
    "1900-02-29",
    "2000-02-29",
    "2024-02-30",
    "01/02/2024",
  ),
  fc.constantFrom(
    "2024-01-01T00:00",
    "2024-01-01 10:00:00.1234567",
    "2024-01-01T10:00:60Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01t10:00:00z",
    "2024-01-01T10:00:00+0530",
  ),
  fc.constantFrom(
    "2024-01-01T10:00:00+00:00",
    "2024-01-01T10:00:00.500+05:30",
    "2024-01-01T10:00:00-24:00",
    "2024-02-30T10:00:00",
    "2024-01-01T10:00:00\n",
  ),
);
const links = fc.record(
  {
    link_type: fc.constantFrom<Json>("RE", "ST", "XX", null, 1),
    url_node: fc.constantFrom<Json>(1, 9, null, "2", { id: 3 }, {}, "x", 1.5),
    static: fc.constantFrom<Json>("/a", null, 5),
    url: fc.constant("/x"),
  },
  { requiredKeys: [] },
);
const junk: fc.Arbitrary<Json> = fc.oneof(
  scalars,
  links,
  fc.array(scalars, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("en", "a", "id", "__proto__", "title"), scalars, { maxKeys: 3 }),
);
const ids = fc.oneof(fc.constantFrom<Json>(...THERE), fc.constantFrom<Json>({ id: 1, model: "x" }, "2", null, 9));

/** A value of the kind, in one of its input forms; it may violate constraints. */
function value(definition: FieldDefinition): fc.Arbitrary<Json> {
  const children = (definition.children ?? []) as readonly FieldDefinition[];
  switch (definition.kind ?? "string") {
    case "number":
    case "integer":
      return fc.oneof(
        fc.integer({ min: -2, max: 12 }),
        fc.double({ min: -2, max: 12, noNaN: true }),
        fc.constantFrom<Json>("3", "2.5", true),
      );
    case "boolean":
      return fc.constantFrom<Json>(true, false, 1, 0, "yes", "No");
    case "date":
      return fc.constantFrom<Json>("2024-02-29", "1999-12-31", "2024-01-01T00:00:00Z", 86400);
    case "datetime":
      return fc.constantFrom<Json>(
        "2024-02-29T10:00:00",
        "2024-01-01T10:00:00Z",
        "2024-01-01T10:00:00.25+05:30",
        "2024-01-01 10:00",
        1.7e9,
        1.7e12,
      );
    case "textarea":
      return texts;
    case "email":
      return fc.constantFrom<Json>("ada@example.org", " a@b.it ", "a@b", "ada");
    case "url":
      return fc.constantFrom<Json>("https://example.org", "http://x.it/?a[]=b", "/about", "ftp://x.it");
    case "phone":
      return fc.constantFrom<Json>("+39 02 1234", "112", "call");
    case "time":
      return fc.constantFrom<Json>("06:30", "6:30", "12:00:00", "12:00:01", "24:00");
    case "color":
      return fc.constantFrom<Json>("#a1b2c3", "#FA0", "red");
    case "location":
      return fc.constantFrom<Json>(
        { latitude: 41.9, longitude: "12" },
        { latitude: 91, longitude: 0 },
        { latitude: 1 },
      );
    case "select":
      if (definition.multiple)
        return fc.array(fc.constantFrom<Json>(...(definition.choices ?? []).map((choice) => choice.value), "none"), {
          maxLength: 3,
        });
      return fc.constantFrom<Json>(...(definition.choices ?? []).map((choice) => choice.value));
    case "media":
    case "ref":
      return ids;
    case "queryset":
      return fc.oneof(
        fc.array(
          ids.filter((id) => id !== null && id !== 9),
          { maxLength: 3 },
        ),
        fc.constant(null),
      );
    case "permalink":
      return fc.oneof(
        fc.record({ link_type: fc.constant("RE"), url_node: fc.constantFrom<Json>(1, { id: 2 }, "3", null) }),
        fc.record({ static: fc.constantFrom<Json>("/a", "mailto:x@y.z", null) }),
      );
    case "group":
      return record(children);
    case "blocks":
      return fc.array(mostly(block, junk), { maxLength: 3 });
    case "list":
      return fc.array(record(children), { maxLength: 3 });
    default:
      return texts;
  }
}

/** The types that blocks have. */
export const ANY_BLOCKS: readonly BlockType[] = [
  {
    name: "note",
    category: "",
    schema: [
      { name: "a", label: "A", required: true },
      { name: "n", label: "N", kind: "integer" },
      { name: "to", label: "To", kind: "ref", target_model: "cms.Page" },
    ],
  },
  { name: "row", category: "", schema: [{ name: "in", label: "In", kind: "blocks" }] },
];
export const BLOCK_FILES = Object.fromEntries(
  ANY_BLOCKS.map(({ name, schema }) => [`content/block-types/${name}.yaml`, JSON.stringify({ schema })]),
);

const keys = {
  id: fc.constantFrom<Json>("b1", "b2", "", null),
  hidden: fc.constantFrom<Json>(true, false, null, "yes"),
};
const { block } = fc.letrec<{ block: Json }>((tie) => ({
  block: fc.oneof(
    { depthSize: "small" },
    fc.record(
      { type: fc.constantFrom("note", "note", "note", "gone"), ...keys, a: texts, n: scalars, to: ids },
      { requiredKeys: ["type", "a"] },
    ),
    fc.record(
      { type: fc.constant("row"), ...keys, in: fc.array(tie("block"), { maxLength: 2 }) },
      { requiredKeys: ["type"] },
    ),
  ),
}));

function record(definitions: readonly FieldDefinition[]): fc.Arbitrary<JsonObject> {
  const entries = definitions.map((definition) => {
    const one = mostly(value(definition), junk);
    const whole = definition.translated
      ? mostly(
          fc.dictionary(mostly(fc.constantFrom(...LANGS), fc.constantFrom("EN", "pt-br", "fr", "__proto__")), one, {
            maxKeys: 2,
          }),
          junk,
        )
      : one;
    return fc.option(
      whole.map((found): [string, Json] => [definition.name, found]),
      { nil: null, freq: definition.required ? 30 : 3 },
    );
  });
  const unknown = fc.option(
    junk.map((found): [string, Json] => ["nobody knows", found]),
    { nil: null, freq: 1 },
  );
  return fc.tuple(unknown, ...entries).map((found) => Object.fromEntries(found.filter((entry) => entry !== null)));
}

const mostly = <A, B>(first: fc.Arbitrary<A>, second: fc.Arbitrary<B>): fc.Arbitrary<A | B> =>
  fc.oneof({ weight: 12, arbitrary: first }, { weight: 1, arbitrary: second });

/** Data for a type. */
export const anyData = (definitions: readonly FieldDefinition[]): fc.Arbitrary<Json> =>
  mostly(record(definitions), junk);
