/** Examples of values, made from their schemas: from `examples` where a schema has them. */
import { refName, type Schema, type Schemas } from "./json-schema.ts";

/** Deeper objects are left out where null or nothing may stand in their place. */
const DEPTH_MAX = 2;

/** A value that the schema accepts. @param components the schemas that `ref` names */
export const exampleOf = (schema: Schema, components: Schemas = {}): unknown =>
  exampleAt(schema, { components, names: [] });

interface Place {
  readonly components: Schemas;
  /** The names of the references followed so far. */
  readonly names: readonly string[];
}

function exampleAt(schema: Schema, place: Place): unknown {
  const name = refName(schema);
  if (name !== undefined) {
    const target = place.components[name];
    if (!target) throw new Error(`There is no schema "${name}".`);
    return exampleAt(target, { ...place, names: [...place.names, name] });
  }
  const { examples, allOf } = schema;
  const anyOf = schema.anyOf ?? (schema.discriminator ? schema.oneOf : undefined);
  if (Array.isArray(examples)) return examples[0];
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(allOf)) {
    const parts = [
      ...(allOf as Schema[]),
      { properties: schema.properties, required: schema.required, type: "object" },
    ];
    return Object.assign({}, ...parts.map((part) => exampleAt(part as Schema, place)));
  }
  if (Array.isArray(anyOf)) {
    const { type } = schema;
    const one = chosen(anyOf as Schema[], place);
    return exampleAt(type === undefined || "type" in one ? one : { ...one, type }, place);
  }
  return plainExample(schema, place);
}

/** The first alternative, unless it is nested too deep and a simpler one will do. */
function chosen(alternatives: readonly Schema[], place: Place): Schema {
  const isDeep = (each: Schema): boolean => {
    const name = refName(each);
    return name !== undefined && (place.names.includes(name) || place.names.length > DEPTH_MAX);
  };
  const isNull = ({ type }: Schema): boolean => type === "null";
  const [first = {}] = alternatives;
  return isDeep(first) ? (alternatives.find(isNull) ?? alternatives.find((each) => !isDeep(each)) ?? first) : first;
}

function plainExample(schema: Schema, place: Place): unknown {
  const type = Array.isArray(schema.type) ? (schema.type as string[])[0] : schema.type;
  switch (type) {
    case "string":
      return textExample(schema);
    case "integer":
    case "number":
      return Math.max(Number(schema.minimum ?? 0), Math.min(3, Number(schema.maximum ?? 3)));
    case "boolean":
      return true;
    case "array":
      return listExample(schema, place);
    case "null":
      return null;
    default:
      return schema.properties ? objectExample(schema, place) : {};
  }
}

function textExample({ format, pattern, minLength = 0 }: Schema): string {
  if (format === "date-time") return "2027-01-01T08:00:00.000Z";
  if (format === "date" || (typeof pattern === "string" && pattern.includes("[0-9]{4}"))) return "2027-01-01";
  if (format === "password") return "a long passphrase";
  return "text".padEnd(Number(minLength), " text");
}

function listExample({ items = {}, maxItems }: Schema, place: Place): unknown[] {
  const name = refName(items as Schema);
  if (maxItems === 0 || (name !== undefined && place.names.includes(name))) return [];
  return [exampleAt(items as Schema, place)];
}

function objectExample({ properties, required = [] }: Schema, place: Place): object {
  const names = required as readonly string[];
  return Object.fromEntries(
    Object.entries(properties as Schemas).flatMap(([name, schema]) =>
      names.includes(name) ? [[name, exampleAt(schema, place)]] : [],
    ),
  );
}
