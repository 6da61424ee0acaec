/** A value in the words of its field: choices by their labels, records by their names, moments as people write them. */
import { wordsOfHtml } from "../html-text.ts";
import { showDay, showMoment, text } from "../i18n.ts";
import { isList, isRecord, valueAt, type Json, type Values } from "../json.ts";
import { knownRecord, LINK_TARGET, MEDIA_MODEL } from "../records/known-records.ts";
import { languageName } from "../site.ts";
import { blockTypes, fieldsOfBlock } from "./blocks/block-types.ts";
import type { Definitions, FieldDefinition } from "./definition.ts";
import { partLabel } from "./field-labels.ts";

/** @param value as it is stored, or with records in place of their ids @param definition absent: nothing is declared */
export function valueWords(value: Json, definition?: FieldDefinition): string {
  if (value === null) return "";
  if (definition?.translated && isRecord(value)) {
    const { translated: _, ...own } = definition;
    return lines(Object.entries(value).map(([lang, each]) => [languageName(lang), valueWords(each, own)]));
  }
  const { kind = "", choices = [], children = [], target_model: target = "" } = definition ?? {};
  if (isList(value)) return value.map((item) => wordsOfItem(item, definition)).join("\n");
  if (typeof value === "boolean") return text(value ? "yes" : "no");
  if (kind === "date") return showDay(String(value));
  if (kind === "datetime") return showMoment(String(value));
  if (kind === "select") return choices.find((choice) => choice.value === value)?.label ?? String(value);
  if (kind === "html") return wordsOfHtml(String(value));
  if (kind === "media") return nameOfRecord(MEDIA_MODEL, value);
  if (kind === "ref" || kind === "queryset") return nameOfRecord(target, value);
  if (!isRecord(value)) return String(value);
  if ("link_type" in value)
    return value.link_type === "RE" ? nameOfRecord(LINK_TARGET, value.url_node ?? null) : String(value.static ?? "");
  if (kind === "location") return [value.latitude, value.longitude].join(", ");
  if (kind === "group") return wordsOfFields(children, value);
  if (typeof value.id === "number") return nameOfRecord(target, value);
  return lines(Object.entries(value).map(([, each]) => ["", valueWords(each)]));
}

function wordsOfItem(item: Json, definition: FieldDefinition | undefined): string {
  if (definition?.kind === "list" && isRecord(item)) return wordsOfFields(definition.children ?? [], item);
  if (!isRecord(item) || typeof item.type !== "string") return valueWords(item, definition);
  const type = blockTypes.value.find(({ name }) => name === item.type);
  return [type?.label ?? item.type, wordsOfFields(fieldsOfBlock(item), item)].filter(Boolean).join("\n");
}

const wordsOfFields = (definitions: Definitions, values: Values): string =>
  lines(definitions.map((each) => [each.label, valueWords(values[each.name] ?? null, each)]));

/** Those that have words, each after its label. */
const lines = (labelled: readonly (readonly [label: string, words: string])[]): string =>
  labelled
    .filter(([, words]) => words !== "")
    .map(([label, words]) => (label === "" ? words : `${label}: ${words}`))
    .join("\n");

function nameOfRecord(model: string, value: Json): string {
  if (typeof value === "number") return knownRecord(model, value)?.name ?? `#${value}`;
  if (!isRecord(value)) return value === null ? "" : String(value);
  return String(value.title ?? value.name ?? value.permalink ?? value.username ?? `#${String(value.id)}`);
}

/**
 * The field that a path leads to; undefined where none is declared.
 *
 * @param path names, languages and indexes @param values with the sections that the path goes through
 */
export function definitionAt(
  definitions: Definitions,
  path: readonly string[],
  values: Values,
): FieldDefinition | undefined {
  let fields = definitions;
  let found: FieldDefinition | undefined;
  for (const [at, part] of path.entries()) {
    const { translated, ...own }: FieldDefinition = found ?? { name: "", label: "", kind: "group" };
    if (translated) found = own;
    else if (found?.kind === "blocks" && /^\d+$/.test(part)) {
      const block = valueAt(values, path.slice(0, at + 1).join("."));
      found = { name: part, label: part, kind: "group", children: fieldsOfBlock(block) };
    } else if (found?.kind === "list" && /^\d+$/.test(part)) found = { ...own, kind: "group" };
    else {
      if (found) fields = found.children ?? [];
      found = fields.find(({ name }) => name === part);
    }
    if (!found) return undefined;
  }
  return found;
}

/** Values of a record in words. @param sides the records that the sections on the way are looked up in */
export const wordsIn =
  (definitions: Definitions, ...sides: readonly Values[]) =>
  (value: Json, path: readonly string[]): string =>
    valueWords(value, sides.map((side) => definitionAt(definitions, path, side)).find(Boolean));

/** The path of a value in the words of its fields, sections by their kind: `Content › Sections › 2 Quote › Who said it`. */
export const pathWordsIn =
  (definitions: Definitions, ...sides: readonly Values[]) =>
  (path: readonly string[]): string =>
    path
      .map((part, at) => {
        const before = path.slice(0, at + 1);
        const name = partLabel(part, at);
        if (/^\d+$/.test(part)) return [name, kindOfSection(sides, before)].filter(Boolean).join(" ");
        return sides.map((side) => definitionAt(definitions, before, side)).find(Boolean)?.label ?? name;
      })
      .join(" › ");

function kindOfSection(sides: readonly Values[], path: readonly string[]): string | undefined {
  const section = sides
    .map((side) => valueAt(side, path.join(".")))
    .find((value) => value !== null && value !== undefined);
  return isRecord(section ?? null)
    ? blockTypes.value.find(({ name }) => name === (section as Values).type)?.label
    : undefined;
}
