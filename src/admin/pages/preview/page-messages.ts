/** What the page in the frame says. It may be any page, so nothing of it is believed before it is read here. */
import type { PageMessage, ShownWords } from "../../../bridge/messages.ts";
import { isList, isRecord, type Json, type Values } from "../../json.ts";

/** In characters: no text that is typed in place is longer. */
const TEXT_MAX = 20_000;
const PATH_MAX = 2_000;
const FIELD = /^[\w.-]{1,200}$/;

/** @returns undefined for what is no message of the bridge */
export function readMessage(data: unknown): PageMessage | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { type, path, field, value, typed, words } = data as { readonly [name: string]: unknown };
  if (type === "cms:ready") return typeof path === "string" && path.length <= PATH_MAX ? { type, path } : undefined;
  if (typeof field !== "string" || !FIELD.test(field)) return undefined;
  if (type === "cms:focus") return { type, field, typed: typed === true, words: readWords(words) };
  if (type !== "cms:input" || typeof value !== "string" || value.length > TEXT_MAX) return undefined;
  return { type, field, value };
}

function readWords(words: unknown): ShownWords | undefined {
  if (typeof words !== "object" || words === null) return undefined;
  const { text, at, length = 0 } = words as { readonly [name: string]: unknown };
  if (typeof text !== "string" || text.length > TEXT_MAX || ![at, length].every(Number.isInteger)) return undefined;
  const start = Math.min(Math.max(at as number, 0), text.length);
  return { text, at: start, length: Math.min(Math.max(length as number, 0), text.length - start) };
}

/**
 * The value of the field that `field` begins with, once its text is another one.
 *
 * @param paths the kinds of the fields that the server has found in the page
 * @returns undefined where there is no text that is typed in place: never an address, a reference or what is not there
 */
export function typedValue(
  values: Values,
  paths: Readonly<Record<string, string>>,
  field: string,
  text: string,
): { readonly name: string; readonly value: Json } | undefined {
  const kind = Object.hasOwn(paths, field) ? paths[field] : undefined;
  const [name = "", ...rest] = field.split(".");
  if ((kind !== "string" && kind !== "textarea") || !Object.hasOwn(values, name)) return undefined;
  // As the form does: an empty text is no value.
  const value = withText(values[name]!, rest, text === "" ? null : text);
  return value === undefined ? undefined : { name, value };
}

function withText(value: Json | undefined, names: readonly string[], text: string | null): Json | undefined {
  const [name, ...rest] = names;
  if (name === undefined) return typeof value === "string" || value == null ? text : undefined;
  if (isList(value)) {
    const at = Number(name);
    const item = at in value ? withText(value[at], rest, text) : undefined;
    return item === undefined ? undefined : value.with(at, item);
  }
  if (!isRecord(value)) return undefined;
  const inner = withText(Object.hasOwn(value, name) ? value[name] : undefined, rest, text);
  return inner === undefined ? undefined : { ...value, [name]: inner };
}

/** Whether two addresses are of the same page, which servers write with a final slash or without. */
export function isSamePath(a: string, b: string): boolean {
  const plain = (path: string): string => {
    try {
      return decodeURI(path).replace(/\/$/, "");
    } catch {
      return path;
    }
  };
  return plain(a) === plain(b);
}
