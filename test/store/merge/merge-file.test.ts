/** Merging record files: what stays of both texts, and what the conflicts say. */
import { describe, expect, it } from "vitest";
import { CmsError } from "../../../src/errors.ts";
import { ARTICLES, PAGES } from "../../../src/store/records/pages.ts";
import { REDIRECTS } from "../../../src/store/records/redirects.ts";
import type { AnyKind } from "../../../src/store/records/record-type.ts";
import { mergeRecordFile, type FileMerge } from "../../../src/store/merge/merge-file.ts";

const LOCALES = { codes: ["en", "it"], default: "en" };
const PAGE = "content/pages/about.yaml";
const REDIRECT_FILE = "content/redirects.yaml";

type Text = string | null;

function merge(path: string, [base, ours, theirs]: readonly [Text, Text, Text], kind?: AnyKind): FileMerge {
  const bytes = (text: Text): Uint8Array | null => (text === null ? null : new TextEncoder().encode(text));
  const place = { path, ...(kind && { kind, locales: LOCALES }) };
  return mergeRecordFile(place, { base: bytes(base), ours: bytes(ours), theirs: bytes(theirs) });
}

/** The merged text; fails for a file that was not merged. */
function textOf(merge: FileMerge): Text {
  if (merge.outcome === "unreadable") throw merge.problem;
  return merge.bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(merge.bytes);
}

const conflictsOf = (merge: FileMerge): readonly object[] => (merge.outcome === "merged" ? merge.conflicts : []);

const BASE = `# The page about us.
id: 12
date_updated_at: 2026-01-01T00:00:00.000Z
translations:
  en:
    title: "About" # short
    permalink: /about
  it:
    title: Chi siamo
    permalink: /chi-siamo
`;
const at = (text: string, day: string): string => text.replace("2026-01-01", day);
const put = (text: string, from: string, to: string): string => {
  if (!text.includes(from)) throw new Error(`There is no ${from}`);
  return text.replace(from, to);
};

describe("mergeRecordFile", () => {
  it("merges two languages with both stamps changed, and keeps comments, quotes and order", () => {
    const ours = at(put(BASE, '"About"', '"About us"'), "2026-01-03");
    const theirs = at(put(BASE, "title: Chi siamo", "title: Noi"), "2026-01-02");
    const merged = merge(PAGE, [BASE, ours, theirs], PAGES);
    expect(textOf(merged)).toBe(put(ours, "title: Chi siamo", "title: Noi"));
    expect(conflictsOf(merged)).toEqual([]);
  });

  it("keeps the comments of both sides", () => {
    const ours = at(put(BASE, '"About" # short', '"About us" # longer'), "2026-01-03");
    const theirs = at(put(BASE, "  it:\n", "  # from the agency\n  it:\n"), "2026-01-02");
    const text = textOf(merge(PAGE, [BASE, ours, theirs], PAGES));
    expect(text).toBe(put(ours, "  it:\n", "  # from the agency\n  it:\n"));
  });

  it("gives the bytes of the other side where one side did nothing", () => {
    const theirs = "id: 12   # odd\ntranslations: {en: {title: 'x'}}";
    expect(textOf(merge(PAGE, [BASE, BASE, theirs], PAGES))).toBe(theirs);
    expect(textOf(merge(PAGE, [BASE, theirs, BASE], PAGES))).toBe(theirs);
    expect(textOf(merge(PAGE, [BASE, theirs, theirs], PAGES))).toBe(theirs);
    expect(textOf(merge(PAGE, [BASE, null, BASE]))).toBeNull();
    expect(textOf(merge(PAGE, [null, null, BASE]))).toBe(BASE);
    // Not even parsed: a person mends it where it was broken.
    expect(textOf(merge(PAGE, [BASE, BASE, "a: ["]))).toBe("a: [");
  });

  it("keeps line ends, a byte order mark and a missing last line break", () => {
    const windows = `\uFEFF${BASE.trimEnd().replaceAll("\n", "\r\n")}`;
    const ours = at(put(windows, '"About"', '"About us"'), "2026-01-03");
    const theirs = at(put(windows, "title: Chi siamo", "title: Noi"), "2026-01-02");
    expect(textOf(merge(PAGE, [windows, ours, theirs]))).toBe(put(ours, "title: Chi siamo", "title: Noi"));
  });

  it("has the remote's value stand in a conflict", () => {
    const ours = put(BASE, '"About"', '"Ours"');
    const theirs = put(BASE, '"About"', '"Theirs"');
    const merged = merge(PAGE, [BASE, ours, theirs], PAGES);
    expect(textOf(merged)).toBe(theirs);
    expect(conflictsOf(merged)).toEqual([
      {
        kind: "field",
        path: ["translations", "en", "title"],
        language: "en",
        field: "title",
        base: "About",
        ours: "Ours",
        theirs: "Theirs",
      },
    ]);
  });

  it("adds keys in the order of the kind", () => {
    const ours = put(BASE, '    title: "About" # short\n', '    title: "About" # short\n    description: Us.\n');
    const theirs = put(BASE, "id: 12\n", "id: 12\nordering: 4\n");
    const both = put(ours, "id: 12\n", "id: 12\nordering: 4\n");
    expect(textOf(merge(PAGE, [BASE, ours, theirs], PAGES))).toBe(both);
  });

  it.each([
    ["ours", [BASE, null, at(BASE, "2026-01-02")]],
    ["theirs", [BASE, at(BASE, "2026-01-02"), null]],
  ] as const)("keeps a changed file that %s removed", (by, sides) => {
    const merged = merge(PAGE, sides, PAGES);
    expect(textOf(merged)).toBe(at(BASE, "2026-01-02"));
    expect(conflictsOf(merged)).toEqual([{ kind: "deleted", by }]);
  });

  it("merges a file that both sides added", () => {
    const merged = merge(PAGE, [null, "id: 1\ntranslations:\n  en:\n    title: A\n", "id: 1\nordering: 2\n"], PAGES);
    expect(textOf(merged)).toBe("id: 1\nordering: 2\ntranslations:\n  en:\n    title: A\n");
  });

  it.each([
    ["ours", [BASE, "a: [", at(BASE, "2026-01-02")]],
    ["theirs", [BASE, at(BASE, "2026-01-02"), "- 1\n# \xff\n<<<<<<< x\n"]],
    ["theirs", [BASE, at(BASE, "2026-01-02"), ""]],
  ] as const)("reports a file of %s that does not parse", (side, sides) => {
    expect(merge(PAGE, sides, PAGES)).toMatchObject({ outcome: "unreadable", side, problem: { path: PAGE } });
  });

  it("counts a base that does not parse as empty", () => {
    const merged = merge(PAGE, ["a: [", BASE, put(BASE, '"About"', '"Theirs"')], PAGES);
    expect(conflictsOf(merged)).toMatchObject([{ field: "title", ours: "About", theirs: "Theirs" }]);
  });

  it("reports merged data beyond the limits of a file", () => {
    const long = (key: string): string => `id: 1\n${key}: ${"x".repeat(1_000_000)}\n`;
    expect(merge(PAGE, ["id: 1\n", long("a"), long("b")])).toMatchObject({ outcome: "unreadable", side: "merged" });
  });
});

