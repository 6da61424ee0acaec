/** Block types in TypeScript: what they declare is what the API serves. */
import { expect, expectTypeOf, it } from "vitest";
import { defineBlock, type BlockOf } from "../src/index.ts";
import { SERVICE } from "../src/actions/context.ts";
import { memorySite } from "./site.ts";

const rates = defineBlock(
  {
    name: "rates",
    icon: "table",
    schema: [
      { name: "title", required: true },
      { name: "note", kind: "text" },
      { name: "look", kind: "select", required: true, choices: [{ value: "wide" }, { value: "narrow" }] },
      { name: "days", kind: "select", multiple: true, choices: [{ value: "sat" }, { value: "sun" }] },
      {
        name: "rows",
        kind: "list",
        children: [
          { name: "what", required: true },
          { name: "price", kind: "number" },
        ],
      },
      { name: "slogan", translated: true, required: true },
      { name: "picture", kind: "media" },
      { name: "secret", required: true, show_if: { look: "wide" } },
    ],
  },
  (block) => {
    // @ts-expect-error there is no such field
    expect(block.rowz).toBeUndefined();
    const rows = (block.rows ?? []).map(({ what, price }) => `${what.toUpperCase()} ${price?.toFixed(2) ?? "-"}`);
    return [block.type, block.title, block.look, ...rows].join("|");
  },
);

it("a block has the values that its type declares", () => {
  type Rates = BlockOf<typeof rates.type>;
  expectTypeOf<Rates["type"]>().toEqualTypeOf<"rates">();
  expectTypeOf<Rates["title"]>().toEqualTypeOf<string>();
  expectTypeOf<Rates["note"]>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<Rates["look"]>().toEqualTypeOf<"wide" | "narrow">();
  expectTypeOf<Rates["days"]>().toEqualTypeOf<readonly ("sat" | "sun")[] | null | undefined>();
  expectTypeOf<Rates["slogan"]>().toEqualTypeOf<{ readonly [lang: string]: string | null }>();
  expectTypeOf<Rates["secret"]>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<ReturnType<typeof rates.render>>().toEqualTypeOf<string>();
  // @ts-expect-error there is no kind of this name
  const wrong = defineBlock({ name: "x", schema: [{ name: "a", kind: "txt" }] }, () => "");
  expect(wrong.type.name).toBe("x");
});

it("its type is taken as it is, and its function shows what the API serves", async () => {
  const site = await memorySite({
    "content/page-models/landing.yaml": "schema:\n  - { name: sections, kind: blocks }\n",
  });
  expect(await site.cms.blockTypes.create(rates.type, { by: SERVICE })).toMatchObject({
    name: "rates",
    label: "Rates",
  });
  const rows = [{ what: "Room", price: 80 }, { what: "Boat" }];
  const sections = [{ type: "rates", title: "Rates", look: "narrow", slogan: { en: "Low" }, rows }];
  const page = await site.api("POST", "pages/", { model: "landing", title: "T", template_data: { sections } });
  const shown = page.template_data.sections as readonly BlockOf<typeof rates.type>[];
  expect(shown.map((block) => rates.render(block))).toEqual(["rates|Rates|narrow|ROOM 80.00|BOAT -"]);
});
