/**
 * Edits a text in the form of our own writer (plain-yaml.ts) line by line: values on the line of their key or dash are
 * replaced, keys and items are added and removed.
 *
 * As `editInPlace`, whose result it must equal, without the documents of the `yaml` package, which take as long as ten
 * parses. What is added is parsed in the place of the result: a value on the line of its key, or a key or item whose
 * lines stand between others that are complete and not indented further. The other lines mean what they did, also
 * without those that are removed.
 */
import { isList, isObject, own, sameJson, type Json, type JsonObject } from "../../../model/input/json.ts";
import { orderedValue, rankOf, type KeyOrder } from "../order.ts";
import { printPlain, printPlainScalar } from "./plain-print.ts";
import { readPlainYaml, type YamlPlace, type Places } from "./plain-yaml.ts";
import { sameEnds } from "./rebase.ts";

interface Edit {
  readonly lines: readonly string[];
  readonly places: Places;
  readonly order: KeyOrder;
  readonly indentSeq: boolean;
  readonly splices: Splice[];
}

type Lines = YamlPlace["entries"][number];

/** Lines that replace those from one number to another. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: readonly string[];
}

/**
 * @param current what `readPlainYaml` made of the text
 * @param places of `current`
 * @returns undefined for other changes, and for texts with other indentations than the writer's
 */
export function editPlain(
  text: string,
  current: JsonObject,
  places: Places,
  wanted: JsonObject,
  order: KeyOrder,
): string | undefined {
  const indentSeq = listStyle(current, places);
  if (indentSeq === undefined) return undefined;
  const lines = text.split("\n");
  const edit: Edit = { lines, places, order, indentSeq, splices: [] };
  if (!editMapping(edit, current, wanted, 0)) return undefined;
  const result: string[] = [];
  let at = 0;
  // As in `editInPlace`: of splices at one line, the one of the inner value stays first.
  for (const { from, to, text: added } of edit.splices.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (from < at) return undefined;
    for (; at < from; at++) result.push(lines[at]!);
    result.push(...added);
    at = to;
  }
  return [...result, ...lines.slice(at)].join("\n");
}

/** Whether lists below keys are indented; undefined if indentations are not 2, or those of lists not all the same. */
function listStyle(root: JsonObject, places: Places): boolean | undefined {
  const steps = new Set<number>();
  const isRegular = (value: JsonObject): boolean => {
    const { indent } = places.get(value)!;
    return Object.values(value).every((child) => {
      const place = places.get(child);
      if (!place) return true;
      if (isObject(child)) return place.indent === indent + 2 && isRegular(child);
      steps.add(place.indent - indent);
      return isList(child) && child.every((item) => !places.has(item) || (isObject(item) && isRegular(item)));
    });
  };
  if (!isRegular(root) || steps.size > 1) return undefined;
  const [step = 2] = steps;
  return step === 2 ? true : step === 0 ? false : undefined;
}

function editMapping(edit: Edit, current: JsonObject, wanted: JsonObject, depth: number): boolean {
  const place = edit.places.get(current)!;
  const removed: Lines[] = [];
  for (const [i, [key, from]] of Object.entries(current).entries()) {
    const to = own(wanted, key);
    if (to === undefined) removed.push(place.entries[i]!);
    else if (!(sameJson(from, to) || editEntry(edit, place, i, key, from, to, depth + 1))) return false;
  }
  const isAnyKept = removed.length < place.entries.length;
  return isAnyKept && addKeys(edit, place, current, wanted, depth) && remove(edit, removed, place.indent);
}

function editEntry(
  edit: Edit,
  { indent, entries }: YamlPlace,
  index: number,
  key: string,
  current: Json,
  wanted: Json,
  depth: number,
): boolean {
  if (edit.places.has(current)) {
    if (isObject(current) && isObject(wanted)) return editMapping(edit, current, wanted, depth);
    return isList(current) && isList(wanted) && editList(edit, current, wanted, depth);
  }
  const [from, to] = entries[index]!;
  const line = edit.lines[from]!;
  const head = `${line.slice(0, indent)}${key}:`;
  const text = printPlainScalar(wanted);
  // A quoted text keeps its quotes, and a block its form.
  if (text === undefined || to !== from + 1 || !isWritten(line.slice(head.length), current)) return false;
  edit.splices.push({ from, to, text: [`${head} ${text}`] });
  return true;
}

/** Whether a value is on its line without quotes or brackets. @param rest of the line, after the colon */
const isWritten = (rest: string, value: Json): boolean => rest === ` ${String(value)}`;

