/** Values of front matter in the forms that generators accept. */
import { isList, isObject, type Json } from "../../model/input/json.ts";

/** A text, also of a number or a boolean; undefined for anything else, and for an empty text. */
export function fieldText(value: Json | undefined): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/**
 * A list of texts, or one text as a list.
 *
 * @param separator splits one text into several
 */
export function listOf(value: Json | undefined, separator: RegExp | "," = ","): string[] {
  if (isList(value)) return value.flatMap((each) => fieldText(isObject(each) ? (each.name ?? each.title) : each) ?? []);
  const text = fieldText(value);
  return text === undefined
    ? []
    : text
        .split(separator)
        .map((each) => each.trim())
        .filter((each) => each !== "");
}
