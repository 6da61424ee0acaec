/** What the editor proposes in definitions that are written as YAML. */
import { describe, expect, it } from "vitest";
import { proposalsAt, type JsonSchema } from "../../src/admin/meta/schema-completion.ts";
import { placeErrors, readYaml, yamlOf } from "../../src/admin/meta/schema-yaml.ts";

const FIELD: JsonSchema = {
  properties: {
    name: { type: "string", description: "Key" },
    kind: { anyOf: [{ type: "string", enum: ["string", "list"] }, { type: "string" }] },
    required: { type: "boolean" },
    children: { type: "array", items: { $ref: "#field" } },
    choices: { type: "array", items: { properties: { value: { type: "string" }, label: { type: "string" } } } },
  },
};
const SCHEMA = { items: { $ref: "#field" }, resolve: () => FIELD };
const MORE = { target_model: [{ label: "cms.Page", insert: "cms.Page", description: "" }] };

/** @param text with `|` at the cursor */
function proposed(text: string) {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes("|"));
  const typed = lines[at]!.split("|")[0]!;
  return proposalsAt(
    lines.map((line) => line.replace("|", "")),
    at,
    typed,
    SCHEMA,
    MORE,
  );
}

const ALL = ["name", "kind", "required", "children", "choices"];

describe("completion of YAML", () => {
  it.each<[string, string[] | undefined]>([
    ["|", ALL],
    ["- |", ALL],
    ["- na|", ALL],
    ["- name: a\n  |\n  kind: list\n- required: true", ["required", "children", "choices"]],
    ["- name: a\n- |", ALL],
    ["- name: a\n  kind: |", ["string", "list"]],
    ["- name: a\n  kind: li|", ["string", "list"]],
    ["- required: |", ["true", "false"]],
    ["- target_model: cms.|", ["cms.Page"]],
    ["- name: a\n  children:\n    - name: b\n      |", ["kind", "required", "children", "choices"]],
    ["- name: a\n  children:\n  - name: b\n    kind: |", ["string", "list"]],
    ["- name: a\n  choices:\n    - |", ["value", "label"]],
    ["- name: a\n  children:\n    - choices:\n        - value: x\n          |\n  required: true", ["label"]],
    ["- name: a\n  children:\n    - name: b\n  |", ["kind", "required", "choices"]],
    ["- name: |", undefined],
    ["- none:\n    - |", undefined],
    ["# |", undefined],
  ])("of %j", (text, labels) => {
    expect(proposed(text)?.list.map(({ label }) => label)).toEqual(labels);
  });

  it("begins a list with its first item", () => {
    const list = proposed("- name: a\n  ch|")!;
    expect([list.from, list.list.find(({ label }) => label === "children")?.insert]).toEqual([2, "children:\n    - "]);
  });
});

describe("definitions as YAML", () => {
  const TEXT = "# Boats\n- name: sail\n  kind: number\n- name: crew\n  kind: list\n  children:\n    - name: x\n";

  it("are read, and are nothing else than a list", () => {
    const { fields, findings } = readYaml(TEXT, "no list");
    expect(findings).toEqual([]);
    expect(fields).toEqual([
      { name: "sail", kind: "number" },
      { name: "crew", kind: "list", children: [{ name: "x" }] },
    ]);
    expect(readYaml(yamlOf(fields), "").fields).toEqual(fields);
    expect([yamlOf([]), readYaml("", "").fields]).toEqual(["", []]);
    expect(readYaml("a: 1", "no list")).toMatchObject({
      fields: undefined,
      findings: [{ line: 1, message: "no list" }],
    });
    expect(readYaml("- name: [a\n- b", "").findings[0]).toMatchObject({ line: 2 });
  });

  it.each([
    ["schema.0.kind", 3],
    ["schema.1", 4],
    ["schema.1.children.0.kind", 7],
    ["schema.1.target_model", 4],
    ["schema", 1],
  ])("have the message of %s at line %i", (path, line) => {
    expect(placeErrors(TEXT, { [path]: ["wrong"], name: ["other"] }, "schema")).toMatchObject([
      { line, message: "wrong" },
    ]);
  });
});
