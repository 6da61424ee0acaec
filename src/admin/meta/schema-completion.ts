/**
 * What can stand at a place of definitions written as YAML, from their JSON Schema.
 *
 * The place is found by indentation alone, since a text in which something is typed is seldom valid.
 */

/** The parts of a JSON Schema that completion looks at. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly description?: string;
}

/** A list of mappings, and the schemas that it refers to. */
export interface ListSchema {
  readonly items: JsonSchema;
  /** @param ref of a schema, as `$ref` has it */
  resolve(ref: string): JsonSchema | undefined;
}

export interface Proposal {
  readonly label: string;
  /** What is inserted. */
  readonly insert: string;
  readonly description: string;
}

export interface Proposals {
  /** Where the characters that are typed already begin, from the start of the line. */
  readonly from: number;
  readonly list: readonly Proposal[];
}

interface Line {
  /** The column of the first character of its key, after the signs of items. */
  readonly column: number;
  readonly startsItem: boolean;
  readonly key: string;
  /** undefined: no colon yet. */
  readonly value: string | undefined;
}

/** @returns undefined for a line without a key */
function lineOf(text: string): Line | undefined {
  if (text.trim() === "" || text.trim().startsWith("#")) return undefined;
  const [before = ""] = /^[\s-]*/.exec(text) ?? [];
  const [key = ""] = /^[\w-]*/.exec(text.slice(before.length)) ?? [];
  const after = text.slice(before.length + key.length);
  const value = /^:(?:\s|$)/.test(after) ? after.slice(1).trimStart() : undefined;
  return { column: before.length, startsItem: before.includes("-"), key, value };
}

/**
 * @param lines of the text up to the cursor and after it
 * @param at the line of the cursor, from 0
 * @param typed its text before the cursor
 * @param more values of a key that the schema does not list
 */
export function proposalsAt(
  lines: readonly string[],
  at: number,
  typed: string,
  schema: ListSchema,
  more: Readonly<Record<string, readonly Proposal[]>> = {},
): Proposals | undefined {
  if (typed.trimStart().startsWith("#")) return undefined;
  const line = lineOf(typed) ?? { column: typed.length, startsItem: false, key: "", value: undefined };
  const around = lines.map(lineOf);
  const here = mappingSchema(schema, parentsOf(around, at, line.column));
  if (!here) return undefined;
  const { value } = line;
  if (value !== undefined) {
    const property = here[line.key];
    const list = [...(property ? valuesOf(resolved(schema, property)) : []), ...(more[line.key] ?? [])];
    return list.length > 0 && /^[\w.-]*$/.test(value) ? { from: typed.length - value.length, list } : undefined;
  }
  if (typed.slice(line.column) !== line.key) return undefined;
  const used = new Set(keysBeside(around, at, line));
  const list = Object.entries(here)
    .filter(([name]) => !used.has(name))
    .map(([name, property]) => keyProposal(name, resolved(schema, property), line.column));
  return { from: line.column, list };
}

/** The keys that lead to the mapping of a column, the outermost first. */
function parentsOf(lines: readonly (Line | undefined)[], at: number, column: number): string[] {
  const parents: string[] = [];
  let left = column;
  for (let above = at - 1; above >= 0; above--) {
    const line = lines[above];
    if (!line || line.column >= left) continue;
    left = line.column;
    if (line.value === "") parents.unshift(line.key);
  }
  return parents;
}

/** Keys of the same mapping, without the one that is typed. */
function keysBeside(lines: readonly (Line | undefined)[], at: number, here: Line): string[] {
  const keys: string[] = [];
  for (let above = at - 1, isFirst = here.startsItem; above >= 0 && !isFirst; above--) {
    const line = lines[above];
    if (!line || line.column > here.column) continue;
    if (line.column < here.column) break;
    keys.push(line.key);
    isFirst = line.startsItem;
  }
  for (let below = at + 1; below < lines.length; below++) {
    const line = lines[below];
    if (!line || line.column > here.column) continue;
    if (line.column < here.column || line.startsItem) break;
    keys.push(line.key);
  }
  return keys;
}

const resolved = (schema: ListSchema, { $ref, ...own }: JsonSchema): JsonSchema =>
  $ref === undefined ? own : { ...schema.resolve($ref), ...own };

/** The properties of the mappings that the keys lead to. */
function mappingSchema(schema: ListSchema, parents: readonly string[]): JsonSchema["properties"] {
  let { properties } = resolved(schema, schema.items);
  for (const key of parents) {
    const property = properties?.[key];
    if (!property) return undefined;
    const { items, properties: own } = resolved(schema, property);
    properties = items ? resolved(schema, items).properties : own;
  }
  return properties;
}

function valuesOf({ type, enum: values = [], anyOf = [], description = "" }: JsonSchema): Proposal[] {
  if (type === "boolean") return ["true", "false"].map((label) => ({ label, insert: label, description }));
  const own = values.map((value) => ({ label: String(value), insert: String(value), description: "" }));
  return [...own, ...anyOf.flatMap(valuesOf)];
}

/** A list starts with its first item, below its key. */
const keyProposal = (label: string, { type, description = "" }: JsonSchema, column: number): Proposal => ({
  label,
  insert: type === "array" ? `${label}:\n${" ".repeat(column + 2)}- ` : `${label}: `,
  description,
});