function addKeys(
  edit: Edit,
  { indent, entries }: YamlPlace,
  current: JsonObject,
  wanted: JsonObject,
  depth: number,
): boolean {
  const level = edit.order[depth];
  const added = Object.keys(wanted)
    .filter((key) => !Object.hasOwn(current, key))
    .sort((a, b) => rankOf(level, a) - rankOf(level, b));
  if (added.length === 0) return true;
  const keys = Object.keys(current);
  const kept = entries.filter((_, i) => Object.hasOwn(wanted, keys[i]!));
  const ranks = keys.filter((key) => Object.hasOwn(wanted, key)).map((key) => rankOf(level, key));
  return added.every((key) => {
    const value = wanted[key] ?? null;
    const printed = printPlain({ [key]: orderedValue(value, edit.order, depth + 1) }, edit.indentSeq);
    const text = printed !== undefined && readsAs(printed, key, value, depth) ? printed : undefined;
    const nearest = level ? lastOfHighest(ranks, rankOf(level, key)) : kept.length - 1;
    const before = kept[nearest];
    if (before) return insert(edit, before[1], text, indent);
    const [from] = kept[0]!;
    return startsLine(edit, from, indent) && insert(edit, from, text, indent);
  });
}

/** The last with the highest rank not above the limit; -1 if there is none. */
function lastOfHighest(ranks: readonly number[], limit: number): number {
  let [found, highest] = [-1, -1];
  for (const [i, rank] of ranks.entries()) if (rank <= limit && rank >= highest) [found, highest] = [i, rank];
  return found;
}

function editList(edit: Edit, current: readonly Json[], wanted: readonly Json[], depth: number): boolean {
  const place = edit.places.get(current)!;
  if (current.length === wanted.length)
    return current.every((item, i) => sameJson(item, wanted[i]!) || editItem(edit, place, i, item, wanted[i]!, depth));
  const { indent, entries } = place;
  const { head, tail } = sameEnds(current, wanted);
  const [above, below] = [entries[head - 1], entries[entries.length - tail]];
  if (!above && !below) return false;
  const removed = entries.slice(head, entries.length - tail);
  const at = above ? above[1] : entries[0]![0];
  const added = wanted.slice(head, wanted.length - tail).map((item) => orderedValue(item, edit.order, depth + 1));
  return (
    (added.length === 0 || insert(edit, at, printedItems(edit, added, depth), indent)) && remove(edit, removed, indent)
  );
}

function editItem(
  edit: Edit,
  { indent, entries }: YamlPlace,
  index: number,
  current: Json,
  wanted: Json,
  depth: number,
): boolean {
  if (edit.places.has(current)) {
    if (isObject(current) && isObject(wanted)) return editMapping(edit, current, wanted, depth + 1);
    return isList(current) && isList(wanted) && editList(edit, current, wanted, depth + 1);
  }
  const [from, to] = entries[index]!;
  const line = edit.lines[from]!;
  const head = `${line.slice(0, indent)}-`;
  const isScalar = wanted === null || typeof wanted !== "object";
  const text = isScalar ? printedItems(edit, [wanted], depth) : undefined;
  if (text === undefined || to !== from + 1 || !isWritten(line.slice(head.length), current)) return false;
  const [first, ...rest] = text.slice(0, -1).split("\n");
  if (rest.length > 0) return false;
  edit.splices.push({ from, to, text: [line.slice(0, indent) + first!] });
  return true;
}

/** @returns undefined if they cannot be printed in a form that reads as they are */
function printedItems(edit: Edit, items: readonly Json[], depth: number): string | undefined {
  const text = printPlain(items, edit.indentSeq);
  return text !== undefined && readsAs(`${ITEMS}:\n${text}`, ITEMS, items, depth - 1) ? text : undefined;
}

/** Any key, to read items below it. */
const ITEMS = "items";

/** @param depth of the mapping that the text is a part of */
function readsAs(text: string, key: string, value: Json | readonly Json[], depth: number): boolean {
  const reading = readPlainYaml(text, undefined, depth);
  return isObject(reading) && sameJson(reading, { [key]: value });
}

/** Adds lines in an indentation. @returns false if they cannot be printed, or blank lines make their place ambiguous */
function insert(edit: Edit, at: number, text: string | undefined, indent: number): boolean {
  if (text === undefined || isBesideBlank(edit, at, at)) return false;
  const lines = text.slice(0, -1).split("\n");
  edit.splices.push({ from: at, to: at, text: lines.map((line) => (line === "" ? "" : " ".repeat(indent) + line)) });
  return true;
}

/** Removes whole lines. @returns false for the first key of an item, and where blank lines would join another block */
function remove(edit: Edit, removed: readonly Lines[], indent: number): boolean {
  return removed.every(([from, to]) => {
    if (!startsLine(edit, from, indent) || isBesideBlank(edit, from, to)) return false;
    edit.splices.push({ from, to, text: [] });
    return true;
  });
}

/** The first key or item of a list item is on the line of its dash. */
const startsLine = ({ lines }: Edit, line: number, indent: number): boolean =>
  lines[line]!.slice(0, indent).trim() === "";

function isBesideBlank({ lines }: Edit, from: number, to: number): boolean {
  const isLast = to === lines.length - 1;
  return lines[from - 1] === "" || (!isLast && lines[to] === "");
}
