import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/model/input/json.ts";
import { editYaml } from "../../../src/store/codec/yaml/edit.ts";
import { parseYaml } from "../../../src/store/codec/yaml/yaml.ts";

const ORDER = [
  ["id", "status", "title", "translations", "tags"],
  ["it", "en", "*"],
  ["title", "slug", "body"],
];

/** Edits a text as its own reading, changed. */
function edited(text: string, change: (data: any) => void): string {
  const before = parseYaml(text, "x.yaml") as JsonObject;
  const after = structuredClone(before);
  change(after);
  const result = editYaml(text, before, after, ORDER);
  expect(parseYaml(result, "x.yaml")).toEqual(after);
  return result;
}

/** The lines that differ, as a diff shows them. */
function diff(old: string, fresh: string): string[] {
  const [a, b] = [old.split("\n"), fresh.split("\n")];
  let [head, tail] = [0, 0];
  while (head < a.length && a[head] === b[head]) head++;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return [
    ...a.slice(head, a.length - tail).map((line) => `-${line}`),
    ...b.slice(head, b.length - tail).map((line) => `+${line}`),
  ];
}

const PAGE = `# A page of ours

id: 7 # never change

# its texts
translations:
  it:
    title: 'Ciao'   # titolo
    body: |
      uno
      due

  # english
  en:
    title: Hello
    # more to come

tags: [a, "b"]
aliases:
  - /x/
  # an old one
  - /y/
items:
- label: A
  url: /a
- label: B
  url: /b
none:
flow: {a: 1, b: "x"} # kept
`;

