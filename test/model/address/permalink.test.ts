import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asciiSlugify, cutText, fileSlug, SEGMENT_BYTES_MAX, slugify } from "../../../src/model/address/slug.ts";
import {
  generatePermalink,
  PERMALINK_MAX,
  type PermalinkRequest,
} from "../../../src/model/address/generated-permalink.ts";
import { hasLongSegment, permalinkOf, sanitizePermalink, slugOf } from "../../../src/model/address/permalink.ts";

const UUID = "00000000-0000-4000-8000-000000000001";
const OTHER_UUID = "11111111-1111-4111-8111-111111111111";

function generate(wish: Partial<PermalinkRequest>, takenOnes: readonly string[] = []): string {
  return generatePermalink({
    title: "",
    parent: null,
    current: null,
    taken: (one) => takenOnes.includes(one),
    uuid: () => UUID,
    ...wish,
  });
}

describe("slugify", () => {
  // oxfmt-ignore
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

  it("makes of ASCII what it makes of it beside a character that it removes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 40 }), (title) => {
        expect(slugify(title)).toBe(slugify(`${title}§`));
      }),
    );
  });
});

describe("asciiSlugify", () => {
  // oxfmt-ignore
  it.each([
    ["Crème brûlée", "creme-brulee"],
    ["日本語 x",      "x"],
    ["日本語",        ""],
  ])("%j is %j", (title, slug) => {
    expect(asciiSlugify(title)).toBe(slug);
  });
});

describe("sanitizePermalink", () => {
  // oxfmt-ignore
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

  it("slugifies each part, also of a text that is canonical already", () => {
    const unit = fc.constantFrom("/", "/", "-", "_", "a", "b", "7", "A", " ", "\n", "é");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), fc.boolean(), (text, isRooted) => {
        const path = isRooted ? `/${text}` : text;
        // With a space at its end, no part is taken for a slug as it is.
        const parts = path.split("/").map((part) => slugify(`${part} `));
        expect(sanitizePermalink(path)).toBe(`/${parts.filter((part) => part !== "").join("/")}`);
      }),
      { numRuns: 1000 },
    );
  });

  it("uses the first 1,000 characters of a part", () => {
    expect(sanitizePermalink(`/${"a".repeat(1001)}/b`)).toBe(`/${"a".repeat(1000)}/b`);
  });
});

describe("permalinkOf", () => {
  it.each([
    ["/about///", "/about"],
    ["/about", "/about"],
    ["/", "/"],
    ["///", "/"],
    ["", "/"],
  ])("%j is %j", (path, permalink) => {
    expect(permalinkOf(path)).toBe(permalink);
  });
});

describe("hasLongSegment", () => {
  // oxfmt-ignore
  it.each([
    [`/${"a".repeat(200)}/b`,       false],
    [`/b/${"a".repeat(201)}`,       true],
    [`/${"\u0434".repeat(100)}`,    false],
    [`/${"\u0434".repeat(101)}/b`,  true],
  ])("%j: %s", (permalink, isLong) => {
    expect(hasLongSegment(permalink)).toBe(isLong);
  });
});

describe("fileSlug", () => {
  // oxfmt-ignore
  it.each([
    ["About us",                      80, "about-us"],
    ["one two",                       4,  "one"],
    ["\u65e5".repeat(100),            80, "\u65e5".repeat(66)], // a file name has 255 bytes, a draft's 20 more
    [`a${"\u{10437}".repeat(50)}`,    4,  "a\u{10437}"],
  ])("%j within %i is %j", (text, characters, slug) => {
    expect(fileSlug(text, characters)).toBe(slug);
  });
});

