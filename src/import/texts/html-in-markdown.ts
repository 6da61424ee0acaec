/** HTML as a text that is read as Markdown: a block of HTML ends at a blank line, and what is indented below is code. */
import { keptRanges, replaceBetween } from "./html-ranges.ts";

const LINES_COUNT: ReadonlySet<string> = new Set(["pre", "textarea", "script", "style", "xmp"]);

const BLANK = /\n[ \t]*\r?\n/;

/**
 * The same HTML, without blank lines where a text of Markdown would begin after one.
 *
 * @param blocks the elements that begin a block of HTML
 */
export function asHtmlBlocks(html: string, blocks: ReadonlySet<string>): string {
  if (!BLANK.test(html)) return html;
  let isSplit = false;
  const code = keptRanges(html, LINES_COUNT).filter(({ name }) => LINES_COUNT.has(name));
  for (const { start, end } of code)
    isSplit ||=
      start > 0 &&
      !/\n[ \t]*\r?\n$/.test(html.slice(Math.max(0, start - 20), start)) &&
      BLANK.test(html.slice(start, end));
  replaceBetween(html, code, (piece) => {
    for (const [, indent = "", tag, name] of piece.matchAll(/\n[ \t]*\r?\n([ \t]*)(<\/?([a-z][a-z\d]*)|<!--|$)?/gi))
      isSplit ||= indent.length > 3 || (name === undefined ? tag === undefined : !blocks.has(name.toLowerCase()));
    return piece;
  });
  return isSplit ? withoutBlankLines(html) : html;
}

/** The same HTML without blank lines; those within `<pre>` are entities. */
export function withoutBlankLines(html: string): string {
  if (!BLANK.test(html)) return html;
  const code = keptRanges(html, LINES_COUNT).filter(({ name }) => LINES_COUNT.has(name));
  const joined = replaceBetween(html, code, (piece) => piece.replace(/\n(?:[ \t]*\r?\n)+/g, "\n"));
  // What is left of them is in the code.
  return joined.replace(/\n(?=[ \t]*\r?\n)/g, "&#10;");
}
