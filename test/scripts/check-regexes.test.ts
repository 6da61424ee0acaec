/** The check that CI makes of every regular expression in src. */
import { describe, expect, it } from "vitest";
// @ts-expect-error: a script, which has no types
import { complaintAbout, regexesIn } from "../../scripts/check-regexes.mjs";

const judge = (code: string): (string | undefined)[] => regexesIn("a.ts", code).map(complaintAbout);

describe("check-regexes", () => {
  // oxfmt-ignore
  it.each([
    ["a literal",                   "const a = /\\/+$/;"],
    ["one inside a call",           "text.replace(/^[-_]+|[-_]+$/g, '')"],
    ["a nested quantifier",         "const a: RegExp = /^(<!--[^]*?-->\\s*)*<svg/i;"],
    ["one built from a text",       "new RegExp('\\\\s+$', 'u')"],
    ["from texts known before",     "const A = 'x|y'; const B = /\\s+$/; RegExp(`(?:${A})${B.source}`)"],
    ["one known only later",        "const f = (part: string) => new RegExp(`^${part}$`);"],
    ["with flags known only later", "const f = (flags: string) => new RegExp('a', flags);"],
    ["a proof of another one",      "// linear: it is short\nconst a = 1;\nconst b = /\\/+$/;"],
  ])("refuses %s", (_what, code) => {
    expect(judge(code).filter(Boolean)).toHaveLength(1);
  });

  // oxfmt-ignore
  it.each([
    ["what is anchored",      "const a = /^[a-z]+$/;"],
    ["no pattern",            "const a = 'x'; // no /pattern+/ here\nconst b = 4 / 2 / 1;"],
    ["a proof beside it",     "// linear: the text is a digit\nconst a = /\\/+$/;"],
    ["from texts known before", "const A = 'x|y'; new RegExp(`^(?:${A})$`, 'u')"],
  ])("lets %s pass", (_what, code) => {
    expect(judge(code).filter(Boolean)).toEqual([]);
  });

  it("tells the line, and a text that shows it", () => {
    expect(regexesIn("a.ts", "\n\nconst a = /\\/+$/;")).toEqual([{ line: 3, source: "\\/+$", flags: "" }]);
    expect(judge("/\\/+$/.test(a)")[0]).toMatch(/polynomial on '\/'\.repeat\(\d+\)/);
  });
});
