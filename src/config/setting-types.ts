/**
 * Types of settings: each is a function that returns the validated value or reports an error.
 *
 * Ranges only exclude values that the program cannot work with.
 */
import { isIP } from "node:net";
import {
  FRONT_MATTER_PRESETS,
  FRONT_MATTER_TARGETS,
  type FrontMatter,
  type FrontMatterKeys,
} from "../model/front-matter/front-matter.ts";
import { isObject, type JsonObject } from "../model/input/json.ts";
import { CHECK_RULES, isBinding, RULE_LEVELS, type CheckRule, type RuleLevels } from "../model/text/check-rules.ts";
import { openTimeZone } from "../model/time/time-zone.ts";

/** Records an invalid value; returns undefined, so that a type can `return report(...)`. */
export type ReportProblem = (path: string, found: unknown, expected: string) => undefined;

/** Returns undefined only after at least one call of `report`. */
type Read<T> = (value: unknown, path: string, report: ReportProblem) => T | undefined;

export type SettingType<T> = Read<T> & {
  /** JSON Schema of the values in a file, for editors: less strict than the function where it has to be. */
  readonly schema: JsonObject;
};

/** A type of setting from its function and its schema. */
export const settingType = <T>(schema: JsonObject, read: Read<T>): SettingType<T> => Object.assign(read, { schema });

const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: "null" }] });

export interface Language {
  readonly id: string;
  readonly name: string;
}

export interface Variant {
  /** Unique in its set, ignoring case, since it is a file name. */
  readonly name: string;
  /** In pixels. */
  readonly width: number;
  readonly format: VariantFormat;
}

export const VARIANT_FORMATS = ["webp", "avif", "jpeg", "png", "original"] as const;
export type VariantFormat = (typeof VARIANT_FORMATS)[number];
/** In pixels: the widest a WebP image can be. */
export const VARIANT_WIDTH_MAX = 16_383;

/** A function that adds to the context of templates. */
export type InjectContext = (request: unknown, context: Readonly<Record<string, unknown>>) => unknown;

/** The code of a language, such as `pt-BR`. */
export const LANGUAGE_ID = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;
const HOST = /^\.?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;
export const VARIANT_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const URL_PATH = /^(\/[a-z0-9_~-][a-z0-9._~-]*)+$/i;
const PATH_SEGMENT = /^[\p{L}\p{N}_-][\p{L}\p{N}_. -]*$/u;

export const flag: SettingType<boolean> = settingType({ type: "boolean" }, (value, path, report) =>
  typeof value === "boolean" ? value : report(path, value, "true or false"),
);

/** `refuse`: an unknown key in a write is 400, with a suggestion. `ignore`: it is dropped. */
export type UnknownFields = "refuse" | "ignore";

export const unknownFields: SettingType<UnknownFields> = settingType(
  { enum: ["refuse", "ignore"] },
  (value, path, report) => (value === "refuse" || value === "ignore" ? value : report(path, value, "refuse or ignore")),
);

/** @param unit what is counted, for the message: `seconds`, `pixels` */
export const wholeNumberSetting = (min: number, max: number, unit = ""): SettingType<number> =>
  settingType({ type: "integer", minimum: min, maximum: max }, (value, path, report) =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max
      ? value
      : report(path, value, `a whole number${unit && ` of ${unit}`} from ${min} to ${max}`),
  );

export const optional = <T>(type: SettingType<T>): SettingType<T | null> =>
  settingType(orNull(type.schema), (value, path, report) =>
    value === null ? null : type(value, path, (at, found, expected) => report(at, found, `${expected}, or null`)),
  );

export const listOf = <T>(type: SettingType<T>): SettingType<readonly T[]> =>
  settingType({ type: "array", items: type.schema }, readList(type));

const readList =
  <T>(type: Read<T>): Read<readonly T[]> =>
  (value, path, report) => {
    if (!Array.isArray(value)) return report(path, value, "a list");
    const items = value.map((item, index) => type(item, `${path}.${index}`, report));
    return items.includes(undefined) ? undefined : (items as T[]);
  };

