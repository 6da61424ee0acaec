/** Files for a person to resolve, and what is refused of them while they are not. */
import { describe, expect, it } from "vitest";
import { decodeFile, FileError } from "../../../src/store/codec/codec.ts";
import { withConflicts } from "../../../src/store/merge/conflicted-file.ts";
import { mergeRecordFile } from "../../../src/store/merge/merge-file.ts";

const PAGE = "content/pages/about.yaml";
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function conflicted(base: string, ours: string, theirs: string, path = PAGE, size = 7): string {
  const merge = mergeRecordFile({ path }, { base: encode(base), ours: encode(ours), theirs: encode(theirs) });
  if (merge.outcome === "unreadable" || merge.bytes === null) throw new Error("It was not merged.");
  const conflicts = merge.conflicts.filter((conflict) => conflict.kind === "field");
  const bytes = withConflicts(path, merge.bytes, conflicts, size);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** What the load of a file with conflicts says; undefined when it is not refused. */
function refusal(text: string, path = PAGE): string | undefined {
  try {
    decodeFile(path, encode(text));
    return undefined;
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
}

describe("withConflicts", () => {
  it("makes a quoted text a block with both values", () => {
    const file = (title: string): string => `# page\nid: 1\ntitle: "${title}" # the title\nordering: 1\n`;
    const text = conflicted(file("A"), file("B: ours"), file("C: theirs"));
    expect(text).toBe(`# page
id: 1
# merge conflict: title has the texts of both sides: keep one, and remove the markers and this line
title: |- # the title
  <<<<<<< ours (git-cms)
  B: ours
  =======
  C: theirs
  >>>>>>> theirs (git-cms)
ordering: 1
`);
    expect(refusal(text)).toBe(
      'content/pages/about.yaml:4:1: has a merge conflict: title is "B: ours" in ours and "C: theirs" in theirs. ' +
        "Keep one of the two, and remove the markers and the comment.",
    );
  });

  it("marks only the lines of a long text that differ, with markers of the given size", () => {
    const file = (second: string): string => `id: 1\nbody: |\n  One.\n\n  ${second}\n\n  Three.\n`;
    const text = conflicted(file("Two."), file("Two, ours."), file("Two, theirs."), PAGE, 9);
    expect(text).toBe(`id: 1
# merge conflict: body has the texts of both sides: keep one, and remove the markers and this line
body: |
  One.

  <<<<<<<<< ours (git-cms)
  Two, ours.
  =========
  Two, theirs.
  >>>>>>>>> theirs (git-cms)

  Three.
`);
    expect(refusal(text)).toContain('body is "Two, ours." in ours and "Two, theirs." in theirs');
  });

  it("marks a text that one side removed", () => {
    const text = conflicted("id: 1\na: x\nb: x\n", "id: 1\na: y\n", "id: 1\nb: y\n");
    expect(text).toContain("a: |-\n  <<<<<<< ours (git-cms)\n  y\n  =======\n  >>>>>>> theirs (git-cms)\n");
    expect(text).toContain("b: |-\n  <<<<<<< ours (git-cms)\n  =======\n  y\n  >>>>>>> theirs (git-cms)\n");
    expect(refusal(text)).toContain('a is "y" in ours and "" in theirs');
    expect(refusal(text)).toContain('b is "" in ours and "y" in theirs');
  });

  // oxfmt-ignore
  it.each([
    // case           base               ours               theirs              the comment
    ["a number",      "id: 1\nn: 1\n",   "id: 1\nn: 2\n",   "id: 1\nn: 3\n",    "id: 1\n# merge conflict: n is 2 in ours and 3 in theirs, which stands: keep one, and remove this line\nn: 3\n"],
    ["a flag",        "a:\n  n: 1\n",    "a:\n  n: true\n", "a:\n  n: false\n", "a:\n  # merge conflict: a.n is true in ours and false in theirs, which stands: keep one, and remove this line\n  n: false\n"],
    ["a moment",      "n: 2026-01-01\n", "n: 2026-01-02\n", "n: 2026-01-03\n",  "# merge conflict: n is \"2026-01-02\" in ours and \"2026-01-03\" in theirs, which stands: keep one, and remove this line\nn: 2026-01-03\n"],
    ["in brackets",   "a: { n: 1 }\n",   "a: { n: 2 }\n",   "a: { n: 3 }\n",    "# merge conflict: a.n is 2 in ours and 3 in theirs, which stands: keep one, and remove this line\na: { n: 3 }\n"],
    ["removed",       "b: 1\nn: 1\n",    "b: 1\nn: 2\n",    "b: 1\n",           "# merge conflict: n is 2 in ours and removed in theirs, which stands: keep one, and remove this line\nb: 1\n"],
    ["of a list",     "n: [1]\n",        "n: [2, 3]\n",     "n: [4, 5, 6]\n",   "# merge conflict: n is [2,3] in ours and [4,5,6] in theirs, which stands: keep one, and remove this line\nn: [4, 5, 6]\n"],
    ["in an item",    "l:\n  - n: 1\n    m: 1\n", "l:\n  - n: 1\n    m: 2\n", "l:\n  - n: 1\n    m: 3\n", "l:\n  - n: 1\n    # merge conflict: l.0.m is 2 in ours and 3 in theirs, which stands: keep one, and remove this line\n    m: 3\n"],
    ["Windows lines", "id: 1\r\nn: 1\r\n", "id: 1\r\nn: 2\r\n", "id: 1\r\nn: 3\r\n", "id: 1\r\n# merge conflict: n is 2 in ours and 3 in theirs, which stands: keep one, and remove this line\r\nn: 3\r\n"],
  ])("names ours in a comment: %s", (_case, base, ours, theirs, merged) => {
    const text = conflicted(base, ours, theirs);
    expect(text).toBe(merged);
    expect(refusal(text)).toBeUndefined();
  });

  it("puts both bodies of a Markdown file into it, and a comment into its front matter", () => {
    const file = (ordering: number, body: string): string => `---\nid: 1\nordering: ${ordering}\n---\n${body}\n`;
    const path = "content/articles/a.md";
    const text = conflicted(file(1, "A"), file(2, "B"), file(3, "C"), path);
    expect(text).toBe(`---
# merge conflict: body has the texts of both sides: keep one, and remove the markers and this line
id: 1
# merge conflict: ordering is 2 in ours and 3 in theirs, which stands: keep one, and remove this line
ordering: 3
---
<<<<<<< ours (git-cms)
B
=======
C
>>>>>>> theirs (git-cms)
`);
    expect(refusal(text, path)).toContain('body is "B" in ours and "C" in theirs');
  });

  it("cuts a value that is too long for a line", () => {
    const file = (number: number): string => `n: [${Array.from({ length: 500 }, (_, at) => at * number).join(", ")}]\n`;
    const [comment = ""] = conflicted("n: [1]\n", file(2), file(3)).split("\n");
    expect(comment.length).toBeLessThan(800);
  });
});

describe("decodeFile", () => {
  it.each([
    "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n",
    "<<<<<<< ours (git-cms)\na\n",
    "<<<<<<< ours (git-cms)\na\n=======\nb\n>>>>>>> theirs (git-cms)\n",
    "# merge conflict: body has the texts of both sides: keep one, and remove the markers and this line\n<<<<<<< ours (git-cms)\n=======\n>>>>>>> theirs (git-cms)\n",
    "a <<<<<<< ours (git-cms)\n=======\n>>>>>>> theirs (git-cms)\n",
  ])("leaves a text that only speaks of markers: %j", (text) => {
    expect(refusal(JSON.stringify({ id: 1, body: text }))).toBeUndefined();
  });
});
