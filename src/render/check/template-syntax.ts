/**
 * What is wrong with a template that does not parse, in words of a template's author. nunjucks reports what its parser
 * was doing, often at the end of the file, so the tags are read here once more.
 */
import { closest } from "../../model/input/closest.ts";

export interface SyntaxMistake {
  readonly reason: string;
  /** From 1; null where nunjucks knows no place either. */
  readonly line: number | null;
  readonly column: number | null;
}

/** Tags with a body, each with the tag that ends it. */
const ENDS: Readonly<Record<string, string>> = {
  if: "endif",
  ifAsync: "endif",
  for: "endfor",
  asyncEach: "endeach",
  asyncAll: "endall",
  block: "endblock",
  macro: "endmacro",
  call: "endcall",
  filter: "endfilter",
  switch: "endswitch",
  set: "endset",
  raw: "endraw",
  verbatim: "endverbatim",
};

/** Tags inside the body of others. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  else: ["if", "ifAsync", "for", "asyncEach", "asyncAll"],
  elif: ["if", "ifAsync"],
  elseif: ["if", "ifAsync"],
  case: ["switch"],
  default: ["switch"],
};

const TAGS = [...Object.entries(ENDS).flat(), ...Object.keys(PARTS), "extends", "include", "import", "from"];

const CLOSINGS = { "{{": "}}", "{%": "%}", "{#": "#}" } as const;
type Opening = keyof typeof CLOSINGS;

/** What may follow a text in quotes: closing brackets, separators, operators. */
const AFTER_QUOTE = /[\s\])}%|,:~+\-*/=!<>.[]/;

interface Tag {
  readonly name: string;
  /** What follows the name. */
  readonly rest: string;
  readonly at: number;
}

/** A mistake at a position of the text. */
class Mistake extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** @param error what nunjucks threw for the text */
export function syntaxMistake(text: string, error: unknown): SyntaxMistake {
  try {
    checkNesting(tagsIn(text), (at) => text.slice(0, at).split("\n").length);
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake;
    const lines = text.slice(0, mistake.at).split("\n");
    return { reason: mistake.message, line: lines.length, column: lines.at(-1)!.length + 1 };
  }
  const { lineno = null, colno = null } = error as { readonly lineno?: number; readonly colno?: number };
  return { reason: inPlainWords(error), line: lineno, column: lineno && colno };
}

