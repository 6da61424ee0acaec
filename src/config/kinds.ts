/**
 * What a setting's value may be: one function a kind, which returns the value as the program uses it or complains.
 *
 * Ranges are those outside which the program could not do what is asked, not matters of taste.
 */
import { isIP } from "node:net";
import { isObject } from "../model/json.ts";

/** Takes note of a value that does not fit; its result lets a kind end with `complain(...)`. */
export type Complain = (path: string, found: unknown, expected: string) => undefined;

/** Undefined is returned only after at least one complaint. */
export type Kind<T> = (value: unknown, path: string, complain: Complain) => T | undefined;

export interface Language {
  readonly id: string;
  readonly name: string;
}

export interface Variant {
  /** Unique in its set, without regard to case, since it is the file's name. */
  readonly name: string;
  /** In pixels. */
  readonly width: number;
  readonly format: VariantFormat;
}

const VARIANT_FORMATS = ["webp", "avif", "jpeg", "png", "original"] as const;
export type VariantFormat = (typeof VARIANT_FORMATS)[number];

/** What a function may add to the context of a template (interface.md, Settings). */
export type InjectContext = (request: unknown, context: Readonly<Record<string, unknown>>) => unknown;

const LANGUAGE_ID = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;
const HOST = /^\.?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;
const VARIANT_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i;
const URL_PATH = /^(\/[a-z0-9_~-][a-z0-9._~-]*)+$/i;
const PATH_SEGMENT = /^[\p{L}\p{N}_-][\p{L}\p{N}_. -]*$/u;

export const flag: Kind<boolean> = (value, path, complain) =>
  typeof value === "boolean" ? value : complain(path, value, "true or false");

/** What becomes of keys of a write that mean nothing. */
export type UnknownFields = "refuse" | "ignore";

export const unknownFields: Kind<UnknownFields> = (value, path, complain) =>
  value === "refuse" || value === "ignore" ? value : complain(path, value, "refuse or ignore");

/** @param unit what is counted, for the message: `seconds`, `pixels` */
export const whole =
  (min: number, max: number, unit = ""): Kind<number> =>
  (value, path, complain) =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max
      ? value
      : complain(path, value, `a whole number${unit && ` of ${unit}`} from ${min} to ${max}`);

export const optional =
  <T>(kind: Kind<T>): Kind<T | null> =>
  (value, path, complain) =>
    value === null ? null : kind(value, path, (at, found, expected) => complain(at, found, `${expected}, or null`));

export const listOf =
  <T>(kind: Kind<T>): Kind<readonly T[]> =>
  (value, path, complain) => {
    if (!Array.isArray(value)) return complain(path, value, "a list");
    const items = value.map((item, index) => kind(item, `${path}.${index}`, complain));
    return items.includes(undefined) ? undefined : (items as T[]);
  };

export const languageId: Kind<string> = (value, path, complain) =>
  typeof value === "string" && LANGUAGE_ID.test(value)
    ? value
    : complain(path, value, "a language code such as en or pt-br");

/** A mapping of codes to names in the order that counts, or a list of `{ id, name }`. */
export const languages: Kind<readonly Language[]> = (value, path, complain) => {
  const entries = Array.isArray(value) ? value.map(entryOf) : isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) {
    return complain(path, value, "at least one language, such as { en: English, it: Italiano }");
  }
  const known = new Set<string>();
  const found: Language[] = [];
  for (const [id, name] of entries) {
    const code = languageId(id, path, complain);
    if (code === undefined) continue;
    if (known.has(code.toLowerCase())) complain(path, code, "each language once");
    else if (typeof name !== "string" || name.trim() === "") complain(`${path}.${code}`, name, "the language's name");
    else found.push({ id: code, name: name.trim() });
    known.add(code.toLowerCase());
  }
  return found.length === entries.length ? found : undefined;
};

