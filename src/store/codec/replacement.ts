import { isScalar } from "./yaml-package.ts";
import type { ParsedNode, Scalar } from "yaml";
import type { Json } from "../../model/json.ts";
import type { Layout } from "./layout.ts";
import { columnOf, entryEnd, isBlockCollection, isBlockScalar, lineEnd, lineStart } from "./source.ts";
import type { Entry } from "./source.ts";
import { render } from "./yaml.ts";

interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Splice extends Range {
  readonly text: string;
}

/**
 * A value in place of another: on the line of its key or dash, and on the lines under it where it needs any.
 *
 * @param isInFlow whether the entry stands between brackets, where there are no lines under it
 */
export function replacement(
  text: string,
  { eol, style }: Layout,
  entry: Entry,
  fresh: Json,
  isInFlow: boolean,
): Splice[] {
  const { value, after } = entry;
  const type = scalarType(value, fresh);
  if (isInFlow) {
    const flow = inFlow([fresh], type).slice(1, -1);
    if (value) return [{ start: value.range[0], end: value.range[1], text: flow }];
    return [{ start: after, end: after, text: text[after - 1] === ":" ? ` ${flow}` : `: ${flow}` }];
  }
  const isItem = text[entry.start] === "-" && /\s/.test(text[entry.start + 1] ?? " ");
  const rendered = isItem ? render([fresh], style, type) : render({ k: fresh }, style, type);
  const [first = "", ...rest] = rendered.slice(isItem ? 1 : 2).split("\n");
  const { head, tail } = occupiedBy(text, entry);
  return [
    { ...head, text: first },
    { ...tail, text: indented(rest.join("\n"), columnOf(text, entry.start), eol) },
  ];
}

/** Brackets on one line, whatever the value. */
export const inFlow = (value: Json, type?: Scalar.Type): string =>
  render(value, { collectionStyle: "flow" }, type).replace(/\n$/, "");

/** What of an entry's value stands on the line of its key or dash, and what on whole lines under it. */
function occupiedBy(text: string, { after, value, end }: Entry): { head: Range; tail: Range } {
  const none = (at: number): Range => ({ start: at, end: at });
  if (!value) return { head: none(after), tail: none(lineEnd(text, after)) };
  const [start] = value.range;
  if (isBlockScalar(value)) {
    const header = /^[|>][-+\d]*/.exec(text.slice(start, start + 4))?.[0].length ?? 1;
    const body = lineEnd(text, start);
    return { head: { start: after, end: start + header }, tail: { start: body, end: Math.max(end, body) } };
  }
  const isBelow = lineStart(text, start) > after;
  if (isBelow && isBlockCollection(value)) {
    return {
      head: none(after),
      tail: { start: lineStart(text, start), end: entryEnd(text, { start, after, value, end }) },
    };
  }
  // What ends with a block scalar ends past a line break, which stays.
  const close = end - (/\r?\n$/.exec(text.slice(start, end))?.[0].length ?? 0);
  return { head: { start: after, end: close }, tail: none(lineEnd(text, close)) };
}

/** The quotes or block style of the old text, for the new one. */
function scalarType(old: ParsedNode | undefined, wanted: Json): Scalar.Type | undefined {
  if (!isScalar(old) || typeof wanted !== "string" || typeof old.value !== "string" || wanted === "") return undefined;
  if (old.type === "PLAIN" || (old.type === "QUOTE_SINGLE" && wanted.includes("\n"))) return undefined;
  return old.type ?? undefined;
}

/** Rendered lines, moved to a column; blank ones stay blank. */
export function indented(text: string, column: number, eol: string): string {
  return (
    text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => (line ? " ".repeat(column) + line : line))
      .join(eol) + (text ? eol : "")
  );
}
