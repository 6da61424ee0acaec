/** Documents of old sites that are made to take long, or to end the import. */
import { describe, expect, it } from "vitest";
import { readFrontMatterData, splitFile } from "../../../src/import/markdown/front-matter.ts";
import { bodyOf } from "../../../src/import/markdown/body.ts";
import type { Document } from "../../../src/import/markdown/documents.ts";
import { destinationsIn, proseOf } from "../../../src/import/markdown/prose.ts";
import type { Targets } from "../../../src/import/markdown/targets.ts";

describe("a long text", () => {
  const COUNT = 200_000;

  it.each([
    ["links", "[x](y) ", COUNT],
    ["pictures", "![x](y) ", COUNT],
    ["addresses that are not closed", "](<", 0],
    ["code that is not closed", "]({{", 0],
    ["pictures that are not closed", "![](", 32],
    ["brackets", "[[", 0],
  ])("of %s takes linear time", (_what, piece, found) => {
    const text = piece.repeat(COUNT);
    expect(destinationsIn(text, proseOf(text))).toHaveLength(found);
  });

  it("of dead links and code takes linear time", () => {
    const body = "[x](y) {{ z }}\n".repeat(100_000);
    const document = { path: "a.md", body, bodyLine: 3 } as Document;
    const targets = { linkFrom: () => "missing" } as unknown as Targets;
    const lines: (number | undefined)[] = [];
    expect(
      bodyOf(
        document,
        targets,
        ({ line }) => lines.push(line),
        () => undefined,
      ),
    ).toBe(body);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([200_000, 3, 100_002]);
  });
});

it("finds the text of a picture, also within a link", () => {
  const text = "![a] [b](c) ![d](e) [![f](g)](h) [i](<j k>)";
  expect(destinationsIn(text, proseOf(text)).map(({ address, alt }) => [address, alt])).toEqual([
    ["c", undefined],
    ["e", "d"],
    ["g", "f"],
    ["h", undefined],
    ["j k", undefined],
  ]);
});

describe("front matter", () => {
  it.each([
    ["objects", '{"a":', "1", "}"],
    ["lists", "[", "1", "]"],
  ])("of %s within each other is refused, not followed", (_what, open, inner, close) => {
    const nested = (depth: number): string => open.repeat(depth) + inner + close.repeat(depth);
    expect(readFrontMatterData("json", nested(20_000), "a.json")).toEqual({
      error: { message: "It cannot be read: a.json: nests deeper than 100 levels", line: 1 },
    });
    expect(readFrontMatterData("json", nested(90), "a.json")).toHaveProperty("value");
  });

  it("has no number that JSON has not", () => {
    expect(splitFile("+++\na = inf\nb = [nan]\nc = 1.5\n+++\n", "a.md").data).toEqual({
      a: "Infinity",
      b: ["NaN"],
      c: 1.5,
    });
  });
});