export const languageId: SettingType<string> = settingType(
  { type: "string", pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$" },
  (value, path, report) =>
    typeof value === "string" && LANGUAGE_ID.test(value)
      ? value
      : report(path, value, "a language code such as en or pt-br"),
);

export const timeZone: SettingType<string> = settingType({ type: "string" }, (value, path, report) =>
  typeof value === "string" && openTimeZone(value) ? value : report(path, value, "a time zone such as Europe/Rome"),
);

/** The name of a preset, or a mapping from keys to targets; its key `preset` names one that it is added to. */
export const frontMatter: SettingType<FrontMatter> = settingType(
  {
    anyOf: [
      { enum: Object.keys(FRONT_MATTER_PRESETS) },
      {
        type: "object",
        properties: { preset: { enum: Object.keys(FRONT_MATTER_PRESETS) } },
        additionalProperties: { enum: [...FRONT_MATTER_TARGETS] },
      },
    ],
  },
  (value, path, report) => {
    const presets = Object.keys(FRONT_MATTER_PRESETS).join(", ");
    const { preset, ...own }: { readonly [key: string]: unknown } = isObject(value) ? value : { preset: value };
    const known = typeof preset === "string" ? FRONT_MATTER_PRESETS[preset] : undefined;
    if (preset !== undefined && !known) return report(path, preset, `${presets}, or a mapping of keys to fields`);
    const targets: readonly unknown[] = FRONT_MATTER_TARGETS;
    const wrong = Object.entries(own).filter(([, target]) => !targets.includes(target));
    for (const [key, target] of wrong) report(`${path}.${key}`, target, `one of ${targets.join(", ")}`);
    return wrong.length > 0
      ? undefined
      : { generator: known?.generator ?? "plain", keys: { ...known?.keys, ...(own as FrontMatterKeys) } };
  },
);

const LEVEL_RULES = (Object.keys(CHECK_RULES) as CheckRule[]).filter((rule) => !isBinding(rule));

/** A mapping of rules to levels. */
export const ruleLevels: SettingType<RuleLevels> = settingType(
  {
    type: "object",
    properties: Object.fromEntries(LEVEL_RULES.map((rule) => [rule, { enum: [...RULE_LEVELS] }])),
    additionalProperties: false,
  },
  (value, path, report) => {
    if (!isObject(value)) return report(path, value, "a mapping of rules to off, warning or error");
    const levels: readonly unknown[] = RULE_LEVELS;
    const wrong = Object.entries(value).filter(([rule, level]) => {
      if (!LEVEL_RULES.some((name) => name === rule))
        report(`${path}.${rule}`, level, `one of ${LEVEL_RULES.join(", ")}`);
      else if (!levels.includes(level)) report(`${path}.${rule}`, level, `one of ${RULE_LEVELS.join(", ")}`);
      else return false;
      return true;
    });
    return wrong.length > 0 ? undefined : (value as RuleLevels);
  },
);

/** A mapping of codes to names, or a list of `{ id, name }`; the order is kept. */
export const languages: SettingType<readonly Language[]> = settingType(
  {
    anyOf: [
      { type: "object", minProperties: 1, additionalProperties: { type: "string", minLength: 1 } },
      {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: { id: { type: "string" }, name: { type: "string" } },
          required: ["id", "name"],
        },
      },
    ],
  },
  (value, path, report) => {
    const entries = Array.isArray(value) ? value.map(entryOf) : isObject(value) ? Object.entries(value) : [];
    if (entries.length === 0) {
      return report(path, value, "at least one language, such as { en: English, it: Italiano }");
    }
    const known = new Set<string>();
    const found: Language[] = [];
    for (const [id, name] of entries) {
      const code = languageId(id, path, report);
      if (code === undefined) continue;
      if (known.has(code.toLowerCase())) report(path, code, "each language once");
      else if (typeof name !== "string" || name.trim() === "") report(`${path}.${code}`, name, "the language's name");
      else found.push({ id: code, name: name.trim() });
      known.add(code.toLowerCase());
    }
    return found.length === entries.length ? found : undefined;
  },
);

