/** Data of a declared type as schemas: as it is stored and sent, and as it is served. */
import { labelOf, type Definitions, type FieldDefinition, type JsonSchema } from "../model/fields/definition.ts";
import { blockSchemaName } from "../model/fields/blocks.ts";
import type { RecordSchema, ShownSchemas } from "../model/fields/kind.ts";
import { childrenOf, isAlwaysRequired, declaredSchema, fieldKindOf, mayBeNull } from "../model/fields/kinds.ts";
import type { Lang } from "../model/language/locale.ts";
import { FILE_REFERENCE } from "./file-schema.ts";
import type { SiteShape } from "./site-shape.ts";
import { byKey, ID, orNull, ref, type Schema, type Schemas } from "./json-schema.ts";

/**
 * `sent`: as clients send it. `file`: the same, with names in place of ids. `served`: references as the records they name, links with their
 * addresses. `nested`: inside other records, where references stay ids.
 */
export type DataForm = "sent" | "file" | "served" | "nested";

interface DataOptions {
  readonly codes: readonly Lang[];
  readonly form: DataForm;
  /** Whether absent fields are served as null. */
  readonly isFilled?: boolean;
  /** Whether there may be keys that are not declared: payloads show what is stored. */
  readonly isClosed?: boolean;
}

/** The names of the schemas of records that references show, by model. */
export const REFERENCED = "Referenced";

const SERVED: ShownSchemas = {
  link: ref("Link") as JsonSchema,
  reference: (model) => ({ anyOf: [ref(referencedName(model)), ID] }) as JsonSchema,
};

const NESTED: ShownSchemas = { link: SERVED.link, reference: () => ID as JsonSchema };

/** The name of the schema of a referenced record: `ReferencedMedia`; of any page model `ReferencedPage`. */
export function referencedName(model: string): string {
  const [app = "", name = ""] = model.split(".");
  return REFERENCED + (app === "pages" || name === "Article" ? "Page" : name);
}

/** @param options see `DataOptions` */
export function dataSchema(definitions: Definitions, options: DataOptions): Schema {
  const { form, isFilled = false, isClosed = isWritten(form) } = options;
  const isRequired = (definition: FieldDefinition): boolean =>
    isWritten(form) || isFilled ? isFilled || isAlwaysRequired(definition) : false;
  const required = definitions.filter(isRequired).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      definitions.map((definition) => [definition.name, fieldSchema(definition, options)]),
    ),
    ...(required.length > 0 && { required }),
    ...(isClosed && { additionalProperties: false }),
  };
}

function fieldSchema(definition: FieldDefinition, options: DataOptions): Schema {
  const kind = fieldKindOf(definition);
  const nested: RecordSchema = (block) =>
    (block ? blockReference(block.type, options.form) : dataSchema(childrenOf(definition), options)) as JsonSchema;
  const shown = options.form === "served" ? SERVED : NESTED;
  const value: Schema =
    isWritten(options.form) || !kind.served ? declaredSchema(definition, nested) : kind.served(definition, shown);
  const isNullable = isWritten(options.form) ? mayBeNull(definition) : kind.nullable || mayBeNull(definition);
  const written = options.form === "file" && kind.visit ? withNames(value) : value;
  const inner = definition.translated
    ? byKey(options.codes, kind.nullable ? orNull(written) : written, "By language.")
    : written;
  return {
    title: definition.label || labelOf(definition.name),
    ...(definition.help && { description: definition.help }),
    ...(isNullable ? orNull(inner) : inner),
  };
}

/** A type of block may contain itself, so that its schema stands by itself. */
const blockReference = (type: string, form: DataForm): Schema =>
  form === "file"
    ? { $ref: `#/definitions/${blockSchemaName(type)}` }
    : ref(blockSchemaName(type) + (form === "sent" ? "Input" : ""));

/** The schemas of the blocks of a site, by the names that data refers to them with. */
export function blockSchemas({ blocks, codes }: Pick<SiteShape, "blocks" | "codes">, form: DataForm): Schemas {
  const always = isWritten(form) ? ["type"] : ["type", "id"];
  return Object.fromEntries(
    blocks.map(({ name, label, description, fields }) => {
      const { required = [], ...schema } = dataSchema(fields, { codes, form });
      const told = { description: description || `A block of the type "${label}".` };
      const names = new Set([...always, ...(required as readonly string[])]);
      return [blockSchemaName(name) + (form === "sent" ? "Input" : ""), { ...told, ...schema, required: [...names] }];
    }),
  );
}

const isWritten = (form: DataForm): boolean => form === "sent" || form === "file";

/** A schema with a name as another value of each id: of a reference, a list of them, or a link. */
function withNames(schema: Schema): Schema {
  const { items, properties, anyOf } = schema;
  if ("x-model" in schema && items === undefined) return { ...schema, ...FILE_REFERENCE };
  return {
    ...schema,
    ...(items !== undefined && { items: FILE_REFERENCE }),
    ...(properties !== undefined && { properties: eachWithNames(properties as Schemas) }),
    ...(Array.isArray(anyOf) && { anyOf: (anyOf as Schema[]).map(withNames) }),
  };
}

const eachWithNames = (schemas: Schemas): Schemas =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withNames(schema)]));
