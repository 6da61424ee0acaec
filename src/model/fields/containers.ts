/** Field kinds with nested fields. */
import { NOT_A_LIST, NOT_AN_OBJECT } from "../input/input-errors.ts";
import type { FieldKind } from "./kind.ts";

export const group: FieldKind = {
  nests: "one",
  schema: (_definition, record) => record(),
  typeError: (value) => [NOT_AN_OBJECT(value)],
};

/** A place on earth, in degrees (WGS 84). */
export const location: FieldKind = {
  ...group,
  children: [
    { name: "latitude", label: "Latitude", kind: "number", required: true, minimum: -90, maximum: 90 },
    { name: "longitude", label: "Longitude", kind: "number", required: true, minimum: -180, maximum: 180 },
  ],
};

export const list: FieldKind = {
  nests: "many",
  schema: (_definition, record) => ({ type: "array", items: record() }),
  typeError: (value) => [NOT_A_LIST(value)],
};
