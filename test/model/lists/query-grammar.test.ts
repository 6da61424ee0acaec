import { describe, expect, it } from "vitest";
import { parseFilter, type Expression } from "../../../src/model/query/grammar.ts";

/** The tree as text with all parentheses. */
const show = (expression: Expression | undefined): string => {
  if (!expression) return "";
  if (!("op" in expression)) return `${expression.path.join(".")}=${JSON.stringify(expression.value)}`;
  return `(${expression.items.map(show).join(` ${expression.op} `)})`;
};

describe("parseFilter parses", () => {
  // oxfmt-ignore
  it.each([
    // written                        understood
    ["",                              ""],
    ["  ",                            ""],
    ["a=1",                           'a="1"'],
    ["a__b__gte=1",                   'a.b.gte="1"'],
    ["a='two words'",                 'a="two words"'],
    ["a='word'",                      'a="word"'],
    ['a="word"',                      'a="word"'],
    ['a="two words"',                 'a="two words"'],
    ["a='x AND b' AND c=1",           '(a="x AND b" AND c="1")'],
    ['a="x AND (b" OR c=1',           '(a="x AND (b" OR c="1")'],
    ['(a="it\'s)" OR c=1)',           '(a="it\'s)" OR c="1")'],
    ["a='x\"'",                        'a="x\\""'],
    ["a=''",                          'a=""'],
    ["a='it(s) fine'",                'a="it(s) fine"'],
    ["a=(x+)+$",                      'a="(x+)+$"'],
    ["a=[1,2]",                       'a=["1","2"]'],
    ["a=[]",                          "a=[]"],
    ["a=['x','y']",                   `a=["'x'","'y'"]`], // quotes in a list are part of the values
    ["a='[x y,z]'",                   'a=["x y","z"]'],
    ["perché=sì",                     'perché="sì"'],
  ])("%s", (written, understood) => {
    expect(show(parseFilter(written))).toBe(understood);
  });

  // oxfmt-ignore
  it.each([
    // operators bind left to right
    ["a=1 AND b=2",                   '(a="1" AND b="2")'],
    ["a=1 AND b=2 AND c=3",           '(a="1" AND b="2" AND c="3")'],
    ["a=1 OR b=2 AND c=3",            '((a="1" OR b="2") AND c="3")'],
    ["a=1 AND b=2 OR c=3",            '((a="1" AND b="2") OR c="3")'],
    // parentheses
    ["(a=1)",                         'a="1"'],
    ["a=1 AND (b=2 OR c=3)",          '(a="1" AND (b="2" OR c="3"))'],
    ["(a=1 OR b=2)AND(c=3)",          '((a="1" OR b="2") AND c="3")'],
    ["((a=1 OR b=2) AND c=3) OR d=4", '(((a="1" OR b="2") AND c="3") OR d="4")'],
    ["(a=')' OR b=2)",                '(a=")" OR b="2")'],
    // side by side
    ["a=1 b=2",                       '(a="1" AND b="2")'],
    ["a=1 and b=2",                   '(a="1" AND b="2")'],
    ["a=1 b=2 OR c=3",                '(a="1" AND (b="2" OR c="3"))'],
    ["a=1 (b=2 OR c=3)",              '(a="1" AND (b="2" OR c="3"))'],
    // names that begin with an operator
    ["ORDER=1 AND ANDY=2",            '(ORDER="1" AND ANDY="2")'],
  ])("%s", (written, understood) => {
    expect(show(parseFilter(written))).toBe(understood);
  });
});

describe("parseFilter refuses", () => {
  // oxfmt-ignore
  it.each([
    // written                why
    ["a",                     "Not a condition: a"],
    ["a=",                    "Not a condition: a="],
    ["=1",                    "Not a condition: =1"],
    ["a = 1",                 "Not a condition: a = 1"],
    ["a!=1",                  "Not a condition: a!=1"],
    ["NOT a=1",               "Not a condition: NOT a=1"], // it would mean a=1
    ["a=1 or b=2",            "Not a condition: or b=2"], // it would mean AND
    ["a=[1, 2]",              "Not a condition: 2]"],
    ["a=b=c",                 "A value cannot hold another =."],
    ["(a=1",                  "A parenthesis is not closed."],
    ["((a=1)",                "A parenthesis is not closed."],
    ["()",                    "There is no condition in the parentheses."],
    ["AND a=1",               "There is no condition before AND."],
    ["a=1 AND OR b=2",        "There is no condition before OR."],
    ["a=1 OR",                "There is no condition after OR."],
  ])("%s", (written, why) => {
    expect(() => parseFilter(written)).toThrow(why);
  });

  it("too many conditions or levels", () => {
    expect(() => parseFilter("(".repeat(10_000) + "a=1" + ")".repeat(10_000))).toThrow("Too many parentheses");
    expect(() => parseFilter("a=1 ".repeat(201))).toThrow("More than 200 conditions.");
    expect(() => parseFilter("a=1 ".repeat(200))).not.toThrow();
  });
});
