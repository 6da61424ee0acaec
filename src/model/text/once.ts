/** Makes a value on the first call. @returns a function that always returns that value */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

interface Kept<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of a key, which is made and kept where there is none. */
export function keptBy<K, V extends object | string | number>(kept: Kept<K, V>, key: K, make: (key: K) => V): V {
  let value = kept.get(key);
  if (value === undefined) kept.set(key, (value = make(key)));
  return value;
}

/** Makes a value once for each object, as long as the object lives. */
export function memo<K extends object, V extends object | string | number>(make: (key: K) => V): (key: K) => V {
  const kept = new WeakMap<K, V>();
  return (key) => keptBy(kept, key, make);
}
