/** The known keys of data of a declared type, at any depth. */
import type { ErrorNode } from "../../errors.ts";
import { isObject, own, type Json } from "../input/json.ts";
import { keysByLanguage, record, type Keys } from "../input/known-keys.ts";
import { LINK_KEYS } from "../address/link.ts";
import { keptBy } from "../../memo.ts";
import type { Locales } from "../language/locale.ts";
import type { Definitions, FieldDefinition } from "./definition.ts";
import { childrenOf, fieldKindOf } from "./kinds.ts";

/**
 * The keys of an object with the fields of a type.
 *
 * Keys that the stored data has in the same place are known too: data may be older than its type and is served
 * unchanged, and a payload can be written back.
 *
 * @param stored the current data, in all languages
 */
export const dataKeys = (definitions: Definitions, locales: Locales, stored: readonly Json[]): Keys => {
  const objects = stored.filter(isObject);
  const below = (key: string): Json[] => objects.flatMap((each) => own(each, key) ?? []);
  const fields = definitions.map((each) => [each.name, fieldKeys(each, locales, below(each.name))] as const);
  return record(
    Object.fromEntries(fields),
    objects.flatMap((each) => Object.keys(each)),
  );
};

function fieldKeys(definition: FieldDefinition, locales: Locales, stored: readonly Json[]): Keys {
  if (!definition.translated) return valueKeys(definition, locales, stored);
  const texts = stored.filter(isObject).flatMap((each) => Object.values(each));
  return keysByLanguage(locales, valueKeys(definition, locales, texts));
}

/** A reference is served as a full record and only its id is read, so its keys are not checked. */
function valueKeys(definition: FieldDefinition, locales: Locales, stored: readonly Json[]): Keys {
  const { nests } = fieldKindOf(definition);
  if (definition.kind === "permalink") return LINK_KEYS;
  if (nests === undefined) return () => undefined;
  const there = nests === "many" ? stored.flat() : stored;
  const keysOf = keptKeys((fields) => dataKeys(fields, locales, there));
  const item: Keys = (value, left) => keysOf(childrenOf(definition, value))(value, left);
  return nests === "one" ? item : byPosition(item);
}

/** Made once for each list of fields: all items of a list have the same one, and blocks those of their types. */
function keptKeys(make: (fields: Definitions) => Keys): (fields: Definitions) => Keys {
  const known = new Map<Definitions, Keys>();
  return (fields) => keptBy(known, fields, make);
}

/** A list inside data, with its errors by position. */
const byPosition =
  (item: Keys): Keys =>
  (value, left) => {
    if (!Array.isArray(value)) return undefined;
    const found = value.map((each: Json, at) => [String(at), item(each, left)] as const);
    const wrong = found.filter((entry): entry is [string, ErrorNode] => entry[1] !== undefined);
    return wrong.length > 0 ? Object.fromEntries(wrong) : undefined;
  };
