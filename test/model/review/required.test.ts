import { describe, expect, it } from "vitest";
import { reviewRules, type ReviewRule } from "../../../src/config/review-settings.ts";
import { approvalsRequired } from "../../../src/model/review/required.ts";

const rule = (values: Partial<ReviewRule>): ReviewRule => ({
  ...{ MODELS: null, BELOW: null, LANGUAGES: null, APPROVALS: 1 },
  ...values,
});
/** The page 7 below the page 3, which is at /journal. */
const PLACE = { model: "page", path: [7, 3], language: "it" };
const section = (below: string | number) => (below === "/journal" ? 3 : typeof below === "number" ? below : undefined);

describe("approvalsRequired", () => {
  // oxfmt-ignore
  it.each<[Partial<ReviewRule>[], number]>([
    [[],                                                    0],
    [[{}],                                                  1],
    [[{ LANGUAGES: ["it"] }],                               1],
    [[{ LANGUAGES: ["en"] }],                               0],
    [[{ MODELS: ["page"] }],                                1],
    [[{ MODELS: ["article"] }],                             0],
    [[{ BELOW: "/journal" }],                               1],
    [[{ BELOW: 7 }],                                        1],
    [[{ BELOW: 8 }],                                        0],
    [[{ BELOW: "/gone" }],                                  1],
    [[{ BELOW: "/journal", LANGUAGES: ["en"] }],            0],
    [[{}, { BELOW: "/journal", APPROVALS: 3 }, { APPROVALS: 2 }], 3],
  ])("%j needs %d", (rules, approvals) => {
    expect(approvalsRequired(rules.map(rule), PLACE, section)).toBe(approvals);
  });
});

describe("REVIEW.REQUIRED", () => {
  // oxfmt-ignore
  it.each([
    [[{}],                                                  [rule({})], []],
    [[{ BELOW: "/journal/", LANGUAGES: ["it"], APPROVALS: 2 }], [rule({ BELOW: "/journal", LANGUAGES: ["it"], APPROVALS: 2 })], []],
    [[{ MODELS: ["article"], BELOW: 12 }],                  [rule({ MODELS: ["article"], BELOW: 12 })], []],
    [[{ LANGUAGES: [] }],                                   undefined, ["0.LANGUAGES: at least one"]],
    [[{ BELOW: "journal" }],                                undefined, ["0.BELOW: the permalink of a page such as /journal, or its id"]],
    [[{ APPROVALS: 0 }],                                    undefined, ["0.APPROVALS: a whole number from 1 to 20"]],
    [[{ APROVALS: 2 }],                                     undefined, ["0.APROVALS: only MODELS, BELOW, LANGUAGES, APPROVALS"]],
    ["all",                                                 undefined, [": a list"]],
  ])("%j", (value, rules, problems) => {
    const found: string[] = [];
    const report = (path: string, _found: unknown, expected: string) => void found.push(`${path.replace(/^\./, "")}: ${expected}`);
    expect(reviewRules(value, "", report as never)).toEqual(rules);
    expect(found).toEqual(problems);
  });
});
