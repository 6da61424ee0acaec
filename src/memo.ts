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
