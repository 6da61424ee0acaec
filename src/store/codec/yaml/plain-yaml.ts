/**
 * A parser for the YAML our writer produces, ten times as fast as js-yaml.
 *
 * It accepts block mappings and lists, one-line scalars and `|` blocks, and rejects all other texts, also those with
 * comments, for js-yaml to parse. For every text it accepts, its result must equal js-yaml's.
 */
import { isObject, type Json } from "../../../model/input/json.ts";
import { trimBoth } from "../../../model/text/trim.ts";

/** In UTF-16 units. All three are far below the limits in guard.ts, which this parser does not check. */
const SIZE_MAX = 262_144;
const KEYS_MAX = 10_000;
/** A key takes three characters at least, so a text of this size has no more keys than may be. */
export const SURE_SIZE = 3 * KEYS_MAX;
const DEPTH_MAX = 40;

/** A text without these has none of the others, and is told in a third of their time. */
const NOT_ASCII = /[^\n\x20-\x7e]/;
/** Characters that are invisible, refused, or line breaks in some parsers. */
const SPECIAL = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;
/** Whether a line of spaces belongs to a block depends on its neighbours. */
const LINE_OF_SPACES = /(?:^|\n) +(?:\n|$)/;
const KEY = /^([A-Za-z_][A-Za-z0-9_-]{0,99}):(?: |$)/;
const BARE_KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,99}$/;
/** Names of values, and the one that would set the prototype of an object. */
const SPECIAL_KEY = /^(?:null|true|false|__proto__)$/i;
/** Text that js-yaml may resolve to a number, boolean or null. */
const VALUE_LIKE = /^(?:[-+.]?[\d.][\d.eE_+-]*|[-+]?0[xob]\w*|[-+]?\.(?:inf|nan)|null|true|false|~)$/i;
/** An item of a list in brackets that is a scalar on its own, whatever stands beside it. */
const FLOW_ITEM = /^[^ ,[\]{}:#"'&*!|>%@`?-][^,[\]{}:#"'&*!|>%@`?]*$/;
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** First character of a plain string; `VALUE_LIKE` is checked before. */
const PLAIN = /^[^\s!&*?|>@`"'#%{}[\],:-]/;
const NOT_PLAIN = /: | #|:$| $/;
/** Strings that readers of YAML 1.1 take for a boolean, a number, minutes of an hour, or a sign of their own. */
export const OTHER_IN_YAML_1_1 =
  /^(?:y|yes|n|no|on|off|=|<<|[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?|[-+]?(?:0b[01_]+|0x[\da-f_]+|\d[\d_]*(?:\.[\d_]*)?(?:e[-+]?\d+)?|\.[\d_]+))$/i;
/** Escaped surrogates, which js-yaml treats differently from JSON. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** The result for a text that js-yaml must parse. */
const UNSUPPORTED = Symbol("unsupported");
type Result = Json | typeof UNSUPPORTED;

const hasSpecial = (text: string): boolean => NOT_ASCII.test(text) && SPECIAL.test(text);

/** Whether a text is a string on the line of its key, and `printDocument` prints it without quotes. */
export const isPlainText = (text: string): boolean =>
  !hasSpecial(text) &&
  !text.includes("\n") &&
  !text.endsWith("-") &&
  !VALUE_LIKE.test(text) &&
  !OTHER_IN_YAML_1_1.test(text) &&
  scalarOf(text) === text;

/** What the `yaml` package never prints without quotes, and only in double ones where it has neither quote. */
const QUOTED = /^[ ,[\]{}#&*!|>%@`]|^[?-] |: | #|[ :]$/;

/** Whether `printDocument` prints a text in double quotes, without any escape. */
export const isQuotedText = (text: string): boolean =>
  (QUOTED.test(text) || OTHER_IN_YAML_1_1.test(text)) &&
  !/["'\\\n]/.test(text) &&
  !hasSpecial(text) &&
  /[^ ]/.test(text);

/**
 * Whether the `yaml` package prints a text as a block that this parser accepts: of several lines, none of spaces only, the first
 * one not indented, and with one line break at the end, or none.
 */
export const isBlockText = (text: string): boolean =>
  text.includes("\n") &&
  text[0] !== " " &&
  text[0] !== "\n" &&
  !BLOCK_ENDS.some((end) => text.endsWith(end)) &&
  !hasSpecial(text) &&
  // Lines of spaces begin with one.
  !(text.includes("\n ") && LINE_OF_SPACES.test(text));

/** What follows the last line: an expression would look at each space of the text. */
const BLOCK_ENDS = [" ", " \n", "\n\n"];

/** Whether the `yaml` package prints a key without quotes, and this parser accepts it. */
export const isPlainKey = (key: string): boolean => BARE_KEY.test(key) && !SPECIAL_KEY.test(key) && !key.endsWith("-");

/** Where the entries of a mapping or list are in a text, as numbers of lines. */
export interface YamlPlace {
  /** Column of the keys or dashes. */
  readonly indent: number;
  /** The entries in file order: the first line of each, and the line after its last one that is not blank. */
  readonly entries: readonly (readonly [from: number, to: number])[];
}

/** The mappings and lists of a text, by the value that was made of each. Those in brackets (`[]`, `{}`) are not in it. */
export type Places = Map<Json, YamlPlace>;

/**
 * @param places gets the places of all mappings and lists
 * @param depth of the mapping, if the text is a part of one
 * @returns undefined when js-yaml must parse the text
 */
export function readPlainYaml(text: string, places?: Places, depth = 0): Json | undefined {
  if (text.length > SIZE_MAX || hasSpecial(text) || !text.endsWith("\n")) return undefined;
  const lines = text.split("\n");
  lines.pop();
  if (lines.some(isOfSpaces)) return undefined;
  const reader = new PlainReader(lines, places);
  const value = reader.mapping(0, depth);
  return reader.skipEmpty() && isObject(value) && Object.keys(value).length > 0 ? value : undefined;
}

class PlainReader {
  readonly #lines: readonly string[];
  readonly #places: Places | undefined;
  #at = 0;
  #keys = 0;

  constructor(lines: readonly string[], places: Places | undefined) {
    this.#lines = lines;
    this.#places = places;
  }

  /** Advances to the next non-empty line. @returns whether the text has ended */
  skipEmpty(): boolean {
    while (this.#lines[this.#at] === "") this.#at++;
    return this.#at === this.#lines.length;
  }

  /** @param isListItem whether the first key follows the dash of a list item on its line */
  mapping(indent: number, depth: number, isListItem = false): Result {
    if (depth > DEPTH_MAX) return UNSUPPORTED;
    const object: { [key: string]: Json } = {};
    const entries = this.#entriesOf(object, indent);
    for (let isFirst = isListItem; ; isFirst = false) {
      if (!isFirst && this.#indentOfNext() !== indent) return object;
      const line = this.#line;
      const from = this.#at;
      const colon = line.indexOf(":", indent);
      const key = colon < 0 ? "" : line.slice(indent, colon);
      const isAlone = colon === line.length - 1;
      if (!BARE_KEY.test(key) || !(isAlone || line[colon + 1] === " ") || ++this.#keys > KEYS_MAX) return UNSUPPORTED;
      if (SPECIAL_KEY.test(key) || Object.hasOwn(object, key)) return UNSUPPORTED;
      this.#at++;
      const value = this.#value(isAlone ? "" : line.slice(colon + 2), indent, depth);
      if (value === UNSUPPORTED) return UNSUPPORTED;
      object[key] = value;
      entries?.push([from, this.#end]);
    }
  }

  #sequence(indent: number, depth: number): Result {
    if (depth > DEPTH_MAX) return UNSUPPORTED;
    const items: Json[] = [];
    const entries = this.#entriesOf(items, indent);
    while (this.#indentOfNext() === indent) {
      const line = this.#line;
      const from = this.#at;
      if (line[indent] !== "-") break;
      const rest = line.slice(indent + 2);
      if (line[indent + 1] !== " " || rest === "") return UNSUPPORTED;
      const item = KEY.test(rest) ? this.mapping(indent + 2, depth + 1, true) : this.#scalarItem(rest, indent, depth);
      if (item === UNSUPPORTED) return UNSUPPORTED;
      items.push(item);
      entries?.push([from, this.#end]);
    }
    return items;
  }

  #scalarItem(rest: string, indent: number, depth: number): Result {
    this.#at++;
    return this.#value(rest, indent, depth);
  }

  /** @param rest of the line, after a key or dash; the following lines of the value are consumed */
  #value(rest: string, indent: number, depth: number): Result {
    if (rest === "") return this.#nested(indent, depth);
    if (rest === "|-" || rest === "|" || rest === "|+") return this.#block(indent, rest[1]);
    const value = rest.length > 2 && rest.startsWith("[") ? this.#flowList(rest) : scalarOf(rest);
    // A deeper indented line would continue the scalar.
    return this.#indentOfNext() > indent ? UNSUPPORTED : value;
  }

  /** `[a, b]`, as people write it. Not for edits, which know no places in brackets. */
  #flowList(text: string): Result {
    if (this.#places || !text.endsWith("]")) return UNSUPPORTED;
    const items: Json[] = [];
    for (const part of text.slice(1, -1).split(",")) {
      const item = trimBoth(part, " ");
      if (++this.#keys > KEYS_MAX || !FLOW_ITEM.test(item)) return UNSUPPORTED;
      const value = scalarOf(item);
      if (value === UNSUPPORTED) return UNSUPPORTED;
      items.push(value);
    }
    return items;
  }

  #nested(indent: number, depth: number): Result {
    const deeper = this.#indentOfNext();
    if (deeper < 0) return null;
    const isList = this.#line[deeper] === "-";
    if (deeper < indent || (deeper === indent && !isList)) return null;
    return isList ? this.#sequence(deeper, depth + 1) : this.mapping(deeper, depth + 1);
  }

  #block(parent: number, chomping: string | undefined): Result {
    const start = this.#at;
    const indent = this.#indentOfNext();
    // With a blank line first, the indentation of the block is ambiguous.
    if (indent <= parent || this.#at !== start) return UNSUPPORTED;
    const texts: string[] = [];
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line;
      if (line === "") texts.push("");
      else if (indentOf(line) < indent) break;
      else texts.push(line.slice(indent));
    }
    if (indentOf(this.#line) > parent) return UNSUPPORTED;
    let end = texts.length;
    while (texts[end - 1] === "") end--;
    const body = texts.slice(0, end).join("\n");
    return chomping === "-" ? body : chomping === "+" ? body + "\n".repeat(texts.length - end + 1) : `${body}\n`;
  }

  /** The entries of a collection, to be added as they are read. */
  #entriesOf(value: Json, indent: number): [from: number, to: number][] | undefined {
    if (!this.#places) return undefined;
    const entries: [from: number, to: number][] = [];
    this.#places.set(value, { indent, entries });
    return entries;
  }

  /** The line after the last one read that is not blank. */
  get #end(): number {
    let end = this.#at;
    while (this.#lines[end - 1] === "") end--;
    return end;
  }

  /** The indentation of the next non-empty line, to which it advances; -1 at the end. */
  #indentOfNext(): number {
    return this.skipEmpty() ? -1 : indentOf(this.#line);
  }

  /** The present line; "" at the end. */
  get #line(): string {
    return this.#lines[this.#at] ?? "";
  }
}

// Most lines end with something else.
const isOfSpaces = (line: string): boolean => line.endsWith(" ") && indentOf(line) === line.length;

function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 32) indent++;
  return indent;
}

function scalarOf(text: string): Result {
  const first = text[0];
  if (first === '"') return doubleQuoted(text);
  if (first === "'") return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : UNSUPPORTED;
  if (text === "[]") return [];
  if (text === "{}") return {};
  if (VALUE_LIKE.test(text)) {
    if (INTEGER.test(text)) return Number(text);
    return text === "true"
      ? true
      : text === "false"
        ? false
        : text === "null"
          ? null
          : DAY.test(text)
            ? text
            : UNSUPPORTED;
  }
  return PLAIN.test(text) && !NOT_PLAIN.test(text) ? text : UNSUPPORTED;
}

function doubleQuoted(text: string): Result {
  if (text.length < 2 || SURROGATE.test(text)) return UNSUPPORTED;
  try {
    // Escapes that JSON accepts have the same meaning in YAML.
    const value = JSON.parse(text) as unknown;
    return typeof value === "string" ? value : UNSUPPORTED;
  } catch {
    return UNSUPPORTED;
  }
}
