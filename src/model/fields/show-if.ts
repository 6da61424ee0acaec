/** Fields that are shown while others beside them have a certain value. */
import type { ErrorNode, FieldErrors } from "../../errors.ts";
import { isObject, objectOf, own, sameJson, type Json, type JsonObject } from "../input/json.ts";
import type { Definitions, FieldDefinition } from "./definition.ts";
import { fieldKindOf, singleOf } from "./kinds.ts";
import { violation } from "./schema-keywords.ts";

/**
 * Whether a field is shown: each field that `show_if` names is shown itself, and has the value, one of the values, or
 * the value among its own. A boolean that is absent counts as false.
 *
 * @param siblings the definitions of the same record, accepted by `conditionErrors`
 * @param values of the record, normalized
 */
export const isShown = ({ show_if }: FieldDefinition, siblings: Definitions, values: JsonObject): boolean =>
  show_if === undefined ||
  Object.entries(show_if).every(([name, wanted]) => {
    const other = siblings.find((each) => each.name === name);
    if (!other || !isShown(other, siblings, values)) return false;
    const value = own(values, name) ?? (other.kind === "boolean" ? false : null);
    const found: readonly Json[] = Array.isArray(value) ? value : [value];
    return optionsOf(wanted).some((option) => found.some((each) => sameJson(each, canonicalOption(other, option))));
  });

const optionsOf = (wanted: Json): readonly Json[] => (Array.isArray(wanted) ? wanted : [wanted]);

/** As one value of the field is stored. */
const canonicalOption = (definition: FieldDefinition, option: Json): Json =>
  singleOf(definition).normalize?.(option, definition) ?? option;

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
  const wrong = optionsOf(wanted).find((option) => {
    const value = canonicalOption(other, option);
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
