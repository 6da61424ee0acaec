/** What differs between two snapshots, record by record. */
import { sameJson } from "../../model/json.ts";
import type { Id } from "../../model/page.ts";
import type { AnyKind, Entity } from "./record-type.ts";
import { filesKey, stepTo, type Entry, type Snapshot, type Table } from "./snapshot.ts";

/** A record before and after; undefined where it does not exist. */
export interface RecordChange {
  readonly before: Entity | undefined;
  readonly after: Entity | undefined;
}

/** The records that came, went or changed. Looks at all records only where it is unknown how one table led to the other. */
export function changedRecords(before: Snapshot, after: Snapshot): Map<AnyKind, Map<Id, RecordChange>> {
  const found = new Map<AnyKind, Map<Id, RecordChange>>();
  for (const kind of new Set([...before.tables().keys(), ...after.tables().keys()])) {
    const [old, next] = [before.table(kind), after.table(kind)];
    if (old === next) continue;
    const changes = new Map<Id, RecordChange>();
    for (const id of changedIds(old, next) ?? allIds(old, next)) {
      const [known, entry] = [old.byId.get(id), next.byId.get(id)];
      if (known === entry || (known && entry && isSame(known, entry))) continue;
      changes.set(id, { before: known?.record, after: entry?.record });
    }
    if (changes.size > 0) found.set(kind, changes);
  }
  return found;
}

/** The ids whose records may differ; undefined where one table was not made from the other, or a step is gone. */
function changedIds(old: Table, next: Table): Set<Id> | undefined {
  const ids = new Set<Id>();
  for (let at = next.summaries; at !== old.summaries;) {
    const step = stepTo(at);
    if (!step) return undefined;
    for (const id of step.changes.keys()) ids.add(id);
    at = step.from;
  }
  return ids;
}

function* allIds(old: Table, next: Table): Generator<Id> {
  yield* next.byId.keys();
  for (const id of old.byId.keys()) if (!next.byId.has(id)) yield id;
}

/** Records that depend on others have a new entry whenever their table is made anew, whether they changed or not. */
const isSame = (a: Entry, b: Entry): boolean =>
  a.base === b.base && filesKey(a.files) === filesKey(b.files) && sameJson(a.record, b.record);
