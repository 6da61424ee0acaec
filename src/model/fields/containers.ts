/** Field kinds with nested fields. */
import { NOT_AN_OBJECT, typeName } from "../input/input-errors.ts";
import type { FieldKind } from "./kind.ts";

export const group: FieldKind = {
  nests: "one",
  schema: (_definition, record) => record(),
  typeError: (value) => [NOT_AN_OBJECT(value)],
};

export const list: FieldKind = {
  nests: "many",
  schema: (_definition, record) => ({ type: "array", items: record() }),
  typeError: (value) => [`Expected a list of items but got type "${typeName(value)}".`],
};
