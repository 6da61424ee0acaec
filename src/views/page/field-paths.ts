/**
 * Which field of the form each value of a payload comes from, for previews: front ends mark elements by these paths, and the
 * editor knows by the kinds what can be typed in place.
 */
import { isObject } from "../../model/input/json.ts";
import type { Definitions, FieldDefinition } from "../../model/fields/definition.ts";
import { childrenOf, fieldKindOf } from "../../model/fields/kinds.ts";
import type { Page } from "../../model/page/page.ts";
import { linkedSchema } from "../../store/records/block-types.ts";
import { findPageModel } from "../../store/records/page-models.ts";
import type { Payload, View } from "../view.ts";

/** Kinds by path: names and indexes joined by dots, as in the payload and in `cms_field`. */
type FieldPaths = { [path: string]: string };

/** The fields of pages that are shown on them. An address is not among them: it is never typed in place. */
const OF_PAGES: FieldPaths = {
  title: "string",
  description: "textarea",
  breadcrumbs_title: "string",
  content: "text",
  og_image: "media",
  highlight_image: "media",
};

/** A payload of a preview with `paths`. Values inside of referenced records are edited elsewhere and have none. */
export function withPaths(view: View, page: Page, payload: Payload): Payload {
  const paths: FieldPaths = {};
  for (const [name, kind] of Object.entries(OF_PAGES)) if (name in payload) paths[name] = kind;
  const model = findPageModel(view.content, page.model);
  const { template_data: data } = payload;
  if (model) addFields(paths, "template_data", linkedSchema(view.content, model.schema), data);
  else addFree(paths, "template_data", data);
  return { ...payload, paths };
}

function addFields(paths: FieldPaths, above: string, definitions: Definitions, values: unknown): void {
  if (!isObject(values)) return;
  for (const definition of definitions)
    addField(paths, `${above}.${definition.name}`, definition, values[definition.name]);
}

function addField(paths: FieldPaths, path: string, definition: FieldDefinition, value: unknown): void {
  if (definition.translated) {
    const single = { ...definition, translated: false };
    for (const [lang, own] of Object.entries(isObject(value) ? value : {}))
      addField(paths, `${path}.${lang}`, single, own);
    return;
  }
  // Of several lines: Markdown.
  paths[path] = definition.multiline ? "text" : (definition.kind ?? "string");
  if (!fieldKindOf(definition).nests || value == null) return;
  if (!Array.isArray(value)) return addFields(paths, path, childrenOf(definition), value);
  for (const [at, item] of value.entries()) addFields(paths, `${path}.${at}`, childrenOf(definition, item), item);
}

/** Data without a model: each text in it is one. */
function addFree(paths: FieldPaths, path: string, value: unknown): void {
  if (typeof value === "string") paths[path] = value.includes("\n") ? "textarea" : "string";
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) addFree(paths, `${path}.${key}`, item);
}
