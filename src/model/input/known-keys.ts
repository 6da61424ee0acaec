/**
 * Finds unknown keys in request bodies.
 *
 * `Keys` describes the keys a value may have; values are validated elsewhere. The read-only keys of a payload are
 * known, so that a payload can be written back as it was read. At most 100 messages and ten suggestions are made, so
 * that a body of unknown keys costs bounded time.
 */
import type { UnknownFields } from "../../config/setting-types.ts";
import type { ErrorNode, FieldErrors } from "../../errors.ts";
import { closest } from "./closest.ts";
import { isObject, objectOf, own, type Json } from "./json.ts";
import { findLang, splitSuffixed, type Locales } from "../language/locale.ts";

export type { UnknownFields };

/** Returns the errors of unknown keys, nested as the value is; undefined when there are none. */
export type Keys = (value: Json, left: Budget) => ErrorNode | undefined;

/** How many messages may still be made, and how many with a suggestion, which compares the key with every name. */
interface Budget {
  messages: number;
  suggestions: number;
}

const MESSAGES_MAX = 100;
const SUGGESTIONS_MAX = 10;

type Table = { readonly [key: string]: Keys };
type Names = { readonly [key: string]: string };

/** The errors of all unknown keys of a body, nested by path; {} when there are none. */
export const unknownKeys = (keys: Keys, body: Json): FieldErrors =>
  (keys(body, { messages: MESSAGES_MAX, suggestions: SUGGESTIONS_MAX }) ?? {}) as FieldErrors;

/** `unknownKeys` under the policy `refuse`; {} under `ignore`. */
export const refusedKeys = (policy: UnknownFields, keys: Keys, body: unknown): FieldErrors =>
  policy === "refuse" ? unknownKeys(keys, body as Json) : {};

/** A value whose keys are not checked. */
export const anything: Keys = () => undefined;

/** Several keys whose values are not checked. */
export const named = (...names: readonly string[]): Table => objectOf(names.map((name) => [name, anything] as const));

/**
 * An object with certain keys.
 *
 * @param readOnly keys of payloads that are accepted and never suggested
 * @param meant names of other systems -> the names here, to suggest
 */
export const record = (writable: Table, readOnly: readonly string[] = [], meant: Names = {}): Keys => {
  const names = Object.keys(writable);
  const known: Table = { ...named(...readOnly), ...writable };
  return (value, left) => {
    if (!isObject(value)) return undefined;
    return gather(Object.entries(value), left, (key, inner) => {
      const keys = own(known, key);
      return keys ? keys(inner, left) : [unknownKey(own(meant, key) ?? suggestion(key, names, left))];
    });
  };
};

/** A list; items without an unknown key are `{}` among the errors. */
export const listOf =
  (item: Keys): Keys =>
  (value, left) => {
    if (!Array.isArray(value)) return undefined;
    const found = value.map((each: Json) => item(each, left));
    return found.some((each) => each !== undefined) ? found.map((each) => each ?? {}) : undefined;
  };

/** An object from languages to values. */
export const keysByLanguage =
  (locales: Locales, keys: Keys): Keys =>
  (value, left) => {
    if (!isObject(value)) return undefined;
    return gather(Object.entries(value), left, (code, inner) =>
      findLang(locales, code) === undefined ? [noLanguage(locales, code)] : keys(inner, left),
    );
  };

/**
 * An object with translatable fields, which may be flat, have a language suffix, or be under `translations`.
 *
 * @param fields translatable fields
 * @param others other writable fields
 * @param readOnly keys of payloads that are accepted and never suggested
 */
export const translated = (locales: Locales, fields: Table, others: Table, readOnly: readonly string[]): Keys => {
  const writable: Table = { ...fields, ...others, translations: keysByLanguage(locales, record(fields)) };
  const names = Object.keys(writable);
  const known: Table = { ...named(...readOnly), ...writable };
  const translatable = Object.keys(fields);
  const unknown = (key: string, left: Budget): string => {
    // Suffixes have no hyphens: `title_pt_BR`, not `title_pt-BR`.
    const suffixed = splitSuffixed(locales, key.replaceAll("-", "_"));
    const near = suffixed && suggestion(suffixed.field, translatable, left);
    if (suffixed && near !== undefined) return unknownKey(`${near}_${suffixed.lang.replaceAll("-", "_")}`);
    const rests = translatable.map((field) => (key.startsWith(`${field}_`) ? key.slice(field.length + 1) : ""));
    const code = rests.find((rest) => LANGUAGE.test(rest));
    return code === undefined ? unknownKey(suggestion(key, names, left)) : noLanguage(locales, code);
  };
  return (value, left) => {
    if (!isObject(value)) return undefined;
    return gather(Object.entries(value), left, (key, inner) => {
      const suffixed = Object.hasOwn(known, key) ? undefined : splitSuffixed(locales, key);
      const keys = own(known, key) ?? (suffixed && own(fields, suffixed.field));
      return keys ? keys(inner, left) : [unknown(key, left)];
    });
  };
};

/** The errors of two validations of one value, merged. */
export function mergeErrors(a: ErrorNode | undefined, b: ErrorNode | undefined): ErrorNode {
  if (a === undefined || b === undefined) return a ?? b ?? {};
  if (Array.isArray(a) && Array.isArray(b) && [...a, ...b].every(isNested)) {
    const length = Math.max(a.length, b.length);
    const [left, right] = [a, b] as [readonly (ErrorNode | undefined)[], readonly (ErrorNode | undefined)[]];
    return Array.from({ length }, (_, at) => mergeErrors(left[at], right[at]));
  }
  if (!isNested(a) || !isNested(b)) return isEmpty(a) ? b : a;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return objectOf([...keys].map((key) => [key, mergeErrors(own(a, key), own(b, key))] as const));
}

const isNested = (node: ErrorNode): node is FieldErrors => typeof node === "object" && !Array.isArray(node);
const isEmpty = (node: ErrorNode): boolean => typeof node === "object" && Object.keys(node).length === 0;

const suggestion = (key: string, names: readonly string[], left: Budget): string | undefined =>
  left.suggestions-- > 0 ? closest(key, names) : undefined;

type Check = (key: string, value: Json) => ErrorNode | undefined;

function gather(entries: [string, Json][], left: Budget, check: Check): FieldErrors | undefined {
  const errors: [string, ErrorNode][] = [];
  for (const [key, value] of entries) {
    if (left.messages <= 0) break;
    const found = check(key, value);
    if (found === undefined) continue;
    if (Array.isArray(found) && typeof found[0] === "string") left.messages--;
    errors.push([key, found]);
  }
  return errors.length > 0 ? objectOf(errors) : undefined;
}

/** A language code in the form of a key suffix: `fr`, `pt_br`. */
const LANGUAGE = /^[a-z]{2}([_-][a-z0-9]{2,8})?$/i;
const CODE_SHOWN = 20;

const unknownKey = (meant: string | undefined): string =>
  meant === undefined ? "Unknown field." : `Unknown field. Did you mean \`${meant}\`?`;

const noLanguage = ({ codes }: Locales, code: string): string =>
  `Unknown field. The site has no language ${quoted(code.slice(0, CODE_SHOWN))}, only ${codes.map(quoted).join(", ")}.`;

const quoted = (text: string): string => `\`${text}\``;
