/** The tags and comments of an HTML text with their places, so that changes to some of them leave every other character as it is. */
import { decodeHTML } from "entities";
import { QuoteType, Tokenizer } from "htmlparser2";

/** A tag or, with the name "", a comment, declaration or CDATA section. What is between two of them is text. */
export interface HtmlToken {
  /** In lower case. */
  readonly name: string;
  readonly isClosing: boolean;
  /** The offset of its `<`. */
  readonly start: number;
  /** After its `>`. */
  readonly end: number;
  readonly attributes: readonly HtmlAttribute[];
}

export interface HtmlAttribute {
  /** In lower case. */
  readonly name: string;
  /** As written, with its entities; "" without one. */
  readonly value: string;
  /** From its name to after its value. */
  readonly start: number;
  readonly end: number;
}

/** Elements without content and closing tag. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

/**
 * All tokens in their order, as browsers find them: none within comments, scripts and attributes. A text that ends within a
 * tag has no tag there. Takes linear time.
 */
export function htmlTokens(html: string): readonly HtmlToken[] {
  const found: HtmlToken[] = [];
  let attributes: HtmlAttribute[] = [];
  let name = { start: 0, end: 0 };
  let attribute = { start: 0, end: 0 };
  let valueAt = 0;
  const opened = (end: number): void => {
    found.push({ name: lower(name), isClosing: false, start: name.start - 1, end: end + 1, attributes });
    attributes = [];
  };
  const lower = ({ start, end }: { start: number; end: number }): string => html.slice(start, end).toLowerCase();
  const passed = (start: number, end: number): void => {
    const from = html.lastIndexOf("<", start - 1);
    found.push({ name: "", isClosing: false, start: from, end: Math.min(end + 1, html.length), attributes: [] });
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, end) => {
        name = { start, end };
        attributes = [];
      },
      onattribname: (start, end) => {
        attribute = { start, end };
        valueAt = 0;
      },
      onattribdata: (start) => void (valueAt ||= start),
      onattribend(quote, end) {
        const isQuoted = quote === QuoteType.Single || quote === QuoteType.Double;
        const value = valueAt === 0 ? "" : html.slice(valueAt, isQuoted ? end - 1 : end);
        attributes.push({ name: lower(attribute), value, start: attribute.start, end });
      },
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag(start, end) {
        const close = html.indexOf(">", end);
        if (close < 0) return;
        found.push({ name: lower({ start, end }), isClosing: true, start: start - 2, end: close + 1, attributes: [] });
      },
      oncomment: passed,
      oncdata: passed,
      ondeclaration: passed,
      onprocessinginstruction: passed,
      onattribentity: () => undefined,
      ontext: () => undefined,
      ontextentity: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return found;
}

/** The text with all its entities decoded, those of HTML by name, too. */
export const decodeEntities = (text: string): string => (text.includes("&") ? decodeHTML(text) : text);

export const encodeAttribute = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as HTML, also between the quotes of an attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");

/** What a reader sees of HTML, on one line: without tags and the content of scripts and styles, and with entities decoded. */
export function plainTextOf(html: string): string {
  if (!/[<&]/.test(html)) return oneLine(html);
  let text = "";
  let done = 0;
  let hidden = "";
  for (const { name, isClosing, start, end } of htmlTokens(html)) {
    if (hidden === "") text += html.slice(done, start) + (INLINE.has(name) ? "" : " ");
    if (hidden === "" && !isClosing && HIDDEN.has(name)) hidden = name;
    else if (isClosing && name === hidden) hidden = "";
    done = end;
  }
  return oneLine(decodeEntities(hidden === "" ? text + html.slice(done) : text));
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
const HIDDEN: ReadonlySet<string> = new Set(["script", "style", "template"]);
/** Elements that do not part words; comments do not either. */
const INLINE: ReadonlySet<string> = new Set(
  (
    ",a,abbr,acronym,b,bdi,bdo,big,cite,code,data,del,dfn,em,font,i,ins,kbd,mark,q,ruby,s,samp,small,span,strike,strong," +
    "sub,sup,time,tt,u,var,wbr"
  ).split(","),
);
