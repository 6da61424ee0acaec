/** One record with ids in place of the names in its files. */
import type { Locales } from "../../../model/language/locale.ts";
import type { Id } from "../../../model/page/page.ts";
import { isReferenceName, type VisitReference } from "../../../model/records/reference-name.ts";
import type { AnyKind, Base, Entity, Entry, RecordSchemas, Table } from "../../records/record-type.ts";
import { parentOfFolder, summaryOf, type NameHolder, type Snapshot } from "../../snapshot.ts";
import type { NameTrouble } from "./name-problems.ts";
import { schemasOf } from "./schemas.ts";
import { findNamed, type Tables } from "./targets.ts";

interface Resolved {
  readonly record: Entity;
  readonly ids: readonly (Id | null)[];
  readonly keys: readonly string[];
  readonly troubles: readonly NameTrouble[];
  /** Names of pages by a former permalink. */
  readonly former: readonly FormerName[];
}

export interface FormerName {
  /** The field that has the name. */
  readonly field: string;
  readonly name: string;
  readonly id: Id;
}

/**
 * A record of files with ids in place of names; null, and nothing in lists, for a name that stands for nothing.
 *
 * @param table the records of the kind; absent: the record's parent is not looked for beside its folder
 */
export function resolvedRecord(
  locales: Locales,
  tables: Tables,
  kind: AnyKind,
  { base, record: own }: Pick<Entry, "base" | "record">,
  schemas: RecordSchemas,
  table?: Table,
): Resolved {
  const ids: (Id | null)[] = [];
  const keys: string[] = [];
  const troubles: NameTrouble[] = [];
  const former: FormerName[] = [];
  const visit: VisitReference = (model, value, field) => {
    if (!isReferenceName(value)) return value;
    const named = findNamed(tables, locales, model, value);
    ids.push(named.id);
    keys.push(...named.keys);
    if (named.id !== null && named.isFormer) former.push({ field, name: value, id: named.id });
    if (named.id === null) troubles.push({ model, name: value, field, claimants: named.claimants ?? [] });
    return named.id;
  };
  let record: Entity = kind.visitReferences?.(own, visit, schemas) ?? own;
  const { nesting } = kind;
  const raw = table?.byBase.get(base);
  const parent = nesting && table && raw && parentOfFolder(table.byBase, base, summaryOf(raw), nesting);
  if (parent !== undefined) {
    ids.push(parent);
    record = nesting!.within(record, parent);
  }
  return { record, ids, keys, troubles, former };
}

/** A record of files as it is in content: with its names resolved among the records there, and the parent of its folder. */
export function resolvedIn(content: Snapshot, locales: Locales, kind: AnyKind, base: Base, record: Entity): Entity {
  const tables = { get: (of: AnyKind) => content.table(of) };
  const found = resolvedRecord(locales, tables, kind, { base, record }, schemasOf(tables, locales)).record;
  const { nesting } = kind;
  const parent = nesting && parentOfFolder(content.table(kind).byBase, base, record, nesting);
  return parent === undefined ? found : nesting!.within(found, parent);
}

/** The references of a record's files by former permalinks of pages. */
export function formerNamesOf(
  content: Snapshot,
  locales: Locales,
  { kind, source }: NameHolder,
): readonly FormerName[] {
  const tables = { get: (of: AnyKind) => content.table(of) };
  return resolvedRecord(locales, tables, kind, source, schemasOf(tables, locales)).former;
}
