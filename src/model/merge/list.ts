/**
 * Merge of lists: of records by their identity, of anything else by position among the unchanged items.
 *
 * Items that both sides add at one place are both kept, the remote's first.
 */
import { idByPosition, withBlockIds } from "../fields/blocks.ts";
import { canonicalJson, isObject, own, sameJson, type Json } from "../input/json.ts";
import { agreedEnds } from "./alignment.ts";
import { regionsOf } from "./sequence.ts";

/** A merged value, and where it could not be decided. */
export interface Merged {
  /** The value where the remote stands; undefined: absent. */
  readonly value: Json | undefined;
  /** The value where our side stands. */
  readonly ours: Json | undefined;
  /** With paths relative to the value. */
  readonly conflicts: readonly Clash[];
}

export interface Clash {
  readonly path: readonly (string | number)[];
  readonly base: Json | undefined;
  readonly ours: Json | undefined;
  readonly theirs: Json | undefined;
}

export type MergeItem = (base: Json | undefined, ours: Json | undefined, theirs: Json | undefined) => Merged;

type List = readonly Json[];

/** The keys that identify records, the first that all items of all versions have. */
const IDENTITIES = ["id", "key", "name"];

export function mergeLists(base: List, ours: List, theirs: List, mergeItem: MergeItem): Merged {
  const merged = mergeKeyed(base, ours, theirs, mergeItem) ?? mergeItems(base, ours, theirs, mergeItem);
  // Positions of items that clash would be wrong in a list that itself differs between the sides.
  const conflicts: readonly Clash[] = merged.isContested
    ? [{ path: [], base, ours: merged.ours, theirs: merged.value }]
    : merged.conflicts;
  return { value: merged.value, ours: merged.ours, conflicts };
}

/** undefined: these are no lists of records with an identity. */
function mergeKeyed(base: List, ours: List, theirs: List, mergeItem: MergeItem): MergedList | undefined {
  const lists = [base, ours, theirs];
  const isFilled = lists.some((list) => isOfBlocks(list) && recordsBy(list, "id"));
  const versions = isFilled ? lists.map((list) => withKnownIds(list, base)) : lists;
  for (const name of IDENTITIES) {
    const [from, left, right] = versions.map((list) => recordsBy(list, name));
    if (from && left && right) return mergeRecords(from, left, right, mergeItem);
  }
  return undefined;
}

/** Whether these are blocks, which files may have without ids. */
const isOfBlocks = (list: List): boolean =>
  list.length > 0 && list.every((item) => isObject(item) && typeof own(item, "type") === "string");

/**
 * Blocks of a file that a person wrote, with the ids that they are known by until a write stores them: those of their positions. A
 * version that has as many of them as the base still has these positions.
 */
const withKnownIds = (list: List, base: List): List =>
  isOfBlocks(list) && list.length === base.length ? withBlockIds(list, idByPosition) : list;

interface MergedList {
  readonly value: List;
  readonly ours: List;
  readonly conflicts: readonly Clash[];
  /** Whether the sides differ in which items there are, or in their order. */
  readonly isContested: boolean;
}

/** Collects the items of both versions of a list. */
class ListBuilder {
  readonly value: Json[] = [];
  readonly ours: Json[] = [];
  readonly conflicts: Clash[] = [];
  isContested = false;

  /** An item of each side, merged. */
  add({ value, ours, conflicts }: Merged): void {
    for (const conflict of conflicts) this.conflicts.push({ ...conflict, path: [this.value.length, ...conflict.path] });
    if (value !== undefined) this.value.push(value);
    if (ours !== undefined) this.ours.push(ours);
  }

  addAgreed(items: List): void {
    for (const item of items) this.add({ value: item, ours: item, conflicts: [] });
  }

  addContested(ours: List, theirs: List): void {
    this.isContested = true;
    for (const item of ours) this.ours.push(item);
    for (const item of theirs) this.value.push(item);
  }
}

function mergeItems(base: List, ours: List, theirs: List, mergeItem: MergeItem): MergedList {
  const [o, a, b] = [base, ours, theirs].map((list) => list.map(canonicalJson)) as [string[], string[], string[]];
  const result = new ListBuilder();
  for (const region of regionsOf(o, a, b, false)) {
    const [left, right] = [ours.slice(...region.ours), theirs.slice(...region.theirs)];
    if (region.changedBy === "theirs") result.addAgreed(right);
    else if (region.changedBy !== "both") result.addAgreed(left);
    else mergeChanged(base.slice(...region.base), left, right, mergeItem, result);
  }
  return result;
}

