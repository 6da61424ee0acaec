/** Which fields of a record are shown, by the values of others. */
import { isList, type Json, type Values } from "../json.ts";
import type { Definitions, FieldDefinition } from "./definition.ts";

const listOf = (value: Json): readonly Json[] => (isList(value) ? value : [value]);

/** As the API has it, where a boolean that is absent counts as false. @param data as it is typed */
export const isShown = ({ show_if: condition = {} }: FieldDefinition, siblings: Definitions, data: Values): boolean =>
  Object.entries(condition).every(([name, wanted]) => {
    const other = siblings.find((each) => each.name === name);
    if (!other || !isShown(other, siblings, data)) return false;
    const found = listOf(data[name] ?? (other.kind === "boolean" ? false : null)).map(String);
    return listOf(wanted).some((option) => found.includes(String(option)));
  });
