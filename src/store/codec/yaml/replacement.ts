import type { Scalar } from "yaml";
import type { Json } from "../../../model/input/json.ts";
import type { Layout } from "../layout.ts";
import { columnOf, yamlEntryEnd, isBlockCollection, isBlockScalar, lineEnd, lineStart } from "./source.ts";
import type { YamlEntry, YamlNode } from "./source.ts";
import { printYaml } from "./yaml-print.ts";

interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Splice extends Range {
  readonly text: string;
}

/**
 * The splices that replace an entry's value: one on the line of its key or dash, one for the lines below.
 *
 * @param isInFlow whether the entry is between brackets, where a value has no lines of its own
 */
export function replacement(
  text: string,
  { eol, style }: Layout,
  entry: YamlEntry,
  wanted: Json,
  isInFlow: boolean,
): Splice[] {
  const { value, after } = entry;
  const type = scalarType(value, wanted);
  if (isInFlow) {
    const flow = inFlow([wanted], type).slice(1, -1);
    if (value) return [{ start: value.start, end: value.end, text: flow }];
    return [{ start: after, end: after, text: text[after - 1] === ":" ? ` ${flow}` : `: ${flow}` }];
  }
  const isItem = text[entry.start] === "-" && /\s/.test(text[entry.start + 1] ?? " ");
  const printed = isItem ? printYaml([wanted], style, type) : printYaml({ k: wanted }, style, type);
  const { head, tail } = occupiedBy(text, entry);
  // Lines between a key and its value stay; after a text of several lines begins, they would be part of it.
  const isApart = typeof wanted === "string" && head.end === after && tail.start > lineEnd(text, after);
  const [first = "", ...rest] = isApart ? [` ${inFlow(wanted)}`] : printed.slice(isItem ? 1 : 2).split("\n");
  return [
    { ...head, text: first },
    { ...tail, text: indented(rest.join("\n"), columnOf(text, entry.start), eol) },
  ];
}

/** The value in flow style (brackets), on one line. */
export const inFlow = (value: Json, type?: Scalar.Type): string =>
  printYaml(value, { collectionStyle: "flow" }, type).replace(/\n$/, "");

/** The ranges of an entry's value: on the line of its key or dash, and on the lines below. */
function occupiedBy(text: string, entry: YamlEntry): { head: Range; tail: Range } {
  const { after, value, end } = entry;
  const empty = (at: number): Range => ({ start: at, end: at });
  if (!value) return { head: empty(after), tail: empty(lineEnd(text, after)) };
  const { start } = value;
  if (isBlockScalar(value)) {
    const header = /^[|>][-+\d]*/.exec(text.slice(start, start + 4))?.[0].length ?? 1;
    const body = lineEnd(text, start);
    return { head: { start: after, end: start + header }, tail: { start: body, end: Math.max(end, body) } };
  }
  const isBelow = lineStart(text, start) > after;
  if (isBelow && isBlockCollection(value)) {
    return {
      head: empty(after),
      tail: { start: lineStart(text, start), end: yamlEntryEnd(text, { ...entry, start }) },
    };
  }
  // A value that ends with a block scalar includes the last line break, which is kept.
  const close = end - (/\r?\n$/.exec(text.slice(start, end))?.[0].length ?? 0);
  return { head: { start: after, end: close }, tail: empty(lineEnd(text, close)) };
}

/** The style of the new text: that of the old one, if possible. */
function scalarType(old: YamlNode | undefined, wanted: Json): Scalar.Type | undefined {
  const style = old?.style;
  if (typeof wanted !== "string" || wanted === "" || style === "PLAIN") return undefined;
  return style === "QUOTE_SINGLE" && wanted.includes("\n") ? undefined : style;
}

/** Lines indented to a column; blank lines stay empty. */
export function indented(text: string, column: number, eol: string): string {
  return (
    text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => (line ? " ".repeat(column) + line : line))
      .join(eol) + (text ? eol : "")
  );
}
