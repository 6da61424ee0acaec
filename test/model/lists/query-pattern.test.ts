import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CmsError } from "../../../src/errors.ts";
import { compilePattern, newBudget } from "../../../src/model/query/pattern.ts";

const matches = (pattern: string, text: string, ignoreCase = false): boolean =>
  compilePattern(pattern, ignoreCase, newBudget())(text);

describe("a pattern", () => {
  // oxfmt-ignore
  it.each([
    // pattern          finds                      not
    ["sea",             ["sea", "the sea", "seas"], ["", "se", "SEA"]],
    ["",                ["", "a"],                 []],
    ["^sea",            ["sea", "seas"],           ["the sea"]],
    ["sea$",            ["sea", "the sea"],        ["seas"]],
    ["^$",              [""],                      ["a"]],
    ["^a|b$",           ["ax", "xb"],              ["xax"]],
    ["a.c",             ["abc", "a🌊c"],            ["ac", "a\nc"]],
    ["^ab?c*d+$",       ["ad", "abd", "abccdd"],   ["abc", "abbd"]],
    ["^a{2}$",          ["aa"],                    ["a", "aaa"]],
    ["^a{2,}$",         ["aa", "aaaa"],            ["a"]],
    ["^a{1,3}$",        ["a", "aaa"],              ["", "aaaa"]],
    ["^a{0,1}$",        ["", "a"],                 ["aa"]],
    ["^a+?b*?$",        ["a", "aab"],              ["b"]],
    ["^(ab|cd)+$",      ["ab", "abcd"],            ["abc"]],
    ["^(?:ab)*$",       ["", "abab"],              ["aba"]],
    ["^(a||b)*c$",      ["c", "abbac"],            ["abd"]],
    ["^[a-c_]+$",       ["abc_"],                  ["abd"]],
    ["^[^a-c]+$",       ["xyz"],                   ["xaz"]],
    ["^[]a]+$",         ["]a"],                    ["b"]],
    ["^[a-]+$",         ["a-"],                    ["b"]],
    ["^[\\d\\-x]+$",    ["1-x"],                   ["y"]],
    ["^\\d{4}-\\d\\d$", ["2026-03"],               ["2026-3"]],
    ["^\\w+\\s\\W$",    ["città !"],               ["città a"]],
    ["^\\S\\D$",        ["ab"],                    ["a1", " b"]],
    ["\\.html$",        ["a.html"],                ["ahtml"]],
    ["^\\x41\\u0042\\t$", ["AB\t"],                ["AB"]],
    ["^[à-ü]+$",        ["èé"],                    ["e"]],
  ])("%s", (pattern, finds, not) => {
    expect([pattern, finds.filter((text) => !matches(pattern, text))]).toEqual([pattern, []]);
    expect([pattern, not.filter((text) => matches(pattern, text))]).toEqual([pattern, []]);
  });

  // oxfmt-ignore
  it.each([
    // pattern    finds             not
    ["sea",       ["SEA", "Sea"],   ["se"]],
    ["^[a-c]+$",  ["ABC"],          ["ABD"]],
    ["^[^a-c]+$", ["XYZ"],          ["XBZ", "xbz"]],
    ["^CITTÀ$",   ["città"],        ["citta"]],
    ["^\\x41$",   ["a"],            ["b"]],
  ])("%s, ignoring case", (pattern, finds, not) => {
    expect(finds.filter((text) => !matches(pattern, text, true))).toEqual([]);
    expect(not.filter((text) => matches(pattern, text, true))).toEqual([]);
  });

  it.each([
    "(",
    ")",
    "(a",
    "a)",
    "[",
    "[a",
    "*a",
    "a**",
    "a++",
    "a{2}{3}",
    "{2}",
    "a{",
    "a{x}",
    "a{3,2}",
    "a{201}",
    "^*",
    "$+",
    "\\",
    "[b-a]",
    "(a)\\1",
    "\\bword",
    "\\p{L}",
    "(?=a)",
    "(?!a)",
    "(?<=a)",
    "(?<n>a)",
    "(?P<n>a)",
    "(?i)a",
    "\\x4",
    "\\u12",
    "[\\d-z]",
    "a".repeat(301),
    "((a{100}){100})",
    "((((){200}){200}){200})",
  ])("refuses %s", (pattern) => {
    expect(() => compilePattern(pattern, false, newBudget())).toThrow(/^The regular expression /);
  });

  it("matches what the built-in engine matches", () => {
    const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "(?:)", "(?:a|b)", "(?:ab|)");
    const repeated = fc
      .tuple(atom, fc.constantFrom("", "", "?", "*", "+", "{2}", "{1,2}", "{0,}"))
      .map((parts) => parts.join(""));
    const sequence = fc.array(repeated, { maxLength: 5 }).map((parts) => parts.join(""));
    const group = fc
      .tuple(sequence, sequence, fc.constantFrom("", "*", "+", "?"))
      .map(([a, b, times]) => `(${a}|${b})${times}`);
    const pattern = fc
      .tuple(fc.constantFrom("", "^"), fc.oneof(sequence, group), sequence, fc.constantFrom("", "$"))
      .map((parts) => parts.join(""));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "\n", "é"), maxLength: 8 });
    fc.assert(
      fc.property(pattern, fc.array(text, { maxLength: 4 }), (source, texts) => {
        const test = compilePattern(source, false, newBudget());
        // Letters of every script count as \w here.
        const platform = new RegExp(source.replaceAll("\\w", "[\\p{L}\\p{N}_]"), "u");
        expect(texts.map(test)).toEqual(texts.map((each) => platform.test(each)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a pattern that is exponential in a backtracking engine", () => {
  it.each([
    ["(a+)+$", "a".repeat(100_000) + "!"],
    ["^(a|aa)+$", "a".repeat(100_000) + "!"],
    ["^(a*)*b$", "a".repeat(100_000)],
    ["(.*)(.*)(.*)(.*)(.*)x$", "a".repeat(100_000)],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(100_000)],
    ["^(a?){200}a{200}$", "a".repeat(200)],
    [`${"a?".repeat(100)}${"a".repeat(100)}`, "a".repeat(99)],
    ["(\\w+\\s?)+$", "word ".repeat(20_000) + "!"],
  ])("%s uses less than half of the budget", (pattern, text) => {
    const budget = newBudget();
    const units = budget.left;
    compilePattern(pattern, false, budget)(text);
    expect(budget.left).toBeGreaterThan(units / 2);
  });

  it.each([
    // Each character of a long text leads to a new DFA state, so that the cache does not help.
    ["(a|b)*a(a|b){190}$", false],
    ["(a|b)*a(a|b){190}c", true],
    ["([ab]{1,50}a){1,9}x", true],
  ])("%s stops when the budget is used up", (pattern, ignoreCase) => {
    let seed = 7;
    const letters = Array.from({ length: 500_000 }, () =>
      (seed = (seed * 48_271) % 2_147_483_647) % 2 ? "a" : "b",
    ).join("");
    const test = compilePattern(pattern, ignoreCase, newBudget());
    const run = (): void => {
      for (let n = 0; n < 200; n++) test(letters);
    };
    expect(run).toThrow(CmsError);
  });
});
