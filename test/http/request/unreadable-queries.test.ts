/** Filters that cannot be read are refused with their reason by every list. */
import { expect, it } from "vitest";
import { memorySite } from "../../site.ts";

const LISTS = [
  "pages/",
  "articles/",
  "tags/",
  "contents/",
  "menus/",
  "media/",
  "media-folders/",
  "meta-types/",
  "meta-instances/",
  "users/",
];

it.each(LISTS)("%s", async (list) => {
  const { ask } = await memorySite();
  const answerTo = async (filter: string) => {
    const { status, body } = await ask("GET", `api:${list}?fltr=${encodeURIComponent(filter)}`, { as: "superuser" });
    return [filter, status, body];
  };
  for (const [filter, reason] of [
    ["id", "Not a condition: id"],
    ["(id=1", "A parenthesis is not closed."],
    ["id=1=2", "A value cannot hold another =."],
    ["id__near=1", 'There is no lookup "near" on this field.'],
    ["id=one", '"one" is not an integer.'],
  ] as const)
    expect(await answerTo(filter)).toEqual([filter, 400, { fltr: [reason] }]);
  expect(await answerTo("id=1")).toEqual(["id=1", 200, expect.anything()]);
});
