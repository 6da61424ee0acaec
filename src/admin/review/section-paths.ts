/** Paths of fields that stay right when sections and other items with an id are moved: `#id` in place of the index. */
import { isList, isRecord, type Json, type Values } from "../json.ts";

const idOf = (item: Json | undefined): string | undefined =>
  isRecord(item) && typeof item.id === "string" ? item.id : undefined;

/** @param path names and indexes joined by dots */
export function lastingPath(values: Values, path: string): string {
  let value: Json = values;
  const steps = path.split(".").map((step) => {
    const item: Json = (isList(value) ? value[Number(step)] : isRecord(value) ? value[step] : null) ?? null;
    const id: string | undefined = isList(value) ? idOf(item) : undefined;
    value = item;
    return id === undefined ? step : `#${id}`;
  });
  return steps.join(".");
}

/** @param path as `lastingPath` made it @returns with the indexes of now; undefined where the item is gone */
export function presentPath(values: Values, path: string): string | undefined {
  let value: Json = values;
  const steps: string[] = [];
  for (const step of path.split(".")) {
    const list: readonly Json[] | undefined = isList(value) ? value : undefined;
    const at: number = list && step.startsWith("#") ? list.findIndex((item) => idOf(item) === step.slice(1)) : -1;
    if (step.startsWith("#") && at < 0) return undefined;
    const key: string = at < 0 ? step : String(at);
    // An empty text has no value, and is a field all the same.
    if (value === null && steps.length > 1) return undefined;
    value = (list ? list[Number(key)] : isRecord(value) ? value[key] : null) ?? null;
    steps.push(key);
  }
  return steps.join(".");
}
