import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/model/input/json.ts";
import { settleId, settlePermalink, type Claimant } from "../../../src/model/merge/contested.ts";

const page = (day: string | null, more: JsonObject = {}): JsonObject => ({
  id: 5,
  ...(day && { date_created: `${day}T00:00:00.000Z` }),
  translations: { en: { permalink: "/news" } },
  ...more,
});
const claimant = (path: string, side: Claimant["side"], data: JsonObject): Claimant => ({ path, side, data });

describe("settleId", () => {
  // oxfmt-ignore
  it.each<[string, ours: string | null, theirs: string | null, changed: string]>([
    // case                        ours          theirs        gets a new id
    ["the older keeps it",         "2026-01-01", "2026-01-02", "theirs"],
    ["the older keeps it",         "2026-01-02", "2026-01-01", "ours"],
    ["of one age: the remote's",   "2026-01-01", "2026-01-01", "ours"],
    ["no date counts as newest",   null,         "2026-01-02", "ours"],
    ["no date counts as newest",   "2026-01-01", null,         "theirs"],
  ])("%s (%s, %s)", (_case, ours, theirs, changed) => {
    const claimants = [claimant("ours", "ours", page(ours)), claimant("theirs", "theirs", page(theirs))];
    for (const each of [claimants, claimants.toReversed()]) {
      const data = claimants.find(({ path }) => path === changed)?.data;
      expect([...settleId(each, () => 77)]).toEqual([[changed, { ...data, id: 77 }]]);
    }
  });

  it("gives each of the others an id of its own", () => {
    let last = 100;
    const claimants = ["2026-01-03", "2026-01-01", "2026-01-02"].map((day) => claimant(day, "ours", page(day)));
    const ids = [...settleId(claimants, () => ++last)].map(([path, { id }]) => [path, id]);
    expect(ids).toEqual([
      ["2026-01-02", 101],
      ["2026-01-03", 102],
    ]);
  });

  it("reads the moment of any kind of record", () => {
    const claimants = [
      claimant("a", "theirs", { id: 5, created_at: "2026-01-02T00:00:00.000Z" }),
      claimant("b", "ours", { id: 5, created: "2026-01-01T00:00:00.000Z" }),
    ];
    expect([...settleId(claimants, () => 77).keys()]).toEqual(["a"]);
  });
});

describe("settlePermalink", () => {
  const taken =
    (...permalinks: string[]) =>
    (permalink: string): boolean =>
      permalinks.includes(permalink);

  it("gives the younger page the first free number", () => {
    const claimants = [
      claimant("a", "ours", page("2026-01-02", { ordering: 3 })),
      claimant("b", "theirs", page("2026-01-01")),
    ];
    const settled = settlePermalink(claimants, "en", taken("/news", "/news-2"));
    expect([...settled]).toEqual([
      ["a", page("2026-01-02", { ordering: 3, translations: { en: { permalink: "/news-3" } } })],
    ]);
  });

  it("gives no permalink twice", () => {
    const claimants = ["2026-01-01", "2026-01-02", "2026-01-03"].map((day) => claimant(day, "ours", page(day)));
    const settled = [...settlePermalink(claimants, "en", taken("/news")).values()];
    expect(settled.map(({ translations }) => translations)).toEqual([
      { en: { permalink: "/news-2" } },
      { en: { permalink: "/news-3" } },
    ]);
  });

  it("numbers the canonical form of a permalink", () => {
    const page = { translations: { en: { permalink: "/News/Today/" } } };
    const claimants = [claimant("a", "ours", page), claimant("b", "theirs", page)];
    expect([...settlePermalink(claimants, "en", () => false)]).toEqual([
      ["a", { translations: { en: { permalink: "/news/today-2" } } }],
    ]);
  });

  it("changes no page without a permalink in the language", () => {
    const claimants = [claimant("a", "ours", page("2026-01-02")), claimant("b", "theirs", page("2026-01-01"))];
    expect(settlePermalink(claimants, "it", taken("/news")).size).toBe(0);
  });
});
