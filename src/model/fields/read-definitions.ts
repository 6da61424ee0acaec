/**
 * Reads the field definitions of a content type, from the API or from a file.
 *
 * All errors are returned at once, by row and key; valid rows are `{}` among the errors.
 */
import type { ErrorNode, FieldErrors } from "../../errors.ts";
import { isObject, objectOf, own, type Json, type JsonObject } from "../input/json.ts";
import { anything, listOf, named, record, type Keys } from "../input/known-keys.ts";
import { NOT_A_LIST, NOT_AN_OBJECT, typeName, NOT_NULL } from "../input/input-errors.ts";
import {
  KIND_NAMES,
  labelOf,
  PLUGIN_KIND,
  type Choice,
  type Definitions,
  type FieldDefinition,
  type KindName,
} from "./definition.ts";
import { readTarget, TARGET_KEYS, targetProblems } from "./field-target.ts";
import { BUILT_IN_MODELS, PAGES_APP } from "../records/model-names.ts";
import { patternError } from "./field-pattern.ts";
import { fieldKindOf } from "./kinds.ts";
import { conditionErrors } from "./show-if.ts";
import type { FieldKinds, FindModel } from "./kind.ts";
import { booleanIn, INTEGER_TEXT, NUMBER_TEXT, toNumber } from "./canonical.ts";

type ReadDefinitions = { readonly definitions: Definitions } | { readonly errors: ErrorNode };

/** Fields of one type, nested ones included. */
export const FIELDS_MAX = 500;

const NAME_MAX = 100;

/**
 * @param value the value of `schema`
 * @returns the definitions with the sent keys and a label, unknown keys dropped
 */
export function readDefinitions(
  value: Json | undefined,
  findModel: FindModel,
  kinds: FieldKinds = {},
): ReadDefinitions {
  if (value === null) return { errors: [NOT_NULL] };
  const count = countFields(value ?? []);
  if (count > FIELDS_MAX) return { errors: [`A type has at most ${FIELDS_MAX} fields, and this one has ${count}.`] };
  return readRows(value ?? [], { findModel, kinds });
}

/** What definitions may name. */
interface Known {
  readonly findModel: FindModel;
  readonly kinds: FieldKinds;
}

function readRows(value: Json, known: Known): ReadDefinitions {
  if (!Array.isArray(value)) return { errors: [NOT_A_LIST(value)] };
  const names = new Set<string>();
  const rows = value.map((row: Json) => readRow(row, known, names));
  if (rows.every((row) => "definition" in row)) {
    const definitions = rows.map((row) => row.definition);
    const wrong = conditionErrors(definitions);
    if (wrong.size === 0) return { definitions };
    return {
      errors: definitions.map(({ name }): ErrorNode => (wrong.has(name) ? { show_if: wrong.get(name)! } : {})),
    };
  }
  return { errors: rows.map((row) => ("definition" in row ? {} : row.errors)) };
}

type Row = { readonly definition: FieldDefinition } | { readonly errors: ErrorNode };

/** The result of reading one key: the value to store, undefined for none, or the error. */
type Key = { readonly value: unknown } | { readonly error: ErrorNode };

function readRow(row: Json, known: Known, names: Set<string>): Row {
  if (!isObject(row)) return { errors: { non_field_errors: [NOT_AN_OBJECT(row)] } };
  const errors: [string, ErrorNode][] = [];
  const values: [string, unknown][] = [];
  for (const [key, read] of Object.entries(KEYS)) {
    const sent = own(row, key);
    // null means absent, except for `name` and `kind`, where it is an error.
    if (sent === undefined || (sent === null && key !== "name" && key !== "kind")) {
      if (key === "name") errors.push([key, ["Field required"]]);
      continue;
    }
    const result = read(sent, known);
    if ("error" in result) errors.push([key, result.error]);
    else if (result.value !== undefined) values.push([key, result.value]);
  }
  const found = objectOf(values) as Partial<FieldDefinition>;
  if (found.name !== undefined) {
    if (names.has(found.name)) errors.push(["name", [`There is another field named "${found.name}".`]]);
    names.add(found.name);
  }
  if (found.name === undefined || errors.length > 0) return { errors: objectOf(errors) as FieldErrors };
  const pluginKind = found.kind && own(known.kinds, found.kind);
  const definition: FieldDefinition = {
    ...found,
    name: found.name,
    label: found.label ?? labelOf(found.name),
    ...(pluginKind && { [PLUGIN_KIND]: pluginKind }),
  };
  const problems = acrossKeys(definition);
  if (problems.length > 0) return { errors: problems.map((problem) => `Value error, ${problem}`) };
  const { name, label, ...rest } = definition;
  return { definition: { name, label, ...rest } };
}

