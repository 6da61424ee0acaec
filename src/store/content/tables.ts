/** Builds the tables of a snapshot from loaded records, once the owners of contested ids are known. */
import { setImmediate } from "node:timers/promises";
import { sameJson } from "../../model/input/json.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { Problem } from "../../model/text/problem.ts";
import { familiesOf, isAsOwned, settleIds } from "./claims.ts";
import type { AnyKind, Base, Completion, Entity } from "../records/record-type.ts";
import { openOwnerResolver, type OwnershipContext, type OwnerResolver } from "./ownership.ts";
import type { Oid, Path, WorkingFile } from "../repo.ts";
import { SharedMap } from "../maps/shared-map.ts";
import { makeTable, withResolved, type Entry, type Snapshot, type Table } from "../snapshot.ts";

/** Opened for the first contested id. */
export function ownerResolverOf(
  context: OwnershipContext,
  head: Oid | null,
  files: ReadonlyMap<Path, WorkingFile>,
  before: Oid | null | undefined,
): () => OwnerResolver {
  let resolver: OwnerResolver | undefined;
  return () => (resolver ??= openOwnerResolver(context, head, files, before));
}

/** How the records of a kind are completed, with those tables that the kind depends on. */
export function completionOf(
  kind: AnyKind,
  locales: Locales,
  resolver: () => OwnerResolver,
  tables: ReadonlyMap<AnyKind, Table>,
): Completion | undefined {
  const [, above] = [...tables].find(([{ dir }]) => dir === kind.above) ?? [];
  return kind.completion?.(
    locales,
    (entry, lang, known) => resolver().since({ kind, entry }, lang, known),
    above?.byId,
  );
}

/** Completes records again whose parents are of another kind that has changed. */
export async function followAbove(
  { kinds, locales }: Pick<OwnershipContext, "kinds" | "locales">,
  resolver: () => OwnerResolver,
  tables: Map<AnyKind, Table>,
): Promise<void> {
  for (const kind of kinds) {
    const table = kind.above === undefined ? undefined : tables.get(kind);
    if (table?.completed)
      tables.set(kind, await withResolved(table, new Map(), completionOf(kind, locales, resolver, tables)));
  }
}

/**
 * The tables of kinds that changed, and of those with which they share their ids. Owners of contested ids are
 * determined again, since the history may have changed.
 */
export async function makeTables(
  context: OwnershipContext,
  resolver: () => OwnerResolver,
  before: Snapshot | undefined,
  changed: ReadonlyMap<AnyKind, Table["byBase"]>,
  tables: Map<AnyKind, Table>,
  idProblems: Map<AnyKind, readonly Problem[]>,
): Promise<void> {
  for (const family of familiesOf(context.kinds)) {
    const isContested = family.some((kind) => !kind.derives && (idProblems.get(kind) ?? []).length > 0);
    if (!isContested && !family.some((kind) => changed.has(kind))) continue;
    const basesOf = (kind: AnyKind): Table["byBase"] =>
      changed.get(kind) ?? tables.get(kind)?.byBase ?? new SharedMap();
    const bases = new Map(family.map((kind) => [kind, basesOf(kind)]));
    const { owners, problems } = await settleIds(resolver, bases, before);
    for (const [kind, byBase] of bases) {
      const table = tables.get(kind);
      idProblems.set(kind, problems.get(kind) ?? []);
      if (!changed.has(kind) && (!table || isAsOwned(table, owners))) continue;
      // Building a table of thousands of records and its look-ups each take a turn of the event loop.
      await setImmediate();
      tables.set(kind, await makeTable(byBase, completionOf(kind, context.locales, resolver, tables), owners));
      await setImmediate();
    }
  }
}

/** Updates the kinds that depend on another one, if either of the two has changed. */
export async function deriveTables(
  context: OwnershipContext,
  resolver: () => OwnerResolver,
  snapshot: Snapshot | undefined,
  tables: Map<AnyKind, Table>,
  idProblems: Map<AnyKind, readonly Problem[]>,
): Promise<void> {
  const { kinds, locales } = context;
  const before = snapshot?.tables();
  for (const kind of kinds) {
    const other = kind.derives && kinds.find(({ dir }) => dir === kind.derives!.from);
    if (!kind.derives || !other) continue;
    const table = tables.get(kind);
    if (table && before?.get(kind) === table && before.get(other) === tables.get(other)) {
      if ((idProblems.get(kind) ?? []).length === 0) continue;
      const { owners } = await settleIds(resolver, new Map([[kind, table.byBase]]), snapshot);
      if (isAsOwned(table, owners)) continue;
    }
    const entries = [...(table?.byBase ?? [])].filter(([, entry]) => entry.files.size > 0);
    const own = new Map(entries.map(([base, entry]) => [base, entry.record]));
    const { records, problems } = kind.derives.derive(own, tables.get(other)?.all ?? [], locales);
    // The same entry for the same record, so that what was made from it is not made again.
    const entryOf = (base: Base, record: Entity): Entry => {
      const entry = table?.byBase.get(base);
      if (entry && sameJson(entry.record, record)) return entry;
      return { ...(entry?.broken && { broken: entry.broken }), base, files: entry?.files ?? new Map(), record };
    };
    const byBase = new SharedMap(new Map(Array.from(records, ([base, record]) => [base, entryOf(base, record)])));
    const settled = await settleIds(resolver, new Map([[kind, byBase]]), snapshot);
    tables.set(kind, await makeTable(byBase, completionOf(kind, context.locales, resolver, tables), settled.owners));
    idProblems.set(kind, [...(settled.problems.get(kind) ?? []), ...problems]);
  }
}
