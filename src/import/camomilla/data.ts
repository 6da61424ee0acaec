/**
 * Free data of camomilla: template data, drafts, the data of meta instances. What refers to a record there is an object that
 * names the model, or a typed link; where fields are declared, a mere id.
 */
import type { Definitions } from "../../model/fields/definition.ts";
import { isObject, objectOf, own, type Json, type JsonObject } from "../../model/input/json.ts";
import { visitData } from "../../model/records/schema.ts";
import type { SourceId } from "../imported-site.ts";
import { sourceLink, sourceReference } from "../texts/source-links.ts";
import type { OldCamomilla } from "./old-site.ts";
import { keyIn, modelKey, sourceOf, type CamomillaRows } from "./rows.ts";

export interface DataReading {
  readonly rows: CamomillaRows;
  readonly site: OldCamomilla;
  /** Whether there is a record. */
  has(source: SourceId): boolean;
  /** Called with an address of the old site that leads to nothing. */
  onMissing(address: string): void;
}

/** Keys that camomilla computes for items of the library that are shown inside other data. */
const COMPUTED_OF_MEDIA: ReadonlySet<string> = new Set([
  ...["thumbnail", "renditions", "srcset", "renditions_config", "links", "folder", "translations", "size", "is_image"],
]);

export function convertData(value: Json, reading: DataReading): Json {
  if (typeof value === "string") return reading.site.rewriteText(value, reading.onMissing);
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => convertData(each, reading));
  if (!isObject(value)) return value;
  if (own(value, "link_type") === "RE") return linkIn(value, reading);
  const source = mediaIn(value, reading);
  const entries = Object.entries(value).filter(([key]) => source === undefined || !COMPUTED_OF_MEDIA.has(key));
  const reference = source ?? recordIn(value, reading);
  return objectOf(
    entries.map(([key, each]) => [
      key,
      key === "id" && reference !== undefined ? sourceReference(reference) : convertData(each, reading),
    ]),
  );
}

/** An item of the library as its payload has it. */
function mediaIn(value: JsonObject, { has }: DataReading): SourceId | undefined {
  const isMedia = own(value, "model") === "camomilla.media" || ("file" in value && "mime_type" in value);
  const key = keyIn(own(value, "id"));
  const source = key === undefined ? undefined : sourceOf("media", key);
  return isMedia && source !== undefined && has(source) ? source : undefined;
}

/** A record of another model: `{ id, model, ... }`. */
function recordIn(value: JsonObject, { has }: DataReading): SourceId | undefined {
  const [model, key] = [own(value, "model"), keyIn(own(value, "id"))];
  if (typeof model !== "string" || key === undefined) return undefined;
  const source = sourceOf(modelKey(model), key);
  return has(source) ? source : undefined;
}

/** A typed link to a page; one whose page is not known stays as it is. Its `url` stays, for what reads the data as it is. */
function linkIn(value: JsonObject, reading: DataReading): Json {
  const source = linkedPage(value, reading);
  if (source === undefined) return value;
  const { content_type: _type, page: _page, ...rest } = value;
  const kept = objectOf(Object.entries(rest).map(([key, each]) => [key, convertData(each, reading)] as const));
  return { ...kept, url_node: sourceReference(source), ...("url" in value && { url: sourceLink(source) }) };
}

/** The page of a link: camomilla names it itself, else its URL node, by id or with its permalinks. */
export function linkedPage(link: JsonObject, { rows, site, has }: DataReading): SourceId | undefined {
  const page = own(link, "page");
  const named = isObject(page) ? own(page, "model") : undefined;
  const key = keyIn(page);
  if (typeof named === "string" && key !== undefined) {
    const source = sourceOf(modelKey(named), key);
    if (has(source)) return source;
  }
  const node = own(link, "url_node");
  const id = keyIn(node);
  const known = id === undefined ? undefined : rows.pageOfNode(id);
  if (known !== undefined) return known;
  if (!isObject(node)) return undefined;
  for (const lang of [rows.defaultLang ?? "", ...rows.languages]) {
    const permalink = own(node, `permalink_${lang.replaceAll("-", "_")}`) ?? own(node, "permalink");
    const found = typeof permalink === "string" ? site.pageAt(site.pathOf(lang, permalink)) : undefined;
    if (found) return found.source;
  }
  return undefined;
}

/** Data with declared fields: also the ids in fields that refer to records are replaced. */
export function convertDeclared(definitions: Definitions, data: JsonObject, reading: DataReading): JsonObject {
  const converted = convertData(data, reading) as JsonObject;
  return visitData(definitions, converted, (model, value) => {
    const key = keyIn(value);
    if (key === undefined) return null;
    // Converted already, in the object that named its model.
    if (!/^\d+$/.test(key)) return key;
    return sourceReference(sourceOf(KEYS.get(model) ?? modelKey(model), key));
  });
}

/** The models of this service by their names in camomilla. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ["cms.Page", "page"],
  ["cms.Article", "article"],
  ["cms.Tag", "tag"],
  ["cms.Media", "media"],
  ["cms.MediaFolder", "mediafolder"],
  ["cms.Menu", "menu"],
  ["cms.Content", "content"],
  ["cms.MetaType", "metatype"],
  ["cms.MetaInstance", "metainstance"],
  ["auth.User", "user"],
]);
