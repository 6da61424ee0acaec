/** HTML that was pasted into a text, as Markdown. */
import Turndown from "turndown";
import { addTurndownRules, TURNDOWN_OPTIONS } from "../../model/text/turndown-rules.ts";
import { parsedPage } from "../parsed-page.ts";

/** In characters: converting a longer text would hold up the browser. */
const LENGTH_MAX = 1_000_000;

/** Elements that plain text has no form for. Without any, the plain text of the clipboard is what was copied. */
const MARKED =
  "a[href], b, strong, em, i, del, s, code, pre, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, hr, img";
const HEADINGS = "h1, h2, h3, h4, h5, h6";
const ADDRESS = /^(?:https?:|mailto:|tel:|[^:]*$)/i;

const service = new Turndown(TURNDOWN_OPTIONS);
addTurndownRules(service);

/** @returns undefined where it has nothing that its plain text would not have */
export function pastedMarkdown(html: string): string | undefined {
  if (html.length > LENGTH_MAX) return undefined;
  const { body } = parsedPage(html);
  // An editor of code adds colours, which are no part of the text.
  if (/^\s*<meta[^>]*>\s*<div style="[^"]*white-space:\s*pre/.test(html)) return undefined;
  listsOfWord(body);
  marksOfStyles(body);
  addressesOf(body);
  if (!body.querySelector(MARKED)) return undefined;
  return service.turndown(body).trim() || undefined;
}

const styleOf = (element: Element): string => element.getAttribute("style") ?? "";

/** Office programs on the web write marks as styles, and wrap all of it in a `b` that is not bold. */
function marksOfStyles(body: HTMLElement): void {
  for (const element of body.querySelectorAll("b, strong"))
    if (/font-weight:\s*(?:normal|400)/.test(styleOf(element)) || element.closest(HEADINGS)) unwrap(element);
  for (const element of body.querySelectorAll("span[style]")) {
    if (element.closest(HEADINGS) || element.textContent.trim() === "") continue;
    if (/font-style:\s*italic/.test(styleOf(element))) wrapContent(element, "em");
    if (/font-weight:\s*(?:bold|[6-9]00)/.test(styleOf(element))) wrapContent(element, "strong");
  }
}

/** Addresses of this site become paths; those that only the other program could open go, and pictures with them. */
function addressesOf(body: HTMLElement): void {
  for (const [selector, name] of [
    ["a[href]", "href"],
    ["img", "src"],
  ] as const)
    for (const element of body.querySelectorAll(selector)) {
      const address = element.getAttribute(name) ?? "";
      if (address === "" || !ADDRESS.test(address)) {
        if (name === "src") element.remove();
        else unwrap(element);
      } else if (address.startsWith(`${location.origin}/`))
        element.setAttribute(name, address.slice(location.origin.length));
    }
}

/** Word writes the items of lists as paragraphs, each with its sign as text. */
function listsOfWord(body: HTMLElement): void {
  /** The open lists, the outermost first. */
  let open: HTMLElement[] = [];
  let last: Element | undefined;
  for (const paragraph of body.querySelectorAll('p[style*="mso-list"]')) {
    const level = Number(/level(\d)/.exec(styleOf(paragraph))?.[1] ?? 1);
    const sign = paragraph.querySelector('[style*="mso-list:Ignore"]');
    const isNumbered = /^\s*\w+[.)]/.test(sign?.textContent ?? "");
    sign?.remove();
    if (paragraph.previousElementSibling !== last) open = [];
    open.length = Math.min(open.length, level);
    while (open.length < level) {
      const list = body.ownerDocument.createElement(isNumbered ? "ol" : "ul");
      const around = open.at(-1);
      if (around) (around.lastElementChild ?? around).append(list);
      else paragraph.before(list);
      open.push(list);
    }
    const item = body.ownerDocument.createElement("li");
    item.append(...paragraph.childNodes);
    open.at(-1)!.append(item);
    [last] = open;
    paragraph.remove();
  }
}

const unwrap = (element: Element): void => element.replaceWith(...element.childNodes);

function wrapContent(element: Element, name: string): void {
  const mark = element.ownerDocument.createElement(name);
  mark.append(...element.childNodes);
  element.append(mark);
}
