/** The types of instances and the instances of types, built once for each version of both tables. */
import { derived } from "../../../memo.ts";
import type { Definitions } from "../../../model/fields/definition.ts";
import { stringsIn, type JsonObject } from "../../../model/input/json.ts";
import type { Locales } from "../../../model/language/locale.ts";
import type { MetaInstance, MetaType } from "../../../model/records/meta.ts";
import type { Id } from "../../../model/page/page.ts";
import { compareKeys, sortKey } from "../../../model/query/order.ts";
import { normalizeStored } from "../../../model/records/schema.ts";
import { withLinkedSchema } from "../../records/block-types.ts";
import type { Reader, Table } from "../../records/record-type.ts";
import { META_INSTANCES } from "../../records/meta-instances.ts";
import { META_TYPES } from "../../records/meta-types.ts";

/** The types by key. The older of two with one key has it. */
export const typesByKey = derived((types: readonly MetaType[]): ReadonlyMap<string, MetaType> => {
  const byKey = new Map<string, MetaType>();
  for (const type of types) {
    const known = byKey.get(type.key);
    if (!known || type.created_at < known.created_at) byKey.set(type.key, type);
  }
  return byKey;
});

export const findTypeByKey = (reader: Reader, key: string): MetaType | undefined =>
  typesByKey(reader.all(META_TYPES)).get(key);

/** The type of an instance; undefined when it does not exist. */
export function typeOf(reader: Reader, instance: MetaInstance): MetaType | undefined {
  const { meta_type: id, folder } = instance;
  const type = id === null ? findTypeByKey(reader, folder) : reader.find(META_TYPES, id);
  return type && withLinkedSchema(reader, type);
}

/** The instances of a type in order of creation, and those of one moment by the paths of their files. */
export function instancesOf(reader: Reader, type: MetaType): readonly MetaInstance[] {
  const table = reader.table?.(META_INSTANCES);
  const byType = table ? byTypeInTable(table) : byTypeOf(reader.all(META_INSTANCES));
  return byType(reader.all(META_TYPES)).get(type.id) ?? [];
}

const byTypeInTable = derived((table: Table) =>
  derived((types: readonly MetaType[]) =>
    build(table.all as readonly MetaInstance[], types, ({ id }) => table.byId.get(id)?.base ?? ""),
  ),
);

/** In a transaction, whose new records have no files yet. */
const byTypeOf = derived((all: readonly MetaInstance[]) => derived((types: readonly MetaType[]) => build(all, types)));

/** By id of the type, each in order of creation. */
function build(
  all: readonly MetaInstance[],
  types: readonly MetaType[],
  pathOf: (instance: MetaInstance) => string = () => "",
): ReadonlyMap<Id, readonly MetaInstance[]> {
  const byKey = typesByKey(types);
  const instances = new Map<Id, MetaInstance[]>();
  for (const instance of all) {
    const id = instance.meta_type ?? byKey.get(instance.folder)?.id;
    if (id === undefined) continue;
    const found = instances.get(id);
    if (found) found.push(instance);
    else instances.set(id, [instance]);
  }
  for (const found of instances.values()) {
    const rows = found.map((instance) => ({ instance, path: sortKey(pathOf(instance)) }));
    rows.sort(
      (a, b) =>
        compareKeys(a.instance.created_at, b.instance.created_at) ||
        compareKeys(a.path, b.path) ||
        a.instance.id - b.instance.id,
    );
    found.splice(0, found.length, ...rows.map(({ instance }) => instance));
  }
  return instances;
}

interface Meant {
  readonly schema: Definitions;
  readonly data: JsonObject;
  /** Computed at the first search. */
  text?: string;
}

const MEANT = new WeakMap<MetaInstance, Meant>();

function meant(reader: Reader, instance: MetaInstance, locales: Locales): Meant {
  const schema = typeOf(reader, instance)?.schema ?? NO_FIELDS;
  const known = MEANT.get(instance);
  if (known?.schema === schema) return known;
  const made: Meant = { schema, data: normalizeStored(schema, instance.data, locales, false) };
  MEANT.set(instance, made);
  return made;
}

const NO_FIELDS: Definitions = [];

/** The data of an instance in canonical form, for filters. Absent fields stay absent. */
export const metaDataOf = (reader: Reader, instance: MetaInstance, locales: Locales): JsonObject =>
  meant(reader, instance, locales).data;

/** All texts of an instance, for search. */
export function metaTextOf(reader: Reader, instance: MetaInstance, locales: Locales): string {
  const found = meant(reader, instance, locales);
  return (found.text ??= stringsIn(found.data).join("\n"));
}
