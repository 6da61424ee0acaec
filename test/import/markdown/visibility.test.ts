/**
 * Which files of other generators are public, as whole files: `public`, `draft` (as the author says plainly), or `told`:
 * a draft with its reason, since the generator does not show it or since it cannot be understood.
 */
import { describe, expect, it } from "vitest";
import { DATES } from "../../../src/import/markdown/fields.ts";
import { splitFile } from "../../../src/import/markdown/front-matter.ts";
import { hiddenBy, type Generator } from "../../../src/model/front-matter/foreign-visibility.ts";
import { instantOf } from "../../../src/model/time/instant.ts";

const NOW = instantOf(Date.UTC(2026, 5, 1));

type Outcome = "public" | "draft" | "told" | "text";

function outcomeOf(generator: Generator, text: string): Outcome {
  const split = splitFile(text, "a.md", generator);
  if (!split.hasFrontMatter) return "text";
  expect(split.trouble?.line ?? 1).toBeGreaterThan(0);
  const reasons = hiddenBy(split.data, { generator, dates: DATES, zone: undefined, now: NOW });
  if (split.trouble || reasons.some(({ isPlain }) => !isPlain)) return "told";
  return reasons.length > 0 ? "draft" : "public";
}

const FAMILIES = ["hugo", "jekyll", "eleventy", "astro"] as const;
const P = "public";
const D = "draft";
const T = "told";

/** A value in YAML, and what `draft:` and `published:` with it mean to Hugo, Jekyll, Eleventy and Astro. */
// oxfmt-ignore
const VALUES: readonly (readonly [value: string, draft: readonly Outcome[], published: readonly Outcome[]])[] = [
  ["true",          [D, D, D, D], [P, P, P, P]],
  ["True",          [D, D, D, D], [P, P, P, P]],
  ["TRUE",          [D, D, D, D], [P, P, P, P]],
  ["false",         [P, P, P, P], [D, D, D, D]],
  ["False",         [P, P, P, P], [D, D, D, D]],
  ["FALSE",         [P, P, P, P], [D, D, D, D]],
  ['"true"',        [T, T, T, T], [P, P, P, P]],
  ["'True'",        [T, T, T, T], [P, P, P, P]],
  ['"false"',       [P, P, T, T], [T, T, T, T]],
  ["yes",           [T, T, T, T], [P, P, P, P]],
  ["Yes",           [T, T, T, T], [P, P, P, P]],
  ["YES",           [T, T, T, T], [P, P, P, P]],
  ["no",            [P, P, T, T], [T, T, T, T]],
  ["No",            [P, P, T, T], [T, T, T, T]],
  ["on",            [T, T, T, T], [P, P, P, P]],
  ["off",           [P, P, T, T], [T, T, T, T]],
  ["y",             [T, T, T, T], [P, P, P, P]],
  ["n",             [P, P, T, T], [T, T, T, T]],
  ["1",             [T, T, T, T], [P, P, P, P]],
  ["0",             [P, P, P, P], [T, T, T, T]],
  ['"1"',           [T, T, T, T], [P, P, P, P]],
  ["T",             [T, T, T, T], [P, P, P, P]],
  ["F",             [P, P, T, T], [T, T, T, T]],
  ["",              [P, P, P, P], [P, T, P, P]],
  ["~",             [P, P, P, P], [P, T, P, P]],
  ["maybe",         [T, T, T, T], [T, T, T, T]],
  ["soon # really", [T, T, T, T], [T, T, T, T]],
  ["[true]",        [T, T, T, T], [T, T, T, T]],
  ["{ it: true }",  [T, T, T, T], [T, T, T, T]],
  ["tru",           [T, T, T, T], [T, T, T, T]],
  ["2024-01-05",    [T, T, T, T], [P, P, P, P]],
];

describe.each(FAMILIES.map((generator, at) => [generator, at] as const))("a value in a file of %s", (generator, at) => {
  it.each(VALUES)("%s", (value, draft, published) => {
    expect(outcomeOf(generator, `---\ntitle: A\ndraft: ${value}\n---\nText\n`)).toBe(draft[at]);
    expect(outcomeOf(generator, `---\ntitle: A\npublished: ${value}\n---\nText\n`)).toBe(published[at]);
  });
});