/** @param read returns undefined for a value that is not accepted */
const reader =
  (expected: string, read: (sent: Json) => unknown) =>
  (sent: Json): Key => {
    const value = read(sent);
    return value === undefined ? { error: [`Input should be ${expected}`] } : { value };
  };

const readText = reader("a valid string", (sent) => (typeof sent === "string" ? sent : undefined));
const readFlag = reader("a valid boolean", booleanIn);
const readNumber = reader("a valid number", (sent) => numberIn(sent, NUMBER_TEXT, Number.isFinite));
const readLength = reader("a whole number from 0", (sent) =>
  numberIn(sent, INTEGER_TEXT, (number) => Number.isSafeInteger(number) && number >= 0),
);

function numberIn(sent: Json, form: RegExp, isFit: (number: number) => boolean): number | undefined {
  const value = typeof sent === "boolean" ? sent : toNumber(sent, form, isFit);
  return typeof value === "number" && isFit(value) ? value : undefined;
}

/** The reader of each key, in the order in which keys are stored. */
const KEYS: { readonly [key in keyof FieldDefinition & string]-?: (sent: Json, known: Known) => Key } = {
  name: readName,
  label: readFilled,
  kind: (sent, { kinds }) =>
    (KIND_NAMES as readonly Json[]).includes(sent) || (typeof sent === "string" && own(kinds, sent))
      ? { value: sent as KindName }
      : { error: [`Input should be ${kindList(Object.keys(kinds))}`] },
  required: readFlag,
  translated: readFlag,
  multiline: readFlag,
  integer: readFlag,
  target_model(sent, { findModel }) {
    const model = typeof sent === "string" ? findModel(sent.trim()) : undefined;
    return model === undefined
      ? { error: [noSuchModel(isObject(sent) || Array.isArray(sent) ? typeName(sent) : String(sent))] }
      : { value: model };
  },
  target: (sent, { findModel }) => readTarget(sent, findModel),
  minimum: readNumber,
  maximum: readNumber,
  min_length: readLength,
  max_length: readLength,
  placeholder: readText,
  pattern: readPattern,
  message: readFilled,
  show_if: readCondition,
  help: readFilled,
  group: readFilled,
  types: readTypes,
  choices: readChoices,
  multiple: readFlag,
  children(sent, known) {
    const read = readRows(sent, known);
    return "errors" in read ? { error: read.errors } : { value: read.definitions };
  },
};

/** The keys of a list of definitions, with suggestions for the names used by other systems. */
export const DEFINITION_KEYS: Keys = (value, left) => ROWS(value, left);
const ROWS: Keys = listOf(
  record(
    {
      ...named(...Object.keys(KEYS)),
      show_if: anything,
      choices: listOf(record(named("value", "label"))),
      target: record(named(...TARGET_KEYS)),
      children: DEFINITION_KEYS,
    },
    [],
    { type: "kind", fields: "children", options: "choices", model: "target_model" },
  ),
);

const noSuchModel = (name: string): string =>
  `There is no model "${name}". There are ${BUILT_IN_MODELS.join(", ")}, and ${PAGES_APP} with the name of a page model.`;

/** An empty text counts as none. */
function readFilled(sent: Json): Key {
  const text = readText(sent);
  return "value" in text && text.value === "" ? { value: undefined } : text;
}

/** Names of fields, each with a plain value or a list of some; what they may be is known once all fields are. */
function readCondition(sent: Json): Key {
  if (!isObject(sent)) return { error: [NOT_AN_OBJECT(sent)] };
  const isPlain = (value: Json): boolean => ["string", "number", "boolean"].includes(typeof value);
  const wrong = Object.entries(sent).filter(([, value]) =>
    Array.isArray(value) ? value.length === 0 || !value.every(isPlain) : !isPlain(value),
  );
  if (wrong.length > 0)
    return {
      error: objectOf(wrong.map(([name]) => [name, ["Input should be a text, number or boolean, or a list of some"]])),
    };
  return { value: Object.keys(sent).length > 0 ? sent : undefined };
}

/** What they name is known once the block types are. */
function readTypes(sent: Json): Key {
  if (!Array.isArray(sent)) return { error: [NOT_A_LIST(sent)] };
  const isName = (value: Json): boolean => typeof value === "string" && value.trim() !== "" && value.length <= NAME_MAX;
  if (!sent.every(isName)) return { error: ["Input should be a list of names of block types"] };
  return { value: sent.length > 0 ? [...new Set((sent as string[]).map((name) => name.trim()))] : undefined };
}

