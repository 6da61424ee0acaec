/** A field as a content type declares it: its name, what its values are, and what they must keep to. */
import type { Json, JsonObject } from "../json.ts";

/** The union of both published lists, and the typed link (contract.md 10.3, 14). */
export const KIND_NAMES = [
  "string", "text", "html", "integer", "number", "boolean", "date", "datetime", "select", "media", "ref", "queryset",
  "group", "list", "permalink",
] as const;

export type KindName = (typeof KIND_NAMES)[number];

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What was sent of it, and always a label; a key that was left out has its default. */
export interface FieldDefinition {
  /** Key of the value in the data. */
  readonly name: string;
  readonly label: string;
  /** Default: `string`. */
  readonly kind?: KindName;
  /** The key must be there and, but for references, not null. */
  readonly required?: boolean;
  /** The value is an object from languages to values. */
  readonly translated?: boolean;
  readonly multiline?: boolean;
  /** Of `number`: whole numbers only. */
  readonly integer?: boolean;
  /** Of `ref` and `queryset`, as decisions.md 32 spells it. */
  readonly target_model?: string;
  /** Of `group` and `list`. */
  readonly children?: Definitions;
  /** Of `select`; no value twice. */
  readonly choices?: readonly Choice[];
  /** In characters, of `string` and `text`. */
  readonly min_length?: number;
  readonly max_length?: number;
  readonly placeholder?: string;
  /** Of `number` and `integer`. */
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What is compiled from a list of definitions hangs on the list itself: a changed type is another list. */
export type Definitions = readonly FieldDefinition[];

/** A record another one points at. */
export interface Reference {
  readonly model: string;
  readonly id: number;
}

/** What knows how a reader is shown the records a value points at. */
export interface Resolver {
  /** The target as a flat object with `model`; null when it is gone, or hidden from this reader. */
  reference(model: string, id: number): unknown;
  /** @param link as `readLink` gives it */
  link(link: Json): unknown;
}

export type JsonSchema = JsonObject;

/** Pages of every page model, which is what a typed link leads to; no target a definition may name. */
export const LINK_TARGET = "cms.UrlNode";

export const MEDIA_MODEL = "cms.Media";

/** `opening_hours` is shown as "Opening Hours" until somebody says better. */
export const labelOf = (name: string): string =>
  name.replace(/[_-]+/g, " ").replace(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());