/** Front matter with fences, and what it means to Hugo, Jekyll, Eleventy and Astro. */
// oxfmt-ignore
const FILES: readonly (readonly [text: string, outcomes: readonly Outcome[]])[] = [
  ["---\nDraft: true\n---\n",                                       [D, T, T, T]],
  ["---\nDRAFT: true\n---\n",                                       [D, T, T, T]],
  ["---\nPublished: false\n---\n",                                  [D, T, T, T]],
  ["---\ndraft: false\npublished: false\n---\n",                    [P, D, D, D]],
  ["---\ndraft: true\npublished: true\n---\n",                      [D, D, D, D]],
  ["---\npublish: false\n---\n",                                    [T, T, T, T]],
  ["---\nstatus: draft\n---\n",                                     [T, T, T, T]],
  ["---\nstatus: publish\n---\n",                                   [P, P, P, P]],
  ["---\nprivate: true\n---\n",                                     [T, T, T, T]],
  ["---\npassword: secret\n---\n",                                  [T, T, T, T]],
  ["---\npassword: ''\n---\n",                                      [P, P, P, P]],
  ["---\ntitle: A\n---\n",                                          [P, P, P, P]],
  ["---\n---\n",                                                    [P, P, P, P]],
  ["---\ndate: 2024-01-05\n---\n",                                  [P, P, P, P]],
  ["---\ndate: 2024-1-5 9:03\n---\n",                               [P, P, P, P]],
  ["---\ndate: 2024-01-05T10:00:00+02:00\n---\n",                   [P, P, P, P]],
  ["---\ndate: 2024-01-05 10:00:00 +0200\n---\n",                   [P, P, P, P]],
  ["---\ndate: Jan 5, 2024\n---\n",                                 [P, P, P, P]],
  ["---\ndate: Fri, 05 Jan 2024 10:00:00 GMT\n---\n",               [P, P, P, P]],
  ["---\ndate: someday\n---\n",                                     [T, T, T, T]],
  ["---\ndate: 2024-13-45\n---\n",                                  [T, T, T, T]],
  ["---\ndate: Last Modified\n---\n",                               [T, T, P, T]],
  ["---\ndate: git Created\n---\n",                                 [T, T, P, T]],
  ["---\ndate:\n---\n",                                             [P, P, P, P]],
  ["---\nexpiryDate: 2020-01-01\n---\n",                            [T, P, P, P]],
  ["---\nexpirydate: 2020-01-01\n---\n",                            [T, P, P, P]],
  ["---\nunpublishDate: 2020-01-01\n---\n",                         [T, P, P, P]],
  ["---\nexpiryDate: 2099-01-01\n---\n",                            [P, P, P, P]],
  ["---\nexpiryDate: never\n---\n",                                 [T, P, P, P]],
  ["---\nheadless: true\n---\n",                                    [T, P, P, P]],
  ["---\nHeadless: yes\n---\n",                                     [T, P, P, P]],
  ["---\nheadless: false\n---\n",                                   [P, P, P, P]],
  ["---\nbuild: { render: never }\n---\n",                          [T, P, P, P]],
  ["---\nbuild:\n  render: link\n---\n",                            [T, P, P, P]],
  ["---\n_build: { render: false }\n---\n",                         [T, P, P, P]],
  ["---\nBuild: { Render: never }\n---\n",                          [T, P, P, P]],
  ["---\nbuild: { render: always, list: never }\n---\n",            [P, P, P, P]],
  ["---\nbuild: { list: never }\n---\n",                            [P, P, P, P]],
  ["---\noutputs: [json]\n---\n",                                   [T, P, P, P]],
  ["---\nOutputs: RSS\n---\n",                                      [T, P, P, P]],
  ["---\noutputs: [HTML, json]\n---\n",                             [P, P, P, P]],
  ["---\noutputs: []\n---\n",                                       [P, P, P, P]],
  ["---\nbuild: never\n---\n",                                      [T, P, P, P]],
  ["---\nbuild: { render: sometimes }\n---\n",                      [T, P, P, P]],
  ["---\npermalink: false\n---\n",                                  [P, P, T, P]],
  ["---\npermalink: { build: /a/ }\n---\n",                         [P, P, T, P]],
  ["---\npermalink: /a/\n---\n",                                    [P, P, P, P]],
  ["---\npagination: { data: posts, size: 1 }\n---\n",              [P, P, T, P]],
  ["---\neleventyComputed:\n  permalink: \"{{ x }}\"\n---\n",       [P, P, T, P]],
  ["---\neleventyExcludeFromCollections: true\n---\n",              [P, P, P, P]],
  ["+++\ndraft = true\n+++\n",                                      [D, T, D, D]],
  ["+++\ndraft = \"true\"\n+++\n",                                  [T, T, T, T]],
  ["+++\nDraft = true\n+++\n",                                      [D, T, T, T]],
  ["+++\ntitle = \"A\"\n+++\n",                                     [P, T, P, P]],
  ["+++\nexpiryDate = 2020-01-01T00:00:00Z\n+++\n",                 [T, T, P, P]],
  ["+++\n[build]\nrender = \"never\"\n+++\n",                       [T, T, P, P]],
  ["+++\ndraft = tru\n+++\n",                                       [T, T, T, T]],
  ["+++\ndate = 2024-01-05\n+++\n",                                 [P, T, P, P]],
  ["+++\nn = 12345678901234567890\n+++\n",                          [P, T, P, P]],
  ["{\n\"draft\": true\n}\n\nText\n",                               [D, T, T, T]],
  ["{ \"draft\": true }\nText\n",                                   [D, T, T, T]],
  ["{ \"draft\": \"true\" }\nText\n",                               [T, T, T, T]],
  ["{ \"title\": \"}\" }\nText\n",                                  [P, T, T, T]],
  ["{ \"draft\": true,, }\nText\n",                                 [T, "text", "text", "text"]],
  ["{ \"draft\": true\nText\n",                                     [T, "text", "text", "text"]],
  ["{% include a.html %}\n",                                        ["text", "text", "text", "text"]],
  ["---json\n{ \"draft\": true }\n---\n",                           [D, D, D, D]],
  ["---json\n{ \"title\": \"A\" }\n---\n",                          [P, P, P, P]],
  ["---js\n{ draft: true }\n---\n",                                 [T, T, T, T]],
  ["---javascript\nconst draft = true;\n---\n",                     [T, T, T, T]],
  ["---toml\ndraft = true\n---\n",                                  [D, D, D, D]],
  ["---yaml\ndraft: true\n---\n",                                   [D, D, D, D]],
  ["\n---\ndraft: true\n---\n",                                     [D, T, T, D]],
  ["\n\n---\ntitle: A\n---\n",                                      [P, T, T, P]],
  [" ---\ndraft: true\n---\n",                                      [D, T, T, D]],
  ["\uFEFF---\ndraft: true\n---\n",                                 [D, D, D, D]],
  ["\uFEFF\n---\ndraft: true\n---\n",                               [D, T, T, D]],
  ["---\r\ndraft: true\r\n---\r\n",                                 [D, D, D, D]],
  ["---   \ndraft: true\n---  \n",                                  [D, D, D, D]],
  ["---\ndraft: true\n...\nText\n",                                 [T, D, T, T]],
  ["---\ntitle: A\n...\nText\n\n---\n",                             [T, P, T, T]],
  ["---\ndraft: true\nText\n",                                      [T, T, T, T]],
  ["---\ndraft: true\n",                                            [T, T, T, T]],
  ["----\ndraft: true\n----\n",                                     ["text", "text", "text", "text"]],
  ["--- a table?\n",                                                ["text", "text", "text", "text"]],
  ["---\nx: &x { a: 1 }\ny: { <<: *x }\ndraft: true\n---\n",        [D, D, D, D]],
  ["---\nx: &x { draft: true }\n<<: *x\n---\n",                     [D, D, D, D]],
  ["---\nx: &x { a: 1 }\ny: { <<: *x }\n---\n",                     [P, P, P, P]],
  ["---\ntitle: A\ntitle: B\n---\n",                                [T, P, T, T]],
  ["---\ndraft: true\ndraft: false\n---\n",                         [T, P, T, T]],
  ["---\nn: .inf\ndraft: true\n---\n",                              [D, D, D, D]],
  ["---\nn: 12345678901234567890\ndraft: true\n---\n",              [D, D, D, D]],
  ["---\nn: 12345678901234567890\n---\n",                           [P, P, P, P]],
  ["---\nlist:\n\t- a\ndraft: true\n---\n",                         [T, T, T, T]],
  ["---\ntitle: a: b\ndraft: true\n---\n",                          [T, T, T, T]],
  ["---\nx: !ruby/object:A {}\n---\n",                              [T, T, T, T]],
  ["---\n- draft\n---\n",                                           [T, T, T, T]],
  ["---\njust text\n---\n",                                         [T, T, T, T]],
];

describe.each(FAMILIES.map((generator, at) => [generator, at] as const))("a file of %s", (generator, at) => {
  it.each(FILES)("%j", (text, outcomes) => {
    expect(outcomeOf(generator, text)).toBe(outcomes[at]);
  });
});

it("never has front matter in the text of a page", () => {
  for (const generator of FAMILIES)
    for (const [text, outcomes] of FILES)
      if (
        !outcomes.includes("text") &&
        splitFile(text, "a.md", generator).trouble?.message.includes("not closed") !== true
      )
        expect(splitFile(text, "a.md", generator).body).not.toMatch(/draft|title/);
});

it("keeps front matter that cannot be read, and says on which line it is wrong", () => {
  expect(splitFile("---\ntitle: A\nlist:\n\t- a\n---\nText\n", "a.md", "jekyll")).toMatchObject({
    data: { front_matter: "title: A\nlist:\n\t- a" },
    body: "Text\n",
    bodyLine: 6,
    trouble: { line: 4 },
  });
});
