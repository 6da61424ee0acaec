/**
 * Traverses data along its definitions, at any depth.
 *
 * Values without the declared shape are passed through unchanged: stored data may be older than its type, or written by
 * hand, and must be served all the same.
 */
import { withFallback } from "../language/fallback.ts";
import { isObject, objectOf, own, sameJson, type Json, type JsonObject } from "../input/json.ts";
import type { VisitReference } from "../records/reference-name.ts";
import { closest } from "../input/closest.ts";
import { findLang, type Lang, type Locales } from "../language/locale.ts";
import { derived } from "../../memo.ts";
import type { Definitions, FieldDefinition, Resolver } from "./definition.ts";
import { blockNames, idByPosition, isHiddenBlock, shownBlocks, withBlockIds } from "./blocks.ts";
import type { HeldReference } from "./kind.ts";
import { childrenOf, nestedIn, isAlwaysRequired, emptyOf, fieldKindOf } from "./kinds.ts";

interface Visitor {
  /** The key for a language; undefined drops the entry. */
  lang(key: string): string | undefined;
  leaf(value: Json, definition: FieldDefinition): unknown;
  /** The value for an absent field; undefined keeps it absent. */
  absent?(definition: FieldDefinition): Json;
  /** Chooses one value of a translated field; absent: all are kept, by language. */
  pick?(byLang: JsonObject, definition: FieldDefinition): Json;
  /** The items of a list of a kind whose items have ids; absent: as they are. */
  blocks?(items: readonly Json[]): readonly Json[];
  /** Whether values without a definition are kept. */
  readonly keepUnknown: boolean;
}

/**
 * Input in stored form: accepted variants of values are converted, unknown keys dropped.
 *
 * @param newId of a block that was sent without an id, or with that of another one; absent: it gets none
 */
export const normalizeInput = (
  definitions: Definitions,
  data: JsonObject,
  locales: Locales,
  newId?: () => string,
): JsonObject =>
  mapRecord(definitions, data, {
    lang: (key) => findLang(locales, key) ?? key,
    leaf: canonical,
    ...(newId && { blocks: (items) => withBlockIds(items, newId) }),
    keepUnknown: false,
  }) as JsonObject;

/**
 * Stored data in canonical form: hand-written variants of values are converted, languages that were removed from the
 * settings dropped.
 *
 * @param fill whether absent optional fields become null; page models only serve what was set
 */
export const normalizeStored = (
  definitions: Definitions,
  data: JsonObject,
  locales: Locales,
  fill: boolean,
): JsonObject =>
  mapRecord(definitions, data, {
    lang: (key) => findLang(locales, key),
    leaf: canonical,
    blocks: (items) => withBlockIds(items, idByPosition),
    keepUnknown: true,
    ...(fill && { absent: emptyOf }),
  }) as JsonObject;

/** Data with references resolved; see `resolveData`. @param data as `normalizeStored` returns it */
export const resolvedData = (
  definitions: Definitions,
  data: JsonObject,
  resolver: Resolver,
): { readonly [key: string]: unknown } =>
  mapRecord(definitions, data, {
    lang: (key) => key,
    leaf: (value, definition) => {
      const { resolve } = fieldKindOf(definition);
      return resolve && value !== null ? resolve(value, definition, resolver) : value;
    },
    ...(resolver.isPublic && { blocks: shownBlocks }),
    keepUnknown: true,
  });

/**
 * Resolved data in one language: the value of each translated field with fallback to the default language, else null.
 */
export const localisedData = (definitions: Definitions, data: JsonObject, lang: Lang, defaultLang: Lang): JsonObject =>
  mapRecord(definitions, data, {
    lang: (key) => key,
    leaf: (value) => value,
    pick: (byLang, definition) => {
      const isNullable = fieldKindOf(definition).empty === undefined;
      return withFallback((each) => own(byLang, each) ?? null, lang, defaultLang, isNullable);
    },
    keepUnknown: true,
  }) as JsonObject;

/** Stored data with each value visited that may be a reference; the same object when none changes. */
export const visitData = (definitions: Definitions, data: JsonObject, visit: VisitReference): JsonObject =>
  mapRecord(definitions, data, {
    lang: (key) => key,
    leaf(value, definition) {
      const { visit: visitField } = fieldKindOf(definition);
      return visitField ? visitField(value, definition, visit) : value;
    },
    keepUnknown: true,
  }) as JsonObject;

/** The names of all fields, at any depth, whose values are or have references. */
export const fieldsWithReferences = derived((definitions: Definitions): ReadonlySet<string> => {
  const found = new Set<string>();
  const seen = new Set<Definitions>();
  const open: Definitions[] = [definitions];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // A type of block may contain itself.
    if (seen.has(next)) continue;
    seen.add(next);
    for (const definition of next) {
      if (fieldKindOf(definition).visit) found.add(definition.name);
      open.push(...nestedIn(definition));
    }
  }
  return found;
});

