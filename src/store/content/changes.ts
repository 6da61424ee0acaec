/** What differs between two snapshots, record by record. */
import { sameJson } from "../../model/input/json.ts";
import type { Id } from "../../model/page/page.ts";
import type { AnyKind, Entity } from "../records/record-type.ts";
import { filesKey, type Entry, type Snapshot } from "../snapshot.ts";

/** A record before and after; undefined where it does not exist. */
export interface ContentRecordChange {
  readonly before: Entity | undefined;
  readonly after: Entity | undefined;
}

/** The records that were added, removed or changed. Where a table was rebuilt, its other records are compared, too. */
export function changedRecords(before: Snapshot, after: Snapshot): Map<AnyKind, Map<Id, ContentRecordChange>> {
  const found = new Map<AnyKind, Map<Id, ContentRecordChange>>();
  for (const kind of new Set([...before.tables().keys(), ...after.tables().keys()])) {
    const [old, next] = [before.table(kind), after.table(kind)];
    if (old === next) continue;
    const changes = new Map<Id, ContentRecordChange>();
    for (const { key, before: known, after: entry } of next.byId.differencesFrom(old.byId))
      if (!known || !entry || !isSame(known, entry)) changes.set(key, { before: known?.record, after: entry?.record });
    if (changes.size > 0) found.set(kind, changes);
  }
  return found;
}

/** Records that depend on others may get a new entry when their table is rebuilt, whether they changed or not. */
const isSame = (a: Entry, b: Entry): boolean =>
  a.base === b.base && filesKey(a.files) === filesKey(b.files) && sameJson(a.record, b.record);
