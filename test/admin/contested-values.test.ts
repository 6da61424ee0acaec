import { describe, expect, it } from "vitest";
import type { Values } from "../../src/admin/json.ts";
import { contestedValues, mergedValues, pathKey } from "../../src/admin/merging/contested-values.ts";

const base = { title: "Fog", description: null, template_data: { lead: "Old", body: "Text", tags: [1, 2] } };

describe("two versions of a page", () => {
  it.each<[string, Values, Values, string[], Values]>([
    [
      "another field",
      { title: "Mine" },
      { ...base, description: "Theirs" },
      [],
      { title: "Mine", description: "Theirs" },
    ],
    ["the same field", { title: "Mine" }, { ...base, title: "Theirs" }, ["title"], { title: "Mine" }],
    ["the same field to the same", { title: "Both" }, { ...base, title: "Both" }, [], { title: "Both" }],
    [
      "another key of the data",
      { template_data: { ...base.template_data, lead: "Mine" } },
      { ...base, template_data: { ...base.template_data, body: "Theirs" } },
      [],
      { template_data: { lead: "Mine", body: "Theirs", tags: [1, 2] } },
    ],
    [
      "the same key of the data",
      { template_data: { ...base.template_data, lead: "Mine" } },
      { ...base, template_data: { ...base.template_data, lead: "Theirs", body: "Theirs" } },
      ["template_data.lead"],
      { template_data: { lead: "Mine", body: "Theirs", tags: [1, 2] } },
    ],
    [
      "the same list",
      { template_data: { ...base.template_data, tags: [1] } },
      { ...base, template_data: { ...base.template_data, tags: [2] } },
      ["template_data.tags"],
      { template_data: { lead: "Old", body: "Text", tags: [1] } },
    ],
    [
      "a key that I removed",
      { template_data: { body: "Text", tags: [1, 2] } },
      { ...base, template_data: { ...base.template_data, body: "Theirs" } },
      [],
      { template_data: { body: "Theirs", tags: [1, 2] } },
    ],
  ])("that changed %s", (_, mine, theirs, paths, kept) => {
    expect(contestedValues(base, mine, theirs).map(({ path }) => pathKey(path))).toEqual(paths);
    expect(mergedValues(base, mine, theirs, () => false)).toEqual({ ...theirs, ...kept });
    if (paths.length > 0)
      expect(
        contestedValues(
          base,
          mergedValues(base, mine, theirs, () => true),
          theirs,
        ),
      ).toEqual([]);
  });

  it("have every value contested that differs, where what both followed from is not known", () => {
    const mine = { title: "Mine", template_data: { ...base.template_data, lead: "Mine" } };
    expect(contestedValues(undefined, mine, base)).toEqual([
      { path: ["title"], mine: "Mine", theirs: "Fog" },
      { path: ["template_data", "lead"], mine: "Mine", theirs: "Old" },
    ]);
    expect(mergedValues(undefined, mine, base, (path) => path === "title")).toEqual({
      ...base,
      template_data: { ...base.template_data, lead: "Mine" },
    });
  });
});
