/** What every control of a declared field is given. */
import type { Json } from "../json.ts";
import type { FieldDefinition } from "./definition.ts";

export interface FieldProps {
  readonly definition: FieldDefinition;
  /** Names and numbers joined by dots, as errors have it. */
  readonly path: string;
  /** undefined: the data does not have the field. */
  readonly value: Json | undefined;
  readonly onChange: (value: Json) => void;
}
