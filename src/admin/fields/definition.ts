/** The definitions of fields, as page models and meta types have them in the API. */

import type { Values } from "../json.ts";

/** Which of the records of its model a reference may name. */
export interface RecordTarget {
  readonly model?: string;
  readonly below?: string;
  readonly meta_type?: string;
}

export interface FieldDefinition {
  readonly name: string;
  readonly label: string;
  /** Default: `string`. A kind of a plugin is edited as the JSON value that it has. */
  readonly kind?: string;
  readonly required?: boolean;
  /** Whether the value is an object from languages to values. */
  readonly translated?: boolean;
  readonly multiline?: boolean;
  readonly integer?: boolean;
  /** Of `ref` and `queryset`. */
  readonly target_model?: string;
  readonly target?: RecordTarget;
  /** Of `blocks`: names of types, and `@` with a category for all of it; absent: every type. */
  readonly types?: readonly string[];
  /** Of `group` and `list`. */
  readonly children?: readonly FieldDefinition[];
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** Of `select`. */
  readonly multiple?: boolean;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly placeholder?: string | undefined;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly message?: string;
  readonly show_if?: Values;
  readonly help?: string;
  readonly group?: string;
  // Only of the fields of the editor's own forms:
  readonly hint?: string | undefined;
  /** In characters: what search engines show of a longer text is cut. */
  readonly shown?: number;
  /** Whether an empty text is kept as one. */
  readonly isNeverNull?: true;
}

export type Definitions = readonly FieldDefinition[];
