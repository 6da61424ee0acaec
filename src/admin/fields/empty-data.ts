/** The data of a new record, and fields that join it. */
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

/** Data with another value of a field. A field that is new in it comes where the definitions have it, so that files read like the form. */
export function withField(definitions: Definitions, data: Values, name: string, value: Json): Values {
  if (name in data) return { ...data, [name]: value };
  const names = definitions.map((definition) => definition.name);
  const later = new Set(names.includes(name) ? names.slice(names.indexOf(name) + 1) : []);
  const entries = Object.entries(data);
  const at = entries.findIndex(([key]) => later.has(key));
  return Object.fromEntries(entries.toSpliced(at < 0 ? entries.length : at, 0, [name, value]));
}
