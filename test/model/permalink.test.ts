import { describe, expect, it } from "vitest";
import { asciiSlugify, generatePermalink, PERMALINK_MAX, sanitizePermalink, slugify, slugOf, type PermalinkWish } from "../../src/model/permalink.ts";

const UUID = "00000000-0000-4000-8000-000000000001";
const OTHER_UUID = "11111111-1111-4111-8111-111111111111";

function generate(wish: Partial<PermalinkWish>, takenOnes: readonly string[] = []): string {
  return generatePermalink({ title: "", parent: null, current: null, taken: (one) => takenOnes.includes(one), uuid: () => UUID, ...wish });
}

describe("slugify (contract.md 6.5)", () => {
  it.each([
    ["Hello, World!",       "hello-world"],
    ["Crème brûlée",        "crème-brûlée"],
    ["日本語 タイトル",       "日本語-タイトル"],
    ["a_b-c  d",            "a_b-c-d"],
    ["Ⅷ ﬁ",                 "viii-fi"],
    ["x²",                  "x2"],
    ["İstanbul",            "istanbul"],
    ["a/b",                 "ab"],
    ["a.b.c",               "abc"],
    ["50% off & more",      "50-off-more"],
    ["naïve – dash",        "naïve-dash"],
    ["!!!",                 ""],
    ["",                    ""],
    ["  - _ -  ",           ""],
    ["_private_",           "private"],
    ["--a--b--",            "a-b"],
    ["a\tb\nc",             "a-b-c"],
    ["a\u00a0b\u3000c",     "a-b-c"],
    ["e\u0301t\u00e9",      "été"], // composed before marks are deleted
    ["नमस्ते",               "नमसत"], // combining marks that do not compose are deleted
    ["👋 wave",             "wave"],
    ["a\u200bb\ufeffc",     "abc"],
    ["../../etc/passwd",    "etcpasswd"],
    ["__proto__",           "proto"],
    ["ПРИВЕТ",              "привет"],
  ])("%j is %j", (title, slug) => {
    expect(slugify(title)).toBe(slug);
    expect(slugify(slug)).toBe(slug);
  });
});

describe("asciiSlugify", () => {
  it.each([
    ["Crème brûlée", "creme-brulee"],
    ["日本語 x",      "x"],
    ["日本語",        ""],
  ])("%j is %j", (title, slug) => {
    expect(asciiSlugify(title)).toBe(slug);
  });
});

describe("sanitizePermalink", () => {
  it.each([
    ["/Über Straße/Ça va?/日本", "/über-straße/ça-va/日本"],
    ["a//b/",                    "/a/b"],
    ["",                         "/"],
    ["/",                        "/"],
    ["///",                      "/"],
    ["about",                    "/about"],
    ["/about/",                  "/about"],
    ["/a/../b/./c",              "/a/b/c"],
    ["https://example.com/x",    "/https/examplecom/x"],
    ["/a?b=c#d",                 "/abcd"],
    ["\\a\\b",                   "/ab"],
  ])("%j is %j", (text, permalink) => {
    expect(sanitizePermalink(text)).toBe(permalink);
    expect(sanitizePermalink(permalink)).toBe(permalink);
  });
});

describe("slugOf", () => {
  it.each([
    ["/about",      "about"],
    ["/about/team", "team"],
    ["/",           null],
    [null,          null],
  ])("%j is %j", (permalink, slug) => {
    expect(slugOf(permalink)).toBe(slug);
  });
});

describe("generatePermalink", () => {
  it.each<[string, Partial<PermalinkWish>, string[], string]>([
    // case                                 wish                                                          taken            permalink
    ["from the title",                      { title: "About us" },                                        [],              "/about-us"],
    ["below its parent",                    { title: "Team", parent: "/about" },                          [],              "/about/team"],
    ["below the home page",                 { title: "Team", parent: "/" },                               [],              "/team"],
    ["below a parent without a permalink",  { title: "Team", parent: null },                              [],              "/team"],
    ["a new title moves it",                { title: "New", current: "/old" },                            [],              "/new"],
    ["a taken one gives way to a UUID",     { title: "About" },                                           ["/about"],      `/${UUID}`],
    ["below a parent too",                  { title: "Team", parent: "/about" },                          ["/about/team"], `/about/${UUID}`],
    ["the UUID stays while it is taken",    { title: "About", current: `/${OTHER_UUID}` },                ["/about"],      `/${OTHER_UUID}`],
    ["and goes once it is free",            { title: "About", current: `/${OTHER_UUID}` },                [],              "/about"],
    ["a UUID below another parent goes",    { title: "Team", parent: "/b", current: `/a/${OTHER_UUID}` }, ["/b/team"],     `/b/${UUID}`],
    ["a UUID that is taken goes",           { title: "About", current: `/${OTHER_UUID}` },                ["/about", `/${OTHER_UUID}`], `/${UUID}`],
    ["a plain current one is no claim",     { title: "About", current: "/contact" },                      ["/about"],      `/${UUID}`],
    ["no title makes a UUID, never /",      { title: "" },                                                [],              `/${UUID}`],
    ["only punctuation too",                { title: "!!!" },                                             [],              `/${UUID}`],
    ["no title below a parent",             { title: "", parent: "/about" },                              [],              `/about/${UUID}`],
    ["without a title the UUID stays",      { title: "", current: `/${OTHER_UUID}` },                     [],              `/${OTHER_UUID}`],
  ])("%s", (_case, wish, taken, permalink) => {
    expect(generate(wish, taken)).toBe(permalink);
  });

  it.each([
    ["at a word",                   `${"word ".repeat(100)}`,       `/${"word-".repeat(80).slice(0, -1)}`],
    ["a word that just fits stays", `${"a".repeat(399)} b`,         `/${"a".repeat(399)}`],
    ["a single word is cut",        "b".repeat(500),                `/${"b".repeat(399)}`],
    ["never inside a character",    `a${"𝕏日".repeat(10)}${"𐐷".repeat(400)}`, undefined],
  ])("is shortened to 400 characters (decisions.md 25): %s", (_case, title, permalink) => {
    const generated = generate({ title });
    if (permalink !== undefined) expect(generated).toBe(permalink);
    expect(generated.length).toBeLessThanOrEqual(PERMALINK_MAX);
    expect(generated.isWellFormed()).toBe(true);
    expect(sanitizePermalink(generated)).toBe(generated);
  });

  it("gives a UUID where a deep parent leaves no room", () => {
    const parent = `/${"p".repeat(399)}`;
    expect(generate({ title: "Team", parent })).toBe(`${parent}/${UUID}`);
  });
});
