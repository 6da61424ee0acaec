/** Offsets in a YAML text: lines, the entries of a collection, and the comments of each. */

import { isAlias, isCollection, isMap, isNode, isScalar } from "./yaml-package.ts";
import type { CST, Pair, ParsedNode, Scalar, YAMLMap, YAMLSeq } from "yaml";

export type Mapping = YAMLMap.Parsed;
export type Sequence = YAMLSeq.Parsed;
export type MappingPair = Pair<ParsedNode, ParsedNode | null>;

/** One `key: value` of a mapping or one `- value` of a sequence. */
export interface YamlEntry {
  readonly start: number;
  /** After the colon or dash, and after an anchor: where the value may begin. */
  readonly after: number;
  /** Undefined for an omitted value. */
  readonly value: ParsedNode | undefined;
  /** After the last character that is neither a comment nor white space. */
  readonly end: number;
}

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

export const isWritten = (node: unknown): node is ParsedNode =>
  isNode(node) && !!node.range && (!isScalar(node) || node.value !== null || node.range[1] > node.range[0]);

/** The key as js-yaml reads it; undefined for keys it refuses. */
export function yamlKeyOf(pair: MappingPair): string | undefined {
  return isScalar(pair.key) ? String(pair.key.value) : undefined;
}

export function yamlEntriesOf(node: Mapping | Sequence): YamlEntry[] {
  if (isMap(node)) return node.items.map((pair) => pairEntry(pair));
  const token = node.srcToken;
  return node.items.map((item, i) => {
    const before = token && "items" in token ? (token.items[i]?.start ?? []) : [];
    const dash = before.find(({ type }) => type === "seq-item-ind");
    const start = dash?.offset ?? item.range[0];
    return entry(start, Math.max(start, endOfIndicators(before)), item);
  });
}

function pairEntry(pair: MappingPair): YamlEntry {
  const token = pair.srcToken;
  const anchor = token?.start.find(({ type }) => type === "anchor");
  const start = anchor?.offset ?? pair.key.range[0];
  return entry(start, Math.max(pair.key.range[1], endOfIndicators(token?.sep ?? [])), pair.value);
}

function entry(start: number, after: number, node: ParsedNode | null): YamlEntry {
  const value = isWritten(node) ? node : undefined;
  return { start, after, value, end: Math.max(after, value ? contentEnd(value) : 0) };
}

/** After the last `:`, `-` or anchor. */
const endOfIndicators = (tokens: readonly CST.SourceToken[]): number =>
  tokens.reduce((end, { type, offset, source }) => (INDICATORS.has(type) ? offset + source.length : end), 0);

const INDICATORS: ReadonlySet<string> = new Set(["map-value-ind", "seq-item-ind", "anchor"]);

function contentEnd(node: ParsedNode): number {
  if (isAlias(node) || !isCollection(node) || node.flow) return node.range[1];
  return yamlEntriesOf(node).at(-1)?.end ?? node.range[1];
}

export const isBlockScalar = (node: ParsedNode | undefined): node is Scalar.Parsed =>
  isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");

export const isBlockCollection = (node: ParsedNode | undefined): node is Mapping | Sequence =>
  isCollection(node) && !node.flow;

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

const endsWithBlockScalar = (node: ParsedNode | undefined): boolean => isBlockScalar(lastOf(node));

function lastOf(node: ParsedNode | undefined): ParsedNode | undefined {
  return isBlockCollection(node) ? lastOf(yamlEntriesOf(node).at(-1)?.value) : node;
}

/** Whether blank lines below an entry are part of its value: a `|+` or `>+` block. */
export function keepsBlankLines(text: string, { value }: YamlEntry): boolean {
  const last = lastOf(value);
  return isBlockScalar(last) && /^.\d?\+/.test(text.slice(last.range[0], last.range[0] + 3));
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