describe("slugOf", () => {
  // oxfmt-ignore
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
  // oxfmt-ignore
  it.each<[string, Partial<PermalinkRequest>, string[], string]>([
    // case                                 wish                                                          taken            permalink
    ["from the title",                      { title: "About us" },                                        [],              "/about-us"],
    ["below its parent",                    { title: "Team", parent: "/about" },                          [],              "/about/team"],
    ["below the home page",                 { title: "Team", parent: "/" },                               [],              "/team"],
    ["below a parent without a permalink",  { title: "Team", parent: null },                              [],              "/team"],
    ["a new title moves it",                { title: "New", current: "/old" },                            [],              "/new"],
    ["a taken one gets a number",           { title: "About" },                                           ["/about"],      "/about-2"],
    ["the next where that is taken",        { title: "About" },                                           ["/about", "/about-2", "/about-3"], "/about-4"],
    ["below a parent too",                  { title: "Team", parent: "/about" },                          ["/about/team"], "/about/team-2"],
    ["a number stays while it is taken",    { title: "About", current: "/about-7" },                      ["/about"],      "/about-7"],
    ["and goes once it is free",            { title: "About", current: "/about-7" },                      [],              "/about"],
    ["a number below another parent goes",  { title: "Team", parent: "/b", current: "/a/team-7" },        ["/b/team"],     "/b/team-2"],
    ["a number that is taken goes",         { title: "About", current: "/about-2" },                      ["/about", "/about-2"], "/about-3"],
    ["a number of another title goes",      { title: "About", current: "/contact-7" },                    ["/about"],      "/about-2"],
    ["what is no number of ours goes",      { title: "About", current: "/about-07" },                     ["/about"],      "/about-2"],
    ["a title that ends in a number",       { title: "About 2" },                                         ["/about-2"],    "/about-2-2"],
    ["a UUID goes once there is a title",   { title: "About", current: `/${OTHER_UUID}` },                ["/about"],      "/about-2"],
    ["a plain current one is no claim",     { title: "About", current: "/contact" },                      ["/about"],      "/about-2"],
    ["no title makes a UUID, never /",      { title: "" },                                                [],              `/${UUID}`],
    ["only punctuation too",                { title: "!!!" },                                             [],              `/${UUID}`],
    ["no title below a parent",             { title: "", parent: "/about" },                              [],              `/about/${UUID}`],
    ["without a title the UUID stays",      { title: "", current: `/${OTHER_UUID}` },                     [],              `/${OTHER_UUID}`],
  ])("%s", (_case, wish, taken, permalink) => {
    expect(generate(wish, taken)).toBe(permalink);
  });

  // oxfmt-ignore
  it.each([
    ["at a word",                   `${"word ".repeat(100)}`,       `/${"word-".repeat(40).slice(0, -1)}`],
    ["a word that just fits stays", `${"a".repeat(200)} b`,         `/${"a".repeat(200)}`],
    ["a single word is cut",        "b".repeat(500),                `/${"b".repeat(200)}`],
    ["by bytes, not characters",    "\u0434".repeat(150),           `/${"\u0434".repeat(100)}`],
    ["never inside a character",    `a${"𝕏日".repeat(10)}${"𐐷".repeat(400)}`, undefined],
  ])("is shortened to 200 bytes a segment: %s", (_case, title, permalink) => {
    const generated = generate({ title });
    if (permalink !== undefined) expect(generated).toBe(permalink);
    expect(Buffer.byteLength(generated)).toBeLessThanOrEqual(1 + SEGMENT_BYTES_MAX);
    expect(generated.isWellFormed()).toBe(true);
    expect(sanitizePermalink(generated)).toBe(generated);
  });

  const word = (letter: string): string => `/${letter.repeat(99)}`;
  // oxfmt-ignore
  it.each<[string, string, string, string[], string]>([
    // case                                  parent                                    title             taken          permalink
    ["fills what is left",                   word("a") + word("b") + word("c"),        "t".repeat(150),  [],            `${word("a")}${word("b")}${word("c")}/${"t".repeat(99)}`],
    ["stands beside a parent that is full",  word("a") + word("b") + word("c") + word("d"), "Team",      [],            `${word("a")}${word("b")}${word("c")}/team`],
    ["or further up",                        `/${"p".repeat(399)}`,                    "Team",           [],            "/team"],
    ["a UUID too",                           `/${"p".repeat(399)}`,                    "",               [],            `/${UUID}`],
    ["leaves room for the number",           "",                                       "b".repeat(500),  [`/${"b".repeat(200)}`], `/${"b".repeat(198)}-2`],
  ])("is never longer than 400 characters: %s", (_case, parent, title, taken, permalink) => {
    const generated = generate({ title, parent }, taken);
    expect(generated).toBe(permalink);
    expect(generated.length).toBeLessThanOrEqual(PERMALINK_MAX);
    expect(generate({ title, parent, current: generated, uuid: () => OTHER_UUID }, taken)).toBe(generated);
  });

  it("makes few look-ups among ten thousand pages with one title", () => {
    const taken = new Set<string>();
    let asked = 0;
    for (let n = 0; n < 10_000; n++) {
      const isTaken = (permalink: string): boolean => (asked++, taken.has(permalink));
      taken.add(generatePermalink({ title: "Title", parent: null, current: null, taken: isTaken, uuid: () => UUID }));
    }
    expect(taken.has("/title-10000")).toBe(true);
    expect(asked).toBeLessThan(10_000 * 40);
  });
});

describe("a text that is cut", () => {
  it("has at most so many bytes of UTF-8, also where halves of pairs stand alone", () => {
    const parts = fc.array(fc.constantFrom("a", "é", "€", "🙂", "\ud83d", "\ude42"), { maxLength: 12 });
    fc.assert(
      fc.property(parts, fc.nat(30), (letters, bytes) => {
        const text = letters.join("");
        expect(cutText(text, bytes) === text).toBe(Buffer.byteLength(text) <= bytes);
        expect(Buffer.byteLength(cutText(text, bytes))).toBeLessThanOrEqual(bytes);
      }),
    );
  });
});
