/** The text of a document for its page: links and pictures lead to what is imported, code of templates is reported. */
import type { Remark } from "../imported-site.ts";
import type { Document } from "./documents.ts";
import { linesIn } from "./front-matter.ts";
import { destinationsIn, extensionsIn, proseOf, templateCodeIn } from "./prose.ts";
import type { Linked, Targets } from "./targets.ts";

/** Called for each picture and file that a text shows or links to. */
export type OnMedia = (linked: Linked, alt: string | undefined) => void;

export function bodyOf(
  document: Document,
  targets: Targets,
  remark: (remark: Remark) => void,
  onMedia: OnMedia,
): string {
  const text = withoutKnownCode(document.body).replace(FOOTNOTE, "\\[^");
  const prose = proseOf(text);
  const lineAt = lineCounter(text);
  const at = (offset: number): { file: string; line: number } => ({
    file: document.path,
    line: document.bodyLine + lineAt(offset),
  });
  const parts: string[] = [];
  let end = 0;
  const replaced: (readonly [number, number])[] = [];
  for (const { start, end: stop, address, alt } of destinationsIn(text, prose)) {
    if (start < end) continue;
    const linked = targets.linkFrom(document, address);
    if (linked === "missing")
      remark({ ...at(start), message: `Leads to ${address}, which is not in the source: it is kept as it is.` });
    if (linked === undefined || linked === "missing") continue;
    if (linked.isMedia) onMedia(linked, alt);
    parts.push(text.slice(end, start), linked.link);
    replaced.push([start, stop]);
    end = stop;
  }
  let passed = 0;
  for (const { start, code } of templateCodeIn(text, prose, document.path.endsWith(".mdx"))) {
    while (passed < replaced.length && replaced[passed]![1] <= start) passed++;
    if (passed < replaced.length && replaced[passed]![0] <= start) continue;
    remark({ ...at(start), message: `Code of a template is kept as text: ${code.slice(0, 80)}` });
  }
  for (const { start, what } of extensionsIn(text, prose))
    remark({ ...at(start), message: `${what} is shown as it is written: Markdown has none here.` });
  return end === 0 ? text : parts.join("") + text.slice(end);
}

/** Counts the line breaks before an offset, on from the offset that was asked for last where that is before it. */
function lineCounter(text: string): (offset: number) => number {
  let [known, lines] = [0, 0];
  return (offset) => {
    if (offset < known) [known, lines] = [0, 0];
    lines += linesIn(text, known, offset);
    known = offset;
    return lines;
  };
}

const LIQUID_HIGHLIGHT = /\{%-?\s*highlight\s+(\w+)\b[^%\n]*%\}/g;
const HUGO_HIGHLIGHT = /\{\{<\s*highlight\s+"?(\w+)\b[^\n>{]*>\}\}/g;
const HIGHLIGHT_CLOSE = /\{%-?\s*endhighlight\s*-?%\}|\{\{<\s*\/\s*highlight\s*>\}\}/g;
/** How a text names a shortcode, also in code. */
const ESCAPED = /\{\{([<%])\/\*([^{}]*?)\*\/([>%])\}\}/g;
const RAW = /\{%-?\s{0,20}(?:end)?raw\s{0,20}-?%\}/g;
const FIGURE = /\{\{<\s*figure\s([^{}<>\n]+)>\}\}/g;
const ATTRIBUTE = /\b(\w+)=(?:"([^"\n]*)"|(\S+))/g;

/** Code that has a form in Markdown, in as many lines: highlighted code, raw text, figures. */
function withoutKnownCode(text: string): string {
  if (!text.includes("{%") && !text.includes("{{<")) return text;
  return text
    .replace(LIQUID_HIGHLIGHT, "```$1")
    .replace(HUGO_HIGHLIGHT, "```$1")
    .replace(HIGHLIGHT_CLOSE, "```")
    .replace(RAW, "")
    .replace(ESCAPED, "{{$1$2$3}}")
    .replace(FIGURE, (whole, attributes: string) => figure(attributes) ?? whole);
}

/** A footnote of one word would define a link. */
const FOOTNOTE = /^\[\^(?=[^\]\s]+\]:)/gm;

function figure(attributes: string): string | undefined {
  const values = new Map(
    [...attributes.matchAll(ATTRIBUTE)].map(([, name, quoted, bare]) => [name, quoted ?? bare ?? ""]),
  );
  const src = values.get("src");
  if (src === undefined || /[\s()]/.test(src)) return undefined;
  const caption = values.get("caption") ?? values.get("title") ?? "";
  const alt = values.get("alt") ?? caption;
  return `![${alt.replace(/[[\]]/g, "")}](${src}${caption === "" ? "" : ` "${caption.replaceAll('"', "'")}"`})`;
}
