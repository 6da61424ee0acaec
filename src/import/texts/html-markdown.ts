/** HTML of an old site as Markdown. */
import { messageOf } from "../../errors.ts";
import { addTurndownRules, EMBEDDED, TURNDOWN_OPTIONS } from "../../model/text/turndown-rules.ts";
import { encodeAttribute, plainTextOf, VOID_ELEMENTS } from "../../model/text/html-tokens.ts";
import { slugify } from "../../model/address/slug.ts";
import { attributeOf, htmlTags } from "./html-tags.ts";
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
  service.addRule("anchor", {
    filter: (node) => node.nodeName === "A" && !node.getAttribute("href") && anchorOf(node) !== "",
    replacement: (text, node) => `<a id="${encodeAttribute(anchorOf(node as unknown as Attributed))}"></a>${text}`,
  });
  return (html) => {
    if (html.length > LENGTH_MAX || nestsTooDeep(html))
      return { text: html, notes: ["The text is too long or nests too deep for Markdown: it stays HTML."] };
    try {
      return { text: service.turndown(withAnchors(html)), notes: notesOn(html) };
    } catch (error) {
      return {
        text: html,
        notes: [`The text stays HTML, since it cannot be turned into Markdown: ${messageOf(error)}`],
      };
    }
  };
}

interface Attributed {
  getAttribute(name: string): string | null;
}

const anchorOf = (node: Attributed): string => node.getAttribute("id") || node.getAttribute("name") || "";

/**
 * An empty link with the id of each element that links may lead to, since Markdown has no ids: that of a heading is made of its
 * text, which may be another one.
 */
function withAnchors(html: string): string {
  const tags = htmlTags(html);
  const wanted = new Set(tags.flatMap((tag) => attributeOf(tag, "href")?.split("#")[1] ?? []));
  let result = "";
  let done = 0;
  for (const [at, tag] of tags.entries()) {
    const id = tag.isClosing || KEEPS_ID.has(tag.name) ? "" : (attributeOf(tag, "id") ?? "");
    if (id === "") continue;
    const heading = /^h[1-6]$/.test(tag.name) ? plainTextOf(html.slice(tag.end, tags[at + 1]?.start)) : undefined;
    if (heading === undefined ? !wanted.has(id) : slugify(heading) === id) continue;
    result += `${html.slice(done, tag.end)}<a id="${encodeAttribute(id)}"></a>`;
    done = tag.end;
  }
  return result + html.slice(done);
}

/** Elements whose ids stay, and those in which no link can be. */
const KEEPS_ID = new Set([
  ...VOID_ELEMENTS,
  ..."a sup sub u ins mark kbd small table tbody thead tfoot tr ul ol pre dl details script style iframe video audio".split(
    " ",
  ),
]);

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
