/** Where things stand in a YAML text: lines, the entries of a collection, and what belongs to each. */

import { isAlias, isCollection, isMap, isNode, isScalar } from "./yaml-package.ts";
import type { CST, Pair, ParsedNode, Scalar, YAMLMap, YAMLSeq } from "yaml";

export type Mapping = YAMLMap.Parsed;
export type Sequence = YAMLSeq.Parsed;
export type MappingPair = Pair<ParsedNode, ParsedNode | null>;

/** One `key: value` of a mapping or one `- value` of a sequence. */
export interface Entry {
  readonly start: number;
  /** Past the colon or the dash, and past an anchor: where the value may begin. */
  readonly after: number;
  /** Undefined when nothing is written for it. */
  readonly value: ParsedNode | undefined;
  /** Past the last character that is not a comment or white space. */
  readonly end: number;
}

// A negative position would be taken for 0.
export const lineStart = (text: string, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;

/** Past the line break. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at < 0 ? text.length : at + 1;
}

export const columnOf = (text: string, offset: number): number => offset - lineStart(text, offset);

/** Whether there is only white space before, such as no `-`. */
export const startsLine = (text: string, offset: number): boolean =>
  text.slice(lineStart(text, offset), offset).trim() === "";

export const isWritten = (node: unknown): node is ParsedNode =>
  isNode(node) && !!node.range && (!isScalar(node) || node.value !== null || node.range[1] > node.range[0]);

/** What js-yaml calls the key; undefined for a key it would refuse. */
export function keyOf(pair: MappingPair): string | undefined {
  return isScalar(pair.key) ? String(pair.key.value) : undefined;
}

export function entriesOf(node: Mapping | Sequence): Entry[] {
  if (isMap(node)) return node.items.map((pair) => pairEntry(pair));
  const token = node.srcToken;
  return node.items.map((item, i) => {
    const before = token && "items" in token ? (token.items[i]?.start ?? []) : [];
    const dash = before.find(({ type }) => type === "seq-item-ind");
    const start = dash?.offset ?? item.range[0];
    return entry(start, Math.max(start, endOfIndicators(before)), item);
  });
}

function pairEntry(pair: MappingPair): Entry {
  const token = pair.srcToken;
  const anchor = token?.start.find(({ type }) => type === "anchor");
  const start = anchor?.offset ?? pair.key.range[0];
  return entry(start, Math.max(pair.key.range[1], endOfIndicators(token?.sep ?? [])), pair.value);
}

function entry(start: number, after: number, node: ParsedNode | null): Entry {
  const value = isWritten(node) ? node : undefined;
  return { start, after, value, end: Math.max(after, value ? contentEnd(value) : 0) };
}

/** Past the last `:`, `-` or anchor. */
const endOfIndicators = (tokens: readonly CST.SourceToken[]): number =>
  tokens.reduce((end, { type, offset, source }) => (INDICATORS.has(type) ? offset + source.length : end), 0);

const INDICATORS: ReadonlySet<string> = new Set(["map-value-ind", "seq-item-ind", "anchor"]);

function contentEnd(node: ParsedNode): number {
  if (isAlias(node) || !isCollection(node) || node.flow) return node.range[1];
  return entriesOf(node).at(-1)?.end ?? node.range[1];
}

export const isBlockScalar = (node: ParsedNode | undefined): node is Scalar.Parsed =>
  isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");

export const isBlockCollection = (node: ParsedNode | undefined): node is Mapping | Sequence =>
  isCollection(node) && !node.flow;

/** Past an entry's last line, with the comments under it that are indented deeper: they speak of its value. */
export function entryEnd(text: string, { start, end, value }: Entry): number {
  // A block scalar's range ends where a line begins.
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

const endsWithBlockScalar = (node: ParsedNode | undefined): boolean => isBlockScalar(lastOf(node));

function lastOf(node: ParsedNode | undefined): ParsedNode | undefined {
  return isBlockCollection(node) ? lastOf(entriesOf(node).at(-1)?.value) : node;
}

/** Whether blank lines under an entry would be part of its value: it is a `|+` or `>+` block. */
export function keepsBlankLines(text: string, { value }: Entry): boolean {
  const last = lastOf(value);
  return isBlockScalar(last) && /^.\d?\+/.test(text.slice(last.range[0], last.range[0] + 3));
}

export function pastBlankLines(text: string, offset: number): number {
  const blank = /(?:[ \t]*\r?\n)*/y;
  blank.lastIndex = offset;
  return blank.test(text) ? blank.lastIndex : offset;
}

/**
 * Where the comment lines directly above an entry begin, at its own indentation; the entry's line if there are none.
 *
 * Those at the top of the text are not the entry's: they may speak of the file.
 *
 * @param floor what lies before belongs to others
 */
export function commentsAbove(text: string, { start }: Entry, floor: number): number {
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
