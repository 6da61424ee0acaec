/** Raw HTML in Markdown that its generator did not show, as Hugo unless it is told that HTML is safe. */
import MarkdownIt from "markdown-it";

/** Blocks alone, whose lines are known; what is within lines is not read. */
const BLOCKS = new MarkdownIt("commonmark");
BLOCKS.core.ruler.enableOnly(["normalize", "block"]);

/**
 * The text without blocks of HTML, and without comments, in as many lines. What stands between a pair of `{{< name >}}` is of a
 * shortcode, and stays.
 *
 * @returns the text, and the 1-based lines at which a block was left out; `<!--more-->`, which ends a summary, is not counted
 */
export function withoutRawHtml(text: string): { readonly text: string; readonly lines: readonly number[] } {
  if (!text.includes("<")) return { text, lines: [] };
  const lines = text.split("\n");
  const kept = linesOfShortcodes(lines);
  const found: number[] = [];
  for (const { type, map } of BLOCKS.parse(text, {})) {
    if (type !== "html_block" || !map || kept.has(map[0])) continue;
    const block = lines.slice(map[0], map[1]);
    if (!/^\s*<!--\s*more\s*-->\s*$/.test(block.join("\n"))) found.push(map[0] + 1);
    for (let at = map[0]; at < map[1]; at++) lines[at] = "";
  }
  return { text: lines.join("\n"), lines: found };
}

// linear: a name ends where what follows it begins, and neither goes on over a brace, at which the next one starts.
const SHORTCODE = /\{\{<[ \t]?(\/?)[ \t]?([\w/-]+)(?:[^{}\w/-][^{}]*)?>\}\}/g;

/** 0-based. */
function linesOfShortcodes(lines: readonly string[]): ReadonlySet<number> {
  const ranges: { readonly from: number; readonly to: number }[] = [];
  const open: { readonly name: string; readonly line: number }[] = [];
  for (const [to, text] of lines.entries())
    for (const [, slash, name = ""] of text.includes("{{<") ? text.matchAll(SHORTCODE) : []) {
      if (slash === "") open.push({ name, line: to });
      else {
        const at = open.findLastIndex((each) => each.name === name);
        if (at < 0) continue;
        const from = open[at]!.line;
        open.length = at;
        while (ranges.length > 0 && ranges.at(-1)!.from >= from) ranges.pop();
        ranges.push({ from, to });
      }
    }
  return new Set(ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at)));
}
