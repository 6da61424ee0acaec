/** Tags, menus, content blocks, meta types and instances of camomilla. */
import { findBuiltIn } from "../../model/records/model-names.ts";
import { readDefinitions } from "../../model/records/schema.ts";
import type { Definitions } from "../../model/fields/definition.ts";
import { isList, isObject, objectOf, own, type Json, type JsonObject } from "../../model/input/json.ts";
import { isKey } from "../../model/records/meta.ts";
import { asciiSlugify } from "../../model/address/slug.ts";
import type {
  ImportedContent,
  ImportedMenu,
  ImportedMetaInstance,
  ImportedMetaType,
  ImportedNode,
  ImportedTag,
} from "../imported-site.ts";
import { convertData, convertDeclared, linkedPage } from "./data.ts";
import { rowLang, type EntryReading } from "./entries.ts";
import { instantIn } from "./publication.ts";
import { isBlank, keyIn, sourceOf, sourceOfRow, textIn, type Row } from "./rows.ts";

/** The values of a field in all languages, those that are empty left out. */
const byLang = <T>(
  { texts }: Row,
  { locales }: EntryReading,
  read: (text: JsonObject) => T | undefined,
): { readonly [lang: string]: T } =>
  objectOf(
    Object.entries(texts).flatMap(([lang, text]): [string, T][] => {
      const value = read(text);
      return value === undefined ? [] : [[rowLang(lang, locales), value]];
    }),
  );

export const tagOf = (row: Row, reading: EntryReading): ImportedTag => ({
  source: sourceOfRow(row),
  place: row.place,
  names: byLang(row, reading, (text) => textIn(text, "name") || undefined),
});

export function contentOf(row: Row, reading: EntryReading): ImportedContent {
  const { site, onMissing } = reading.dataOf(row);
  const owner = own(row.fields, "owner");
  return {
    source: sourceOfRow(row),
    place: row.place,
    identifier: textIn(row.fields, "identifier"),
    // "" is a relation to something that is not known, so that the block is kept beside.
    entry: typeof owner === "string" ? owner : undefined,
    texts: byLang(row, reading, (text) => {
      const html = textIn(text, "content");
      return html === "" ? undefined : site.rewriteText(html, onMissing);
    }),
  };
}

export function menuOf(row: Row, reading: EntryReading): ImportedMenu {
  const classes = own(row.fields, "available_classes");
  if (!isBlank(classes))
    reading.remarks.push({ ...row.place, message: "The available_classes of a menu are not imported." });
  return {
    source: sourceOfRow(row),
    place: row.place,
    key: textIn(row.fields, "key") || `menu-${row.id}`,
    enabled: own(row.fields, "enabled") !== false,
    nodes: byLang(row, reading, (text) => {
      const nodes = own(text, "nodes");
      return isList(nodes) && nodes.length > 0 ? nodesIn(nodes, row, reading) : undefined;
    }),
  };
}

const nodesIn = (nodes: readonly Json[], row: Row, reading: EntryReading): ImportedNode[] =>
  nodes.filter(isObject).map((node): ImportedNode => {
    const below = own(node, "nodes");
    const meta = own(node, "meta");
    return {
      title: textIn(node, "title"),
      link: linkOf(own(node, "link"), row, reading),
      ...(isObject(meta) && { meta: convertData(meta, reading.dataOf(row)) as JsonObject }),
      ...(isList(below) && below.length > 0 && { nodes: nodesIn(below, row, reading) }),
    };
  });

function linkOf(link: Json | undefined, row: Row, reading: EntryReading): ImportedNode["link"] {
  if (!isObject(link)) return "none";
  const data = reading.dataOf(row);
  if (own(link, "link_type") === "RE") {
    const entry = linkedPage(link, data);
    const isEmpty = own(link, "url_node") == null && own(link, "page") == null;
    // A link whose page was removed leads nowhere in camomilla, too.
    return entry !== undefined
      ? { entry }
      : isEmpty
        ? "none"
        : { entry: sourceOf("urlnode", keyIn(own(link, "url_node")) ?? "") };
  }
  const address = textIn(link, "static").trim();
  return address === "" ? "none" : { address: data.site.rewrite(address) ?? address };
}

export function metaTypesIn(rows: readonly Row[]): readonly ImportedMetaType[] {
  const taken = new Set(rows.map((row) => textIn(row.fields, "key")));
  return rows.map((row): ImportedMetaType => {
    const { fields } = row;
    const name = textIn(fields, "name");
    return {
      source: sourceOfRow(row),
      place: row.place,
      key: isKey(textIn(fields, "key")) ? textIn(fields, "key") : freeKey(name, row.id, taken),
      name: name || textIn(fields, "key"),
      description: textIn(fields, "description"),
      schema: withModels(own(fields, "schema") ?? []),
      updated: instantIn(fields, "updated_at"),
    };
  });
}

/** Since 6.4 types have no key. */
function freeKey(name: string, id: string, taken: Set<string>): string {
  const slug = asciiSlugify(name) || "type";
  const key = taken.has(slug) ? `${slug}-${id}` : slug;
  taken.add(key);
  return key;
}

/** Definitions with the names that models have here: `cms.Media` for `camomilla.Media`. Others stay, and are refused. */
function withModels(schema: Json): Json {
  if (isList(schema)) return schema.map(withModels);
  if (!isObject(schema)) return schema;
  return objectOf(
    Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
      if (key === "target_model") return typeof value === "string" && value !== "" ? [[key, modelHere(value)]] : [];
      if (!DEFINITION_KEYS.has(key) || value === null) return [];
      if (key === "children") return isBlank(value) ? [] : [[key, withModels(value)]];
      return isBlank(value) && key !== "placeholder" ? [] : [[key, value]];
    }),
  );
}

const DEFINITION_KEYS: ReadonlySet<string> = new Set([
  ...["name", "label", "kind", "required", "translated", "multiline", "integer", "children", "choices"],
  ...["min_length", "max_length", "placeholder", "minimum", "maximum"],
]);

function modelHere(label: string): string {
  const named = label.toLowerCase().startsWith("camomilla.") ? `cms.${label.slice("camomilla.".length)}` : label;
  return findBuiltIn(named) ?? (/^auth\.|\.user$/i.test(named) ? "auth.User" : named);
}

export function metaInstancesIn(
  rows: readonly Row[],
  types: readonly ImportedMetaType[],
  reading: EntryReading,
): readonly ImportedMetaInstance[] {
  const definitions = new Map(types.map(({ source, schema }) => [source, definitionsIn(schema)]));
  return rows.map((row): ImportedMetaInstance => {
    const type = sourceOf("metatype", keyIn(own(row.fields, "meta_type")) ?? "");
    const data = own(row.fields, "data");
    const declared = definitions.get(type);
    const reader = reading.dataOf(row);
    const stored = isObject(data) ? data : {};
    return {
      source: sourceOfRow(row),
      place: row.place,
      type,
      identifier: textIn(row.fields, "identifier"),
      data: declared ? convertDeclared(declared, stored, reader) : (convertData(stored, reader) as JsonObject),
      created: instantIn(row.fields, "created_at"),
      updated: instantIn(row.fields, "updated_at"),
    };
  });
}

function definitionsIn(schema: Json): Definitions | undefined {
  const read = readDefinitions(schema, (name) => findBuiltIn(name) ?? name);
  return "definitions" in read ? read.definitions : undefined;
}
