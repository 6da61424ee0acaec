/**
 * The errors of data, by field, with the messages that clients know.
 *
 * Each value is validated with its own part of the schema, so that the rules exist only once.
 */
import { derived } from "../../memo.ts";
import type { ErrorNode, FieldErrors } from "../../errors.ts";
import { isObject, objectOf, own, type Json, type JsonObject } from "../input/json.ts";
import type { Locales } from "../language/locale.ts";
import { targetInWords } from "./field-target.ts";
import { noSuchTarget, NOT_AN_OBJECT, REQUIRED, NOT_NULL } from "../input/input-errors.ts";
import type { Definitions, FieldDefinition, FieldTarget, JsonSchema } from "./definition.ts";
import type { HeldReference } from "./kind.ts";
import { childrenOf, fieldKindOf, severalOf } from "./kinds.ts";
import { isShown } from "./shown.ts";
import { patternMatcher } from "./field-pattern.ts";
import { violation, type Violation } from "./schema-keywords.ts";

/** Limits the messages for a list of a million invalid items. */
const MESSAGES_MAX = 100;

interface Strictness {
  readonly locales: Locales;
  /** Whether what is required may be missing or null. */
  readonly isPartial: boolean;
  /** Whether null is no value of a required reference. */
  readonly needsReferences: boolean;
}

/**
 * @param data normalized, so that only errors of the schema remain
 * @returns `{}` for valid data
 */
export function explain(
  definitions: Definitions,
  data: JsonObject,
  { locales, isPartial, needsReferences }: Strictness,
): FieldErrors {
  let left = MESSAGES_MAX;
  const matches = patternMatcher();

  const record = (fields: Definitions, values: JsonObject): FieldErrors => {
    const errors = fields.flatMap((definition): [string, ErrorNode][] => {
      if (left <= 0) return [];
      const isNeeded = definition.required === true && !isPartial && isShown(definition, fields, values);
      const found = field(definition, own(values, definition.name), isNeeded);
      return found === undefined ? [] : [[definition.name, found]];
    });
    return objectOf(errors);
  };

  const field = (definition: FieldDefinition, value: Json | undefined, isNeeded: boolean): ErrorNode | undefined => {
    const isMissing =
      value === undefined || (Array.isArray(value) && value.length === 0 && severalOf(definition) !== undefined);
    if (isMissing) return isNeeded ? report([REQUIRED]) : undefined;
    if (value === null)
      return isNeeded && (needsReferences || !fieldKindOf(definition).nullable) ? report([NOT_NULL]) : undefined;
    if (!definition.translated) {
      const isEmpty = isNeeded && needsReferences && fieldKindOf(definition).isEmpty?.(value);
      return isEmpty ? report([REQUIRED]) : one(definition, value);
    }
    if (!isObject(value)) return report([NOT_AN_OBJECT(value)]);
    return byKey(Object.entries(value), (inner, lang) => {
      if (!locales.codes.includes(lang))
        return report([`"${lang}" is not among the languages of this site (${locales.codes.join(", ")}).`]);
      if (inner === null) return isPartial || fieldKindOf(definition).nullable ? undefined : report([NOT_NULL]);
      return one(definition, inner);
    });
  };

  const one = (definition: FieldDefinition, value: Json): ErrorNode | undefined => {
    const kind = fieldKindOf(definition);
    const inside = (item: Json): ErrorNode | undefined => {
      if (!isObject(item)) return report([NOT_AN_OBJECT(item)]);
      const errors = record(childrenOf(definition, item), item);
      return Object.keys(errors).length > 0 ? errors : undefined;
    };
    if (kind.nests === "one") return inside(value);
    if (kind.nests === "many") {
      if (!Array.isArray(value)) return report(kind.typeError(value, definition));
      const count = kind.isIdentified && countError(definition, value.length, isPartial);
      return count ? report([count]) : byKey([...value.entries()], inside);
    }
    if (kind.accepts) return kind.accepts(value) ? undefined : report(kind.typeError(value, definition));
    const violated = violation(valueSchema(definition), value);
    if (violated) return report(constraint(violated) ?? kind.typeError(value, definition));
    const { pattern, message } = definition;
    if (pattern === undefined || typeof value !== "string" || matches(pattern, value)) return undefined;
    return report([message ?? `This does not match the pattern ${pattern}.`]);
  };

  const byKey = <T>(
    entries: readonly (readonly [string | number, T])[],
    check: (item: T, key: string) => ErrorNode | undefined,
  ): ErrorNode | undefined => {
    const errors: [string, ErrorNode][] = [];
    for (const [key, item] of entries) {
      if (left <= 0) break;
      const found = check(item, String(key));
      if (found !== undefined) errors.push([String(key), found]);
    }
    return errors.length > 0 ? objectOf(errors) : undefined;
  };

  const report = (message: ErrorNode): ErrorNode => {
    left--;
    return message;
  };

  return record(definitions, data);
}

/** The errors, with those of references to records that do not exist added. */
export function withMissing(errors: FieldErrors, missing: readonly HeldReference[]): FieldErrors {
  return missing
    .slice(0, MESSAGES_MAX)
    .reduce(
      (node, { path, id, target }) => put(node, path, [target ? outsideTarget(id, target) : noSuchTarget(id)]),
      errors,
    );
}

/** The message for a reference to a record that does not exist, or is none of those that may be chosen. */
const outsideTarget = (id: number, target: FieldTarget): string =>
  `Invalid pk "${id}" - only records ${targetInWords(target)} can be chosen.`;

function put(errors: FieldErrors, [key = "", ...rest]: readonly string[], message: ErrorNode): FieldErrors {
  const there = own(errors, key);
  const below = isObject(there) ? (there as FieldErrors) : {};
  return objectOf([...Object.entries(errors), [key, rest.length === 0 ? message : put(below, rest, message)] as const]);
}

/** What is wrong with the number of blocks; too few are for drafts no error. */
function countError({ minimum, maximum }: FieldDefinition, count: number, isPartial: boolean): string | undefined {
  if (maximum !== undefined && count > maximum)
    return `There are ${count} sections, and at most ${maximum} are allowed.`;
  if (isPartial || minimum === undefined || count >= minimum) return undefined;
  return `There are ${count} sections, and at least ${minimum} are needed.`;
}

/** Messages for values of the right type that break a constraint. */
const CONSTRAINTS: Readonly<Record<string, (limit: unknown) => string>> = {
  minLength: (limit) => `Ensure this field has at least ${limit} characters.`,
  maxLength: (limit) => `Ensure this field has no more than ${limit} characters.`,
  minimum: (limit) => `Ensure this value is greater than or equal to ${limit}.`,
  maximum: (limit) => `Ensure this value is less than or equal to ${limit}.`,
};

function constraint({ keyword, limit }: Violation): string[] | undefined {
  const message = own(CONSTRAINTS, keyword);
  return message && [message(limit)];
}

/** The schema of a single value: neither translated nor null, and not of a kind that nests. */
const valueSchema = derived((definition: FieldDefinition): JsonSchema =>
  fieldKindOf(definition).schema(definition, () => ({})),
);
