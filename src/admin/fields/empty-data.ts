/** The data of a new record. */
import type { Json, Values } from "../json.ts";
import type { Definitions, FieldDefinition } from "./definition.ts";

/** Data with the fields that must be there. A required choice starts with its first value, as its control shows it. */
export const emptyData = (definitions: Definitions): Values =>
  Object.fromEntries(
    definitions
      .filter(({ required, show_if }) => required && !show_if)
      .map((definition) => [definition.name, emptyValue(definition)]),
  );

function emptyValue({ kind, translated, multiple, children = [], choices = [] }: FieldDefinition): Json {
  if (translated) return {};
  switch (kind ?? "string") {
    case "boolean":
      return false;
    case "select":
      return multiple ? [] : (choices[0]?.value ?? null);
    case "group":
      return emptyData(children);
    case "list":
    case "blocks":
    case "queryset":
      return [];
    default:
      return null;
  }
}
