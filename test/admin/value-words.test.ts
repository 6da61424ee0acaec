import { beforeAll, describe, expect, it, vi } from "vitest";
import type { FieldDefinition } from "../../src/admin/fields/definition.ts";
import type { Json } from "../../src/admin/json.ts";

// The modules read where the editor is, and in which language, when they are loaded.
vi.stubGlobal("location", new URL("https://example.org/admin/"));
const page = { baseURI: "https://example.org/admin/", documentElement: {}, cookie: "" };
vi.stubGlobal("document", { ...page, querySelector: () => null });
vi.stubGlobal("addEventListener", () => {});
vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("localStorage", { getItem: () => null });

let words: typeof import("../../src/admin/fields/value-words.ts");
beforeAll(async () => {
  words = await import("../../src/admin/fields/value-words.ts");
  const { blockTypes } = await import("../../src/admin/fields/blocks/block-types.ts");
  blockTypes.value = [
    {
      ...{ name: "hero", label: "Hero", description: "", icon: "hero", category: "", preview_url: "" },
      schema: [{ name: "wide", label: "Wide", kind: "boolean" }],
    },
  ];
});

const side: FieldDefinition = {
  ...{ name: "side", label: "Side", kind: "select" },
  choices: [{ value: "l", label: "Left" }],
};

describe("valueWords", () => {
  it.each<[Json, Partial<FieldDefinition>, string]>([
    [null, { kind: "boolean" }, ""],
    [true, { kind: "boolean" }, "Yes"],
    ["2026-01-02", { kind: "date" }, "Jan 2, 2026"],
    ["l", side, "Left"],
    [["l", "r"], side, "Left\nr"],
    [{ id: 3, title: "Tower" }, { kind: "media" }, "Tower"],
    [{ link_type: "ST", static: "/x" }, { kind: "permalink" }, "/x"],
    [{ link_type: "RE", url_node: { id: 1, permalink: "/y" } }, { kind: "permalink" }, "/y"],
    [{ side: "l" }, { kind: "group", children: [side] }, "Side: Left"],
    [[{ side: "l" }], { kind: "list", children: [side] }, "Side: Left"],
    [[{ type: "hero", id: "b1", wide: true }], { kind: "blocks" }, "Hero\nWide: Yes"],
    [{ en: true }, { kind: "boolean", translated: true }, "en: Yes"],
    [{ any: "a", other: 2 }, {}, "a\n2"],
  ])("%j of %j", (value, field, expected) => {
    expect(words.valueWords(value, { name: "field", label: "Field", ...field })).toBe(expected);
  });
});

describe("definitionAt", () => {
  const data: FieldDefinition = {
    ...{ name: "template_data", label: "Content", kind: "group" },
    children: [
      { name: "sections", label: "Sections", kind: "blocks" },
      { name: "items", label: "Items", kind: "list", children: [side] },
      { name: "note", label: "Note", kind: "text", translated: true },
    ],
  };
  const values = { template_data: { sections: [{ type: "hero", id: "b1", wide: true }] } };
  it.each([
    ["template_data.items.0.side", "Side"],
    ["template_data.sections.0.wide", "Wide"],
    ["template_data.note.it", "Note"],
    ["template_data.sections", "Sections"],
    ["template_data.sections.4.wide", undefined],
    ["template_data.gone", undefined],
    ["other", undefined],
  ])("%s", (path, label) => {
    expect(words.definitionAt([data], path.split("."), values)?.label).toBe(label);
  });
});

describe("pathWordsIn", () => {
  const definitions: readonly FieldDefinition[] = [
    {
      ...{ name: "template_data", label: "Content", kind: "group" },
      children: [{ name: "parts", label: "Sections", kind: "blocks" }, side],
    },
  ];
  const values = { template_data: { side: "l", parts: [{ type: "hero", id: "a", wide: true }] } };

  it.each([
    ["template_data.side", "Content › Side"],
    ["template_data.parts", "Content › Sections"],
    ["template_data.parts.0.wide", "Content › Sections › 1 Hero › Wide"],
    ["template_data.parts.1.wide", "Content › Sections › 2 › Wide"],
    ["template_data.un_known", "Content › Un known"],
    ["title", "Title"],
  ])("%s", (path, expected) => {
    expect(words.pathWordsIn(definitions, values)(path.split("."))).toBe(expected);
  });

  it("finds a section that only the other side has", () => {
    const shown = words.pathWordsIn(definitions, { template_data: { parts: [] } }, values);
    expect(shown("template_data.parts.0.wide".split("."))).toBe("Content › Sections › 1 Hero › Wide");
  });
});
