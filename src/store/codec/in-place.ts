/**
 * Changes to a YAML text as splices: the bytes of what changed, and no others.
 *
 * A splice may come out wrong where YAML is subtle (an anchor that others use, a comment inside a value); whoever
 * applies them reads the result and throws it away if it does not mean what it should.
 */

import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { ParsedNode, Scalar, ToStringOptions } from "yaml";
import { isObject, own, sameJson } from "../../model/json.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { layoutOf } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { orderedValue, rankOf } from "./order.ts";
import type { KeyOrder } from "./order.ts";
import { isList, sameEnds } from "./rebase.ts";
import { columnOf, commentsAbove, entriesOf, entryEnd, isBlockCollection, isBlockScalar, isWritten, keepsBlankLines, keyOf, lineEnd, lineStart, pastBlankLines, startsLine } from "./source.ts";
import type { Entry, Mapping, Sequence } from "./source.ts";
import { DIALECT, render } from "./yaml.ts";

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Edit {
  readonly text: string;
  readonly layout: Layout;
  readonly order: KeyOrder;
  readonly splices: Splice[];
}

/**
 * The text with `wanted` in place of `said`, or undefined when that takes more than splices.
 *
 * @param text has passed the guard, means `said`, and ends with a line break
 * @param style of what is added, over what the text itself shows
 */
export function editInPlace(text: string, said: JsonObject, wanted: JsonObject, order: KeyOrder, style: ToStringOptions = {}): string | undefined {
  const document = parseDocument(text, { ...DIALECT, keepSourceTokens: true });
  const root = document.contents;
  if (document.errors.length > 0) return undefined;
  const layout = layoutOf(text, document, style);
  if (!isWritten(root)) return text + indented(render(orderedValue(wanted, order, 0), layout.style), 0, layout.eol);
  if (!isMap(root)) return undefined;
  const edit: Edit = { text, layout, order, splices: [] };
  try {
    editMapping(edit, root, said, wanted, 0);
    return applied(edit);
  } catch (error) {
    if (error instanceof NotInPlace) return undefined;
    throw error;
  }
}

/** The change needs a fresh rendering of what stands around it. */
class NotInPlace extends Error {}