/** A part of the list that both sides changed. */
function mergeChanged(base: List, ours: List, theirs: List, mergeItem: MergeItem, result: ListBuilder): void {
  if (base.length === 0) return result.addAgreed([...theirs, ...without(ours, theirs)]);
  if (ours.length === base.length && theirs.length === base.length) {
    for (const [at, item] of base.entries()) result.add(mergeItem(item, ours[at], theirs[at]));
    return;
  }
  const [a, b] = [positionsIn(base, ours), positionsIn(base, theirs)];
  if (a && b) return result.addAgreed(base.filter((_, at) => a.has(at) && b.has(at)));
  const { head, tail } = agreedEnds(ours.map(canonicalJson), theirs.map(canonicalJson));
  result.addAgreed(theirs.slice(0, head));
  result.addContested(ours.slice(head, ours.length - tail), theirs.slice(head, theirs.length - tail));
  result.addAgreed(theirs.slice(theirs.length - tail));
}

/** The positions of items that a side kept; undefined if it has others too. */
function positionsIn(base: List, items: List): ReadonlySet<number> | undefined {
  const positions = new Set<number>();
  let at = 0;
  for (const item of items) {
    while (at < base.length && !sameJson(base[at], item)) at++;
    if (at === base.length) return undefined;
    positions.add(at++);
  }
  return positions;
}

/** The items of a list except as many equal ones as the other list has. */
function without(items: List, others: List): List {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(canonicalJson(other), (counts.get(canonicalJson(other)) ?? 0) + 1);
  return items.filter((item) => {
    const count = counts.get(canonicalJson(item)) ?? 0;
    counts.set(canonicalJson(item), count - 1);
    return count <= 0;
  });
}

type RecordKey = string | number;
type Records = ReadonlyMap<RecordKey, Json>;

/** The records by their key; undefined if one has no key, or two have the same. */
function recordsBy(list: List, name: string): Records | undefined {
  const records = new Map<RecordKey, Json>();
  for (const item of list) {
    const key = isObject(item) ? own(item, name) : undefined;
    if (typeof key !== "string" && typeof key !== "number") return undefined;
    records.set(key, item);
  }
  return records.size === list.length ? records : undefined;
}

function mergeRecords(base: Records, ours: Records, theirs: Records, mergeItem: MergeItem): MergedList {
  const items = new Map<RecordKey, Merged>();
  for (const key of new Set([...theirs.keys(), ...ours.keys()]))
    items.set(key, mergeItem(base.get(key), ours.get(key), theirs.get(key)));
  const order = mergedOrder([...base.keys()], [...ours.keys()], [...theirs.keys()]);
  const result = new ListBuilder();
  const isRemovedByOne = [...items.values()].some((item) => (item.value === undefined) !== (item.ours === undefined));
  if (order.isContested || isRemovedByOne) {
    const pick = (keys: readonly RecordKey[], side: "ours" | "value"): Json[] =>
      keys.flatMap((key) => items.get(key)?.[side] ?? []);
    result.addContested(pick(order.ours, "ours"), pick(order.theirs, "value"));
    return result;
  }
  for (const key of order.theirs) {
    const item = items.get(key);
    if (item) result.add(item);
  }
  return result;
}

interface MergedOrder {
  /** All keys of both sides, in our order and in the remote's. */
  readonly ours: readonly RecordKey[];
  readonly theirs: readonly RecordKey[];
  readonly isContested: boolean;
}

/** The order of the side that moved records, with the other side's additions behind the records they followed. */
function mergedOrder(
  base: readonly RecordKey[],
  ours: readonly RecordKey[],
  theirs: readonly RecordKey[],
): MergedOrder {
  const [inBase, inOurs, inTheirs] = [new Set(base), new Set(ours), new Set(theirs)];
  const isCommon = (key: RecordKey): boolean => inBase.has(key) && inOurs.has(key) && inTheirs.has(key);
  const [before, left, right] = [base, ours, theirs].map((keys) => keys.filter(isCommon)) as [
    RecordKey[],
    RecordKey[],
    RecordKey[],
  ];
  const asOurs = withAdditions(ours, theirs, true);
  const asTheirs = withAdditions(theirs, ours, false);
  if (sameJson(left, right) || sameJson(before, left)) return { ours: asTheirs, theirs: asTheirs, isContested: false };
  if (sameJson(before, right)) return { ours: asOurs, theirs: asOurs, isContested: false };
  return { ours: asOurs, theirs: asTheirs, isContested: true };
}

/**
 * @param others whose keys that are not in `keys` are added behind the key they follow in `others`
 * @param areFirst whether they come before the keys that only `keys` has at that place
 */
function withAdditions(keys: readonly RecordKey[], others: readonly RecordKey[], areFirst: boolean): RecordKey[] {
  const [known, inOthers] = [new Set(keys), new Set(others)];
  const atStart: RecordKey[] = [];
  const following = new Map<RecordKey, RecordKey[]>();
  let run = atStart;
  for (const key of others) {
    if (known.has(key)) following.set(key, (run = []));
    else run.push(key);
  }
  const result: RecordKey[] = [];
  let waiting = atStart;
  const flush = (): void => {
    result.push(...waiting);
    waiting = [];
  };
  if (areFirst) flush();
  for (const key of keys) {
    if (inOthers.has(key)) {
      flush();
      result.push(key);
      waiting = following.get(key) ?? [];
      if (areFirst) flush();
    } else result.push(key);
  }
  flush();
  return result;
}