/** @throws Mistake for a tag, comment or quote that is not closed */
function tagsIn(text: string): Tag[] {
  const tags: Tag[] = [];
  const openings = /\{[{%#]/g;
  for (let found = openings.exec(text); found; found = openings.exec(text)) {
    const opening = found[0] as Opening;
    const end = opening === "{#" ? text.indexOf("#}", found.index + 2) : endOfTag(text, found.index + 2, opening);
    if (end < 0) throw new Mistake(found.index, `\`${opening}\` is not closed: \`${CLOSINGS[opening]}\` is missing.`);
    openings.lastIndex = end + 2;
    if (opening !== "{%") continue;
    const inside = text.slice(found.index + 2, end);
    const name = /^-?\s*(\w*)/.exec(inside)![1]!;
    tags.push({ name, rest: inside.slice(inside.indexOf(name) + name.length).trim(), at: found.index });
    if (name !== "raw" && name !== "verbatim") continue;
    // nunjucks reads nothing in it.
    const last = text.indexOf(`end${name}`, end);
    openings.lastIndex = last < 0 ? text.length : text.lastIndexOf("{%", last);
  }
  return tags;
}

/** @returns the position of the closing, or -1 @throws Mistake for a quote that is not closed */
function endOfTag(text: string, from: number, opening: Opening): number {
  const closing = CLOSINGS[opening];
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(closing, at)) return at;
    const two = text.slice(at, at + 2);
    if (two in CLOSINGS) return -1;
    const quote = text[at]!;
    if (quote !== '"' && quote !== "'") continue;
    let end = at + 1;
    while (end < text.length && text[end] !== quote) end += text[end] === "\\" ? 2 : 1;
    const isClosed =
      end < text.length && (!text.slice(at, end).includes(closing) || AFTER_QUOTE.test(text[end + 1] ?? ""));
    if (!isClosed) throw new Mistake(at, `The quote ${quote} is not closed.`);
    at = end;
  }
  return -1;
}

/** @throws Mistake for tags that do not exist, are not closed, or close nothing */
function checkNesting(tags: readonly Tag[], lineAt: (at: number) => number): void {
  const open: Tag[] = [];
  const blocks = new Map<string, Tag>();
  const unclosed = ({ name, at }: Tag, before?: Tag): Mistake => {
    const place = before ? ` before \`{% ${before.name} %}\` in line ${lineAt(before.at)}` : "";
    return new Mistake(at, `\`{% ${name} %}\` is not closed: \`{% ${ENDS[name]} %}\` is missing${place}.`);
  };
  for (const tag of tags) {
    const { name, rest, at } = tag;
    const takers = Object.hasOwn(PARTS, name)
      ? PARTS[name]!
      : Object.keys(ENDS).filter((opener) => ENDS[opener] === name);
    if (takers.length > 0) {
      const last = open.at(-1);
      if (!last || !open.some((each) => takers.includes(each.name)))
        throw new Mistake(at, `\`{% ${name} %}\` belongs to no \`{% ${takers[0]} %}\`.`);
      if (!takers.includes(last.name)) throw unclosed(last, tag);
      if (!Object.hasOwn(PARTS, name)) open.pop();
    } else if (Object.hasOwn(ENDS, name)) {
      const first = name === "block" ? blocks.get(rest) : undefined;
      if (first)
        throw new Mistake(at, `The block \`${rest}\` is there twice: it begins in line ${lineAt(first.at)} already.`);
      if (name === "block") blocks.set(rest, tag);
      if (name !== "set" || !rest.includes("=")) open.push(tag);
    } else if (!TAGS.includes(name)) {
      const near = closest(name, TAGS);
      const message = name === "" ? "A tag has no name." : `There is no tag \`${name}\`.`;
      throw new Mistake(at, near ? `${message} Did you mean \`${near}\`?` : message);
    }
  }
  const last = open.at(-1);
  if (last) throw unclosed(last);
}

/** Messages of nunjucks' parser, in plain words; `$1` is a group of the expression. */
// oxfmt-ignore
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/expected variable end/,                          "Here `}}` is expected. Operators are `and`, `or`, `not`, `~` and `a if b else c`."],
  [/expected block end in (\w{1,40}) statement/,     "Here `%}` is expected, the end of the tag `$1`. Operators are `and`, `or`, `not`, `in` and `is`."],
  [/unexpected token: ([%}]\})/,                     "A value is missing before `$1`."],
  [/unexpected token: (.{1,100})/,                   "`$1` is not expected here."],
  [/expected name as lookup value, got (.{1,100})/,  "After a dot a name is expected, not `$1`."],
  [/expected symbol, got/,                           "A name is missing here."],
  [/parseSignature: expected comma|expected arguments/, "A comma or `)` is missing."],
  [/parseAggregate: expected (comma|colon)/,         "A $1 or a closing bracket is missing."],
  [/expected "in" keyword|parseFor: variable name/,  "A loop is written `{% for item in items %}`."],
  [/parseImport: expected "as"/,                     'An import is written `{% import "file.html" as name %}`.'],
  [/parseFrom: /,                                    'An import of names is written `{% from "file.html" import name %}`.'],
  [/parseBlock: variable name/,                      "A block has a name: `{% block main %}`."],
  [/parseSet: expected/,                             "A variable is set as in `{% set name = value %}`."],
];

function inPlainWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  for (const [pattern, words] of PLAIN) {
    const found = pattern.exec(message);
    if (found) return words.replace("$1", () => found[1] ?? "");
  }
  // Where the text ends in an expression, nunjucks reads on in what is not there.
  if (error instanceof TypeError || /end of file|EOF/.test(message))
    return "A tag or an expression is not complete, or gives a value the name of a constant such as `none`.";
  return message.replace(/^parse\w*: /, "");
}
