/**
 * Edits a YAML text by splices that replace only the changed parts.
 *
 * The result may be wrong in rare cases (an anchor used elsewhere, a comment inside a value): the caller must parse it and
 * discard it if it does not equal the wanted data.
 */
import type { ToStringOptions } from "yaml";
import { isList, isObject, own, sameJson } from "../../../model/input/json.ts";
import type { Json, JsonObject } from "../../../model/input/json.ts";
import { layoutOf } from "../layout.ts";
import type { Layout } from "../layout.ts";
import { orderedValue, rankOf } from "../order.ts";
import type { KeyOrder } from "../order.ts";
import { sameEnds } from "./rebase.ts";
import { indented, inFlow, replacement } from "./replacement.ts";
import type { Splice } from "./replacement.ts";
import { columnOf, commentsAbove, yamlEntryEnd, keepsBlankLines, afterBlankLines, startsLine } from "./source.ts";
import type { PlacedYaml, YamlEntry, YamlNode } from "./source.ts";
import { printYaml } from "./yaml-print.ts";

interface Edit {
  readonly text: string;
  readonly layout: Layout;
  readonly order: KeyOrder;
  readonly splices: Splice[];
}

/**
 * The text edited to mean `wanted`, or undefined if splices cannot do that.
 *
 * @param current what the text means
 * @param style of added values; overrides the layout of the text
 */
export function editInPlace(
  { text, root }: PlacedYaml,
  current: JsonObject,
  wanted: JsonObject,
  order: KeyOrder,
  style: ToStringOptions = {},
): string | undefined {
  const layout = layoutOf(text, root, style);
  if (!root) return text + indented(printYaml(orderedValue(wanted, order, 0), layout.style), 0, layout.eol);
  if (root.type !== "mapping") return undefined;
  const edit: Edit = { text, layout, order, splices: [] };
  try {
    editMapping(edit, root, current, wanted, 0);
    return applied(edit);
  } catch (error) {
    if (error instanceof NotInPlace) return undefined;
    throw error;
  }
}

/** The change needs the surrounding value to be printed again. */
class NotInPlace extends Error {}