describe("an edit", () => {
  it.each<[string, (page: any) => void, string[]]>([
    [
      "changes a value in its quotes",
      (page) => (page.translations.it.title = "L'ora"),
      ["-    title: 'Ciao'   # titolo", "+    title: 'L''ora'   # titolo"],
    ],
    [
      "adds quotes where the value needs them",
      (page) => (page.translations.en.title = "a: b"),
      ["-    title: Hello", '+    title: "a: b"'],
    ],
    [
      "changes the lines of a block",
      (page) => (page.translations.it.body = "uno\ntre\n"),
      ["-      due", "+      tre"],
    ],
    [
      "makes a block of a line",
      (page) => (page.translations.en.title = "a\nb\n"),
      ["-    title: Hello", "+    title: |", "+      a", "+      b"],
    ],
    [
      "keeps the comment of a line that becomes a block",
      (page) => (page.translations.it.title = "a\nb"),
      ["-    title: 'Ciao'   # titolo", "+    title: |-   # titolo", "+      a", "+      b"],
    ],
    [
      "makes a mapping of a value",
      (page) => (page.id = { a: [1] }),
      ["-id: 7 # never change", "+id: # never change", "+  a:", "+    - 1"],
    ],
    ["puts a new key where the order wants it", (page) => (page.status = "PUB"), ["+status: PUB"]],
    [
      "puts new keys where the order of their level wants them",
      (page) => (page.translations.en = { slug: "s", ...page.translations.en, body: "x" }),
      ["+    slug: s", "+    body: x"],
    ],
    [
      "adds a language after the others",
      (page) => (page.translations.fr = { body: "x", title: "Salut" }),
      ["+  fr:", "+    title: Salut", "+    body: x"],
    ],
    [
      "removes a key with the comment on it and inside it",
      (page) => delete page.translations.en,
      ["-  # english", "-  en:", "-    title: Hello", "-    # more to come"],
    ],
    ["keeps a comment that stands apart", (page) => delete page.id, ["-id: 7 # never change"]],
    ["adds to brackets", (page) => page.tags.push("c, d"), ['-tags: [a, "b"]', '+tags: [a, "b", "c, d"]']],
    ["removes from brackets", (page) => page.tags.shift(), ['-tags: [a, "b"]', '+tags: ["b"]']],
    [
      "changes, adds and removes between braces",
      (page) => (page.flow = { b: "y", c: [1] }),
      ['-flow: {a: 1, b: "x"} # kept', '+flow: {b: "y", c: [1]} # kept'],
    ],
    ["adds an item", (page) => page.aliases.push("/z/"), ["+  - /z/"]],
    ["removes an item with its comment", (page) => page.aliases.pop(), ["-  # an old one", "-  - /y/"]],
    ["changes one item", (page) => (page.aliases[1] = "/w/"), ["-  - /y/", "+  - /w/"]],
    ["changes one key of one item", (page) => (page.items[1].url = "/c"), ["-  url: /b", "+  url: /c"]],
    [
      "removes the key behind a dash",
      (page) => delete page.items[0].label,
      ["-- label: A", "-  url: /a", "+- url: /a"],
    ],
    ["adds an item as the others are indented", (page) => page.items.push({ label: "C" }), ["+- label: C"]],
    ["fills what was left open", (page) => (page.none = ["x"]), ["+  - x"]],
    [
      "empties a list",
      (page) => (page.aliases = []),
      ["-aliases:", "-  - /x/", "-  # an old one", "-  - /y/", "+aliases: []"],
    ],
  ])("%s", (_, change, lines) => {
    expect(diff(PAGE, edited(PAGE, change))).toEqual(lines);
  });

  it("without a difference gives the same text, however odd", () => {
    for (const text of [PAGE, "a:   1", "\uFEFFa: 1\r\n", "{a: 1}", "a: &x 1\nb: *x\n", "--- # c\na: 1\n...\n"]) {
      const data = parseYaml(text, "x.yaml") as JsonObject;
      expect(editYaml(text, data, structuredClone(data))).toBe(text);
    }
  });

  // oxfmt-ignore
  it.each([
    // text                      key  value    result
    ["# top\ntitle: A\n",         "id", 7,      "# top\nid: 7\ntitle: A\n"],
    ["# top\n\n# t\ntitle: A\n",  "id", 7,      "# top\n\nid: 7\n# t\ntitle: A\n"],
    ["a: 1\r\nb: 2\r\n",          "b", "x\ny",  "a: 1\r\nb: |-\r\n  x\r\n  y\r\n"],
    ["a: 1\r\nb: 2\r\n",          "c", 3,       "a: 1\r\nb: 2\r\nc: 3\r\n"],
    ["\uFEFFa: 1\n",              "b", 2,       "\uFEFFa: 1\nb: 2\n"],
    ["a: 1",                      "a", 2,       "a: 2"],
    ["a: 1",                      "b", 2,       "a: 1\nb: 2"],
    ["a: 1\n\n# end\n",           "b", 2,       "a: 1\nb: 2\n\n# end\n"],
    ["a:\n    b: 1\n",            "c", { d: 1 }, "a:\n    b: 1\nc:\n    d: 1\n"],
    ["---\na: 1\n...\n",          "b", 2,       "---\na: 1\nb: 2\n...\n"],
    ["{a: 1}\n",                  "b", 2,       "{a: 1, b: 2}\n"],
    ['{"a": 1,\n "b": [2]}\n',    "b", [2, 3],  '{"a": 1,\n "b": [2, 3]}\n'],
    ["# only a comment\n",        "a", 1,       "# only a comment\na: 1\n"],
    ["a: |+\n  x\n\nb: 1\n",      "b", 2,       "a: |+\n  x\n\nb: 2\n"],
    ["a: >-\n  long\n  text\n",   "a", "short", "a: >-\n  short\n"],
    ["a: | # why\n  x\n# b\nb: 1\n", "a", "y\n", "a: | # why\n  y\n# b\nb: 1\n"],
    ["a:\n  'x'\nb: 1\n",         "a", "y",     "a: 'y'\nb: 1\n"],
    ["a: x\n  y\nb: 1\n",         "a", "z",     "a: z\nb: 1\n"],
    ["a: 'x'\nb: 1\n",            "a", null,    "a: null\nb: 1\n"],
    ["a: 'x'\nb: 1\n",            "a", "1",     "a: '1'\nb: 1\n"],
    ["a:\n\n# one\n- 1\nb:\n- 2\n", "a", "x\ny\n", 'a: "x\\ny\\n"\n\n# one\nb:\n- 2\n'],
    ["a: &k x\nb: *k\n",          "b", "y",     "a: &k x\nb: \"y\"\n"],
    ["a: 1\n",                    "__proto__", { x: 1 }, "a: 1\n__proto__:\n  x: 1\n"],
  ])("of %j with %s: %j is %j", (text, key, value, result) => {
    const before = parseYaml(text, "x.yaml") ?? {};
    const after = Object.fromEntries([...Object.entries(before), [key, value]]);
    expect(editYaml(text, before as JsonObject, after, ORDER)).toBe(result);
  });

  it("leaves defaults unwritten and unknown keys where they stand", () => {
    const text = "title: A # t\nours: 1\nitems:\n  - {label: x, ours: 2}\n  - {label: y}\n";
    const before = {
      title: "A",
      status: "DRF",
      items: [
        { label: "x", url: "" },
        { label: "y", url: "" },
      ],
    };
    expect(editYaml(text, before, { ...before, title: "B" })).toBe(text.replace("A #", "B #"));
    expect(editYaml(text, before, { ...before, status: "PUB" })).toBe(`${text}status: PUB\n`);
    expect(editYaml(text, before, { ...before, items: [before.items[0]!, { label: "z", url: "" }] })).toBe(
      text.replace("y", "z"),
    );
    expect(editYaml(text, before, { ...before, items: [before.items[0]!] })).toBe(text.replace("  - {label: y}\n", ""));
    expect(editYaml(text, before, { title: "A", items: before.items })).toBe(text);
  });

  it("touches nothing when the text says already what it should", () => {
    expect(editYaml("a: '1'\n", { a: "0" }, { a: "1" })).toBe("a: '1'\n");
  });

  it("keeps the line endings of a document that is printed again", () => {
    const result = edited("# top\r\na: &k {x: 1}\r\nb: *k # b\r\n", (data) => (data.a = 2));
    expect(result).toBe("a: 2\r\nb:\r\n  x: 1\r\n");
  });

  it("never lets an anchor's change reach its aliases", () => {
    const result = edited("# top\na: &k {x: 1}\nb: *k # b\n", (data) => (data.a = 2));
    expect(parseYaml(result, "x.yaml")).toEqual({ a: 2, b: { x: 1 } });
    expect(edited("# top\na: &k x\nb: *k # b\n", (data) => delete data.a)).toContain("b: x");
  });

  // oxfmt-ignore
  it.each([
    ["# file\na: 1\nb: 2\n",           "a", "# file\nb: 2\n"], // at the top it may speak of the file
    ["# file\n\n# a\na: 1\nb: 2\n",   "a", "# file\n\nb: 2\n"],
    ["a: 1\n# apart\n\nb: 2\nc: 3\n", "b", "a: 1\n# apart\n\nc: 3\n"],
    ["a: 1\n# b\nb: 2\n# c\nc: 3\n",  "b", "a: 1\n# c\nc: 3\n"],
    ["a:\n  x: 1\n  # in a\n# b\nb: 2\n", "a", "# b\nb: 2\n"],
    ["a:\n  x: 1\n  # in a\n# b\nb: 2\n", "b", "a:\n  x: 1\n  # in a\n"],
    ["a: |\n  # text\nb: 2\n",         "b", "a: |\n  # text\n"],
  ])("of %j without %s is %j", (text, key, result) => {
    expect(edited(text, (data) => delete data[key])).toBe(result);
  });

  it("can take the last key away", () => {
    expect(edited("# top\na: 1\n", (data) => delete data.a)).toContain("{}");
  });

  it("says which file cannot be read", () => {
    expect(() => editYaml("a: [", {}, { a: 1 }, [], "content/x.yaml")).toThrow("content/x.yaml:1:5: ");
    expect(() => editYaml("- a", {}, { a: 1 }, [], "content/x.yaml")).toThrow("content/x.yaml: must hold");
  });
});

