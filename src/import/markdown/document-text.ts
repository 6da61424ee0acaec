/** The text of a file as the old site showed it: without comments of templates, and without HTML that its generator left out. */
import { withoutBlankLines } from "../texts/html-in-markdown.ts";
import { withoutRawHtml } from "../texts/raw-html.ts";
import type { Remark } from "../imported-site.ts";
import type { Dialect } from "./generators/dialect.ts";
import { linesIn, type SplitFile } from "./front-matter.ts";
import { isMarkdown, type SourcePath } from "./source-tree.ts";
import { shownText, type TemplateLanguage } from "./template-tags.ts";

/** @param templates the language whose tags are run over it, if any; each piece that is left out is told */
export function textOfFile(
  path: SourcePath,
  split: SplitFile,
  templates: TemplateLanguage | undefined,
  { dialect, remark }: { readonly dialect: Dialect; remark(remark: Remark): void },
): Pick<SplitFile, "body" | "bodyLine"> {
  const { body: written, bodyLine } = trimmed(split);
  const { text: body, comments } =
    templates === undefined ? { text: written, comments: [] } : shownText(written, templates);
  for (const line of comments)
    remark({ file: path, line: bodyLine + line, message: "A comment is left out, which the old site did not show." });
  // A file of HTML is one block of it.
  if (!isMarkdown(path)) return { body: `<div>\n${withoutBlankLines(body)}\n</div>`, bodyLine: bodyLine - 1 };
  if (dialect.hidesHtml === undefined) return { body, bodyLine };
  const { text, lines } = withoutRawHtml(body);
  for (const line of lines) remark({ file: path, line: bodyLine + line - 1, message: dialect.hidesHtml });
  return { body: text.trimEnd(), bodyLine };
}

/** Without the blank lines around it. */
function trimmed({ body, bodyLine }: SplitFile): { readonly body: string; readonly bodyLine: number } {
  const blank = /^(?:[ \t]*\r?\n){1,100}/.exec(body)?.[0] ?? "";
  return { body: body.slice(blank.length).trimEnd(), bodyLine: bodyLine + linesIn(blank, 0, blank.length) };
}