function readPattern(sent: Json): Key {
  const text = readFilled(sent);
  const problem = "value" in text && typeof text.value === "string" ? patternError(text.value) : undefined;
  return problem === undefined ? text : { error: [problem] };
}

function kindList(added: readonly string[]): string {
  const quoted = [...KIND_NAMES, ...added].map((name) => `'${name}'`);
  return `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/**
 * Any one-line text, except members of `Object.prototype`, which a JavaScript validator takes for present keys, and
 * names with a leading underscore.
 */
function readName(sent: Json): Key {
  if (typeof sent !== "string") return { error: ["Input should be a valid string"] };
  const name = sent.trim();
  if (name === "") return { error: ["String should have at least 1 character"] };
  if (name.length > NAME_MAX) return { error: [`String should have at most ${NAME_MAX} characters`] };
  if (name.startsWith("_")) return { error: ["A name may not begin with an underscore."] };
  if (name in {}) return { error: [`"${name}" is a reserved word.`] };
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) return { error: ["A name is one line of text."] };
  return { value: name };
}

function readChoices(sent: Json): Key {
  if (!Array.isArray(sent)) return { error: [NOT_A_LIST(sent)] };
  const values = new Set<string>();
  const rows = sent.map((row: Json): { choice: Choice } | { errors: FieldErrors } => {
    if (!isObject(row)) return { errors: { non_field_errors: [NOT_AN_OBJECT(row)] } };
    const value = own(row, "value");
    const label = own(row, "label") ?? value;
    if (value === undefined) return { errors: { value: ["Field required"] } };
    if (typeof value !== "string" || value === "")
      return { errors: { value: ["Input should be a text that is not empty"] } };
    if (typeof label !== "string") return { errors: { label: ["Input should be a valid string"] } };
    if (values.has(value)) return { errors: { value: [`"${value}" is there twice.`] } };
    values.add(value);
    return { choice: { value, label } };
  });
  if (rows.every((row) => "choice" in row)) return { value: rows.map((row) => row.choice) };
  return { error: rows.map((row) => ("choice" in row ? {} : row.errors)) };
}

/** The key that definitions of a kind require. */
const REQUIRED_KEYS: { readonly [kind in KindName]?: "target_model" | "children" | "choices" } = {
  ref: "target_model",
  queryset: "target_model",
  group: "children",
  list: "children",
  select: "choices",
};

/** Errors of combinations of keys. */
function acrossKeys(definition: FieldDefinition): string[] {
  const kind = definition.kind ?? "string";
  const needs = REQUIRED_KEYS[kind];
  const { minimum, maximum, min_length, max_length } = definition;
  const needed = needs && definition[needs];
  const problems: string[] = [];
  if (definition.pattern !== undefined && !fieldKindOf(definition).isText)
    problems.push(`a field of the kind '${kind}' has no pattern`);
  const isCount = (limit: number | undefined): boolean =>
    limit === undefined || (Number.isInteger(limit) && limit >= 0);
  if (kind === "blocks" && !(isCount(minimum) && isCount(maximum)))
    problems.push("minimum and maximum of 'blocks' are whole numbers from 0");
  if (definition.types !== undefined && kind !== "blocks") problems.push("types is for the kind 'blocks'");
  if (definition.message !== undefined && definition.pattern === undefined)
    problems.push("message is without a pattern");
  if (needs && (needed === undefined || needed.length === 0))
    problems.push(`${needs} is required when kind is '${kind}'`);
  problems.push(...targetProblems(definition));
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    problems.push("minimum is greater than maximum");
  if (min_length !== undefined && max_length !== undefined && min_length > max_length)
    problems.push("min_length is greater than max_length");
  return problems;
}

/** Counts fields at all levels. Not recursive: the depth of the input is not limited yet. */
function countFields(value: Json): number {
  const open: Json[] = [value];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!Array.isArray(next)) continue;
    count += next.length;
    for (const row of next as readonly Json[]) open.push((isObject(row) ? own(row, "children") : undefined) ?? null);
  }
  return count;
}

/** Definitions as they are stored: without default labels. */
export const storedDefinitions = (definitions: Definitions): JsonObject[] =>
  definitions.map(
    ({ label, children, ...rest }) =>
      ({
        ...rest,
        ...(label !== labelOf(rest.name) && { label }),
        ...(children && { children: storedDefinitions(children) }),
      }) as unknown as JsonObject,
  );
