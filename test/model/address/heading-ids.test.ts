import { describe, expect, it } from "vitest";
import { headingIds } from "../../../src/model/address/heading-ids.ts";

describe("headingIds", () => {
  // oxfmt-ignore
  it.each<[string[], string[]]>([
    [["Opening hours"],                    ["opening-hours"]],
    [["Öffnungszeiten & Preise"],          ["öffnungszeiten-preise"]],
    [["営業時間"],                          ["営業時間"]],
    [["A", "a", "A!"],                     ["a", "a-2", "a-3"]],
    [["A", "A-2", "A"],                    ["a", "a-2", "a-3"]],
    [["A", "A", "A-2"],                    ["a", "a-2", "a-2-2"]],
    [["A-3", "A", "A", "A"],               ["a-3", "a", "a-2", "a-4"]],
    [["!", "", "?"],                       ["", "", ""]],
    [["__proto__", "constructor"],         ["proto", "constructor"]],
    [['"><script>x</script>', "a\tb\nc"],  ["scriptxscript", "a-b-c"]],
  ])("%j", (headings, ids) => expect(headingIds(headings)).toEqual(ids));

  it("gives each of thousands of equal headings an id of its own", () => {
    const ids = headingIds(Array.from({ length: 20_000 }, () => "Recipe"));
    expect([new Set(ids).size, ids.at(-1)]).toEqual([20_000, "recipe-20000"]);
  });
});