/** Scheme, host and port, as browsers send them in `Origin`. */
export const origin: Kind<string> = (value, path, complain) => {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    ? url.origin
    : complain(path, value, "an address without a path, such as https://example.com");
};

export const host: Kind<string> = (value, path, complain) =>
  typeof value === "string" && (HOST.test(value) || isIP(value.replace(/^\[(.*)\]$/, "$1")) > 0)
    ? value.toLowerCase()
    : complain(path, value, "a host name without port; a dot before it covers its subdomains");

export const network: Kind<string> = (value, path, complain) => {
  const [address = "", bits, ...rest] = typeof value === "string" ? value.split("/") : [];
  const widest = isIP(address) === 6 ? 128 : 32;
  const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest);
  return isIP(address) > 0 && fits && rest.length === 0
    ? (value as string)
    : complain(path, value, "an IP address or network, such as 10.0.0.0/8");
};

export const headerValue: Kind<string> = (value, path, complain) =>
  typeof value === "string" && /^[\x20-\x7e]{1,4000}$/.test(value.trim())
    ? value.trim()
    : complain(path, value, "a header's value: one line of plain characters");

/** A root below which the API answers; a final slash is dropped. */
export const apiRoot: Kind<string> = (value, path, complain) => {
  const text = typeof value === "string" ? value.replace(/\/$/, "") : "";
  return URL_PATH.test(text) ? text : complain(path, value, "a path from the root, such as /api/camomilla");
};

export const urlFolder: Kind<string> = (value, path, complain) =>
  typeof value === "string" && value.endsWith("/") && URL_PATH.test(value.slice(0, -1))
    ? value
    : complain(path, value, "a path that begins and ends with a slash, such as /media/");

export const relativePath: Kind<string> = (value, path, complain) =>
  typeof value === "string" && isRelativePath(value)
    ? value
    : complain(path, value, "a relative path without .. and without names that begin with a dot");

export const relativePathOrNone: Kind<string> = (value, path, complain) =>
  value === "" ? value : relativePath(value, path, complain);

/** A function, from a configuration that is a program; from YAML and JSON the path of a module below the site's root. */
export const injectContext: Kind<InjectContext | string> = (value, path, complain) => {
  if (typeof value === "function") return value as InjectContext;
  return typeof value === "string" && isRelativePath(value) && /\.(m?js|ts)$/.test(value)
    ? value
    : complain(path, value, "a function, or the path of a .js, .mjs or .ts file below the site's root");
};

export const variants: Kind<readonly Variant[]> = (value, path, complain) => {
  const sets = listOf(variant)(value, path, complain);
  const names = new Set<string>();
  for (const [index, { name }] of sets?.entries() ?? []) {
    if (names.has(name.toLowerCase())) return complain(`${path}.${index}.name`, name, "each name once");
    names.add(name.toLowerCase());
  }
  return sets;
};

const variant: Kind<Variant> = (value, path, complain) => {
  if (!isObject(value)) return complain(path, value, "name, width and format");
  const { name, width, format, ...others } = value;
  for (const key of Object.keys(others)) complain(`${path}.${key}`, others[key], "only name, width and format");
  const widthPx = whole(1, 16383, "pixels")(width, `${path}.width`, complain);
  const known = VARIANT_FORMATS.find((one) => one === format);
  if (!known) complain(`${path}.format`, format, `one of ${VARIANT_FORMATS.join(", ")}`);
  if (typeof name !== "string" || !VARIANT_NAME.test(name)) {
    return complain(`${path}.name`, name, "letters, digits, - and _");
  }
  return widthPx && known && Object.keys(others).length === 0 ? { name, width: widthPx, format: known } : undefined;
};

const isRelativePath = (text: string): boolean => text.split("/").every((segment) => PATH_SEGMENT.test(segment));

const entryOf = (item: unknown): [unknown, unknown] => (isObject(item) ? [item.id, item.name] : [item, undefined]);