function applied({ text, splices }: Edit): string {
  let [result, at] = ["", 0];
  // The sort is stable: of splices at one offset, the one of the inner value stays first.
  for (const splice of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (splice.start < at) throw new NotInPlace("Two changes overlap");
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

function editValue(edit: Edit, entry: YamlEntry, current: Json, wanted: Json, depth: number, isInFlow: boolean): void {
  if (sameJson(current, wanted)) return;
  const spliceCount = edit.splices.length;
  try {
    const { value } = entry;
    if (value?.type === "mapping" && isObject(current) && isObject(wanted))
      return editMapping(edit, value, current, wanted, depth);
    if (value?.type === "list" && isList(current) && isList(wanted))
      return editSequence(edit, value, current, wanted, depth);
  } catch (error) {
    if (!(error instanceof NotInPlace)) throw error;
    edit.splices.length = spliceCount;
  }
  edit.splices.push(...replacement(edit.text, edit.layout, entry, orderedValue(wanted, edit.order, depth), isInFlow));
}

function editMapping(edit: Edit, node: YamlNode, current: JsonObject, wanted: JsonObject, depth: number): void {
  if (Object.keys(wanted).length === 0) throw new NotInPlace("No key stays");
  const entries = new Map<string, YamlEntry>();
  for (const entry of node.entries) {
    const { key } = entry;
    if (key === undefined || !Object.hasOwn(current, key)) throw new NotInPlace("A key reads differently");
    entries.set(key, entry);
  }
  const removed = [...entries].filter(([key]) => !Object.hasOwn(wanted, key)).map(([, entry]) => entry);
  if (node.isFlow && removed.length > 0 && !removeInFlow(edit, node.entries, removed))
    return replaceFlow(edit, node, wanted, depth);
  for (const [key, entry] of entries) {
    const [from, to] = [own(current, key), own(wanted, key)];
    if (from !== undefined && to !== undefined) editValue(edit, entry, from, to, depth + 1, node.isFlow);
  }
  addKeys(edit, node, entries, wanted, depth);
  if (!node.isFlow) removeEntries(edit, node.entries, removed);
}

/** Adds each new key after the sibling that precedes it in the order. */
function addKeys(
  edit: Edit,
  node: YamlNode,
  entries: ReadonlyMap<string, YamlEntry>,
  wanted: JsonObject,
  depth: number,
): void {
  const level = edit.order[depth];
  const kept = [...entries].filter(([key]) => Object.hasOwn(wanted, key));
  const siblings = kept.length > 0 ? kept : [...entries];
  const added = Object.keys(wanted)
    .filter((key) => !entries.has(key))
    .sort((a, b) => rankOf(level, a) - rankOf(level, b));
  for (const key of added) {
    const value = orderedValue(wanted[key] ?? null, edit.order, depth + 1);
    if (node.isFlow) {
      const last = siblings.at(-1)?.[1];
      if (!last) throw new NotInPlace("An empty flow mapping has no place to add to");
      edit.splices.push({ start: last.end, end: last.end, text: `, ${inFlow({ [key]: value }).slice(1, -1)}` });
      continue;
    }
    const nearest = level ? nearestBefore(key, siblings, level) : siblings.at(-1)?.[1];
    const text = printYaml({ [key]: value }, edit.layout.style);
    if (nearest) insertLines(edit, yamlEntryEnd(edit.text, nearest), text, columnOf(edit.text, nearest.start));
    else if (siblings[0]) insertBefore(edit, siblings[0][1], text);
    else throw new NotInPlace("There is no sibling");
  }
}

/** The last of the siblings with the highest rank not above the key's. */
function nearestBefore(
  key: string,
  siblings: readonly (readonly [string, YamlEntry])[],
  level: readonly string[],
): YamlEntry | undefined {
  const limit = rankOf(level, key);
  let [nearest, highest]: [YamlEntry | undefined, number] = [undefined, -1];
  for (const [name, entry] of siblings) {
    const rank = rankOf(level, name);
    if (rank <= limit && rank >= highest) [nearest, highest] = [entry, rank];
  }
  return nearest;
}

function insertLines(edit: Edit, at: number, text: string, column: number): void {
  edit.splices.push({ start: at, end: at, text: indented(text, column, edit.layout.eol) });
}

function insertBefore(edit: Edit, entry: YamlEntry, text: string): void {
  const column = columnOf(edit.text, entry.start);
  if (startsLine(edit.text, entry.start)) {
    return insertLines(edit, commentsAbove(edit.text, entry, 0), text, column);
  }
  // The first key of a list item: the new lines go after the dash, and the entry moves to its own line.
  const lines = indented(text, column, edit.layout.eol).slice(column) + " ".repeat(column);
  edit.splices.push({ start: entry.start, end: entry.start, text: lines });
}

/** Removes whole lines, with the comments directly above. */
function removeEntries(edit: Edit, all: readonly YamlEntry[], removed: readonly YamlEntry[]): void {
  const isRemoved = new Set(removed);
  for (const [i, entry] of all.entries()) {
    if (!isRemoved.has(entry)) continue;
    const [previous, next] = [all[i - 1], all[i + 1]];
    if (startsLine(edit.text, entry.start)) {
      const start = commentsAbove(edit.text, entry, previous ? yamlEntryEnd(edit.text, previous) : 0);
      const end = yamlEntryEnd(edit.text, entry);
      // Otherwise blank lines that followed the removed entry would become part of the previous block.
      const joins = previous && !isRemoved.has(previous) && keepsBlankLines(edit.text, previous);
      edit.splices.push({ start, end: joins ? afterBlankLines(edit.text, end) : end, text: "" });
    } else if (next && !isRemoved.has(next)) {
      edit.splices.push({ start: entry.start, end: next.start, text: "" });
    } else {
      throw new NotInPlace("Nothing is left behind the dash");
    }
  }
}

function editSequence(
  edit: Edit,
  node: YamlNode,
  current: readonly Json[],
  wanted: readonly Json[],
  depth: number,
): void {
  const { entries } = node;
  if (current.length === wanted.length) {
    for (const [i, entry] of entries.entries()) {
      editValue(edit, entry, current[i] ?? null, wanted[i] ?? null, depth + 1, node.isFlow);
    }
    return;
  }
  const { head, tail } = sameEnds(current, wanted);
  const removed = entries.slice(head, entries.length - tail);
  const added = wanted.slice(head, wanted.length - tail).map((item) => orderedValue(item, edit.order, depth + 1));
  const [above, below] = [entries[head - 1], entries[entries.length - tail]];
  if (node.isFlow) {
    const isOneChange =
      removed.length === 0 ? above !== undefined : added.length === 0 && removeInFlow(edit, entries, removed);
    if (!isOneChange) return replaceFlow(edit, node, wanted, depth);
    if (above && added.length > 0)
      edit.splices.push({ start: above.end, end: above.end, text: `, ${inFlow(added).slice(1, -1)}` });
    return;
  }
  if (!(above ?? below)) throw new NotInPlace("No item stays");
  if (added.length > 0) {
    const text = printYaml(added, edit.layout.style);
    const first = removed[0] ?? below;
    if (above) insertLines(edit, yamlEntryEnd(edit.text, above), text, columnOf(edit.text, above.start));
    else if (first) insertBefore(edit, first, text);
  }
  removeEntries(edit, entries, removed);
}

/** Removes consecutive entries and one comma. @returns false if that is not possible on one line */
function removeInFlow(edit: Edit, all: readonly YamlEntry[], removed: readonly YamlEntry[]): boolean {
  const [first, last] = [removed[0], removed.at(-1)];
  if (!first || !last) return true;
  const i = all.indexOf(first);
  const [above, below] = [all[i - 1], all[i + removed.length]];
  if (all[i + removed.length - 1] !== last) return false;
  const [start, end] = above ? [above.end, last.end] : below ? [first.start, below.start] : [0, 0];
  if (start === end || edit.text.slice(start, end).includes("\n")) return false;
  edit.splices.push({ start, end, text: "" });
  return true;
}

const replaceFlow = (edit: Edit, { start, end }: YamlNode, wanted: Json, depth: number): void => {
  edit.splices.push({ start, end, text: inFlow(orderedValue(wanted, edit.order, depth)) });
};
