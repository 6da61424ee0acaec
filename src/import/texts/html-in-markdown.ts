/** HTML as a text that is read as Markdown: a block of HTML ends at a blank line, and what is indented below is code. */
import { keptRanges, replaceBetween } from "./html-ranges.ts";

const LINES_COUNT: ReadonlySet<string> = new Set(["pre", "textarea", "script", "style", "xmp"]);

/** The same HTML without blank lines; those within `<pre>` are entities. */
export function withoutBlankLines(html: string): string {
  if (!/\n[ \t]*\r?\n/.test(html)) return html;
  const code = keptRanges(html, LINES_COUNT).filter(({ name }) => LINES_COUNT.has(name));
  const joined = replaceBetween(html, code, (piece) => piece.replace(/\n(?:[ \t]*\r?\n)+/g, "\n"));
  // What is left of them is in the code.
  return joined.replace(/\n(?=[ \t]*\r?\n)/g, "&#10;");
}
