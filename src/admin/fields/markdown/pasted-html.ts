/** HTML that was pasted into a text, as Markdown. */
import Turndown from "turndown";
import { addTurndownRules, TURNDOWN_OPTIONS } from "../../../model/text/turndown-rules.ts";
import { parsedPage } from "../../parsed-page.ts";

/** In characters: converting a longer text would hold up the browser. */
const LENGTH_MAX = 1_000_000;

/** Elements that plain text has no form for. Without any, the plain text of the clipboard is what was copied. */
const MARKED =
  "a[href], b, strong, em, i, del, s, code, pre, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote, hr, img";
const HEADINGS = "h1, h2, h3, h4, h5, h6";
const ADDRESS = /^(?:https?:|mailto:|tel:|[^:]*$)/i;

const service = new Turndown(TURNDOWN_OPTIONS);
addTurndownRules(service);

export interface Pasted {
  readonly markdown: string;
  /** How many of its pictures stay on other sites. */
  readonly foreign: number;
}

/** @returns undefined where it has nothing that its plain text would not have */
export function pastedMarkdown(html: string): Pasted | undefined {
  if (html.length > LENGTH_MAX) return undefined;
  const { body } = parsedPage(quiet(html));
  // An editor of code adds colours, which are no part of the text.
  if (/^\s*<meta[^>]*>\s*<div style="[^"]*white-space:\s*pre/.test(html)) return undefined;
  listsOfWord(body);
  nestedLists(body);
  marksOfStyles(body);
  addressesOf(body);
  if (!body.querySelector(MARKED)) return undefined;
  for (const element of body.querySelectorAll("*"))
    for (const { name } of [...element.attributes]) if (name.startsWith("data-")) element.removeAttribute(name);
  const markdown = service.turndown(body).trim();
  const foreign = body.querySelectorAll('img[src*="//"]').length;
  return markdown === "" ? undefined : { markdown, foreign };
}

/** Styles and code under other names: the Content-Security-Policy would block them, and report each. */
const quiet = (html: string): string =>
  html.replace(/<[^<>]*>/g, (tag) =>
    tag.replace(/^(<\/?)style\b/i, "$1script").replace(/([\s"'/])(style|on[a-z]+)(\s{0,9}=)/gi, "$1data-$2$3"),
  );

const styleOf = (element: Element): string => element.getAttribute("data-style") ?? "";

/** Office programs on the web write marks as styles, and wrap all of it in a `b` that is not bold. */
function marksOfStyles(body: HTMLElement): void {
  for (const element of body.querySelectorAll("b, strong"))
    if (/font-weight:\s*(?:normal|400)/.test(styleOf(element)) || element.closest(HEADINGS)) unwrap(element);
  for (const element of body.querySelectorAll("span[data-style]")) {
    if (element.closest(HEADINGS) || element.textContent.trim() === "") continue;
    if (/font-style:\s*italic/.test(styleOf(element))) wrapContent(element, "em");
    if (/font-weight:\s*(?:bold|[6-9]00)/.test(styleOf(element))) wrapContent(element, "strong");
  }
}

/** Google Docs has an inner list beside the item that it is part of, and a paragraph in each item. */
function nestedLists(body: HTMLElement): void {
  for (const paragraph of body.querySelectorAll("li > p:only-of-type")) unwrap(paragraph);
  for (const list of body.querySelectorAll(":is(ul, ol) > :is(ul, ol)")) {
    const before = list.previousElementSibling;
    if (before?.tagName === "LI") before.append(list);
    else wrapIn(list, "li");
  }
}

/** Pages that only lead to another address, with the parameter that has it. */
const REDIRECTORS: readonly (readonly [page: RegExp, parameter: string])[] = [
  [/^https?:\/\/www\.google\.[a-z.]{2,9}\/url\?/i, "q"],
  [/^https?:\/\/l\.facebook\.com\/l\.php\?/i, "u"],
  [/^https?:\/\/[\w.]{1,99}\.safelinks\.protection\.outlook\.com\/\?/i, "url"],
];

function withoutRedirector(address: string): string {
  const parameter = REDIRECTORS.find(([page]) => page.test(address))?.[1];
  return (parameter !== undefined && new URL(address).searchParams.get(parameter)) || address;
}

/** Addresses of this site become paths; those that only the other program could open go, and pictures with them. */
function addressesOf(body: HTMLElement): void {
  for (const [selector, name] of [
    ["a[href]", "href"],
    ["img", "src"],
  ] as const)
    for (const element of body.querySelectorAll(selector)) {
      const written = element.getAttribute(name) ?? "";
      const address = withoutRedirector(written);
      if (address === "" || !ADDRESS.test(address)) {
        if (name === "src") element.remove();
        else unwrap(element);
      } else if (address.startsWith(`${location.origin}/`))
        element.setAttribute(name, address.slice(location.origin.length));
      else if (address !== written) element.setAttribute(name, address);
    }
}

/** Word writes the items of lists as paragraphs, each with its sign as text. */
function listsOfWord(body: HTMLElement): void {
  /** The open lists, the outermost first. */
  let open: HTMLElement[] = [];
  let last: Element | undefined;
  for (const paragraph of body.querySelectorAll('p[data-style*="mso-list"]')) {
    const level = Number(/level(\d)/.exec(styleOf(paragraph))?.[1] ?? 1);
    const sign = paragraph.querySelector('[data-style*="mso-list:Ignore"]');
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

function wrapIn(element: Element, name: string): void {
  const around = element.ownerDocument.createElement(name);
  element.replaceWith(around);
  around.append(element);
}

function wrapContent(element: Element, name: string): void {
  const mark = element.ownerDocument.createElement(name);
  mark.append(...element.childNodes);
  element.append(mark);
}
