/** HTML of an old site as Markdown. */
import { messageOf } from "../../errors.ts";
import { addTurndownRules, EMBEDDED, TURNDOWN_OPTIONS } from "../../model/text/turndown-rules.ts";
import { VOID_ELEMENTS } from "../../model/text/html-tokens.ts";
import { htmlTags } from "./html-tags.ts";
import { importModule } from "../../import-module.ts";

/** How the texts of an old site are stored: as they are, or as Markdown. */
export type TextFormat = (html: string) => FormattedText;

export interface FormattedText {
  readonly text: string;
  /** Sentences about what the form cannot have. */
  readonly notes: readonly string[];
}

export const asHtml: TextFormat = (html) => ({ text: html, notes: [] });

/** Deeper and longer texts stay HTML: the time of turndown grows with the product of both. */
const DEPTH_MAX = 100;
const LENGTH_MAX = 1_000_000;

/** Elements that only a page with scripts and forms has. */
const LEFT_OUT = new Set(["script", "style", "form", "noscript"]);

/** Loads turndown, which only imports need. */
export async function markdownFormat(): Promise<TextFormat> {
  const { default: Turndown } = await importModule<{ default: typeof import("turndown") }>("turndown");
  const service = new Turndown(TURNDOWN_OPTIONS);
  addTurndownRules(service);
  return (html) => {
    if (html.length > LENGTH_MAX || nestsTooDeep(html))
      return { text: html, notes: ["The text is too long or nests too deep for Markdown: it stays HTML."] };
    try {
      return { text: service.turndown(html), notes: notesOn(html) };
    } catch (error) {
      return {
        text: html,
        notes: [`The text stays HTML, since it cannot be turned into Markdown: ${messageOf(error)}`],
      };
    }
  };
}

function nestsTooDeep(html: string): boolean {
  let depth = 0;
  for (const { name, isClosing } of htmlTags(html)) {
    if (VOID_ELEMENTS.has(name)) continue;
    depth += isClosing ? -1 : 1;
    if (depth > DEPTH_MAX) return true;
    if (depth < 0) depth = 0;
  }
  return false;
}

function notesOn(html: string): string[] {
  const found = new Set<string>();
  for (const { name, isClosing } of htmlTags(html))
    if (!isClosing && (EMBEDDED.has(name) || LEFT_OUT.has(name))) found.add(name);
  return [...found].map((name) =>
    EMBEDDED.has(name)
      ? `Markdown has no <${name}>: a link stands in its place.`
      : `Markdown has no <${name}>: it is left out.`,
  );
}
