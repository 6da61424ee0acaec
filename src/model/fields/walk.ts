/**
 * Walking data along its definitions, at any depth.
 *
 * Data that does not have the shape its definition promises is passed through as it is: what is stored may be older
 * than its type, or written by hand, and must be served all the same.
 */
import { isObject, objectOf, own, sameJson, type Json, type JsonObject } from "../json.ts";
import { findLang, type Lang, type Locales } from "../locale.ts";
import type { Definitions, FieldDefinition, Resolver } from "./definition.ts";
import type { HeldReference } from "./kind.ts";
import { emptyOf, kindOf } from "./kinds.ts";

interface Steps {
  /** The key a language is stored under; undefined drops the entry. */
  lang(key: string): string | undefined;
  leaf(value: Json, definition: FieldDefinition): unknown;
  /** Fields that are absent: undefined leaves them so. */
  absent?(definition: FieldDefinition): Json;
  /** Picks one value of a translated field; without it all stay, by language. */
  pick?(byLang: JsonObject): Json;
  /** Whether values without a definition stay. */
  readonly keepUnknown: boolean;
}

/** Reads input as generously as contract.md 10.4 allows: lax spellings become the stored ones, unknown keys go. */
export const normaliseData = (definitions: Definitions, data: JsonObject, locales: Locales): JsonObject =>
  mapRecord(definitions, data, {
    lang: (key) => findLang(locales, key) ?? key,
    leaf: canonical,
    keepUnknown: false,
  }) as JsonObject;

/**
 * Stored data as it is meant: hand-written spellings canonical, optional fields that have no line filled in, languages
 * that were taken out of the settings left out.
 *
 * @param fill whether optional fields that are absent become null; page models show only what was set
 */
export const meantData = (definitions: Definitions, data: JsonObject, locales: Locales, fill: boolean): JsonObject =>
  mapRecord(definitions, data, {
    lang: (key) => findLang(locales, key),
    leaf: canonical,
    keepUnknown: true,
    ...(fill && { absent: emptyOf }),
  }) as JsonObject;

/** Data with what it points at in the place of ids; see `resolveData`. @param data as `meantData` gives it */
export const resolvedData = (definitions: Definitions, data: JsonObject, resolver: Resolver): { readonly [key: string]: unknown } =>
  mapRecord(definitions, data, {
    lang: (key) => key,
    leaf: (value, definition) => {
      const { resolve } = kindOf(definition);
      return resolve && value !== null ? resolve(value, definition, resolver) : value;
    },
    keepUnknown: true,
  });

/**
 * Resolved data as a reader of one language sees it: of each translated field the language's own value, else the default
 * one's, else null.
 */
export const localisedData = (definitions: Definitions, data: JsonObject, lang: Lang, defaultLang: Lang): JsonObject =>
  mapRecord(definitions, data, {
    lang: (key) => key,
    leaf: (value) => value,
    pick: (byLang) => own(byLang, lang) ?? own(byLang, defaultLang) ?? null,
    keepUnknown: true,
  }) as JsonObject;

/** Data without what goes without saying: optional fields that are null, or as empty as the kind's own null. */
export function prunedData(definitions: Definitions, data: JsonObject): JsonObject {
  const entries = definitions.flatMap((definition): [string, Json][] => {
    const value = own(data, definition.name);
    if (value === undefined) return [];
    const { nests } = kindOf(definition);
    if (!definition.required && (value === null || sameJson(value, emptyOf(definition)))) return [];
    const prune = (inner: Json): Json => {
      const record = (item: Json): Json => (isObject(item) ? prunedData(definition.children ?? [], item) : item);
      return nests === "many" && Array.isArray(inner) ? inner.map(record) : record(inner);
    };
    if (!nests) return [[definition.name, value]];
    const isByLang = definition.translated === true && isObject(value);
    return [[definition.name, isByLang ? objectOf(Object.entries(value).map(([lang, inner]) => [lang, prune(inner)])) : prune(value)]];
  });
  return objectOf(entries);
}

/** Every reference in data, with the path to it. */
export function* referencesIn(definitions: Definitions, data: JsonObject, above: readonly string[] = []): Generator<HeldReference> {
  for (const definition of definitions) {
    const value = own(data, definition.name);
    if (value === undefined || value === null) continue;
    const path = [...above, definition.name];
    if (!definition.translated) yield* referencesOf(value, definition, path);
    else if (isObject(value)) for (const [lang, inner] of Object.entries(value)) yield* referencesOf(inner, definition, [...path, lang]);
  }
}

