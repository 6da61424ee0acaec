/** A section as one of another kind. */
import { describe, expect, it } from "vitest";
import { convertedBlock, isRelated } from "../../src/admin/fields/blocks/converted-block.ts";
import type { Definitions, FieldDefinition } from "../../src/admin/fields/definition.ts";
import type { Json } from "../../src/admin/json.ts";

const field = (name: string, kind = "string", more: Partial<FieldDefinition> = {}): FieldDefinition => ({
  ...{ name, label: name, kind },
  ...more,
});
const converted = (from: Definitions, to: Definitions, values: Readonly<Record<string, Json>>) => {
  const { block, lost } = convertedBlock({ type: "hero", id: "b1", ...values }, from, { name: "banner", schema: to });
  return [block, lost.map(({ name }) => name)];
};

describe("a section of another kind", () => {
  it("keeps its id and what both kinds have, is hidden as before, and tells what it loses", () => {
    expect(
      converted(
        [field("title"), field("lead", "text"), field("wide", "boolean")],
        [field("title"), field("place", "string", { required: true })],
        { hidden: true, title: "Sea", lead: "Long", wide: false },
      ),
    ).toEqual([{ type: "banner", id: "b1", hidden: true, title: "Sea", place: null }, ["lead"]]);
  });

  it.each<[what: string, from: FieldDefinition, to: FieldDefinition, value: Json, isKept: boolean]>([
    ["a line as a text", field("x"), field("x", "text"), "One", true],
    ["a text of one line as a line", field("x", "text"), field("x"), "One", true],
    ["a text of two lines as a line", field("x", "text"), field("x"), "One\nTwo", false],
    ["a text as a number", field("x"), field("x", "integer"), "1", false],
    ["HTML as a text", field("x", "html"), field("x", "text"), "<b>1</b>", false],
    [
      "a translated text as one without languages",
      field("x", "string", { translated: true }),
      field("x"),
      { en: "One" },
      false,
    ],
    [
      "a reference to the same model",
      field("x", "ref", { target_model: "cms.Tag" }),
      field("x", "ref", { target_model: "cms.Tag" }),
      4,
      true,
    ],
    [
      "a reference to another model",
      field("x", "ref", { target_model: "cms.Tag" }),
      field("x", "ref", { target_model: "cms.Page" }),
      4,
      false,
    ],
    [
      "a list of the same",
      field("x", "list", { children: [field("y")] }),
      field("x", "list", { children: [field("y")] }),
      [{ y: "1" }],
      true,
    ],
    [
      "a list of others",
      field("x", "list", { children: [field("y")] }),
      field("x", "list", { children: [field("z")] }),
      [{ y: "1" }],
      false,
    ],
  ])("%s", (_, from, to, value, isKept) => {
    expect(converted([from], [to], { x: value })).toEqual([
      { type: "banner", id: "b1", ...(isKept && { x: value }) },
      isKept ? [] : ["x"],
    ]);
  });

  it("is offered where a field agrees", () => {
    expect(isRelated([field("a"), field("b")], [field("b", "text")])).toBe(true);
    expect(isRelated([field("a")], [field("b"), field("a", "integer")])).toBe(false);
  });
});
