/** Fields of meta types, page models and block types that name what the site lacks, and instances that no longer fit their type. */
import { EVERY_OTHER } from "../../model/fields/blocks.ts";
import { flattenErrors, type ErrorNode } from "../../errors.ts";
import { isObject, type Json } from "../../model/input/json.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { Definitions } from "../../model/fields/definition.ts";
import type { PageModel } from "../../model/page/page-model.ts";
import type { KeyPath } from "../codec/codec.ts";
import { closest } from "../../model/input/closest.ts";
import type { DeclaredBlockType } from "../../model/records/block-type.ts";
import { BLOCK_TYPES, blockTypesIn } from "../records/block-types.ts";
import { PAGE_MODELS } from "../records/page-models.ts";
import type { MetaInstance, MetaType } from "../../model/records/meta.ts";
import {
  meantChoices,
  readData,
  readDefinitions,
  storedDefinitions,
  unknownIn,
  unknownMessage,
} from "../../model/records/schema.ts";
import type { Reader } from "../records/record-type.ts";
import { META_INSTANCES } from "../records/meta-instances.ts";
import { META_TYPES } from "../records/meta-types.ts";
import { typeOf } from "../content/indexes/meta-index.ts";
import { findModel, missingIn } from "../content/indexes/references.ts";
import type { Finding } from "./finding.ts";
import { danglingIn } from "./links.ts";

export function* metaFindings(content: Reader, locales: Locales): Generator<Finding> {
  for (const kind of [META_TYPES, PAGE_MODELS, BLOCK_TYPES]) {
    for (const { id, schema } of content.all<MetaType | PageModel | DeclaredBlockType>(kind)) {
      const read = readDefinitions(storedDefinitions(schema), (name) => findModel(content, name), locales.fieldKinds);
      const errors =
        "errors" in read ? flattenErrors({ schema: read.errors }) : targetErrors(content, schema, ["schema"]);
      for (const { path, message } of errors) yield { kind, id, path, message };
    }
  }
  for (const instance of content.all(META_INSTANCES)) yield* instanceFindings(content, instance, locales);
}

/** Pages, meta types and block types that fields are narrowed to, and the site does not have. */
function* targetErrors(
  content: Reader,
  schema: Definitions,
  above: KeyPath,
): Generator<{ readonly path: KeyPath; readonly message: string }> {
  for (const [at, { target, types = [], children = [] }] of schema.entries()) {
    const message = target && missingIn(content, target);
    if (message !== undefined) yield { path: [...above, at, "target"], message };
    for (const [index, name] of types.entries()) {
      const unknown = unknownBlockType(content, name);
      if (unknown !== undefined) yield { path: [...above, at, "types", index], message: unknown };
    }
    yield* targetErrors(content, children, [...above, at, "children"]);
  }
}

/** What is wrong with a name among the `types` of a field; undefined for one that takes a type. */
function unknownBlockType(content: Reader, name: string): string | undefined {
  const all = blockTypesIn(content);
  const known = [EVERY_OTHER, ...all.map((type) => type.name), ...new Set(all.map(({ category }) => `@${category}`))];
  if (known.includes(name)) return undefined;
  const near = closest(name, known);
  const what = name.startsWith("@") ? `category "${name.slice(1)}" of block types` : `block type "${name}"`;
  return `There is no ${what}.${near === undefined ? "" : ` Did you mean "${near}"?`}`;
}

function* instanceFindings(content: Reader, instance: MetaInstance, locales: Locales): Generator<Finding> {
  const at = { kind: META_INSTANCES, id: instance.id };
  const type = typeOf(content, instance);
  if (!type) {
    yield {
      ...at,
      path: ["meta_type"],
      message: `${whyNoType(instance)} The instance is served with its data unchanged.`,
    };
    return;
  }
  const read = readData(type.schema, instance.data, { locales, mode: "stored" });
  if ("errors" in read)
    for (const each of dataErrors(type.schema, instance.data, read.errors))
      yield { ...at, path: ["data", ...each.path], message: each.message };
  else for (const found of danglingIn(content, type.schema, read.data, ["data"])) yield { ...at, ...found };
  for (const unknown of unknownIn(type.schema, instance.data, locales))
    yield { ...at, path: ["data", ...unknown.path], message: unknownMessage(unknown, `The meta type "${type.key}"`) };
}

/** What is wrong with stored data, one by one, with the choice that was meant. */
export function* dataErrors(
  schema: Definitions,
  data: Json,
  errors: ErrorNode,
): Generator<{ readonly path: KeyPath; readonly message: string }> {
  const meant = isObject(data) ? meantChoices(schema, data) : undefined;
  for (const { path, message } of flattenErrors({ data: errors })) {
    const inside = path.slice(1);
    const near = meant?.get(inside.join("."));
    yield { path: inside, message: near === undefined ? message : `${message} Did you mean "${near}"?` };
  }
}

function whyNoType({ meta_type, folder }: MetaInstance): string {
  if (meta_type !== null) return `There is no meta type with the id ${meta_type}.`;
  if (folder === "") return "The file is in no folder of a meta type and has no meta_type.";
  return `There is no meta type with the key "${folder}", the name of the folder.`;
}