/** Where the site is: scheme, host, port, and a path where it is below one; without a final slash. */
export const siteAddress: SettingType<string> = settingType(
  { type: "string", pattern: "^https?://[^/?#]+(/[^?#]*)?$" },
  (value, path, report) => {
    const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
    return url &&
      /^https?:$/.test(url.protocol) &&
      url.href === url.origin + url.pathname &&
      !url.pathname.includes("//")
      ? url.href.replace(/\/$/, "")
      : report(path, value, "an address such as https://example.com or https://example.com/site");
  },
);

/** A path without its final slash; "" for the root of the host. */
export const basePath: SettingType<string> = settingType(
  { type: "string", pattern: "^(/[A-Za-z0-9._~-]+)*/?$" },
  (value, path, report) =>
    typeof value === "string" && /^(?:\/[\w.~-]+)*\/?$/.test(value) && !/\/\.{1,2}(?:\/|$)/.test(value)
      ? value.replace(/\/$/, "")
      : report(path, value, "a path such as /site"),
);

/** Scheme, host and port, as browsers send them in `Origin`. */
export const origin: SettingType<string> = settingType(
  { type: "string", pattern: "^https?://[^/]+/?$" },
  (value, path, report) => {
    const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
    return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
      ? url.origin
      : report(path, value, "an address without a path, such as https://example.com");
  },
);

/** A front end whose pages the editor shows as a preview. */
export interface PreviewSite {
  /** Scheme, host and port. */
  readonly URL: string;
  /** What precedes the path of a page there; "" for nothing. */
  readonly PATH: string;
}

export const previewSite: SettingType<PreviewSite> = settingType(
  {
    type: "object",
    properties: { URL: origin.schema, PATH: basePath.schema },
    required: ["URL"],
    additionalProperties: false,
  },
  (value, path, report) => {
    if (!isObject(value)) return report(path, value, "URL and PATH");
    const { URL: url, PATH = "", ...others } = value;
    for (const key of Object.keys(others)) report(`${path}.${key}`, others[key], "only URL and PATH");
    const [address, prefix] = [origin(url, `${path}.URL`, report), basePath(PATH, `${path}.PATH`, report)];
    return address === undefined || prefix === undefined || Object.keys(others).length > 0
      ? undefined
      : { URL: address, PATH: prefix };
  },
);

export const host: SettingType<string> = settingType({ type: "string" }, (value, path, report) =>
  typeof value === "string" && (HOST.test(value) || isIP(value.replace(/^\[(.*)\]$/, "$1")) > 0)
    ? value.toLowerCase()
    : report(path, value, "a host name without port; a dot before it covers its subdomains"),
);

export const network: SettingType<string> = settingType({ type: "string" }, (value, path, report) => {
  const [address = "", bits, ...rest] = typeof value === "string" ? value.split("/") : [];
  const widest = isIP(address) === 6 ? 128 : 32;
  const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest);
  return isIP(address) > 0 && fits && rest.length === 0
    ? (value as string)
    : report(path, value, "an IP address or network, such as 10.0.0.0/8");
});

/** The name of a remote or branch; what git accepts is checked when it is used. */
export const refNameSetting: SettingType<string> = settingType(
  { type: "string", minLength: 1, maxLength: 200 },
  (value, path, report) =>
    typeof value === "string" && /^[^-\s]\S{0,199}$/.test(value)
      ? value
      : report(path, value, "the name of a remote or branch"),
);

export const lineOfText: SettingType<string> = settingType(
  { type: "string", minLength: 1, maxLength: 200 },
  (value, path, report) =>
    typeof value === "string" && /^[^\x00-\x1f\x7f]{1,200}$/.test(value.trim())
      ? value.trim()
      : report(path, value, "one line of text"),
);

export const headerValue: SettingType<string> = settingType(
  { type: "string", maxLength: 4000 },
  (value, path, report) =>
    typeof value === "string" && /^[\x20-\x7e]{1,4000}$/.test(value.trim())
      ? value.trim()
      : report(path, value, "a header's value: one line of plain characters"),
);