describe("items of a list that have ids", () => {
  const TEXT =
    "blocks:\n  - type: hero\n    id: top\n    title: A\n    picture: a.jpg\n  - type: text\n    id: words # by hand\n    picture: b.jpg\n";
  const HERO = { type: "hero", id: "top", title: "A", picture: 7 };
  const WORDS = { type: "text", id: "words", picture: 8 };

  it.each([
    [
      "changed beside one that is added",
      [{ ...HERO, title: "B" }, { type: "text", id: "new" }, WORDS],
      ["a.jpg", undefined, "b.jpg"],
    ],
    ["moved and changed", [WORDS, { ...HERO, title: "B" }], ["b.jpg", "a.jpg"]],
    ["whose reference is another", [{ ...HERO, picture: 9 }, WORDS], [9, "b.jpg"]],
    ["removed", [{ ...WORDS, title: "C" }], ["b.jpg"]],
  ])("keep the names that their references have: %s", (_what, after, pictures) => {
    const text = editYaml(TEXT, { blocks: [HERO, WORDS] }, { blocks: after }, []);
    const { blocks } = parseYaml(text, "x.yaml") as unknown as { blocks: { id: string; picture?: unknown }[] };
    expect(blocks.map(({ id, picture }) => [id, picture])).toEqual(after.map(({ id }, at) => [id, pictures[at]]));
  });

  it("that only their places gave them are stored once they are elsewhere", () => {
    const [one, two] = [
      { id: "b1", title: "A" },
      { id: "b2", title: "B" },
    ];
    const text = editYaml("blocks:\n  - title: A\n  - title: B\n", { blocks: [one, two] }, { blocks: [two, one] }, []);
    expect(parseYaml(text, "x.yaml")).toEqual({ blocks: [two, one] });
  });
});
