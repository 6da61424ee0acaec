import { expect, it } from "vitest";
import { locateAddress } from "../../../src/store/codec/codec.ts";

const PATH = ["translations", "en", "body"];

it.each<[what: string, text: string, line: number | undefined, column?: number]>([
  ["in a block text", "translations:\n  en:\n    body: |\n      A\n      [x](/a)\n", 5, 11],
  ["after the key only", "x: /a\ntranslations:\n  en:\n    body: '[x](/a)'\n", 4, 16],
  ["whole, not in a longer one", "translations:\n  en:\n    body: '[x](/a/b) [x](/z/a) [x](/a-b) [x](/a)'\n", 3, 46],
  ["in HTML", "translations:\n  en:\n    body: <a href=/a>x</a>\n", 3, 19],
  ["in the body of a Markdown file", "---\ntitle: /a\n---\nA\n\n[x](/a)\n", 6, 5],
  ["in a Markdown file without front matter", "# A\n\n[x](/a)\n", 3, 5],
  ["in a file with Windows line endings", "---\r\ntitle: /a\r\n---\r\nA\r\n[x](/a)\r\n", 5, 5],
  ["that is escaped", 'translations:\n  en:\n    body: "[x](\\u002fa)"\n', undefined],
])("finds an address %s", (_what, text, line, column) => {
  expect(locateAddress(text, PATH, "/a")).toEqual(line === undefined ? undefined : { line, column });
});
