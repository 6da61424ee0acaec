/** What the schemas of a site depend on: its languages, its page models and its meta types. */
import { everyBlock } from "../model/fields/blocks.ts";
import type { Definitions } from "../model/fields/definition.ts";
import type { DeclaredBlockType } from "../model/records/block-type.ts";
import { blockTypesIn, withLinkedSchema } from "../store/records/block-types.ts";
import type { Config } from "../config.ts";
import type { MetaType } from "../model/records/meta.ts";
import type { Lang } from "../model/language/locale.ts";
import type { PageModel } from "../model/page/page-model.ts";
import type { Reader } from "../store/records/record-type.ts";
import { META_TYPES } from "../store/records/meta-types.ts";
import { PAGE_MODELS } from "../store/records/page-models.ts";

export interface SiteShape {
  readonly codes: readonly Lang[];
  readonly models: readonly NamedShape<PageModel>[];
  readonly types: readonly NamedShape<MetaType>[];
  /** The block types, each with the fields of its blocks. */
  readonly blocks: readonly (DeclaredBlockType & { readonly fields: Definitions })[];
  /** The keys that plugins add to payloads of pages. */
  readonly computed: readonly string[];
  /** Whether moments in files may be without a zone. */
  readonly hasTimeZone: boolean;
}

/** A model or type with the name that its schemas begin with: letters and digits, unique in the site. */
export type NamedShape<T> = T & { readonly typeName: string };

export function shapeOf({ locales, extensions }: Config, content: Reader): SiteShape {
  const blockTypes = blockTypesIn(content);
  const { fieldsOf } = everyBlock(blockTypes);
  const taken = new Set(RESERVED);
  const named = <T extends { readonly schema: Definitions }>(
    records: readonly T[],
    keyOf: (record: T) => string,
  ): NamedShape<T>[] =>
    [...records]
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      .map((record) => ({ ...withLinkedSchema(content, record), typeName: freeName(pascal(keyOf(record)), taken) }));
  return {
    codes: locales.codes,
    models: named(content.all(PAGE_MODELS), ({ name }) => name),
    types: named(content.all(META_TYPES), ({ key }) => key),
    blocks: blockTypes.map((type) => ({ ...type, fields: fieldsOf(type.name)! })),
    computed: extensions?.computedNames ?? [],
    hasTimeZone: locales.timeZone !== undefined,
  };
}

/** Their schemas would have the names of schemas of the program. */
const RESERVED = [
  "",
  "Any",
  "Article",
  "Listed",
  "Media",
  "Menu",
  "Meta",
  "Nested",
  "Page",
  "Pagination",
  "ListGroup",
  "Preview",
  "Public",
];

/** `opening-hours` -> `OpeningHours`. */
const pascal = (key: string): string =>
  key
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")
    .replace(/^(?=\d)/, "Type");

function freeName(wanted: string, taken: Set<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted || "Type"}${n}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}
