/** Values of fields, as the API gives and takes them. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** By the names of the fields. */
export type Values = Readonly<Record<string, Json>>;

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
export const isRecord = (value: Json | undefined): value is Values =>
  typeof value === "object" && value !== null && !isList(value);

/** Whatever the order of names. Parts that two values share are not compared, so that a change in large data is found at once. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
}

/** @param path names and indexes joined by dots @returns null where there is nothing */
export function valueAt(values: Values, path: string): Json {
  let value: Json = values;
  for (const name of path.split(".")) {
    if (isList(value)) value = value[Number(name)] ?? null;
    else if (isRecord(value)) value = value[name] ?? null;
    else return null;
  }
  return value;
}
