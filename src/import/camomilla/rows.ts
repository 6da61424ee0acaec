/** The records of camomilla as its dump and its interface both have them: fields by the names that they have in Django. */
import { isList, isObject, own, type Json, type JsonObject } from "../../model/input/json.ts";
import type { Remark, SourceId, SourcePlace } from "../imported-site.ts";

export interface Row {
  /** Name of the model in lower case, without the app where that is camomilla itself: `page`, `media`, `shop.product`. */
  readonly model: string;
  /** Its primary key, else its natural key; unique within its model. */
  readonly id: string;
  readonly place: SourcePlace;
  /** Those that are the same in all languages. */
  readonly fields: JsonObject;
  /** By language as camomilla writes it: `pt-br`. */
  readonly texts: { readonly [lang: string]: JsonObject };
}

/** A staged change of a page. */
export interface DraftRow extends Row {
  readonly page: SourceId;
  readonly lang: string;
}

export interface CamomillaRows {
  /** The pages of all page models. */
  readonly pages: readonly Row[];
  readonly tags: readonly Row[];
  readonly media: readonly Row[];
  readonly folders: readonly Row[];
  readonly menus: readonly Row[];
  readonly contents: readonly Row[];
  readonly metaTypes: readonly Row[];
  readonly metaInstances: readonly Row[];
  readonly users: readonly Row[];
  readonly drafts: readonly DraftRow[];
  readonly redirects: readonly Row[];
  /** Its languages; the one whose addresses have no prefix. */
  readonly languages: readonly string[];
  readonly defaultLang: string | undefined;
  /** The page of a URL node, by the id of that. */
  pageOfNode(id: string): SourceId | undefined;
  readonly remarks: readonly Remark[];
}

export const sourceOf = (model: string, id: string): SourceId => `camomilla:${model}:${id}`;
export const sourceOfRow = ({ model, id }: Pick<Row, "model" | "id">): SourceId => sourceOf(model, id);

/** `camomilla.Page` as `page`; models of other apps with their app. */
export function modelKey(label: string): string {
  const name = label.toLowerCase();
  return name.startsWith("camomilla.") ? name.slice("camomilla.".length) : name;
}

/** The key that a relation has: an id, or an object with one. */
export function keyIn(value: Json | undefined): string | undefined {
  if (typeof value === "number" && Number.isInteger(value)) return String(value);
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  return isObject(value) ? keyIn(own(value, "id")) : undefined;
}

export const keysIn = (value: Json | undefined): string[] =>
  isList(value) ? value.flatMap((each) => keyIn(each) ?? []) : [];

/** "" for anything but a text. */
export const textIn = (fields: JsonObject, name: string): string => {
  const value = own(fields, name);
  return typeof value === "string" ? value : "";
};

/** The fields of pages and articles that a language has of its own. */
export const PAGE_TEXTS: ReadonlySet<string> = new Set([
  ...["title", "description", "og_description", "og_title", "og_type", "og_url", "canonical", "keywords"],
  ...["breadcrumbs_title", "autopermalink", "indexable", "template_data", "published_at", "permalink", "content"],
  // Of camomilla before 6.5.
  ...["status", "publication_date"],
]);

/** Whether there is nothing in a value. */
export const isBlank = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (isList(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value as JsonObject).length === 0);
