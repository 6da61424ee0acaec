import { describe, expect, it } from "vitest";
import { CHECK_RULES, ignoredRules } from "../../../src/model/text/check-rules.ts";
import { atLevel } from "../../../src/model/text/problem.ts";

const FILE = [
  "# cms-ignore: untranslated",
  "id: 3",
  "translations: # cms-ignore: permalink",
  "  # The host makes this page.",
  "  # cms-ignore: dead-link, unknown-key",
  "  en:",
  "    title: cms-ignore: nothing",
  "  it: {}",
];

describe("ignoredRules", () => {
  // oxfmt-ignore
  it.each<[string, number | undefined, string[]]>([
    // case                                     line       rules
    ["the whole file",                          undefined, ["untranslated"]],
    ["a comment at the end of the line",        3,         ["permalink", "untranslated"]],
    ["comments above the line",                 6,         ["dead-link", "unknown-key", "untranslated"]],
    ["a line further",                          8,         ["untranslated"]],
    ["a line that the file does not have",      80,        ["untranslated"]],
  ])("%s", (_case, line, rules) => {
    expect([...ignoredRules(FILE, line)].sort()).toEqual(rules);
  });

  it("reads comments of HTML, behind the beginning of front matter", () => {
    expect(
      [
        ...ignoredRules(
          ["---", "# cms-ignore: draft", "title: A", "---", "<!-- cms-ignore: dead-link -->", "[a](/a)"],
          6,
        ),
      ].sort(),
    ).toEqual(["dead-link", "draft"]);
  });
});

describe("atLevel", () => {
  const problem = { path: "content/pages/a.yaml", line: 8, message: "It is wrong." };
  it("takes the level of the settings, and leaves out what is off or ignored", () => {
    expect(atLevel({ ...problem, rule: "dead-link" }, {}, FILE)?.severity).toBe("error");
    expect(atLevel({ ...problem, rule: "dead-link" }, { "dead-link": "warning" }, FILE)?.severity).toBe("warning");
    expect(atLevel({ ...problem, rule: "dead-link" }, { "dead-link": "off" }, FILE)).toBeUndefined();
    expect(atLevel({ ...problem, rule: "untranslated" }, { untranslated: "error" }, FILE)).toBeUndefined();
  });

  it("keeps what the program could not read", () => {
    for (const rule of ["invalid-file", "merge-conflict", "stale-lock"] as const)
      expect(atLevel({ ...problem, rule }, { [rule]: "off" }, [`# cms-ignore: ${rule}`, "id: 1"])).toEqual({
        ...problem,
        rule,
      });
    expect(atLevel(problem, {}, ["# cms-ignore: invalid-file"])).toEqual(problem);
  });
});

it("says of each rule what holds, in a sentence", () => {
  for (const text of Object.values(CHECK_RULES)) expect(text).toMatch(/^[A-Z].*\.$/);
});