/** Data without optional fields that are null or have the empty value of their kind. */
export function prunedData(definitions: Definitions, data: JsonObject): JsonObject {
  const entries = definitions.flatMap((definition): [string, Json][] => {
    const value = own(data, definition.name);
    if (value === undefined) return [];
    const { nests } = fieldKindOf(definition);
    if (!isAlwaysRequired(definition) && (value === null || sameJson(value, emptyOf(definition)))) return [];
    const prune = (inner: Json): Json => {
      const record = (item: Json): Json => (isObject(item) ? prunedData(childrenOf(definition, item), item) : item);
      return nests === "many" && Array.isArray(inner) ? inner.map(record) : record(inner);
    };
    if (!nests) return [[definition.name, value]];
    const isByLang = definition.translated === true && isObject(value);
    return [
      [
        definition.name,
        isByLang ? objectOf(Object.entries(value).map(([lang, inner]) => [lang, prune(inner)])) : prune(value),
      ],
    ];
  });
  return objectOf(entries);
}

interface FieldValue {
  readonly definition: FieldDefinition;
  readonly value: Json;
  readonly path: readonly string[];
  /** Whether it is in a block that is not shown. */
  readonly isHidden: boolean;
}

/** The value of every field in data, at any depth, those that are absent or null left out. */
export function* fieldValuesIn(
  definitions: Definitions,
  data: JsonObject,
  above: readonly string[] = [],
  isHidden = false,
): Generator<FieldValue> {
  for (const definition of definitions) {
    const value = own(data, definition.name);
    if (value === undefined || value === null) continue;
    const path = [...above, definition.name];
    if (!definition.translated) yield* fieldValuesOf({ definition, value, path, isHidden });
    else if (isObject(value))
      for (const [lang, inner] of Object.entries(value))
        yield* fieldValuesOf({ definition, value: inner, path: [...path, lang], isHidden });
  }
}

function* fieldValuesOf(field: FieldValue): Generator<FieldValue> {
  const { definition, value, path } = field;
  yield field;
  const { nests } = fieldKindOf(definition);
  const inside = (item: JsonObject, at: readonly string[]) =>
    fieldValuesIn(childrenOf(definition, item), item, at, field.isHidden || isHiddenItem(field, item));
  if (nests === "one" && isObject(value)) yield* inside(value, path);
  if (nests !== "many" || !Array.isArray(value)) return;
  for (const [at, item] of (value as readonly Json[]).entries())
    if (isObject(item)) yield* inside(item, [...path, String(at)]);
}

const isHiddenItem = ({ definition }: FieldValue, item: JsonObject): boolean =>
  fieldKindOf(definition).isIdentified === true && isHiddenBlock(item);

/** The choices that are like the values of data that are none, by the paths of these, joined by dots: also types of blocks. */
export function meantChoices(definitions: Definitions, data: JsonObject): ReadonlyMap<string, string> {
  const meant = new Map<string, string>();
  for (const { definition, value, path } of fieldValuesIn(definitions, data)) {
    const names = (definition.choices ?? []).map((choice) => choice.value);
    if (typeof value !== "string" || definition.kind !== "select" || names.includes(value)) continue;
    const near = closest(value, names);
    if (near !== undefined) meant.set(path.join("."), near);
  }
  return meant;
}

/** All references in data, with their paths. */
export function* referencesIn(definitions: Definitions, data: JsonObject): Generator<HeldReference> {
  for (const { definition, value, path } of fieldValuesIn(definitions, data))
    for (const held of fieldKindOf(definition).references?.(value, definition) ?? [])
      yield { ...held, path: [...path, ...held.path] };
}

/** The paths of all blocks of a type in data. */
export function* blocksIn(definitions: Definitions, data: JsonObject, type: string): Generator<readonly string[]> {
  for (const { definition, value, path } of fieldValuesIn(definitions, data)) {
    if (!fieldKindOf(definition).isIdentified || !Array.isArray(value)) continue;
    for (const [at, item] of (value as readonly Json[]).entries())
      if (isObject(item) && own(item, "type") === type) yield [...path, String(at)];
  }
}

function canonical(value: Json, definition: FieldDefinition): Json {
  const { empty, normalize } = fieldKindOf(definition);
  if (value === null) return empty ?? null;
  return normalize ? normalize(value, definition) : value;
}

type Mapped = { readonly [key: string]: unknown };

