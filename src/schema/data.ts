/** Data of a declared type as schemas: as it is stored and sent, and as it is served. */
import { labelOf, type Definitions, type FieldDefinition, type JsonSchema } from "../model/fields/definition.ts";
import type { ShownSchemas } from "../model/fields/kind.ts";
import { kindOf, mayBeNull } from "../model/fields/kinds.ts";
import type { Lang } from "../model/locale.ts";
import { byKey, ID, orNull, ref, type Schema } from "./json-schema.ts";

/**
 * `sent`: as clients send it, and as files have it. `served`: references as the records they name, links with their
 * addresses. `nested`: inside other records, where references stay ids.
 */
export type DataForm = "sent" | "served" | "nested";

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
  const { form, isFilled = false, isClosed = form === "sent" } = options;
  const isRequired = (definition: FieldDefinition): boolean =>
    form === "sent" || isFilled ? isFilled || definition.required === true : false;
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
  const kind = kindOf(definition);
  const nested = (): JsonSchema => dataSchema(definition.children ?? [], options) as JsonSchema;
  const shown = options.form === "served" ? SERVED : NESTED;
  const value: Schema =
    options.form === "sent" || !kind.served ? kind.schema(definition, nested) : kind.served(definition, shown);
  const isNullable = options.form === "sent" ? mayBeNull(definition) : kind.nullable || mayBeNull(definition);
  const inner = definition.translated
    ? byKey(options.codes, kind.nullable ? orNull(value) : value, "By language.")
    : value;
  return { title: definition.label || labelOf(definition.name), ...(isNullable ? orNull(inner) : inner) };
}