/** A root path of the API; a final slash is dropped. */
export const apiRoot: SettingType<string> = settingType({ type: "string", pattern: "^/" }, (value, path, report) => {
  const text = typeof value === "string" ? value.replace(/\/$/, "") : "";
  return URL_PATH.test(text) ? text : report(path, value, "a path from the root, such as /api/camomilla");
});

export const urlFolder: SettingType<string> = settingType(
  { type: "string", pattern: "^/.*/$" },
  (value, path, report) =>
    typeof value === "string" && value.endsWith("/") && URL_PATH.test(value.slice(0, -1))
      ? value
      : report(path, value, "a path that begins and ends with a slash, such as /media/"),
);

/** As `urlFolder`, or an address whose path is one. */
export const mediaAddress: SettingType<string> = settingType(
  { type: "string", pattern: "/$" },
  (value, path, report) => {
    if (typeof value !== "string" || !/^https?:/i.test(value)) return urlFolder(value, path, report);
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isFolder = url && url.href === url.origin + url.pathname && urlFolder(url.pathname, path, () => undefined);
    return isFolder
      ? url.href
      : report(path, value, "an address whose path ends with a slash, such as https://cdn.example.org/media/");
  },
);

export const relativePath: SettingType<string> = settingType({ type: "string" }, (value, path, report) =>
  typeof value === "string" && isRelativePath(value)
    ? value
    : report(path, value, "a relative path without .. and without names that begin with a dot"),
);

export const relativePathOrNone: SettingType<string> = settingType({ type: "string" }, (value, path, report) =>
  value === "" ? value : relativePath(value, path, report),
);

/** A function (from a configuration that is a program), or the path of a module below the site's root. */
export const injectContext: SettingType<InjectContext | string> = settingType(
  { type: "string", pattern: "\\.(m?js|ts)$" },
  (value, path, report) => {
    if (typeof value === "function") return value as InjectContext;
    return typeof value === "string" && isRelativePath(value) && /\.(m?js|ts)$/.test(value)
      ? value
      : report(path, value, "a function, or the path of a .js, .mjs or .ts file below the site's root");
  },
);

/** The positions of variants with the name of one before them; names are compared without case. */
export function repeatedNames(names: readonly unknown[]): readonly number[] {
  const keys = names.map((name) => String(name).toLowerCase());
  return [...keys.keys()].filter((at) => keys.indexOf(keys[at]!) < at);
}

export const variants: SettingType<readonly Variant[]> = settingType(
  {
    type: "array",
    items: {
      type: "object",
      properties: {
        name: { type: "string", pattern: VARIANT_NAME.source },
        width: { type: "integer", minimum: 1, maximum: VARIANT_WIDTH_MAX },
        format: { enum: VARIANT_FORMATS },
      },
      required: ["name", "width", "format"],
      additionalProperties: false,
    },
  },
  (value, path, report) => {
    const sets = readList(variant)(value, path, report);
    const [repeated] = repeatedNames(sets?.map(({ name }) => name) ?? []);
    if (repeated === undefined) return sets;
    return report(`${path}.${repeated}.name`, sets![repeated]!.name, "each name once");
  },
);

const variant: Read<Variant> = (value, path, report) => {
  if (!isObject(value)) return report(path, value, "name, width and format");
  const { name, width, format, ...others } = value;
  for (const key of Object.keys(others)) report(`${path}.${key}`, others[key], "only name, width and format");
  const widthPx = wholeNumberSetting(1, VARIANT_WIDTH_MAX, "pixels")(width, `${path}.width`, report);
  const known = VARIANT_FORMATS.find((one) => one === format);
  if (!known) report(`${path}.format`, format, `one of ${VARIANT_FORMATS.join(", ")}`);
  if (typeof name !== "string" || !VARIANT_NAME.test(name)) {
    return report(`${path}.name`, name, "letters, digits, - and _");
  }
  return widthPx && known && Object.keys(others).length === 0 ? { name, width: widthPx, format: known } : undefined;
};

const isRelativePath = (text: string): boolean => text.split("/").every((segment) => PATH_SEGMENT.test(segment));

const entryOf = (item: unknown): [unknown, unknown] => (isObject(item) ? [item.id, item.name] : [item, undefined]);
