/** TypeScript types of what a site serves, from the schemas of its API: payloads, page models and meta types. */
import { isObject } from "../model/input/json.ts";
import { componentsOf } from "./components/components.ts";
import { refName, type Schema, type Schemas } from "./json-schema.ts";
import type { SiteShape } from "./site-shape.ts";

/** The types that programs name; those they refer to are written, too. */
const ROOTS = ["PublicAnswer", "AnyPage", "Article", "Menu", "MetaInstance", "Media", "Content", "Tag", "Manifest"];

const HEAD = `/**
 * What the API of this site serves: public pages, menus, articles, page models and content types.
 *
 * Written by \`cms types\` from the settings, the page models and the meta types. Run it again after they changed.
 */
/* eslint-disable */
`;

const SITE = `/** What a client of git-cms is typed by: \`createClient<Site>()\`. */
export type Site = { readonly page: AnyPublicPage; readonly draft: AnyPage | Article; readonly menu: Menu };
`;

/** The text of a declaration file. */
export function typesText(site: SiteShape): string {
  const schemas = componentsOf(site);
  const inputs = Object.keys(schemas).filter((name) => name.endsWith("DataInput"));
  const names = reachable([...ROOTS, ...inputs], schemas);
  return [HEAD, ...names.map((name) => declaration(name, schemas[name]!)), SITE].join("\n");
}

/** The names and those that their schemas refer to, in the order of the schemas. */
function reachable(roots: readonly string[], schemas: Schemas): string[] {
  const found = new Set<string>();
  const open: unknown[] = roots.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...(next as unknown[]));
    if (!isObject(next)) continue;
    const name = refName(next as Schema);
    if (name === undefined) open.push(...Object.values(next));
    else if (!found.has(name)) {
      found.add(name);
      open.push(schemas[name]);
    }
  }
  return Object.keys(schemas).filter((name) => found.has(name));
}

const declaration = (name: string, schema: Schema): string =>
  `${comment(schema, "")}export type ${name} = ${typeOf(schema, "")};\n`;

/** @param indent of the line that the type begins in */
function typeOf(schema: Schema, indent: string): string {
  const name = refName(schema);
  if (name !== undefined) return name;
  const { type, allOf } = schema;
  const anyOf = schema.anyOf ?? (isObject(schema.discriminator) ? schema.oneOf : undefined);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return union((schema.enum as unknown[]).map((value) => JSON.stringify(value)));
  if (Array.isArray(allOf)) {
    const parts = [...(allOf as Schema[]), ...(schema.properties ? [{ ...schema, allOf: undefined }] : [])];
    return parts.map((part) => grouped(typeOf(part, indent))).join(" & ");
  }
  // The alternatives of a text are patterns, which types do not have.
  if (Array.isArray(anyOf) && type !== "string") return union((anyOf as Schema[]).map((each) => typeOf(each, indent)));
  const types = Array.isArray(type) ? (type as string[]) : [type as string | undefined];
  return union(types.map((each) => plainType(each, schema, indent)));
}

function plainType(type: string | undefined, schema: Schema, indent: string): string {
  switch (type) {
    case "string":
    case "boolean":
    case "number":
    case "null":
      return type;
    case "integer":
      return "number";
    case "array":
      return `readonly ${grouped(typeOf((schema.items as Schema | undefined) ?? {}, indent))}[]`;
    case "object":
      return objectType(schema, indent);
    default:
      return schema.properties ? objectType(schema, indent) : "unknown";
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  const rows = Object.entries((properties as Schemas | undefined) ?? {});
  if (rows.length === 0) {
    const value = isObject(additionalProperties) ? typeOf(additionalProperties as Schema, indent) : "unknown";
    return `{ readonly [key: string]: ${value} }`;
  }
  const inner = `${indent}  `;
  const lines = rows.map(([key, schema]) => {
    const mark = (required as readonly string[]).includes(key) ? "" : "?";
    return `${comment(schema, inner)}${inner}readonly ${keyText(key)}${mark}: ${typeOf(schema, inner)};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

const keyText = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));

function union(parts: readonly string[]): string {
  const different = [...new Set(parts)];
  return different.length === 1 ? different[0]! : different.map(grouped).join(" | ");
}

/** In brackets where an operator beside it would bind its parts. */
const grouped = (type: string): string =>
  /^[^{"]*[|&]|[}"] [|&] /.test(type) || type.startsWith("readonly ") ? `(${type})` : type;

function comment({ description }: Schema, indent: string): string {
  if (typeof description !== "string") return "";
  return `${indent}/** ${description.replaceAll("*/", "*\\/").replace(/\s+/g, " ")} */\n`;
}
