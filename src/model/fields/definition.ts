/** The definition of a field of a content type: name, kind and constraints. */
import type { Json, JsonObject } from "../input/json.ts";

/** All kinds of fields, for page models, meta types and blocks alike. */
// oxfmt-ignore
export const KIND_NAMES = [
  "string", "text", "textarea", "html", "email", "url", "phone", "integer", "number", "boolean", "date", "datetime", "time",
  "color", "location", "select", "media", "ref", "queryset", "group", "list", "permalink", "blocks",
] as const;

export type KindName = (typeof KIND_NAMES)[number];

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/**
 * Key of the field kind itself, in definitions whose kind a plugin adds. A symbol, so that it is copied with a
 * definition but neither stored nor served.
 */
export const PLUGIN_KIND = Symbol("field kind of a plugin");

/** Key of the types that a field of the kind `blocks` takes, in definitions that `linkedDefinitions` returned. */
export const BLOCK_TYPES = Symbol("block types of a field");

export interface AllowedBlocks {
  readonly names: readonly string[];
  /** The fields of a block, with those of every block; undefined for a type that the field does not take. */
  fieldsOf(type: string): Definitions | undefined;
}

/** The keys that were sent, and always a label; absent keys have their defaults. */
export interface FieldDefinition {
  /** Key of the value in the data. */
  readonly name: string;
  readonly label: string;
  readonly [PLUGIN_KIND]?: object;
  readonly [BLOCK_TYPES]?: AllowedBlocks;
  /** Default: `string`. */
  readonly kind?: KindName;
  /** The key must be present and, except for references, not null. */
  readonly required?: boolean;
  /** Whether the value is an object from languages to values. */
  readonly translated?: boolean;
  readonly multiline?: boolean;
  /** Of `number`: whole numbers only. */
  readonly integer?: boolean;
  /** Of `ref` and `queryset`: a canonical model name. */
  readonly target_model?: string;
  /** Of `ref` and `queryset`: which of these records. */
  readonly target?: FieldTarget;
  /** Of `group` and `list`. */
  readonly children?: Definitions;
  /** Of `blocks`: names of block types, and `@` with a category for all of it; absent: every type. */
  readonly types?: readonly string[];
  /** Of `select`; no value twice. */
  readonly choices?: readonly Choice[];
  /** Of `select`: the value is a list of choices, each at most once. */
  readonly multiple?: boolean;
  /** In characters, of texts of every kind but `html`. */
  readonly min_length?: number;
  readonly max_length?: number;
  readonly placeholder?: string;
  /** Of texts: a regular expression that a value matches somewhere, in the syntax of `regex` in filters. */
  readonly pattern?: string;
  /** What is said of a value that does not match `pattern`. */
  readonly message?: string;
  /** Values of other fields of the record, without which this one is neither shown nor required; see show-if.ts. */
  readonly show_if?: { readonly [field: string]: Json };
  /** What editors are told of the field. */
  readonly help?: string;
  /** The heading that editors see above this field and others with the same one. */
  readonly group?: string;
  /** Of `number` and `integer`; of `blocks`, how many there are. */
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Immutable: caches are keyed by the list, so a changed type must be a new list. */
export type Definitions = readonly FieldDefinition[];

/** What a target must be; all that is stated holds. */
export interface FieldTarget {
  /** The name of the page model that pages have. */
  readonly model?: string;
  /** The permalink of a page above pages or articles, at any distance, in any language; a former one counts, too. */
  readonly below?: string;
  /** The key of the meta type that instances have. */
  readonly meta_type?: string;
}

/** The target of a reference. */
export interface Reference {
  readonly model: string;
  readonly id: number;
  readonly target?: FieldTarget | undefined;
}

/** Resolves references and links to the form in which one reader is served them. */
export interface Resolver {
  /** The target as a flat object with `model`; null when it does not exist, or is hidden from this reader. */
  reference(model: string, id: number): unknown;
  /** @param link as `readLink` returns it */
  link(link: Json): unknown;
  /** Whether hidden blocks are left out. */
  readonly isPublic?: boolean;
}

export type JsonSchema = JsonObject;

/** The model of typed links: pages of every page model. Not allowed as `target_model`. */
export const LINK_TARGET = "cms.UrlNode";

export const MEDIA_MODEL = "cms.Media";

/** The default label: `opening_hours` -> "Opening Hours". */
export const labelOf = (name: string): string =>
  name.replace(/[_-]+/g, " ").replace(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());
