/** The conditions under which fields are shown, as definitions may have them. */
import type { ErrorNode, FieldErrors } from "../../errors.ts";
import { isObject, objectOf, type Json } from "../input/json.ts";
import { canonicalValue } from "./canonical.ts";
import type { Definitions, FieldDefinition } from "./definition.ts";
import { fieldKindOf, singleOf } from "./kinds.ts";
import { violation } from "./schema-keywords.ts";
import { oneOrMore } from "./shown.ts";

/** The errors of each `show_if`, by the name of the field that has it. */
export function conditionErrors(definitions: Definitions): ReadonlyMap<string, FieldErrors> {
  const found = new Map<string, FieldErrors>();
  for (const definition of definitions) {
    const entries = Object.entries(definition.show_if ?? {}).flatMap(([name, wanted]): [string, ErrorNode][] => {
      const error = conditionError(definitions, definition, name, wanted);
      return error === undefined ? [] : [[name, [error]]];
    });
    if (entries.length > 0) found.set(definition.name, objectOf(entries));
  }
  return found;
}

function conditionError(
  definitions: Definitions,
  definition: FieldDefinition,
  name: string,
  wanted: Json,
): string | undefined {
  const other = definitions.find((each) => each.name === name);
  if (!other) return `There is no field named "${name}" beside this one.`;
  const kind = fieldKindOf(other);
  if (other.translated || kind.nests || kind.visit) return `The field "${name}" has no plain value for all languages.`;
  if (reaches(definitions, other, definition.name, new Set()))
    return `Whether "${name}" is shown depends on this field.`;
  const schema = singleOf(other).schema(other, () => ({}));
  const wrong = oneOrMore(wanted).find((option) => {
    const value = canonicalValue(option, other);
    return isObject(value) || violation(schema, value) !== undefined;
  });
  return wrong === undefined ? undefined : `${JSON.stringify(wrong)} is not a value of the field "${name}".`;
}

/** Whether a field is, or is shown depending on, another one. */
function reaches(definitions: Definitions, from: FieldDefinition, name: string, seen: Set<string>): boolean {
  if (from.name === name) return true;
  if (seen.has(from.name)) return false;
  seen.add(from.name);
  return Object.keys(from.show_if ?? {}).some((next) => {
    const other = definitions.find((each) => each.name === next);
    return other !== undefined && reaches(definitions, other, name, seen);
  });
}