describe("drafts", () => {
  it("have the language of their file", () => {
    const draft = (title: string): string => `created_at: 2026-01-01T00:00:00.000Z\npayload:\n  title: ${title}\n`;
    const merged = merge("content/pages/about.draft.it.yaml", [draft("A"), draft("B"), draft("C")], PAGES);
    expect(conflictsOf(merged)).toMatchObject([{ language: "it", field: "payload.title", path: ["payload", "title"] }]);
  });
});

describe("Markdown files", () => {
  const file = (title: string, body: string): string =>
    `---\nid: 5\ntranslations:\n  en:\n    title: ${title}\n---\n${body}`;

  it("merge front matter by field and the body by line", () => {
    const base = file("A", "One.\n\nTwo.\n\nThree.\n");
    const merged = merge(
      "content/articles/a.md",
      [base, file("B", "One!\n\nTwo.\n\nThree.\n"), file("A", "One.\n\nTwo.\n\nThree!\n")],
      ARTICLES,
    );
    expect(textOf(merged)).toBe(file("B", "One!\n\nTwo.\n\nThree!\n"));
    expect(conflictsOf(merged)).toEqual([]);
  });

  it.each([
    ["content/articles/a.md", ARTICLES, "content", "Ours."],
    ["content/pages/a.md", PAGES, "template_data.body", "Ours.\n"],
  ] as const)("of %s have a conflict of their field", (path, kind, field, ours) => {
    const merged = merge(path, [file("A", "One.\n"), file("A", "Ours.\n"), file("A", "Theirs.\n")], kind);
    expect(textOf(merged)).toBe(file("A", "Theirs.\n"));
    expect(conflictsOf(merged)).toMatchObject([
      { language: "en", field, ours, path: ["translations", "en", ...field.split(".")] },
    ]);
  });
});

describe("redirects", () => {
  const base = "# Old addresses\n- from: /a\n  to: /b\n";

  it("from both sides are kept, with their comments", () => {
    const ours = `${base}# ours\n- from: /o\n  to: /b\n`;
    const theirs = `${base}# theirs\n- from: /t\n  to: /b\n`;
    const merged = merge(REDIRECT_FILE, [base, ours, theirs], REDIRECTS);
    expect(textOf(merged)).toBe(`${base}- from: /t\n  to: /b\n# ours\n- from: /o\n  to: /b\n`);
    expect(conflictsOf(merged)).toEqual([]);
  });

  it("that lead in a circle together are the remote's", () => {
    const ours = `${base}- from: /x\n  to: /y\n`;
    const theirs = `${base}- from: /y\n  to: /x\n`;
    const merged = merge(REDIRECT_FILE, [base, ours, theirs], REDIRECTS);
    expect(textOf(merged)).toBe(theirs);
    expect(conflictsOf(merged)).toMatchObject([{ path: [], ours: { rows: [{}, { from: "/x" }] } }]);
    expect(() =>
      REDIRECTS.fromFiles(
        "content/redirects",
        new Map([
          [
            ".yaml",
            {
              data: {
                rows: [
                  { from: "/x", to: "/y" },
                  { from: "/y", to: "/x" },
                ],
              },
            },
          ],
        ]),
        LOCALES,
      ),
    ).toThrow(CmsError);
  });

  it("become none", () => {
    const merged = merge(REDIRECT_FILE, ["- 1\n- 2\n", "- 1\n", "- 2\n"]);
    expect(textOf(merged)).toBe("[]\n");
  });
});

it("a media file that both sides moved to the trash is there since the remote's moment, without a conflict", () => {
  const record = (more: string): string => `id: 30\ncreated: 2026-01-01T00:00:00.000Z\n${more}`;
  const since = (day: string): string => record(`deleted_at: ${day}T00:00:00.000Z\n`);
  const merged = merge("content/media/oven.jpg.yaml", [record(""), since("2026-02-01"), since("2026-02-02")]);
  expect([textOf(merged), conflictsOf(merged)]).toEqual([since("2026-02-02"), []]);
});
