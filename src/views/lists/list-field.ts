/** Fields of lists, from records and from the tables of their fields. */
import type { FieldRow, FieldType } from "../../model/input/field.ts";
import { objectOf } from "../../model/input/json.ts";
import type { Queryable, QueryField, Reads, ValueField, ValueType } from "../../model/lists/query.ts";
import type { Entity } from "../../store/records/record-type.ts";
import { visibleTarget } from "../records/resolver.ts";
import type { View } from "../view.ts";

export const valueTypeOf = (type: FieldType): ValueType =>
  type === "text" || type === "boolean" || type === "integer" || type === "instant" ? type : "json";

/** Fields with the values that a record has under the same names, none of them translated. */
export const ownFields = <T>(
  types: { readonly [name in keyof T & string]?: ValueType },
  reads: Reads = "record",
): {
  readonly [name: string]: ValueField<T, View>;
} =>
  objectOf(
    Object.entries(types).map(([name, type]) => [
      name,
      { type: type as ValueType, reads, get: (record: T) => record[name as keyof T] },
    ]),
  );

const ID_LIST: Queryable<Entity, View> = {
  fields: ownFields<Entity>({ id: "integer" }),
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
