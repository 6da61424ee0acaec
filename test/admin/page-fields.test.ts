/** The fields of pages in the editor are those of the service. */
import { expect, it } from "vitest";
import { PAGE_FIELDS, SHARED, TEXTS } from "../../src/admin/pages/page-fields.ts";
import { PAGE_FIELD_ROWS, type PageFieldRow } from "../../src/model/page/page-field-table.ts";

/** What templates and programs have. */
const NOT_EDITED = ["meta"];
const ROWS: readonly PageFieldRow[] = PAGE_FIELD_ROWS.filter(({ name }) => !NOT_EDITED.includes(name));
const namesOf = (isWanted: (row: PageFieldRow) => boolean): string[] => ROWS.filter(isWanted).map(({ name }) => name);

it("has each of them, with one value or one for each language", () => {
  expect(Object.keys(PAGE_FIELDS).sort()).toEqual(namesOf(() => true).sort());
  expect([...TEXTS].sort()).toEqual(namesOf(({ translated, name }) => !!translated && name !== "published_at").sort());
  expect([...SHARED].sort()).toEqual(namesOf(({ translated }) => !translated).sort());
});

it("chooses records of the model that the service refers to, and sends no null where it takes none", () => {
  const targetOf: Readonly<Record<string, string>> = { ref: "reference", media: "reference", queryset: "references" };
  for (const { name, type, target, nullable } of ROWS) {
    const { kind = "string", target_model: model, isNeverNull } = PAGE_FIELDS[name]!;
    if (target) expect([name, targetOf[kind], kind === "media" ? "cms.Media" : model]).toEqual([name, type, target]);
    if (type === "text") expect([name, isNeverNull === true]).toEqual([name, !nullable]);
    if (type === "boolean") expect([name, kind]).toEqual([name, "boolean"]);
  }
});
