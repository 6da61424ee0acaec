/** Comments stay with their section, wherever it is moved. */
import { describe, expect, it } from "vitest";
import { lastingPath, presentPath } from "../../src/admin/review/section-paths.ts";

const [HERO, TEXT] = [
  { type: "hero", id: "b1", title: "Welcome", items: [{ name: "A" }] },
  { type: "text", id: "b2", title: null },
];
const of = (...sections: readonly object[]) => ({ title: "Home", template_data: { sections } }) as never;

describe("a path", () => {
  it.each([
    ["title", "title", "title"],
    ["template_data.sections.0.title", "template_data.sections.#b1.title", "template_data.sections.1.title"],
    ["template_data.sections.1.title", "template_data.sections.#b2.title", "template_data.sections.0.title"],
    [
      "template_data.sections.0.items.0.name",
      "template_data.sections.#b1.items.0.name",
      "template_data.sections.1.items.0.name",
    ],
    ["template_data.lead", "template_data.lead", "template_data.lead"],
  ])("%s lasts as %s, and is then %s", (path, lasting, moved) => {
    expect(lastingPath(of(HERO, TEXT), path)).toBe(lasting);
    expect(presentPath(of(TEXT, HERO), lasting)).toBe(moved);
  });

  it("is none once the section is gone", () => {
    expect(presentPath(of(TEXT), "template_data.sections.#b1.title")).toBeUndefined();
    expect(presentPath({ title: "Home", template_data: null }, "template_data.sections.#b1.title")).toBeUndefined();
  });
});
