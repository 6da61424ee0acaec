/**
 * Data in the form in which it is stored: references as ids, links without their addresses.
 *
 * The API serves references as whole records. Sent back as they are, these records would be part of the draft.
 */
import { isList, isRecord, type Json, type Values } from "../json.ts";
import { isNamed, remember } from "../records/known-records.ts";
import { fieldsOfBlock } from "./blocks/block-types.ts";
import type { Definitions, FieldDefinition } from "./definition.ts";

export const storedData = (definitions: Definitions, data: Values): Values =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const definition = definitions.find((each) => each.name === name);
      return [name, definition ? storedValue(definition, value) : value];
    }),
  );

function storedValue(definition: FieldDefinition, value: Json): Json {
  const { translated, ...own } = definition;
  if (translated && isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([lang, each]) => [lang, storedValue(own, each)]));
  const { kind, target_model: target = "", children = [] } = definition;
  if (kind === "media") return storedReference("cms.Media", value);
  if (kind === "ref") return storedReference(target, value);
  if (kind === "queryset" && isList(value)) return value.map((item) => storedReference(target, item));
  if (kind === "permalink" && isRecord(value)) return storedLink(value);
  if (kind === "group" && isRecord(value)) return storedData(children, value);
  if (kind === "list" && isList(value))
    return value.map((item) => (isRecord(item) ? storedData(children, item) : item));
  if (kind === "blocks" && isList(value))
    return value.map((block) => (isRecord(block) ? storedData(fieldsOfBlock(block), block) : block));
  return value;
}

/** The id of a record that is served in place of its id. @param model such as `cms.Media` */
export function storedReference(model: string, value: Json | undefined): Json {
  if (!isRecord(value) || typeof value.id !== "number") return value ?? null;
  if (isNamed(value)) remember(model, value);
  return value.id;
}

export function storedLink({ link_type: type, url_node: node, static: address }: Values): Json {
  if (type === "RE") return { link_type: "RE", url_node: storedReference("cms.UrlNode", node) };
  return { link_type: "ST", static: address ?? "" };
}
