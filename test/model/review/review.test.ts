import { describe, expect, it } from "vitest";
import { UNDATED, type Instant } from "../../../src/model/time/instant.ts";
import { approvalOf, digestOf, isAsked, type Review, type ReviewItem } from "../../../src/model/review/review.ts";

const ITEM: ReviewItem = { page: 12, language: "it", action: "publish", hash: "h1", authors: ["anna@example.org"] };
const OTHER: ReviewItem = { ...ITEM, page: 13, hash: "h2" };

/** Decisions as `who verdict`, on the items, or on others where `!` follows. */
function review(items: readonly ReviewItem[], ...decisions: readonly string[]): Review {
  return {
    ...{ id: 1, name: "r", title: "R", by: "anna", proposer: "Anna", at: UNDATED, release: null, asked: [], items },
    decisions: decisions.map((each, at) => {
      const [who = "", verdict = "approve"] = each.replace("!", "").split(" ");
      return {
        ...{ id: at + 1, username: who, name: who, email: `${who}@example.org`, comment: "" },
        at: `2026-03-01T00:00:0${at}.000Z` as Instant,
        verdict: verdict as "approve" | "changes",
        hash: each.endsWith("!") ? "another" : digestOf(items),
      };
    }),
  };
}

const people = (...reviews: readonly Review[]) => approvalOf(reviews, ITEM).map(({ username }) => username);

describe("approvalOf", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["nobody", [], []],
    ["one", ["edith approve"], ["edith"]],
    ["two", ["edith approve", "olga approve"], ["edith", "olga"]],
    ["one twice", ["edith approve", "Edith approve"], ["Edith"]],
    ["the author", ["anna approve"], []],
    ["one who thought better of it", ["edith approve", "edith changes"], []],
    ["one who was satisfied", ["edith changes", "edith approve"], ["edith"]],
    ["one for other drafts", ["edith approve!"], []],
    ["one for other drafts, who asks for changes of these", ["edith approve!", "edith changes"], []],
  ])("%s", (_who, decisions, approved) => {
    expect(people(review([ITEM], ...decisions))).toEqual(approved);
  });

  it("is void once the draft, or anything else of the review, has another hash", () => {
    const approved = review([ITEM, OTHER], "edith approve");
    expect(people(approved)).toEqual(["edith"]);
    expect(approvalOf([approved], { ...ITEM, hash: "h3" })).toEqual([]);
    expect(people({ ...approved, items: [ITEM, { ...OTHER, hash: "h3" }] })).toEqual([]);
    expect(people({ ...approved, items: [ITEM] })).toEqual([]);
    expect(people({ ...approved, items: [OTHER, ITEM] })).toEqual(["edith"]);
  });

  it("counts over several reviews, each person once", () => {
    expect(people(review([ITEM], "edith approve"), review([ITEM, OTHER], "edith approve", "olga approve"))).toEqual([
      "edith",
      "olga",
    ]);
  });

  it("counts no one whose address is not known", () => {
    const [decision] = review([ITEM], "edith approve").decisions;
    expect(people({ ...review([ITEM]), decisions: [{ ...decision!, email: "" }] })).toEqual([]);
  });
});

describe("isAsked", () => {
  it.each([
    [[], true],
    [["edith"], true],
    [["Edith", "olga"], true],
    [["olga"], false],
    [["role:editor"], true],
    [["role:author"], false],
  ])("%j: %s", (asked, expected) => {
    expect(isAsked({ ...review([ITEM]), asked }, "edith", ["editor"])).toBe(expected);
  });
});
