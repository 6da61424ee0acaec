/** The definitions of fields, as page models and meta types have them in the API. */
import type { FieldDefinition as DeclaredField } from "../../model/fields/definition.ts";

/** With what only the fields of the editor's own forms have. */
export interface FieldDefinition extends Omit<DeclaredField, "kind" | "children" | "placeholder"> {
  /** Default: `string`. A kind of a plugin is edited as the JSON value that it has. */
  readonly kind?: string;
  /** Of `group` and `list`. */
  readonly children?: readonly FieldDefinition[];
  readonly placeholder?: string | undefined;
  readonly hint?: string | undefined;
  /** In characters: what search engines show of a longer text is cut. */
  readonly shown?: number;
  /** Whether an empty text is kept as one. */
  readonly isNeverNull?: true;
}

export type Definitions = readonly FieldDefinition[];
