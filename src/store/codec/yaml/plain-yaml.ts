/**
 * A parser for the YAML our writer produces, ten times as fast as js-yaml.
 *
 * It accepts block mappings and lists, one-line scalars and `|` blocks, and rejects all other texts, also those with
 * comments, for js-yaml to parse. For every text it accepts, its result must equal js-yaml's.
 */
import { isObject, type Json, type JsonObject } from "../../../model/input/json.ts";
import { entryOf, type PlacedYaml, type YamlEntry, type YamlNode } from "./source.ts";
import { trimBoth } from "../../../model/text/trim.ts";

/** In UTF-16 units. All three are far below the limits in guard.ts, which this parser does not check. */
const SIZE_MAX = 262_144;
const KEYS_MAX = 10_000;
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

/** @returns undefined when js-yaml must parse the text */
export const readPlainYaml = (text: string): JsonObject | undefined => read(text, undefined)?.data;

/** A text in the form of our own writer. */
export interface PlainYaml extends PlacedYaml {
  readonly data: JsonObject;
}

/** As `readPlainYaml`, with the places of all values. */
export function placesInPlain(text: string): PlainYaml | undefined {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return read(text, starts);
}

function read(text: string, starts: readonly number[] | undefined): PlainYaml | undefined {
  if (text.length > SIZE_MAX || hasSpecial(text) || !text.endsWith("\n")) return undefined;
  const lines = text.split("\n");
  lines.pop();
  if (lines.some(isOfSpaces)) return undefined;
  const reader = new PlainReader(lines, starts);
  const data = reader.mapping(0, 0);
  const isRead = reader.skipEmpty() && isObject(data) && Object.keys(data).length > 0;
  return isRead ? { text, data, root: reader.node ?? null } : undefined;
}

class PlainReader {
  /** The place of the value that was read last; undefined for an omitted one. */
  node: YamlNode | undefined;
  readonly #lines: readonly string[];
  /** Offsets of the lines, and of the end of the text; undefined if no places are asked for. */
  readonly #starts: readonly number[] | undefined;
  #at = 0;
  #keys = 0;

  constructor(lines: readonly string[], starts: readonly number[] | undefined) {
    this.#lines = lines;
    this.#starts = starts;
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
    const entries: YamlEntry[] = [];
    for (let isFirst = isListItem; ; isFirst = false) {
      if (!isFirst && this.#indentOfNext() !== indent) {
        this.#place("mapping", entries);
        return object;
      }
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
      const start = this.#starts?.[from];
      if (start !== undefined) entries.push(entryOf(key, start + indent, start + colon + 1, this.node));
    }
  }

  #sequence(indent: number, depth: number): Result {
    if (depth > DEPTH_MAX) return UNSUPPORTED;
    const items: Json[] = [];
    const entries: YamlEntry[] = [];
    while (this.#indentOfNext() === indent) {
      const line = this.#line;
      const from = this.#at;
      if (line[indent] !== "-") break;
      const rest = line.slice(indent + 2);
      if (line[indent + 1] !== " " || rest === "") return UNSUPPORTED;
      const item = KEY.test(rest) ? this.mapping(indent + 2, depth + 1, true) : this.#scalarItem(rest, indent, depth);
      if (item === UNSUPPORTED) return UNSUPPORTED;
      items.push(item);
      const start = this.#starts?.[from];
      if (start !== undefined) entries.push(entryOf(undefined, start + indent, start + indent + 1, this.node));
    }
    this.#place("list", entries);
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
    this.#placeScalar(rest, value);
    // A deeper indented line would continue the scalar.
    return this.#indentOfNext() > indent ? UNSUPPORTED : value;
  }

  /** `[a, b]`, as people write it. Not for edits, which know no places in brackets. */
  #flowList(text: string): Result {
    if (this.#starts || !text.endsWith("]")) return UNSUPPORTED;
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
    this.node = undefined;
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
    this.#placeBlock(start - 1, `|${chomping ?? ""}`, chomping === "+" ? this.#at : start + end);
    const body = texts.slice(0, end).join("\n");
    return chomping === "-" ? body : chomping === "+" ? body + "\n".repeat(texts.length - end + 1) : `${body}\n`;
  }

  #place(type: "mapping" | "list", entries: readonly YamlEntry[]): void {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first && last)
      this.node = { type, start: first.start, end: last.end, entries, isFlow: false, style: undefined };
  }

  /** @param rest of the line before the present one */
  #placeScalar(rest: string, value: Result): void {
    const next = this.#starts?.[this.#at];
    if (next === undefined) return;
    const type = rest === "[]" ? "list" : rest === "{}" ? "mapping" : "scalar";
    const quotes = rest[0] === '"' ? "QUOTE_DOUBLE" : rest[0] === "'" ? "QUOTE_SINGLE" : "PLAIN";
    const style = typeof value === "string" ? quotes : undefined;
    const end = next - 1;
    this.node = { type, start: end - rest.length, end, entries: [], isFlow: type !== "scalar", style };
  }

  /** @param line that ends with the header @param after the line after the block */
  #placeBlock(line: number, header: string, after: number): void {
    const [next, end] = [this.#starts?.[line + 1], this.#starts?.[after]];
    if (next === undefined || end === undefined) return;
    const start = next - 1 - header.length;
    this.node = { type: "scalar", start, end, entries: [], isFlow: false, style: "BLOCK_LITERAL" };
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
