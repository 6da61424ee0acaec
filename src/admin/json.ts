/** Values of fields, as the API gives and takes them. */
import { isList, isObject as isRecord, sameJson as isSame, type Json } from "../model/input/json.ts";

export { isList, isRecord, isSame, type Json };

/** By the names of the fields. */
export type Values = Readonly<Record<string, Json>>;

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