function* referencesOf(value: Json, definition: FieldDefinition, path: readonly string[]): Generator<HeldReference> {
  const { nests, references } = kindOf(definition);
  const children = definition.children ?? [];
  for (const held of references?.(value, definition) ?? []) yield { ...held, path: [...path, ...held.path] };
  if (nests === "one" && isObject(value)) yield* referencesIn(children, value, path);
  if (nests !== "many" || !Array.isArray(value)) return;
  for (const [at, item] of (value as readonly Json[]).entries()) if (isObject(item)) yield* referencesIn(children, item, [...path, String(at)]);
}

function canonical(value: Json, definition: FieldDefinition): Json {
  const { empty, normalise } = kindOf(definition);
  if (value === null) return empty ?? null;
  return normalise ? normalise(value, definition) : value;
}

type Mapped = { readonly [key: string]: unknown };

/** The very same object where nothing in it changes, so that what is stored as it is meant costs no copy. */
function mapRecord(definitions: Definitions, data: JsonObject, steps: Steps): Mapped {
  const entries: [string, unknown][] = [];
  let isSame = true;
  for (const definition of definitions) {
    const value = own(data, definition.name);
    const mapped = value === undefined ? steps.absent?.(definition) : mapField(value, definition, steps);
    isSame &&= Object.is(mapped, value); // -0 is not 0
    if (mapped !== undefined) entries.push([definition.name, mapped]);
  }
  const names = namesOf(definitions);
  for (const key of Object.keys(data)) {
    if (names.has(key)) continue;
    isSame &&= steps.keepUnknown;
    if (steps.keepUnknown) entries.push([key, data[key]]);
  }
  return isSame ? data : objectOf(entries);
}

const NAMES = new WeakMap<Definitions, ReadonlySet<string>>();

function namesOf(definitions: Definitions): ReadonlySet<string> {
  const known = NAMES.get(definitions);
  if (known) return known;
  const names = new Set(definitions.map(({ name }) => name));
  NAMES.set(definitions, names);
  return names;
}

function mapField(value: Json, definition: FieldDefinition, steps: Steps): unknown {
  if (!definition.translated) return mapValue(value, definition, steps);
  if (!isObject(value)) return value;
  if (steps.pick) {
    const picked = steps.pick(value);
    return picked === null ? null : mapValue(picked, definition, steps);
  }
  const entries: [string, unknown][] = [];
  let isSame = true;
  for (const [key, inner] of Object.entries(value)) {
    const lang = steps.lang(key);
    const mapped = lang === undefined ? undefined : mapValue(inner, definition, steps);
    isSame &&= lang === key && Object.is(mapped, inner);
    if (lang !== undefined) entries.push([lang, mapped]);
  }
  return isSame ? value : objectOf(entries);
}

function mapValue(value: Json, definition: FieldDefinition, steps: Steps): unknown {
  const { nests } = kindOf(definition);
  if (!nests) return steps.leaf(value, definition);
  const record = (item: Json): unknown => (isObject(item) ? mapRecord(definition.children ?? NO_FIELDS, item, steps) : item);
  if (nests === "one") return record(value);
  if (!Array.isArray(value)) return value;
  const items = value.map(record);
  return items.every((item, at) => item === value[at]) ? value : items;
}

const NO_FIELDS: Definitions = [];

/** Paths of values that no definition speaks of, and of languages the site does not have: they are kept, and not shown. */
export function* unknownIn(definitions: Definitions, data: JsonObject, locales: Locales, above: readonly string[] = []): Generator<readonly string[]> {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  for (const [key, value] of Object.entries(data)) {
    const definition = byName.get(key);
    const path = [...above, key];
    if (!definition) yield path;
    else if (!definition.translated) yield* unknownInside(definition, value, locales, path);
    else if (isObject(value)) {
      for (const [lang, inner] of Object.entries(value)) {
        if (findLang(locales, lang) === undefined) yield [...path, lang];
        else yield* unknownInside(definition, inner, locales, [...path, lang]);
      }
    }
  }
}

function* unknownInside(definition: FieldDefinition, value: Json, locales: Locales, path: readonly string[]): Generator<readonly string[]> {
  const { nests } = kindOf(definition);
  if (nests === "one" && isObject(value)) yield* unknownIn(definition.children ?? [], value, locales, path);
  if (nests !== "many" || !Array.isArray(value)) return;
  for (const [at, item] of (value as readonly Json[]).entries()) {
    if (isObject(item)) yield* unknownIn(definition.children ?? [], item, locales, [...path, String(at)]);
  }
}
