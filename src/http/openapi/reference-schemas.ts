/** Schemas as the reference page shows them: their keys with types and descriptions, and links to each other. */
import { isObject } from "../../model/input/json.ts";
import { refName, type Schema, type Schemas } from "../../schema/json-schema.ts";
import { markup, type Markup } from "./markup.ts";

/** The keys of an object, and what is said of other schemas. */
export function schemaBody(schema: Schema): Markup {
  const parts = [...((schema.allOf as Schema[] | undefined) ?? []), schema];
  const others = parts.flatMap((part) => refName(part) ?? []);
  const required = new Set(parts.flatMap((part) => (part.required as string[] | undefined) ?? []));
  const keys = parts.flatMap((part) => Object.entries((part.properties as Schemas | undefined) ?? {}));
  return markup`
${others.length > 0 && markup`<p>All keys of ${joinedSchemas(others.map(schemaLink), " and ")}, and:</p>`}
${keys.length > 0 && markup`<dl class="keys">${keys.map(([name, inner]) => keyRow(name, inner, required.has(name)))}</dl>`}
${keys.length === 0 && others.length === 0 && markup`<p>${schemaTypeOf(schema)}</p>`}`;
}

function keyRow(name: string, schema: Schema, isRequired: boolean): Markup {
  const inner = nestedIn(schema);
  return markup`<dt><code>${name}</code> <span class="type">${schemaTypeOf(schema)}</span>${isRequired ? markup` <span class="required">required</span>` : ""}</dt>
<dd>${prose(schema.description)}${limits(schema)}${inner && markup`<details><summary>Keys</summary>${schemaBody(inner)}</details>`}</dd>`;
}

/** The object that has keys of its own, in a value, a list or an object by key. */
function nestedIn(schema: Schema): Schema | undefined {
  const { properties, items, additionalProperties, anyOf } = schema;
  if (properties && Object.keys(properties).length > 0) return schema;
  for (const inner of [items, additionalProperties, ...((anyOf as Schema[] | undefined) ?? [])])
    if (isObject(inner)) {
      const found = nestedIn(inner as Schema);
      if (found) return found;
    }
  return undefined;
}

/** The type in words: `string | null`, `list of Page`. */
export function schemaTypeOf(schema: Schema): Markup {
  const name = refName(schema);
  if (name !== undefined) return schemaLink(name);
  const { type, anyOf, items, format, additionalProperties } = schema;
  if ("const" in schema) return markup`<code>${JSON.stringify(schema.const)}</code>`;
  if (Array.isArray(schema.enum))
    return joinedSchemas(
      (schema.enum as unknown[]).map((value) => markup`<code>${JSON.stringify(value)}</code>`),
      " | ",
    );
  if (Array.isArray(anyOf) && !(typeof type === "string" && type !== "object"))
    return joinedSchemas((anyOf as Schema[]).map(schemaTypeOf), " | ");
  if (type === "array") return markup`list of ${schemaTypeOf((items as Schema | undefined) ?? {})}`;
  if (type === "object" && isObject(additionalProperties))
    return markup`object of ${schemaTypeOf(additionalProperties as Schema)}`;
  if (type === undefined) return schema.properties ? markup`object` : markup`anything`;
  return markup`${(Array.isArray(type) ? (type as string[]) : [String(type)]).join(" | ")}${typeof format === "string" && ` (${format})`}`;
}

const LIMITS = ["minLength", "maxLength", "minimum", "maximum", "pattern"] as const;

function limits(schema: Schema): Markup | undefined {
  const { maximum, ...rest } = schema;
  const own: Schema = maximum === 2 ** 31 - 1 ? rest : schema;
  const shown = LIMITS.flatMap((name) => (own[name] === undefined ? [] : [`${name}: ${String(own[name])}`]));
  return shown.length > 0 ? markup`<p class="soft">${shown.join(", ")}</p>` : undefined;
}

const schemaLink = (name: string): Markup => markup`<a href="#schema-${name}">${name}</a>`;

export const joinedSchemas = (parts: readonly Markup[], by: string): Markup =>
  markup`${parts.map((part, at) => (at === 0 ? part : markup`${by}${part}`))}`;

/** Text with paragraphs, and `code` between backticks. */
export function prose(text: unknown): Markup | undefined {
  if (typeof text !== "string") return undefined;
  return markup`${text.split("\n\n").map((paragraph) => markup`<p>${paragraph.split("`").map((part, at) => (at % 2 ? markup`<code>${part}</code>` : part))}</p>`)}`;
}
