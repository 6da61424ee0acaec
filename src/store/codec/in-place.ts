/**
 * Changes to a YAML text as splices: the bytes of what changed, and no others.
 *
 * A splice may come out wrong where YAML is subtle (an anchor that others use, a comment inside a value); whoever
 * applies them reads the result and throws it away if it does not mean what it should.
 */

import { isMap, isSeq, parseDocument } from "./yaml-package.ts";
import type { ToStringOptions } from "yaml";
import { isObject, own, sameJson } from "../../model/json.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { layoutOf } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { orderedValue, rankOf } from "./order.ts";
import type { KeyOrder } from "./order.ts";
import { isList, sameEnds } from "./rebase.ts";
import { indented, inFlow, replacement } from "./replacement.ts";
import type { Splice } from "./replacement.ts";
import {
  columnOf,
  commentsAbove,
  entriesOf,
  entryEnd,
  isWritten,
  keepsBlankLines,
  keyOf,
  pastBlankLines,
  startsLine,
} from "./source.ts";
import type { Entry, Mapping, Sequence } from "./source.ts";
import { DIALECT, render } from "./yaml.ts";

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
export function editInPlace(
  text: string,
  said: JsonObject,
  wanted: JsonObject,
  order: KeyOrder,
  style: ToStringOptions = {},
): string | undefined {
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

function editValue(edit: Edit, entry: Entry, said: Json, wanted: Json, depth: number, isInFlow: boolean): void {
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
  edit.splices.push(...replacement(edit.text, edit.layout, entry, orderedValue(wanted, edit.order, depth), isInFlow));
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
  const gone = [...entries].filter(([key]) => !Object.hasOwn(wanted, key)).map(([, entry]) => entry);
  if (node.flow && gone.length > 0 && !removeInFlow(edit, all, gone)) return replaceFlow(edit, node, wanted, depth);
  for (const [key, entry] of entries) {
    const [was, will] = [own(said, key), own(wanted, key)];
    if (was !== undefined && will !== undefined) editValue(edit, entry, was, will, depth + 1, !!node.flow);
  }
  addKeys(edit, node, entries, said, wanted, depth);
  if (!node.flow) removeEntries(edit, all, gone);
}

/** New keys, each after the sibling that the order puts nearest before it. */
function addKeys(
  edit: Edit,
  node: Mapping,
  entries: ReadonlyMap<string, Entry>,
  said: JsonObject,
  wanted: JsonObject,
  depth: number,
): void {
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
    const nearest = level ? nearestBefore(key, siblings, level) : siblings.at(-1)?.[1];
    const text = render({ [key]: value }, edit.layout.style);
    if (nearest) insertLines(edit, entryEnd(edit.text, nearest), text, columnOf(edit.text, nearest.start));
    else if (siblings[0]) insertBefore(edit, siblings[0][1], text);
    else throw new NotInPlace("There is no sibling");
  }
}

/** The last one of the highest rank that is not above the key's own. */
function nearestBefore(
  key: string,
  siblings: readonly (readonly [string, Entry])[],
  level: readonly string[],
): Entry | undefined {
  const limit = rankOf(level, key);
  let [nearest, highest]: [Entry | undefined, number] = [undefined, -1];
  for (const [name, entry] of siblings) {
    const rank = rankOf(level, name);
    if (rank <= limit && rank >= highest) [nearest, highest] = [entry, rank];
  }
  return nearest;
}

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
  const going = new Set(gone);
  for (const [i, entry] of all.entries()) {
    if (!going.has(entry)) continue;
    const [previous, next] = [all[i - 1], all[i + 1]];
    if (startsLine(edit.text, entry.start)) {
      const start = commentsAbove(edit.text, entry, previous ? entryEnd(edit.text, previous) : 0);
      const end = entryEnd(edit.text, entry);
      const joins = previous && !going.has(previous) && keepsBlankLines(edit.text, previous);
      edit.splices.push({ start, end: joins ? pastBlankLines(edit.text, end) : end, text: "" });
    } else if (next && !going.has(next)) {
      edit.splices.push({ start: entry.start, end: next.start, text: "" });
    } else {
      throw new NotInPlace("Nothing is left behind the dash");
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
    const isOneChange =
      gone.length === 0 ? above !== undefined : added.length === 0 && removeInFlow(edit, entries, gone);
    if (!isOneChange) return replaceFlow(edit, node, wanted, depth);
    if (above && added.length > 0)
      edit.splices.push({ start: above.end, end: above.end, text: `, ${inFlow(added).slice(1, -1)}` });
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
  edit.splices.push({
    start: node.range[0],
    end: node.range[1],
    text: inFlow(orderedValue(wanted, edit.order, depth)),
  });
};