/** Returns the same object when nothing changes, so that canonical data is not copied. */
function mapRecord(definitions: Definitions, data: JsonObject, visitor: Visitor): Mapped {
  const entries: [string, unknown][] = [];
  let isSame = true;
  for (const definition of definitions) {
    const value = own(data, definition.name);
    const mapped = value === undefined ? visitor.absent?.(definition) : mapField(value, definition, visitor);
    isSame &&= Object.is(mapped, value); // -0 is not 0
    if (mapped !== undefined) entries.push([definition.name, mapped]);
  }
  const names = namesOf(definitions);
  for (const key of Object.keys(data)) {
    if (names.has(key)) continue;
    isSame &&= visitor.keepUnknown;
    if (visitor.keepUnknown) entries.push([key, data[key]]);
  }
  return isSame ? data : objectOf(entries);
}

const namesOf = derived(
  (definitions: Definitions): ReadonlySet<string> => new Set(definitions.map(({ name }) => name)),
);

function mapField(value: Json, definition: FieldDefinition, visitor: Visitor): unknown {
  if (!definition.translated) return mapValue(value, definition, visitor);
  if (!isObject(value)) return value;
  if (visitor.pick) {
    const picked = visitor.pick(value, definition);
    return picked === null ? null : mapValue(picked, definition, visitor);
  }
  const entries: [string, unknown][] = [];
  let isSame = true;
  for (const [key, inner] of Object.entries(value)) {
    const lang = visitor.lang(key);
    const mapped = lang === undefined ? undefined : mapValue(inner, definition, visitor);
    isSame &&= lang === key && Object.is(mapped, inner);
    if (lang !== undefined) entries.push([lang, mapped]);
  }
  return isSame ? value : objectOf(entries);
}

function mapValue(value: Json, definition: FieldDefinition, visitor: Visitor): unknown {
  const { nests, isIdentified } = fieldKindOf(definition);
  if (!nests) return visitor.leaf(value, definition);
  const record = (item: Json): unknown =>
    isObject(item) ? mapRecord(childrenOf(definition, item), item, visitor) : item;
  if (nests === "one") return record(value);
  if (!Array.isArray(value)) return value;
  const items = ((isIdentified && visitor.blocks?.(value)) || (value as readonly Json[])).map(record);
  return items.length === value.length && items.every((item, at) => item === value[at]) ? value : items;
}

/** A value without a definition, or of a language that is not configured: kept in files, but not served. */
export interface UnknownValue {
  readonly path: readonly string[];
  /** The names that there are beside it. */
  readonly names: readonly string[];
  /** The type of the block that it is in. */
  readonly block?: string;
}

/** All unknown values in data. @param block the type of the block whose data it is */
export function* unknownIn(
  definitions: Definitions,
  data: JsonObject,
  locales: Locales,
  above: readonly string[] = [],
  block?: string,
): Generator<UnknownValue> {
  const unknown = (path: readonly string[], names: readonly string[]): UnknownValue => ({
    path,
    names,
    ...(block !== undefined && { block }),
  });
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  for (const [key, value] of Object.entries(data)) {
    const definition = byName.get(key);
    const path = [...above, key];
    if (!definition) yield unknown(path, [...byName.keys()]);
    else if (!definition.translated) yield* unknownInside(definition, value, locales, path, block);
    else if (isObject(value)) {
      for (const [lang, inner] of Object.entries(value)) {
        if (findLang(locales, lang) === undefined) yield unknown([...path, lang], locales.codes);
        else yield* unknownInside(definition, inner, locales, [...path, lang], block);
      }
    }
  }
}

/** What is wrong with an unknown value, with the name that was meant. @param owner what declares the fields: `The page model "room"` */
export function unknownMessage({ path, names, block }: UnknownValue, owner: string): string {
  const name = path.at(-1)!;
  const near = closest(name, names);
  const declared = block === undefined ? owner : `The block type "${block}"`;
  return `${declared} has no field "${name}".${near === undefined ? "" : ` Did you mean "${near}"?`}`;
}

function* unknownInside(
  definition: FieldDefinition,
  value: Json,
  locales: Locales,
  path: readonly string[],
  around: string | undefined,
): Generator<UnknownValue> {
  const { nests, isIdentified, keys } = fieldKindOf(definition);
  if (keys && isObject(value)) {
    const wrong = Object.keys(value).filter((key) => !keys.includes(key));
    for (const key of wrong)
      yield { path: [...path, key], names: keys, ...(around !== undefined && { block: around }) };
  }
  if (nests === "one" && isObject(value)) yield* unknownIn(childrenOf(definition, value), value, locales, path, around);
  if (nests !== "many" || !Array.isArray(value)) return;
  for (const [at, item] of (value as readonly Json[]).entries()) {
    if (!isObject(item)) continue;
    const block = isIdentified ? String(own(item, "type")) : around;
    // A type that does not exist has no known fields: the type is told instead.
    if (isIdentified && !blockNames(definition).includes(block!)) continue;
    yield* unknownIn(childrenOf(definition, item), item, locales, [...path, String(at)], block);
  }
}
