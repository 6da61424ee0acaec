/** The condition of a field, as rows of the form that sets it. */
import { expect, it } from "vitest";
import { conditionOf, conditionRows } from "../../src/admin/meta/conditions.ts";

it.each([
  [null, []],
  [{ online: true }, [{ field: "online", values: "true" }]],
  [
    { place: ["here", "there"], size: 3 },
    [
      { field: "place", values: "here, there" },
      { field: "size", values: "3" },
    ],
  ],
])("%j is shown as rows", (condition, rows) => {
  expect(conditionRows(condition)).toEqual(rows);
});

it.each([
  [[], null],
  [[{ field: "online" }], null],
  [[{ field: "online", values: " , " }], null],
  [[{ field: "online", values: "true" }], { online: "true" }],
  [[{ field: "place", values: "here,there ," }], { place: ["here", "there"] }],
])("rows %j are sent", (rows, condition) => {
  expect(conditionOf(rows)).toEqual(condition);
});
