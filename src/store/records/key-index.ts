/** The keys of pages, such as permalinks, each with the ids of all pages that claim it. */
import type { Id, PageSummary } from "../../model/page/page.ts";
import { qualifiedKey, type IndexName, type IndexKey } from "./record-type.ts";
import { eachKey, hasSameKeys } from "./page-keys.ts";
import { SharedMap, type MapIndex } from "../maps/shared-map.ts";
import { summaryOf, type Entry } from "../snapshot.ts";

/** Nearly every key is claimed by one page. */
type Claimants = Id | readonly Id[];

const NONE: readonly Id[] = [];

interface Keys {
  get(key: IndexKey): Claimants | undefined;
  set(key: IndexKey, claimants: Claimants): void;
  delete(key: IndexKey): void;
}

/** The keys of a map with changes on top, which nothing else sees: it is not copied, so a plain map has them. */
class ChangedKeys implements Keys {
  readonly #below: Keys | undefined;
  readonly #changes = new Map<IndexKey, Claimants | undefined>();

  constructor(below: Keys | undefined) {
    this.#below = below;
  }

  get(key: IndexKey): Claimants | undefined {
    const changed = this.#changes.get(key);
    return changed !== undefined || this.#changes.has(key) ? changed : this.#below?.get(key);
  }

  set(key: IndexKey, claimants: Claimants): void {
    this.#changes.set(key, claimants);
  }

  delete(key: IndexKey): void {
    this.#changes.set(key, undefined);
  }
}

abstract class AnyKeyIndex<K extends Keys> {
  readonly maps: Map<IndexName, K>;

  constructor(maps: Map<IndexName, K>) {
    this.maps = maps;
  }

  protected abstract empty(name: IndexName): K;

  /** In no order. */
  claimants(name: IndexName, key: IndexKey): readonly Id[] {
    const found = this.keysOf(name)?.get(key);
    return found === undefined ? NONE : typeof found === "number" ? [found] : found;
  }

  protected keysOf(name: IndexName): Keys | undefined {
    return this.maps.get(name);
  }

  /** Only for the code that created this index, before others see it. @param before the page as it was added */
  replace(id: Id, before: PageSummary | undefined, after: PageSummary | undefined): void {
    if (!before && after) return eachKey(after, (name, key) => this.#add(name, key, id));
    if (before && after && hasSameKeys(before, after)) return;
    const [old, next] = [keysOf(before), keysOf(after)];
    const [wasThere, isThere] = [membership(old), membership(next)];
    for (const each of old) if (!isThere(each)) this.#remove(...each, id);
    for (const each of next) if (!wasThere(each)) this.#add(...each, id);
  }

  #changeable(name: IndexName): K {
    let keys = this.maps.get(name);
    if (!keys) this.maps.set(name, (keys = this.empty(name)));
    return keys;
  }

  #add(name: IndexName, key: IndexKey, id: Id): void {
    const keys = this.#changeable(name);
    const known = keys.get(key);
    if (known === id || (typeof known === "object" && known.includes(id))) return;
    keys.set(key, known === undefined ? id : typeof known === "number" ? [known, id] : [...known, id]);
  }

  #remove(name: IndexName, key: IndexKey, id: Id): void {
    const keys = this.#changeable(name);
    const left = this.claimants(name, key).filter((each) => each !== id);
    if (left.length === 0) keys.delete(key);
    else keys.set(key, left.length === 1 ? left[0]! : left);
  }
}

/** That of a snapshot, whose copies share what they have in common. */
export class KeyIndex extends AnyKeyIndex<SharedMap<IndexKey, Claimants>> {
  constructor(maps: Map<IndexName, SharedMap<IndexKey, Claimants>> = new Map()) {
    super(maps);
  }

  protected empty(): SharedMap<IndexKey, Claimants> {
    return new SharedMap();
  }

  names(): Iterable<IndexName> {
    return this.maps.keys();
  }

  has(name: IndexName): boolean {
    return this.maps.has(name);
  }

  /** The keys of an index that several pages claim, here or in others. */
  contested(name: IndexName, others: readonly KeyIndex[]): readonly IndexKey[] {
    const found: IndexKey[] = [];
    for (const [key, claimants] of this.maps.get(name)?.entries() ?? [])
      if (typeof claimants !== "number" || others.some((each) => each.claimants(name, key).length > 0)) found.push(key);
    return found;
  }

  copy(): KeyIndex {
    return new KeyIndex(new Map(Array.from(this.maps, ([name, keys]) => [name, keys.copy()])));
  }
}

/** That of a transaction, over the one of its snapshot. */
export class TransactionKeyIndex extends AnyKeyIndex<ChangedKeys> {
  readonly #below: KeyIndex;

  constructor(below: KeyIndex) {
    super(new Map());
    this.#below = below;
  }

  protected empty(name: IndexName): ChangedKeys {
    return new ChangedKeys(this.#below.maps.get(name));
  }

  protected override keysOf(name: IndexName): Keys | undefined {
    return this.maps.get(name) ?? this.#below.maps.get(name);
  }
}

type NamedKey = readonly [IndexName, IndexKey];

function keysOf(page: PageSummary | undefined): NamedKey[] {
  const keys: NamedKey[] = [];
  if (page) eachKey(page, (name, key) => void keys.push([name, key]));
  return keys;
}

/** So few are compared one by one sooner than they are put in a set. */
const FEW_KEYS = 16;

/** Whether a key is one of these. */
function membership(keys: readonly NamedKey[]): (key: NamedKey) => boolean {
  if (keys.length <= FEW_KEYS) return ([name, key]) => keys.some((each) => each[1] === key && each[0] === name);
  const names = new Set(keys.map((each) => qualifiedKey(...each)));
  return (each) => names.has(qualifiedKey(...each));
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
