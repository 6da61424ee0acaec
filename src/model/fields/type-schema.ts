/** The JSON Schema of a declared type, which the API serves and by which data is validated. */
import { labelOf, type Definitions, type FieldDefinition, type JsonSchema } from "./definition.ts";
import { childrenOf, declaredSchema, emptyOf, fieldKindOf, isAlwaysRequired, mayBeNull } from "./kinds.ts";
import { objectOf } from "../input/json.ts";
import type { Locales } from "../language/locale.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * The JSON Schema (2020-12) of stored data of a type.
 *
 * @param title also the prefix of the names in `$defs`
 */
export function jsonSchema(definitions: Definitions, title: string, locales: Locales): JsonSchema {
  const parts: Parts = { schemas: new Map(), names: new Map() };
  const root = recordSchema(definitions, title, locales, parts);
  return { $schema: DIALECT, title, ...root, ...(parts.schemas.size > 0 && { $defs: objectOf(parts.schemas) }) };
}

/** The schemas of nested objects by name, and the names of those that were made. */
interface Parts {
  readonly schemas: Map<string, JsonSchema>;
  readonly names: Map<Definitions, string>;
}

function recordSchema(definitions: Definitions, title: string, locales: Locales, parts: Parts): JsonSchema {
  const required = definitions.filter(isAlwaysRequired).map(({ name }) => name);
  const properties = definitions.map(
    (definition) => [definition.name, fieldSchema(definition, title, locales, parts)] as const,
  );
  return { type: "object", properties: objectOf(properties), ...(required.length > 0 && { required }) };
}

function fieldSchema(definition: FieldDefinition, above: string, locales: Locales, parts: Parts): JsonSchema {
  const kind = fieldKindOf(definition);
  const told = { title: labelOf(definition.name), ...(definition.help && { description: definition.help }) };
  const value = declaredSchema(definition, (block) => {
    const fields = block?.fields ?? childrenOf(definition);
    // A type of block may contain itself.
    const known = block && parts.names.get(fields);
    const wanted = block
      ? `Block_${block.type}`
      : `${above}__${definition.name}${kind.nests === "many" ? "_item" : ""}`;
    const part = known ?? freeName(wanted, parts.schemas);
    if (known === undefined) {
      parts.schemas.set(part, {}); // reserves the name before nested parts choose theirs
      parts.names.set(fields, part);
      parts.schemas.set(part, recordSchema(fields, part, locales, parts));
    }
    return { $ref: `#/$defs/${pointer(part)}` };
  });
  const inner: JsonSchema = definition.translated
    ? {
        type: "object",
        additionalProperties: kind.nullable ? orNull(value) : value,
        propertyNames: { enum: locales.codes },
      }
    : value;
  if (!mayBeNull(definition)) return { ...told, ...inner };
  return { ...told, ...orNull(inner), ...(!isAlwaysRequired(definition) && { default: emptyOf(definition) }) };
}

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });

function freeName(name: string, parts: ReadonlyMap<string, unknown>): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}_${n}`;
    if (!parts.has(free)) return free;
  }
}

/** Escapes a key for a JSON pointer in a URI fragment. */
const pointer = (key: string): string => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
