/** A block as one of another type: what fits stays, and what would be lost is told before. */
import { isList, isRecord, isSame, type Json, type Values } from "../../json.ts";
import type { Definitions, FieldDefinition } from "../definition.ts";
import { emptyData } from "../empty-data.ts";

export interface Converted {
  readonly block: Values;
  /** The fields of the former type whose values have no place in the new one. */
  readonly lost: Definitions;
}

/** @param from the fields of its type */
export function convertedBlock(
  block: Values,
  from: Definitions,
  to: { readonly name: string; readonly schema: Definitions },
): Converted {
  const fits = ({ name }: FieldDefinition): boolean => {
    const former = from.find((field) => field.name === name);
    const next = to.schema.find((field) => field.name === name);
    return former !== undefined && next !== undefined && isAlike(former, next, block[name]);
  };
  const kept = to.schema.filter(fits).map(({ name }) => [name, block[name] ?? null] as const);
  return {
    block: {
      ...{ type: to.name, id: block.id ?? null },
      ...(block.hidden === true && { hidden: true }),
      ...emptyData(to.schema),
      ...Object.fromEntries(kept.filter(([, value]) => value !== null)),
    },
    lost: from.filter((field) => !fits(field) && !isEmpty(block[field.name])),
  };
}

/** Whether a type has a field that keeps its value. @param from the fields of the present type */
export const isRelated = (from: Definitions, to: Definitions): boolean =>
  from.some((former) => to.some((next) => next.name === former.name && isAlike(former, next, undefined)));

const PLAIN = ["string", "textarea", "text"];

/** Whether a value of one field is one of the other. */
function isAlike(former: FieldDefinition, next: FieldDefinition, value: Json | undefined): boolean {
  const [before, after] = [former.kind ?? "string", next.kind ?? "string"];
  if ((former.translated ?? false) !== (next.translated ?? false)) return false;
  if (PLAIN.includes(before) && PLAIN.includes(after))
    return after !== "string" || !JSON.stringify(value ?? "").includes("\\n");
  if (before !== after) return false;
  return SHAPES.every((name) => isSame(shapeOf(former, name), shapeOf(next, name)));
}

/** What decides which values a field of one kind takes; limits are told by saving. */
const SHAPES = ["children", "types", "target_model", "target", "choices", "multiple"] as const;
const shapeOf = (field: FieldDefinition, name: (typeof SHAPES)[number]): Json => (field[name] ?? null) as Json;

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  value === false ||
  (isList(value) ? value.length === 0 : isRecord(value) && Object.values(value).every(isEmpty));
