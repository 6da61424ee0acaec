/** Where values are in a YAML text: as the parsers report it (`places.ts`, `plain-yaml.ts`), and the lines around them. */
import type { Scalar } from "yaml";

/** A value in a text. */
export interface YamlNode {
  /** An alias is a scalar. */
  readonly type: "mapping" | "list" | "scalar";
  readonly start: number;
  /** That of a block scalar is the start of a line. */
  readonly end: number;
  /** In file order; a scalar has none. */
  readonly entries: readonly YamlEntry[];
  /** Whether it is in brackets. */
  readonly isFlow: boolean;
  /** How a text is written; undefined for other values. */
  readonly style: Scalar.Type | undefined;
}

/** One `key: value` of a mapping or one `- value` of a list. */
export interface YamlEntry {
  /** As js-yaml reads it; undefined for an item, and for keys that js-yaml refuses. */
  readonly key: string | undefined;
  readonly start: number;
  /** After the colon or dash, and after an anchor: where the value may begin. */
  readonly after: number;
  /** Undefined for an omitted value. */
  readonly value: YamlNode | undefined;
  /** After the last character that is neither a comment nor white space. */
  readonly end: number;
}

/** A text that ends with a line break, and the places of its values. */
export interface PlacedYaml {
  readonly text: string;
  /** null for a text without a value. */
  readonly root: YamlNode | null;
}

export const entryOf = (
  key: string | undefined,
  start: number,
  after: number,
  value: YamlNode | undefined,
): YamlEntry => ({ key, start, after, value, end: Math.max(after, value?.end ?? 0) });

// `lastIndexOf` treats -1 as 0.
export const lineStart = (text: string, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;

/** After the line break. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at < 0 ? text.length : at + 1;
}

export const columnOf = (text: string, offset: number): number => offset - lineStart(text, offset);

/** Whether only white space precedes on the line: no `-`. */
export const startsLine = (text: string, offset: number): boolean =>
  text.slice(lineStart(text, offset), offset).trim() === "";

export const isBlockScalar = (node: YamlNode | undefined): boolean =>
  node?.style === "BLOCK_LITERAL" || node?.style === "BLOCK_FOLDED";

export const isBlockCollection = (node: YamlNode | undefined): node is YamlNode =>
  node !== undefined && node.type !== "scalar" && !node.isFlow;

/** After an entry's last line and the deeper indented comments below it, which belong to its value. */
export function yamlEntryEnd(text: string, { start, end, value }: YamlEntry): number {
  // A block scalar's range already ends at the start of a line.
  let result = endsWithBlockScalar(value) ? end : lineEnd(text, end);
  const column = columnOf(text, start);
  for (let next = result, end: number; next < text.length; next = end) {
    end = lineEnd(text, next);
    const line = text.slice(next, end);
    const indent = line.search(/[^ ]/);
    if (indent > column && line[indent] === "#") result = end;
    else if (line.trim() !== "") break;
  }
  return result;
}

const endsWithBlockScalar = (node: YamlNode | undefined): boolean => isBlockScalar(lastOf(node));

const lastOf = (node: YamlNode | undefined): YamlNode | undefined =>
  isBlockCollection(node) ? lastOf(node.entries.at(-1)?.value) : node;

/** Whether blank lines below an entry are part of its value: a `|+` or `>+` block. */
export function keepsBlankLines(text: string, { value }: YamlEntry): boolean {
  const last = lastOf(value);
  return last !== undefined && isBlockScalar(last) && /^.\d?\+/.test(text.slice(last.start, last.start + 3));
}

export function afterBlankLines(text: string, offset: number): number {
  const blank = /(?:[ \t]*\r?\n)*/y;
  blank.lastIndex = offset;
  return blank.test(text) ? blank.lastIndex : offset;
}

/**
 * The start of the comment lines directly above an entry, in its indentation; the start of its line if there are none.
 * Comments at the top of the text do not count, since they may describe the file.
 *
 * @param floor comments before this offset belong to other entries
 */
export function commentsAbove(text: string, { start }: YamlEntry, floor: number): number {
  const indent = " ".repeat(columnOf(text, start));
  const line = lineStart(text, start);
  let result = line;
  while (result > floor) {
    const above = lineStart(text, result - 1);
    if (above < floor || !text.startsWith(`${indent}#`, above)) break;
    result = above;
  }
  return result < line && /^(?:---)?\s*$/.test(text.slice(0, result)) ? line : result;
}
