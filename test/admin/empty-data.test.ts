/** Where a field that is new in its data comes. */
import { expect, it } from "vitest";
import { withField } from "../../src/admin/fields/empty-data.ts";

const definitions = ["title", "body", "link"].map((name) => ({ name, label: name }));

it.each([
  [{}, "body", ["body"]],
  [{ type: "text", id: "a", body: "b" }, "title", ["type", "id", "title", "body"]],
  [{ type: "text", id: "a", title: "b" }, "link", ["type", "id", "title", "link"]],
  [{ title: "a", link: "b" }, "body", ["title", "body", "link"]],
  [{ link: "b", title: "a" }, "title", ["link", "title"]],
  [{ link: "b" }, "undeclared", ["link", "undeclared"]],
])("the fields of %j with %s are %j", (data, name, names) =>
  expect(Object.entries(withField(definitions, data, name, "new"))).toEqual(
    names.map((each) => [each, each === name ? "new" : data[each as keyof typeof data]]),
  ),
);
