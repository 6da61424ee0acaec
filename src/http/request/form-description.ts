/**
 * What OPTIONS says of a collection to clients that make forms of it: its languages, and the fields of a record as one flat
 * schema.
 *
 * Both follow from the schemas of the API: a field is in the form if a write may send it, or a payload shows it.
 */
import type { Config } from "../../config.ts";
import { RECORDS, modelOf } from "../../model/records/records.ts";
import { componentsOf } from "../../schema/components/components.ts";
import { refName, type Schema, type Schemas } from "../../schema/json-schema.ts";
import { shapeOf } from "../../schema/site-shape.ts";
import type { Reader } from "../../store/records/record-type.ts";
import type { Matched } from "../app/route.ts";

interface FormDescription {
  readonly lang_info: {
    readonly default: string;
    /** Whether a record has texts in several languages. */
    readonly translatable: boolean;
    readonly languages: readonly string[];
    readonly site_languages: Config["LANGUAGES"];
    readonly translatable_fields: readonly string[];
    /** The key of a body that holds the texts by language. */
    readonly accessor: "translations";
  };
  readonly schema: Schema;
}

/** Below the API root, for clients that let a person choose a record. */
const COLLECTIONS: { readonly [model: string]: string } = {
  "cms.Page": "pages",
  "cms.Article": "articles",
  "cms.Media": "media",
  "cms.MediaFolder": "media-folder",
  "cms.Menu": "menus",
  "cms.Content": "contents",
  "cms.MetaType": "meta-types",
  "cms.MetaInstance": "meta-instances",
  "auth.User": "users",
  ...Object.fromEntries(RECORDS.map((of) => [modelOf(of), of.path])),
};

/**
 * @param root the API root of the request
 * @returns undefined for a path that is no collection: one that is read, and to which records are added
 */
export function formDescription(
  config: Config,
  content: Reader,
  { byMethod, params }: Pick<Matched, "byMethod" | "params">,
  root: string,
): FormDescription | undefined {
  const { body, form = body, answer, status } = byMethod.get("POST")?.operation ?? {};
  if (!byMethod.has("GET") || status !== 201 || typeof form !== "string" || typeof answer !== "string")
    return undefined;
  const site = shapeOf(config, content);
  const model = site.models.find(({ name }) => name === params.model);
  const pages = model ? `${model.typeName}Page` : "Page";
  const schemas: Schemas = { ...componentsOf(site), AnyPage: { $ref: pages }, AnyPageInput: { $ref: `${pages}Input` } };
  const input = propertiesOf({ $ref: form }, schemas);
  const texts = textsIn(input.translations, schemas);
  const { translations: _texts, ...shown } = propertiesOf({ $ref: answer }, schemas);
  const isOfLanguage = (name: string): boolean => texts.some((text) => name.startsWith(`${text}_`) && !(name in shown));
  const written = Object.keys(input).filter((name) => name !== "translations" && !isOfLanguage(name));
  const fields = [...new Set([...Object.keys(shown), ...written])].map((name) => {
    const isWritten = written.includes(name);
    const field = fieldOf(name, (isWritten ? input[name] : shown[name]) ?? {}, schemas, root);
    const marks = { ...(texts.includes(name) && { translatable: true }), ...(!isWritten && { readOnly: true }) };
    return [name, { ...field, ...marks }] as const;
  });
  const { required = [] } = resolved({ $ref: form }, schemas);
  return {
    lang_info: {
      default: config.locales.default,
      translatable: texts.length > 0,
      languages: config.locales.codes,
      site_languages: config.LANGUAGES,
      translatable_fields: texts,
      accessor: "translations",
    },
    schema: { type: "object", properties: Object.fromEntries(fields), required },
  };
}

/** One value without null, with a title and, of a reference, where its records are listed. */
function fieldOf(name: string, given: Schema, schemas: Schemas, root: string): Schema {
  const { unevaluatedProperties: _closed, description, ...schema } = withoutNull(resolved(given, schemas), schemas);
  const model = [schema, schema.items as Schema | undefined].find((part) => typeof part?.["x-model"] === "string");
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
  const texts = description === undefined ? { title } : { title, description };
  if (model) {
    const target = String(model["x-model"]);
    const path = COLLECTIONS[target] ?? "pages";
    return {
      ...texts,
      type: "relation",
      model: target,
      multiple: schema.type === "array",
      endpoint: `${root}/${path}/`,
    };
  }
  const isLong = schema.type === "string" && ["maxLength", "format", "enum", "const"].every((key) => !(key in schema));
  const { $defs: _defs, properties: _inner, allOf: _parts, anyOf: _kinds, items: _items, ...plain } = schema;
  return { ...plain, ...texts, type: schema.type ?? "object", ...(isLong && { format: "textarea" }) };
}

function withoutNull(schema: Schema, schemas: Schemas): Schema {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type)) return { ...rest, type: type.find((each) => each !== "null") as string };
  const kinds = (anyOf as readonly Schema[] | undefined)?.filter((each) => each.type !== "null");
  return kinds?.length === 1 ? { ...resolved(kinds[0]!, schemas), ...rest } : schema;
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = refName(schema) ?? schema.$ref;
  if (typeof name !== "string") return schema;
  const { $ref: _name, ...beside } = schema;
  return { ...resolved(schemas[name] ?? {}, schemas), ...beside };
}

/** The properties of an object and of all its parts. */
function propertiesOf(schema: Schema, schemas: Schemas): Schemas {
  const { allOf = [], properties = {} } = resolved(schema, schemas) as {
    allOf?: readonly Schema[];
    properties?: Schemas;
  };
  return Object.assign({}, ...allOf.map((part) => propertiesOf(part, schemas)), properties) as Schemas;
}

/** The names of the fields that a body has by language. */
function textsIn(translations: Schema | undefined, schemas: Schemas): readonly string[] {
  const [ofOneLanguage] = Object.values(translations ? propertiesOf(translations, schemas) : {});
  return ofOneLanguage ? Object.keys(propertiesOf(ofOneLanguage, schemas)) : [];
}
