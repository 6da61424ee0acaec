/** The keys of pages, such as permalinks, each with the ids of all pages that claim it. */
import type { Id, PageSummary } from "../../../model/page.ts";
import { qualifiedKey, type IndexName, type IndexKey } from "../record-type.ts";
import { eachKey } from "../records/page-keys.ts";
import { SharedMap, type MapIndex } from "../shared-map.ts";
import { summaryOf, type Entry } from "../snapshot.ts";

/** Nearly every key is claimed by one page. */
type Claimants = Id | readonly Id[];

const NONE: readonly Id[] = [];

export class KeyIndex {
  readonly #maps: Map<IndexName, SharedMap<IndexKey, Claimants>>;

  constructor(maps: Map<IndexName, SharedMap<IndexKey, Claimants>> = new Map()) {
    this.#maps = maps;
  }

  /** In no order. */
  claimants(name: IndexName, key: IndexKey): readonly Id[] {
    const found = this.#maps.get(name)?.get(key);
    return found === undefined ? NONE : typeof found === "number" ? [found] : found;
  }

  names(): Iterable<IndexName> {
    return this.#maps.keys();
  }

  has(name: IndexName): boolean {
    return this.#maps.has(name);
  }

  /** The keys of an index that several pages claim, here or in others. */
  contested(name: IndexName, others: readonly KeyIndex[]): readonly IndexKey[] {
    const found: IndexKey[] = [];
    for (const [key, claimants] of this.#maps.get(name)?.entries() ?? [])
      if (typeof claimants !== "number" || others.some((each) => each.claimants(name, key).length > 0)) found.push(key);
    return found;
  }

  copy(): KeyIndex {
    return new KeyIndex(new Map(Array.from(this.#maps, ([name, keys]) => [name, keys.copy()])));
  }

  /** Only for the code that created this copy, before others see it. @param before the page as it was added */
  replace(id: Id, before: PageSummary | undefined, after: PageSummary | undefined): void {
    if (!before && after) return eachKey(after, (name, key) => this.#add(name, key, id));
    const [old, next] = [keysOf(before), keysOf(after)];
    for (const [each, [name, key]] of old) if (!next.has(each)) this.#remove(name, key, id);
    for (const [each, [name, key]] of next) if (!old.has(each)) this.#add(name, key, id);
  }

  #add(name: IndexName, key: IndexKey, id: Id): void {
    const keys = this.#maps.get(name) ?? new SharedMap<IndexKey, Claimants>();
    this.#maps.set(name, keys);
    const known = keys.get(key);
    if (known === id || (typeof known === "object" && known.includes(id))) return;
    keys.set(key, known === undefined ? id : typeof known === "number" ? [known, id] : [...known, id]);
  }

  #remove(name: IndexName, key: IndexKey, id: Id): void {
    const keys = this.#maps.get(name);
    const left = this.claimants(name, key).filter((each) => each !== id);
    if (left.length === 0) keys?.delete(key);
    else keys?.set(key, left.length === 1 ? left[0]! : left);
  }
}

function keysOf(page: PageSummary | undefined): Map<string, readonly [IndexName, IndexKey]> {
  const keys = new Map<string, readonly [IndexName, IndexKey]>();
  if (page) eachKey(page, (name, key) => void keys.set(qualifiedKey(name, key), [name, key]));
  return keys;
}

/** The summary of a page's entry. */
export function pageIn(entry: Entry): PageSummary;
export function pageIn(entry: Entry | undefined): PageSummary | undefined;
export function pageIn(entry: Entry | undefined): PageSummary | undefined {
  return entry && (summaryOf(entry) as PageSummary);
}

export const PAGE_KEYS: MapIndex<Id, Entry, KeyIndex> = {
  build(entries) {
    // In two steps, since joining both parts of the key for every page would take longer than everything else.
    const maps = new Map<IndexName, Map<IndexKey, Id | Id[]>>();
    let id: Id;
    const claim = (name: IndexName, key: IndexKey): void => {
      let keys = maps.get(name);
      if (!keys) maps.set(name, (keys = new Map()));
      const known = keys.get(key);
      if (known === undefined) keys.set(key, id);
      else if (typeof known !== "number") {
        if (known.at(-1) !== id) known.push(id);
      } else if (known !== id) keys.set(key, [known, id]);
    };
    for (const entry of entries.values()) {
      const page = pageIn(entry);
      ({ id } = page);
      eachKey(page, claim);
    }
    return new KeyIndex(new Map(Array.from(maps, ([name, keys]) => [name, new SharedMap(keys)])));
  },
  advance(keys, changes) {
    const next = keys.copy();
    for (const { key, before, after } of changes) next.replace(key, pageIn(before), pageIn(after));
    return next;
  },
};
