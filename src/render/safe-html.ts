/**
 * HTML of editors and of imported sites, made safe to print in a page.
 *
 * Only listed elements and attributes remain, addresses cannot run code, and every element is closed, so that a text changes
 * nothing around it. A tag that HTML does not have is shown as text: it may be a word in angle brackets.
 */
import { isSafeAddress } from "../model/address/link.ts";
import {
  decodeEntities,
  encodeAttribute,
  htmlTokens,
  VOID_ELEMENTS,
  type HtmlToken,
} from "../model/text/html-tokens.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const SHOWN = words(
  "a abbr address article aside audio b bdi bdo big blockquote br caption center cite code col colgroup data dd del details dfn " +
    "div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark nav ol p picture pre q " +
    "rp rt ruby s samp section small source span strike strong sub summary sup table tbody td tfoot th thead time tr track tt " +
    "u ul var video wbr",
);
/** Left out with what is in them. */
const LEFT_OUT = words("script style svg math template");
/** Of which only the tags are left out. */
const UNWRAPPED = words(
  "acronym basefont body button fieldset font form head html input label legend link marquee meta noframes noscript object " +
    "optgroup option param select",
);
/** In place of those that show another page stands a link to it. */
const EMBEDS = words("iframe embed");
const ANYWHERE = words("id class title lang dir role align width height");
const ATTRIBUTES: Readonly<Record<string, ReadonlySet<string>>> = {
  a: words("href name target rel download hreflang"),
  img: words("src alt srcset sizes loading decoding"),
  source: words("src srcset sizes media type"),
  track: words("src kind label srclang default"),
  audio: words("src controls loop muted preload"),
  video: words("src controls loop muted preload poster playsinline"),
  ol: words("start type reversed"),
  li: words("value"),
  td: words("colspan rowspan headers valign style"),
  th: words("colspan rowspan headers valign scope abbr style"),
  col: words("span"),
  colgroup: words("span"),
  blockquote: words("cite"),
  q: words("cite"),
  del: words("cite datetime"),
  ins: words("cite datetime"),
  time: words("datetime"),
  data: words("value"),
  details: words("open"),
};
const NONE: ReadonlySet<string> = new Set();
const ADDRESSES = words("href src poster cite");
/** What Markdown gives the cells of a table; any other style could cover the page. */
const ALIGNMENT = /^text-align:\s?(?:left|right|center);?$/;
const ID = /^[\p{L}\p{N}_.:-]+$/u;
const PICTURE_DATA = /^data:image\/(?:gif|png|jpeg|webp|avif);base64,[a-z\d+/=]+$/i;
/** Elements that end a paragraph when they begin. */
const ENDS_PARAGRAPH = words(
  "address article aside blockquote center details div dl figure footer h1 h2 h3 h4 h5 h6 header hgroup hr main nav ol p pre " +
    "section table ul",
);
/** Elements that end one of their own when they begin. */
const ENDS_SAME = words("li dt dd tr td th");
/** Browsers nest no deeper than some hundreds; deeper tags are left out. */
const DEPTH_MAX = 200;

/** Takes linear time. */
export function safeHtml(html: string): string {
  const tokens = htmlTokens(html);
  const lastClosing = new Map<string, number>();
  for (const { name, isClosing, start } of tokens) if (isClosing) lastClosing.set(name, start);
  const parts: string[] = [];
  const open = openElements(parts);
  let done = 0;
  let leftOut = "";
  for (const token of tokens) {
    const { name, isClosing, start, end } = token;
    if (leftOut !== "") {
      if (isClosing && name === leftOut) leftOut = "";
      done = end;
      continue;
    }
    parts.push(asText(html.slice(done, start)));
    done = end;
    if (name === "") continue;
    if (SHOWN.has(name)) {
      if (isClosing) open.close(name);
      else open.add(name, `<${name}${attributesOf(token)}>`);
    } else if (LEFT_OUT.has(name) && !isClosing && (lastClosing.get(name) ?? -1) > start) leftOut = name;
    else if (EMBEDS.has(name)) parts.push(isClosing ? "" : linkInPlace(token));
    else if (!UNWRAPPED.has(name)) parts.push(asText(html.slice(start, end)));
  }
  parts.push(asText(html.slice(done)));
  open.closeAll();
  return parts.join("");
}

/** The elements that are open, innermost last. */
function openElements(parts: string[]): {
  add(name: string, tag: string): void;
  close(name: string): void;
  closeAll(): void;
} {
  const stack: string[] = [];
  const counts = new Map<string, number>();
  const count = (name: string, change: number): void => void counts.set(name, (counts.get(name) ?? 0) + change);
  const end = (): void => {
    const name = stack.pop()!;
    count(name, -1);
    parts.push(`</${name}>`);
  };
  return {
    add(name, tag) {
      const inner = stack.at(-1);
      if (inner === "p" ? ENDS_PARAGRAPH.has(name) : inner === name && ENDS_SAME.has(name)) end();
      if (VOID_ELEMENTS.has(name)) parts.push(tag);
      else if (stack.length < DEPTH_MAX) {
        stack.push(name);
        count(name, 1);
        parts.push(tag);
      }
    },
    close(name) {
      if ((counts.get(name) ?? 0) === 0) return;
      while (stack.at(-1) !== name) end();
      end();
    },
    closeAll() {
      while (stack.length > 0) end();
    },
  };
}

const asText = (text: string): string => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function attributesOf({ name: element, attributes }: HtmlToken): string {
  const own = ATTRIBUTES[element] ?? NONE;
  const seen = new Set<string>();
  let written = "";
  for (const { name, value: encoded } of attributes) {
    if (seen.has(name) || !(own.has(name) || ANYWHERE.has(name))) continue;
    seen.add(name);
    const value = decodeEntities(encoded).trim();
    if (isAllowed(element, name, value)) written += ` ${name}="${encodeAttribute(value)}"`;
  }
  return written;
}

function isAllowed(element: string, name: string, value: string): boolean {
  if (ADDRESSES.has(name)) return isSafeAddress(value) || (element === "img" && PICTURE_DATA.test(value));
  if (name === "srcset") return value.split(",").every((each) => isSafeAddress(each.trim().split(/\s/)[0]!));
  if (name === "style") return ALIGNMENT.test(value);
  return name !== "id" || ID.test(value);
}

function linkInPlace({ attributes }: HtmlToken): string {
  const address = decodeEntities(attributes.find(({ name }) => name === "src")?.value ?? "").trim();
  if (address === "" || !isSafeAddress(address.replace(/^\/\//, "https://"))) return "";
  return `<a href="${encodeAttribute(address)}">${asText(address)}</a>`;
}
