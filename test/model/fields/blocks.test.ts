/** Ids of blocks, and definitions that know the fields of each type. */
import { describe, expect, it } from "vitest";
import {
  blockIdFrom,
  blockNames,
  blockSchemaName,
  hasBlocks,
  idByPosition,
  linkedDefinitions,
  shownBlocks,
  withBlockIds,
  type BlockType,
} from "../../../src/model/fields/blocks.ts";
import type { Definitions } from "../../../src/model/fields/definition.ts";
import { childrenOf } from "../../../src/model/fields/kinds.ts";
import { referencesIn } from "../../../src/model/fields/walk.ts";
import type { Json, JsonObject } from "../../../src/model/input/json.ts";

describe("ids", () => {
  it.each<[Json[], Json[]]>([
    [[], []],
    [
      [{ type: "a" }, { type: "a" }],
      ["b1", "b2"],
    ],
    [
      [{ type: "a", id: "b2" }, { type: "a" }, { type: "a" }],
      ["b2", "b2-1", "b3"],
    ],
    [
      [
        { type: "a", id: "x" },
        { type: "a", id: "x" },
      ],
      ["x", "b2"],
    ],
    [
      [
        { type: "a", id: "" },
        { type: "a", id: null },
      ],
      ["b1", "b2"],
    ],
    [
      [{ type: "a" }, "text", 5],
      ["b1", undefined as never, undefined as never],
    ],
  ])("of %j", (items, ids) => {
    const found = withBlockIds(items, idByPosition);
    expect(found.map((each) => (each as { id?: string }).id)).toEqual(ids);
    expect(withBlockIds(found, idByPosition)).toBe(found);
  });

  it("follow the type in files", () => {
    expect(JSON.stringify(withBlockIds([{ title: "x", type: "a" }], idByPosition))).toBe(
      '[{"type":"a","id":"b1","title":"x"}]',
    );
  });

  it("are never like a number", () => {
    expect(blockIdFrom("447fbb72-2281-4c37-a48b-000001234567")).toBe("b1234567");
  });
});

it("leaves out what is hidden, and nothing else", () => {
  const items: Json[] = [{ type: "a", hidden: true }, { type: "a", hidden: false }, { type: "a" }, "x"];
  expect(shownBlocks(items)).toEqual(items.slice(1));
});

it.each([
  ["hero", "HeroBlock"],
  ["call-to-action", "CallToActionBlock"],
])("%s has the schema %s", (type, name) => expect(blockSchemaName(type)).toBe(name));

describe("linked definitions", () => {
  const type = (name: string, category: string, schema: Definitions = []): BlockType => ({ name, category, schema });
  const inner: Definitions = [{ name: "in", label: "In", kind: "blocks" }];
  const types = [
    type("a", "One"),
    type("b", "Two", inner),
    type("c", "One", [{ name: "to", label: "To", kind: "media" }]),
  ];
  const link = linkedDefinitions(types);
  const field = (more: object): Definitions => [{ name: "s", label: "S", kind: "blocks", ...more }];

  it.each<[object, string[]]>([
    [{}, ["a", "b", "c"]],
    [{ types: ["c", "a"] }, ["c", "a"]],
    [{ types: ["b", "@One"] }, ["b", "a", "c"]],
    [{ types: ["@Two", "gone"] }, ["b"]],
    [{ types: ["@Two", "*"] }, ["b", "a", "c"]],
    [{ types: ["*", "a"] }, ["b", "c", "a"]],
  ])("%j takes %j", (more, names) => expect(blockNames(link(field(more))[0]!)).toEqual(names));

  it("are the same list where there are no blocks, and at the next call", () => {
    const plain: Definitions = [{ name: "x", label: "X" }];
    const some = field({});
    expect([link(plain), link(some)]).toEqual([plain, link(some)]);
    expect(link(plain)).toBe(plain);
    expect(link(some)).toBe(link(some));
    expect([hasBlocks(plain), hasBlocks([{ name: "g", label: "G", kind: "group", children: some }])]).toEqual([
      false,
      true,
    ]);
  });

  it("reach references at any depth, by their path", () => {
    const linked = link(field({}));
    const data: JsonObject = {
      s: [
        {
          type: "b",
          in: [
            { type: "b", in: [{ type: "c", to: 5 }] },
            { type: "gone", to: 6 },
          ],
        },
      ],
    };
    expect([...referencesIn(linked, data)]).toEqual([
      expect.objectContaining({ id: 5, path: ["s", "0", "in", "0", "in", "0", "to"] }),
    ]);
    expect(childrenOf(linked[0]!, { type: "c" }).map(({ name }) => name)).toEqual(["type", "id", "hidden", "to"]);
  });
});
