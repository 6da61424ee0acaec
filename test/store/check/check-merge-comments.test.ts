/** Comments that a merge leaves are conflicts; the same words in a text are not. */
import { expect, it } from "vitest";
import { contentProblems } from "../../../src/store/check/check.ts";
import { memorySite } from "../../site.ts";

const COMMENT = "# merge conflict: ordering is 2 in ours and 3 in theirs, which stands: keep one, and remove this line";
const head = "id: 1\ndate_created: 2026-01-01T00:00:00Z\n";
const page = (data: string): string => `${head}translations:\n  en:\n    title: T\n    template_data:\n${data}`;

it("warns of markers that git has left in the body of a Markdown file", async () => {
  const body = "Text\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n";
  const site = await memorySite({
    "content/pages/a.md": `---\n${head}---\n${body}`,
    "content/pages/b.yaml": page(`      body: |\n${body.replaceAll(/^(?=.)/gm, "        ")}`).replace("id: 1", "id: 2"),
  });
  const found = await contentProblems(site.cms.store, site.cms.locales);
  const told = found.filter(({ message }) => message.includes("markers of a merge"));
  expect(told).toMatchObject([{ path: "content/pages/a.md", line: 6, severity: "warning" }]);
});

it.each<[string, string, string, number[]]>([
  ["a comment", "a.yaml", `${head}${COMMENT}\nordering: 3\ntranslations: { en: { title: T } }\n`, [3]],
  ["a comment, indented", "a.yaml", page(`      ${COMMENT}\n      n: 1\n`), [7]],
  ["a text", "a.yaml", page(`      body: |\n        A comment:\n        ${COMMENT}\n`), []],
  ["a folded text", "a.yaml", page(`      body: >-\n        A comment:\n        ${COMMENT}\n`), []],
  ["a quoted text", "a.yaml", page(`      body: "A comment:\n        ${COMMENT}"\n`), []],
  ["a text and a comment", "a.yaml", page(`      body: |\n        ${COMMENT}\n      ${COMMENT}\n      n: 1\n`), [9]],
  ["the text of a Markdown page", "a.md", `---\n${head}---\nA comment:\n\n${COMMENT}\n`, []],
  ["the front matter of a Markdown page", "a.md", `---\n${COMMENT}\n${head}---\n${COMMENT}\n`, [2]],
])("%s", async (_, name, text, lines) => {
  const site = await memorySite({ [`content/pages/${name}`]: text });
  const found = await contentProblems(site.cms.store, site.cms.locales);
  const left = found.filter(({ message }) => message.startsWith("A merge left a conflict: ordering is 2"));
  expect(left.map(({ line }) => line)).toEqual(lines);
});
