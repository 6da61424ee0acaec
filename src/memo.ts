/**
 * A function of an immutable object whose result is kept for as long as the object is: it is computed once for each.
 *
 * @param make must depend on nothing else; of two objects, it is a function of the first that returns one of the second
 */
export function derived<S extends object, R>(make: (source: S) => R): (source: S) => R {
  const known = new WeakMap<S, { readonly result: R }>();
  return (source) => {
    let kept = known.get(source);
    if (!kept) known.set(source, (kept = { result: make(source) }));
    return kept.result;
  };
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
