/** OpenAPI 3.0.2, for clients that do not read 3.1: what its schemas cannot say is left out. */
import { isObject, objectOf } from "../../model/input/json.ts";
import type { OpenApi } from "./document.ts";

/** Title and version that clients of the upstream system know. */
const UPSTREAM = { title: "Camomilla", version: "1.0.0" };

export const olderDocument = (document: OpenApi): object => ({
  ...(older(document) as object),
  openapi: "3.0.2",
  info: { ...document.info, ...UPSTREAM },
});

/** Keywords of JSON Schema that 3.0 does not have. `title` and the like are the same in both. */
const UNKNOWN = ["unevaluatedProperties", "propertyNames", "contentMediaType", "$schema", "$defs", "x-multiple", "not"];

type Node = { readonly [key: string]: unknown };

/** A part of the document; keys below `properties` and `schemas` are names. */
function older(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(older);
  if (!isObject(node)) return node;
  return typeof node.$ref === "string" ? { $ref: node.$ref } : olderObject(node as Node);
}

function olderObject(node: Node): Node {
  const isSchema = !("content" in node || "responses" in node || "in" in node || "paths" in node || "schemas" in node);
  const entries = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    if (isSchema && UNKNOWN.includes(key)) return [];
    if (key === "value" || key === "enum" || key === "required" || key === "default") return [[key, value]];
    if (key === "properties" || key === "schemas") return [[key, named(value as Node)]];
    if (isSchema && key === "examples" && Array.isArray(value)) return [["example", value[0]]];
    if (isSchema && key === "const") return [["enum", [value]]];
    if (key === "type" && value === "null") return Object.entries(ONLY_NULL);
    if (key === "type" && Array.isArray(value)) return typesOf(value as string[]);
    if (key === "anyOf" && Array.isArray(value)) return alternatives(value as Node[]);
    return [[key, older(value)]];
  });
  return objectOf(entries);
}

const named = (schemas: Node): Node => objectOf(Object.entries(schemas).map(([name, schema]) => [name, older(schema)]));

/** Null is no type in 3.0, and `nullable` has a meaning only beside a `type`. */
const ONLY_NULL = { type: "object", nullable: true, enum: [null] };

function typesOf(types: readonly string[]): [string, unknown][] {
  const [type, ...others] = types.filter((each) => each !== "null");
  if (others.length > 0) return alternatives(types.map((each) => ({ type: each })));
  return [["type", type], ...(types.length > 1 ? [["nullable", true] as [string, unknown]] : [])];
}

const alternatives = (schemas: readonly Node[]): [string, unknown][] => [["anyOf", schemas.map(older)]];
