/**
 * A map whose copies share what they have in common.
 *
 * Copying takes constant time, and a change of a copy does not affect the original. The entries a map was built with
 * are in a plain Map that is never changed, so reading costs as much as with a Map, or after a start in a map of the
 * content cache; later changes are in a B+ tree, whose nodes copies share until one of them is changed.
 */
import { derived } from "../../memo.ts";
import sortedBTree from "sorted-btree";
import diffAgainst from "sorted-btree/extended/diffAgainst.js";
import { firstWhere } from "../../model/text/bisect.ts";
import { StoredMap, type Column } from "./stored-map.ts";

/** An entry before and after a change; undefined where the map does not have the key. */
export interface MapChange<K, V> {
  readonly key: K;
  readonly before: V | undefined;
  readonly after: V | undefined;
}

/** A look-up over the entries of a map, which `SharedMap.with` brings up to date instead of building it again. */
export interface MapIndex<K extends string | number, V, I> {
  build(map: SharedMap<K, V>): I;
  /** The index of `map`, from the index of the map it was copied from, which is not changed. */
  advance(index: I, changes: readonly MapChange<K, V>[], map: SharedMap<K, V>): I;
}

const BTree = sortedBTree.default;
const GONE = Symbol("removed");

type Key = string | number;
type Changes<K, V> = InstanceType<typeof BTree<K, V | typeof GONE>>;

export class SharedMap<K extends Key, V> implements ReadonlyMap<K, V> {
  /** Never changed: copies share it. */
  readonly #built: ReadonlyMap<K, V>;
  readonly #changes: Changes<K, V>;
  readonly #indexes = new Map<MapIndex<K, V, unknown>, unknown>();
  #size: number;

  /** @param built must not be changed any more */
  constructor(built: ReadonlyMap<K, V> = new Map(), changes?: Changes<K, V>, size = built.size) {
    this.#built = built;
    this.#changes = changes ?? new BTree<K, V | typeof GONE>(undefined, compare);
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  get(key: K): V | undefined {
    if (this.#changes.size > 0) {
      const changed = this.#changes.get(key);
      if (changed !== undefined) return changed === GONE ? undefined : changed;
    }
    return this.#built.get(key);
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  copy(): SharedMap<K, V> {
    return new SharedMap(this.#built, this.#changes.clone(), this.#size);
  }

  /** Only for the code that created this map or copy, before others see it. */
  set(key: K, value: V): void {
    if (!this.has(key)) this.#size++;
    this.#changes.set(key, value);
  }

  /** See `set`. */
  delete(key: K): void {
    if (!this.has(key)) return;
    this.#size--;
    if (this.#built.has(key)) this.#changes.set(key, GONE);
    else this.#changes.delete(key);
  }

  /**
   * A map with some entries changed. The indexes of this one are brought up to date with it.
   *
   * @param entries each key once; undefined removes it
   */
  with(entries: Iterable<readonly [K, V | undefined]>): SharedMap<K, V> {
    const changes = Array.from(entries, ([key, after]): MapChange<K, V> => ({
      key,
      before: this.get(key),
      after,
    })).filter(({ before, after }) => before !== after);
    // For a change of a large part of the map, a plain Map is faster to build and to read.
    if (changes.length === 0) return this;
    if (changes.length > this.size / 4) return new SharedMap(applied(changes, new Map(this)));
    const next = applied(changes, this.copy());
    for (const [index, value] of this.#indexes) next.#indexes.set(index, index.advance(value, changes, next));
    return next;
  }

  /** Instead of building an index. Only for the code that created this map, before others see it. */
  setIndex<I>(index: MapIndex<K, V, I>, built: I): void {
    this.#indexes.set(index, built);
  }

  /** Built when first asked for. */
  index<I>(index: MapIndex<K, V, I>): I {
    const known = this.#indexes.get(index) as I | undefined;
    if (known !== undefined) return known;
    const built = index.build(this);
    this.#indexes.set(index, built);
    return built;
  }

  /** The differences from another map, in no order. Shared nodes are skipped. */
  differencesFrom(before: SharedMap<K, V>): MapChange<K, V>[] {
    const found: MapChange<K, V>[] = [];
    const note = (key: K): void => {
      const change = { key, before: before.get(key), after: this.get(key) };
      if (change.before !== change.after) found.push(change);
    };
    if (before.#built === this.#built) {
      diffAgainst.default(before.#changes, this.#changes, note, note, note);
    } else {
      for (const key of this.keys()) note(key);
      for (const key of before.keys()) if (!this.has(key)) note(key);
    }
    return found;
  }

  /** The least key above the given one. */
  keyAfter(key: K): K | undefined {
    const built = sortedKeys(this.#built);
    let at = firstWhere(built.length, (place) => compare(built.at(place)!, key) > 0);
    while (at < built.length && !this.has(built.at(at)!)) at++;
    let added = this.#changes.nextHigherKey(key);
    while (added !== undefined && !this.has(added)) added = this.#changes.nextHigherKey(added);
    const next = at < built.length ? built.at(at) : undefined;
    return next === undefined || (added !== undefined && compare(added, next) < 0) ? added : next;
  }

  /** In the order in which the map was built, then keys that were added, ascending. */
  entries(): MapIterator<[K, V]> {
    return this.#changes.size === 0 ? this.#built.entries() : this.#changedEntries();
  }

  *#changedEntries(): Generator<[K, V], undefined> {
    for (const [key, value] of this.#built) {
      const changed = this.#changes.get(key);
      if (changed !== GONE) yield [key, changed === undefined ? value : changed];
    }
    for (const [key, value] of this.#changes.entries()) if (value !== GONE && !this.#built.has(key)) yield [key, value];
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  keys(): MapIterator<K> {
    return this.#changes.size === 0 ? this.#built.keys() : this.#changedKeys();
  }

  *#changedKeys(): Generator<K, undefined> {
    for (const [key] of this.#changedEntries()) yield key;
  }

  values(): MapIterator<V> {
    return this.#changes.size === 0 ? this.#built.values() : this.#changedValues();
  }

  *#changedValues(): Generator<V, undefined> {
    for (const [, value] of this.#changedEntries()) yield value;
  }

  forEach(call: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.entries()) call(value, key, this);
  }
}

const compare = (a: Key, b: Key): number => (a === b ? 0 : a < b ? -1 : 1);

interface Changeable<K, V> {
  set(key: K, value: V): unknown;
  delete(key: K): unknown;
}

function applied<K, V, M extends Changeable<K, V>>(changes: readonly MapChange<K, V>[], map: M): M {
  for (const { key, after } of changes) {
    if (after === undefined) map.delete(key);
    else map.set(key, after);
  }
  return map;
}

const sortedOf = derived((built: ReadonlyMap<Key, unknown>): readonly Key[] => [...built.keys()].sort(compare));

function sortedKeys<K extends Key>(built: ReadonlyMap<K, unknown>): Column<K | undefined> {
  const stored = built instanceof StoredMap ? (built as StoredMap<K, unknown>).sortedKeys : undefined;
  return stored ?? (sortedOf(built) as readonly K[]);
}
