/** Fields of lists that follow from the tables of fields of records. */
import type { FieldRow, FieldType } from "../model/field.ts";
import type { Queryable, QueryField, ValueType } from "../model/query.ts";
import type { Entity } from "../store/content/record-type.ts";
import { visibleTarget } from "./resolver.ts";
import type { View } from "./view.ts";

export const valueTypeOf = (type: FieldType): ValueType =>
  type === "text" || type === "boolean" || type === "integer" || type === "instant" ? type : "json";

const ID_LIST: Queryable<Entity, View> = {
  fields: { id: { type: "integer", get: ({ id }) => id } },
  search: [],
  order: ["id"],
};

/**
 * A field that is not translated. References lead to the fields of records that are visible to the reader.
 *
 * @param lists the lists of referenced records, by model; those of other models are filtered by their id alone
 */
export function globalField<T>(
  { type, target }: FieldRow,
  valueOf: (record: T) => unknown,
  lists: ReadonlyMap<string, Queryable<never, View>> = new Map(),
): QueryField<T, View> {
  if (target === undefined) return { type: valueTypeOf(type), get: valueOf };
  return {
    type: "reference",
    target: () => lists.get(target) ?? ID_LIST,
    get: (record, view) =>
      [valueOf(record)].flat().flatMap((id) => {
        const found = typeof id === "number" ? visibleTarget(view, { model: target, id }) : undefined;
        return found ? [found] : [];
      }),
  };
}
