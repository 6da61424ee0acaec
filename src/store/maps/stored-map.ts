/** A map of which the keys are columns, and whose values are made when they are asked for. */

/** Values by place, from 0. */
export interface Column<T> {
  readonly length: number;
  at(place: number): T;
}

/** A column of keys, which may be those of several maps. */
export interface StoredKeys<K> extends Column<K> {
  placeOf(key: K): number | undefined;
}

export interface StoredMapOptions<K, V> {
  readonly keys: StoredKeys<K>;
  /** The same value, or an equal number, each time. */
  readonly valueAt: (place: number) => V;
  /** Which places are of this map, and how many they are; all, if absent. */
  readonly part?: { readonly size: number; has(place: number): boolean };
  /** Whether the keys are in ascending order. */
  readonly isSorted?: boolean;
}

export class StoredMap<K extends string | number, V> implements ReadonlyMap<K, V> {
  readonly size: number;
  readonly #options: StoredMapOptions<K, V>;

  constructor(options: StoredMapOptions<K, V>) {
    this.#options = options;
    this.size = options.part?.size ?? options.keys.length;
  }

  /** undefined where they are not in ascending order. */
  get sortedKeys(): Column<K> | undefined {
    return this.#options.isSorted && !this.#options.part ? this.#options.keys : undefined;
  }

  get(key: K): V | undefined {
    const place = this.#placeOf(key);
    return place === undefined ? undefined : this.#options.valueAt(place);
  }

  has(key: K): boolean {
    return this.#placeOf(key) !== undefined;
  }

  *keys(): Generator<K, undefined> {
    for (const place of this.#places()) yield this.#options.keys.at(place);
  }

  *values(): Generator<V, undefined> {
    for (const place of this.#places()) yield this.#options.valueAt(place);
  }

  *entries(): Generator<[K, V], undefined> {
    for (const place of this.#places()) yield [this.#options.keys.at(place), this.#options.valueAt(place)];
  }

  [Symbol.iterator](): Generator<[K, V], undefined> {
    return this.entries();
  }

  forEach(call: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.entries()) call(value, key, this);
  }

  #placeOf(key: K): number | undefined {
    const { keys, part } = this.#options;
    const place = keys.placeOf(key);
    return place !== undefined && part?.has(place) === false ? undefined : place;
  }

  *#places(): Generator<number, undefined> {
    const { keys, part } = this.#options;
    for (let place = 0; place < keys.length; place++) if (!part || part.has(place)) yield place;
  }
}
