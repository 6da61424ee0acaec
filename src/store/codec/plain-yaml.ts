/**
 * The YAML that our own writer writes, read at ten times the speed of a whole parser.
 *
 * Block mappings and lists, scalars that stand on one line, `|` blocks; nothing else, and nothing that could be read in
 * two ways. Whatever is anything else, a comment among it, is left to the parser, whose answer this one's always is.
 */
import { isObject, type Json } from "../../model/json.ts";

/** In UTF-16 units; with the number of keys far below every limit of the parser's guard. */
const SIZE_MAX = 262_144;
const KEYS_MAX = 10_000;
const DEPTH_MAX = 40;

/** Characters that are line breaks somewhere, invisible, or refused. */
const ODD = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;
/** A line of nothing but spaces may be part of a block or not, depending on its neighbours. */
const BLANK = /(?:^|\n) +(?:\n|$)/;
const KEY = /^([A-Za-z_][A-Za-z0-9_-]{0,99}):(?: |$)/;
/** Names that stand for values, and what no object should be given by name. */
const ODD_KEY = /^(?:null|true|false|__proto__)$/i;
/** What the parser could take for a number, a switch or nothing. */
const VALUE_LIKE = /^(?:[-+.]?[\d.][\d.eE_+-]*|[-+]?0[xob].*|[-+]?\.(?:inf|nan)|null|true|false|~)$/i;
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** How plain text may begin; digits and signs are looked at above. */
const PLAIN = /^[^\s!&*?|>@`"'#%{}[\],:-]/;
const NOT_PLAIN = /: | #|:$| $/;
/** Halves of characters, written out: the parser has its own word on them. */
const HALF = /\\u[dD][89a-fA-F]/;

/** Says that the text is not of this sort. */
const OTHER = Symbol("other");
type Read = Json | typeof OTHER;

/** @returns undefined when the text must go to the parser */
export function readPlainYaml(text: string): Json | undefined {
  if (text.length > SIZE_MAX || ODD.test(text) || BLANK.test(text) || !text.endsWith("\n")) return undefined;
  const lines = text.split("\n");
  lines.pop();
  const reader = new PlainReader(lines);
  const value = reader.mapping(0, 0);
  return value === OTHER || !reader.isAtEnd || !isObject(value) || Object.keys(value).length === 0 ? undefined : value;
}

class PlainReader {
  readonly #lines: readonly string[];
  #at = 0;
  #keys = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get isAtEnd(): boolean {
    this.#skipBlank();
    return this.#at === this.#lines.length;
  }

  /** @param behindDash whether the first key's line begins with the dash of a list */
  mapping(indent: number, depth: number, behindDash = false): Read {
    if (depth > DEPTH_MAX) return OTHER;
    const object: { [key: string]: Json } = {};
    for (let isFirst = behindDash; ; isFirst = false) {
      if (!isFirst && this.#indentOfNext() !== indent) return object;
      const line = this.#lines[this.#at]!;
      const match = KEY.exec(indent === 0 ? line : line.slice(indent));
      if (!match || ++this.#keys > KEYS_MAX) return OTHER;
      const key = match[1]!;
      if (ODD_KEY.test(key) || Object.hasOwn(object, key)) return OTHER;
      this.#at++;
      const value = this.#value(line.slice(indent + match[0].length), indent, depth);
      if (value === OTHER) return OTHER;
      object[key] = value;
    }
  }

  #sequence(indent: number, depth: number): Read {
    if (depth > DEPTH_MAX) return OTHER;
    const items: Json[] = [];
    while (this.#indentOfNext() === indent) {
      const line = this.#lines[this.#at]!;
      if (line[indent] !== "-") break;
      if (line[indent + 1] !== " ") return OTHER;
      const rest = line.slice(indent + 2);
      let item: Read;
      if (rest === "") return OTHER;
      if (KEY.test(rest)) item = this.mapping(indent + 2, depth + 1, true);
      else {
        this.#at++;
        item = this.#value(rest, indent, depth);
      }
      if (item === OTHER) return OTHER;
      items.push(item);
    }
    return items;
  }

  /** What stands behind a key or a dash; the lines from here on that belong to it are read. */
  #value(rest: string, indent: number, depth: number): Read {
    if (rest === "") return this.#nested(indent, depth);
    if (rest === "|-" || rest === "|" || rest === "|+") return this.#block(indent, rest[1]);
    const value = scalarOf(rest);
    // A deeper line would be more of the same text.
    return value === OTHER || this.#indentOfNext() > indent ? OTHER : value;
  }

  #nested(indent: number, depth: number): Read {
    const deeper = this.#indentOfNext();
    if (deeper < 0) return null;
    const isList = this.#lines[this.#at]![deeper] === "-";
    if (deeper < indent || (deeper === indent && !isList)) return null;
    return isList ? this.#sequence(deeper, depth + 1) : this.mapping(deeper, depth + 1);
  }

  #block(parent: number, chomping: string | undefined): Read {
    const start = this.#at;
    const indent = this.#indentOfNext();
    // A blank line before the text hides where its indentation begins.
    if (indent <= parent || this.#at !== start) return OTHER;
    const texts: string[] = [];
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!;
      if (line === "") texts.push("");
      else if (indentOf(line) < indent) break;
      else texts.push(line.slice(indent));
    }
    const rest = this.#lines[this.#at];
    if (rest !== undefined && indentOf(rest) > parent) return OTHER;
    let end = texts.length;
    while (texts[end - 1] === "") end--;
    const body = texts.slice(0, end).join("\n");
    return chomping === "-" ? body : chomping === "+" ? body + "\n".repeat(texts.length - end + 1) : `${body}\n`;
  }

  /** Of the next line that is not blank, in spaces; -1 when there is none. */
  #indentOfNext(): number {
    this.#skipBlank();
    const line = this.#lines[this.#at];
    return line === undefined ? -1 : indentOf(line);
  }

  #skipBlank(): void {
    while (this.#lines[this.#at] === "") this.#at++;
  }
}

function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 32) indent++;
  return indent;
}

function scalarOf(text: string): Read {
  const first = text[0];
  if (first === '"') return doubleQuoted(text);
  if (first === "'") return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : OTHER;
  if (text === "[]") return [];
  if (text === "{}") return {};
  if (VALUE_LIKE.test(text)) {
    if (INTEGER.test(text)) return Number(text);
    return text === "true" ? true : text === "false" ? false : text === "null" ? null : DAY.test(text) ? text : OTHER;
  }
  return PLAIN.test(text) && !NOT_PLAIN.test(text) ? text : OTHER;
}

function doubleQuoted(text: string): Read {
  if (text.length < 2 || HALF.test(text)) return OTHER;
  try {
    // Of the escapes that both know, both think the same.
    const value = JSON.parse(text) as unknown;
    return typeof value === "string" ? value : OTHER;
  } catch {
    return OTHER;
  }
}