function applied({ text, splices }: Edit): string {
  let [result, at] = ["", 0];
  // Stable: at one place, what was said first (the inner change) stands first.
  for (const splice of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (splice.start < at) throw new NotInPlace("Two changes overlap");
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

function editValue(edit: Edit, entry: Entry, said: Json, wanted: Json, depth: number, inFlow: boolean): void {
  if (sameJson(said, wanted)) return;
  const made = edit.splices.length;
  try {
    const { value } = entry;
    if (isMap(value) && isObject(said) && isObject(wanted)) return editMapping(edit, value, said, wanted, depth);
    if (isSeq(value) && isList(said) && isList(wanted)) return editSequence(edit, value, said, wanted, depth);
  } catch (error) {
    if (!(error instanceof NotInPlace)) throw error;
    edit.splices.length = made;
  }
  replaceValue(edit, entry, wanted, depth, inFlow);
}

function editMapping(edit: Edit, node: Mapping, said: JsonObject, wanted: JsonObject, depth: number): void {
  if (Object.keys(wanted).length === 0) throw new NotInPlace("No key stays");
  const entries = new Map<string, Entry>();
  const all = entriesOf(node);
  for (const [i, pair] of node.items.entries()) {
    const [key, entry] = [keyOf(pair), all[i]];
    if (key === undefined || !entry || !Object.hasOwn(said, key)) throw new NotInPlace("A key reads differently");
    entries.set(key, entry);
  }
  const removed = Object.keys(said).filter((key) => !Object.hasOwn(wanted, key));
  const gone = all.filter((_, i) => removed.includes(keyOf(node.items[i]!) ?? ""));
  if (node.flow && gone.length > 0 && !removeInFlow(edit, all, gone)) return replaceFlow(edit, node, wanted, depth);
  for (const [key, entry] of entries) {
    const [was, will] = [own(said, key), own(wanted, key)];
    if (was !== undefined && will !== undefined) editValue(edit, entry, was, will, depth + 1, !!node.flow);
  }
  addKeys(edit, node, entries, said, wanted, depth);
  if (!node.flow) removeEntries(edit, all, gone);
}

/** New keys, each after the sibling that the order puts nearest before it. */
function addKeys(edit: Edit, node: Mapping, entries: ReadonlyMap<string, Entry>, said: JsonObject, wanted: JsonObject, depth: number): void {
  const level = edit.order[depth];
  const staying = [...entries].filter(([key]) => Object.hasOwn(wanted, key));
  const siblings = staying.length > 0 ? staying : [...entries];
  const added = Object.keys(wanted)
    .filter((key) => !Object.hasOwn(said, key))
    .sort((a, b) => rankOf(level, a) - rankOf(level, b));
  for (const key of added) {
    const value = orderedValue(wanted[key] ?? null, edit.order, depth + 1);
    if (node.flow) {
      const last = siblings.at(-1)?.[1];
      if (!last) throw new NotInPlace("An empty flow mapping has no place to add to");
      edit.splices.push({ start: last.end, end: last.end, text: `, ${inFlow({ [key]: value }).slice(1, -1)}` });
      continue;
    }
    const rank = rankOf(level, key);
    const before = level ? siblings.filter(([name]) => rankOf(level, name) <= rank) : siblings;
    const nearest = before.reduce<[string, Entry] | undefined>(
      (best, each) => (best && rankOf(level, best[0]) > rankOf(level, each[0]) ? best : each),
      undefined,
    );
    const text = render(objectWith(key, value), edit.layout.style);
    if (nearest) insertLines(edit, entryEnd(edit.text, nearest[1]), text, columnOf(edit.text, nearest[1].start));
    else if (siblings[0]) insertBefore(edit, siblings[0][1], text);
    else throw new NotInPlace("There is no sibling");
  }
}

/** A computed `__proto__` key is an own key, as any other. */
const objectWith = (key: string, value: Json): JsonObject => ({ [key]: value });

function insertLines(edit: Edit, at: number, text: string, column: number): void {
  edit.splices.push({ start: at, end: at, text: indented(text, column, edit.layout.eol) });
}

function insertBefore(edit: Edit, entry: Entry, text: string): void {
  const column = columnOf(edit.text, entry.start);
  if (startsLine(edit.text, entry.start)) {
    return insertLines(edit, commentsAbove(edit.text, entry, 0), text, column);
  }
  // Behind a dash: the new lines take the place on its line, and the entry gets one of its own.
  const lines = indented(text, column, edit.layout.eol).slice(column) + " ".repeat(column);
  edit.splices.push({ start: entry.start, end: entry.start, text: lines });
}

/** Whole lines go, with the comments directly above. */
function removeEntries(edit: Edit, all: readonly Entry[], gone: readonly Entry[]): void {
  for (const entry of gone) {
    const i = all.indexOf(entry);
    const [previous, next] = [all[i - 1], all[i + 1]];
    if (startsLine(edit.text, entry.start)) {
      const start = commentsAbove(edit.text, entry, previous ? entryEnd(edit.text, previous) : 0);
      const end = entryEnd(edit.text, entry);
      edit.splices.push({ start, end: previous && !gone.includes(previous) && keepsBlankLines(edit.text, previous) ? pastBlankLines(edit.text, end) : end, text: "" });
    } else if (next) {
      if (gone.includes(next)) throw new NotInPlace("Two entries behind one dash go");
      edit.splices.push({ start: entry.start, end: next.start, text: "" });
    } else {
      throw new NotInPlace("The only entry goes");
    }
  }
}

function editSequence(edit: Edit, node: Sequence, said: readonly Json[], wanted: readonly Json[], depth: number): void {
  const entries = entriesOf(node);
  if (said.length === wanted.length) {
    for (const [i, entry] of entries.entries()) {
      editValue(edit, entry, said[i] ?? null, wanted[i] ?? null, depth + 1, !!node.flow);
    }
    return;
  }
  const { head, tail } = sameEnds(said, wanted);
  const gone = entries.slice(head, entries.length - tail);
  const added = wanted.slice(head, wanted.length - tail).map((item) => orderedValue(item, edit.order, depth + 1));
  const [above, below] = [entries[head - 1], entries[entries.length - tail]];
  if (node.flow) {
    const isOneChange = gone.length === 0 ? above !== undefined : added.length === 0 && removeInFlow(edit, entries, gone);
    if (!isOneChange) return replaceFlow(edit, node, wanted, depth);
    if (above && added.length > 0) edit.splices.push({ start: above.end, end: above.end, text: `, ${inFlow(added).slice(1, -1)}` });
    return;
  }
  if (!(above ?? below)) throw new NotInPlace("No item stays");
  if (added.length > 0) {
    const text = render(added, edit.layout.style);
    const first = gone[0] ?? below;
    if (above) insertLines(edit, entryEnd(edit.text, above), text, columnOf(edit.text, above.start));
    else if (first) insertBefore(edit, first, text);
  }
  removeEntries(edit, entries, gone);
}

/** One run of entries and the comma it no longer needs. @returns false when it takes more than that */
function removeInFlow(edit: Edit, all: readonly Entry[], gone: readonly Entry[]): boolean {
  const [first, last] = [gone[0], gone.at(-1)];
  if (!first || !last) return true;
  const i = all.indexOf(first);
  const [above, below] = [all[i - 1], all[i + gone.length]];
  if (all[i + gone.length - 1] !== last) return false;
  const [start, end] = above ? [above.end, last.end] : below ? [first.start, below.start] : [0, 0];
  if (start === end || edit.text.slice(start, end).includes("\n")) return false;
  edit.splices.push({ start, end, text: "" });
  return true;
}

const replaceFlow = (edit: Edit, node: Mapping | Sequence, wanted: Json, depth: number): void => {
  edit.splices.push({ start: node.range[0], end: node.range[1], text: inFlow(orderedValue(wanted, edit.order, depth)) });
};

/** Brackets on one line, whatever the value. */
const inFlow = (value: Json, type?: Scalar.Type): string =>
  render(value, { collectionStyle: "flow" }, type).replace(/\n$/, "");

/** A value in place of another: on the line of its key or dash, and on the lines under it where it needs any. */
function replaceValue(edit: Edit, entry: Entry, wanted: Json, depth: number, flow: boolean): void {
  const { value, after } = entry;
  const fresh = orderedValue(wanted, edit.order, depth);
  if (flow) {
    const text = inFlow([fresh], scalarType(value, wanted)).slice(1, -1);
    if (value) edit.splices.push({ start: value.range[0], end: value.range[1], text });
    else edit.splices.push({ start: after, end: after, text: edit.text[after - 1] === ":" ? ` ${text}` : `: ${text}` });
    return;
  }
  const isItem = edit.text[entry.start] === "-" && /\s/.test(edit.text[entry.start + 1] ?? " ");
  const type = scalarType(value, wanted);
  const text = isItem ? render([fresh], edit.layout.style, type) : render({ k: fresh }, edit.layout.style, type);
  const [first = "", ...rest] = text.slice(isItem ? 1 : 2).split("\n");
  const body = rest.join("\n");
  const { head, tail } = occupiedBy(edit.text, entry);
  edit.splices.push({ ...head, text: first });
  edit.splices.push({ ...tail, text: indented(body, columnOf(edit.text, entry.start), edit.layout.eol) });
}

/** What of an entry's value stands on the line of its key or dash, and what on whole lines under it. */
function occupiedBy(text: string, { after, value, end }: Entry): { head: Omit<Splice, "text">; tail: Omit<Splice, "text"> } {
  const none = (at: number): Omit<Splice, "text"> => ({ start: at, end: at });
  if (!value) return { head: none(after), tail: none(lineEnd(text, after)) };
  const [start] = value.range;
  if (isBlockScalar(value)) {
    const header = /^[|>][-+\d]*/.exec(text.slice(start, start + 4))?.[0].length ?? 1;
    return { head: { start: after, end: start + header }, tail: { start: lineEnd(text, start), end: Math.max(end, lineEnd(text, start)) } };
  }
  const isBelow = lineStart(text, start) > after;
  if (isBelow && isBlockCollection(value)) {
    return { head: none(after), tail: { start: lineStart(text, start), end: entryEnd(text, { start, after, value, end }) } };
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
function indented(text: string, column: number, eol: string): string {
  return text.replace(/\n$/, "").split("\n").map((line) => (line ? " ".repeat(column) + line : line)).join(eol) + (text ? eol : "");
}
