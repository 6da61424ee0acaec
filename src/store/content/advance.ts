/**
 * Computes the content after some entries have changed, from tables and look-ups to problems. A table is rebuilt only
 * if a change affects other records, as when several records claim one id.
 */
import { setImmediate } from "node:timers/promises";
import { compareProblems, type Problem } from "../../model/text/problem.ts";
import type { Oid, Path, WorkingFile } from "../repo.ts";
import { NO_CONTESTED_KEYS, settleKeys, type ContestedKeys } from "./claims.ts";
import type { OwnershipContext } from "./ownership.ts";
import type { AnyKind, Base, Completion, Entry, Table } from "../records/record-type.ts";
import { SharedMap, type MapIndex } from "../maps/shared-map.ts";
import { NAME_PROBLEMS } from "./names/holders.ts";
import { settleNames } from "./names/settle-names.ts";
import { changeTable, Snapshot, summaryOf, type Names } from "../snapshot.ts";
import { completionOf, deriveTables, followAbove, ownerResolverOf, makeTables } from "./tables.ts";

/** A snapshot with the files it was loaded from. */
export interface Loaded {
  readonly snapshot: Snapshot;
  readonly files: SharedMap<Path, WorkingFile>;
  /** By kind and base: why the files do not load at present. */
  readonly failures: ReadonlyMap<AnyKind, ReadonlyMap<Base, readonly Problem[]>>;
  /** Problems of records whose id belongs to another record. */
  readonly idProblems: ReadonlyMap<AnyKind, readonly Problem[]>;
  /** Keys such as permalinks that several records claim. */
  readonly contested: ContestedKeys;
}

/** The content of a repository without a commit. */
export const NO_CONTENT: Loaded = {
  snapshot: new Snapshot(null, new Map(), []),
  files: new SharedMap(),
  failures: new Map(),
  idProblems: new Map(),
  contested: NO_CONTESTED_KEYS,
};

/** By kind and base, the entries that differ; null for removed ones. */
export type ChangedEntries = ReadonlyMap<AnyKind, ReadonlyMap<Base, Entry | null>>;

/** What the content after a change is made of, beside the content before. */
export interface NextState extends Pick<Loaded, "files" | "failures"> {
  readonly head: Oid | null;
  readonly changed: ChangedEntries;
  /** Files that have been written with content that the content before has already. */
  readonly written?: Iterable<Path>;
}

/** The state after a commit of the store: entries and files are known, so nothing is read. */
export async function advance(
  context: OwnershipContext,
  before: Loaded,
  head: Oid | null,
  changed: ChangedEntries,
  written: ReadonlyMap<Path, WorkingFile | null>,
): Promise<Loaded> {
  const failures = new Map(before.failures);
  for (const [kind, entries] of changed) {
    const failed = failures.get(kind);
    if (!failed || ![...entries.keys()].some((base) => failed.has(base))) continue;
    failures.set(kind, new Map([...failed].filter(([base]) => !entries.has(base))));
  }
  const files = before.files.with(Array.from(written, ([path, file]) => [path, file ?? undefined]));
  return follow(context, before, { head, changed, files, failures, written: written.keys() });
}

/** @param before null where nothing has been loaded */
export async function follow(context: OwnershipContext, before: Loaded | null, next: NextState): Promise<Loaded> {
  const { head, changed, files, failures, written = [] } = next;
  const tables = new Map(before?.snapshot.tables());
  const idProblems = new Map(before?.idProblems);
  const whole = new Map<AnyKind, Table["byBase"]>();
  const resolver = ownerResolverOf(context, head, files, before?.snapshot.commit);
  const all = new Map(changed);
  if (head !== before?.snapshot.commit)
    for (const [kind, { completed }] of tables) if (completed?.isContested && !all.has(kind)) all.set(kind, new Map());
  for (const [kind, entries] of all) {
    const table = tables.get(kind);
    const isAlone = (idProblems.get(kind) ?? []).length === 0 && !sharesIds(context.kinds, tables, kind, entries);
    const quick =
      table && isAlone
        ? await changeInSteps(table, entries, completionOf(kind, context.locales, resolver, tables))
        : undefined;
    if (quick) tables.set(kind, quick);
    else whole.set(kind, withEntries(table, entries));
  }
  const served = context.decidesAnew ? undefined : before?.snapshot;
  await makeTables(context, resolver, served, whole, tables, idProblems);
  await deriveTables(context, resolver, served, tables, idProblems);
  await followAbove(context, resolver, tables);
  const names = await settleNames({ ...context, resolver }, tables, before?.snapshot, written);
  // Where a table was rebuilt, ids may have another owner, so that also unchanged records may claim something.
  const isWhole = context.kinds.some(
    (kind) => kind.summaries && (whole.has(kind) || (idProblems.get(kind) ?? []).length > 0),
  );
  const contested = await settleKeys(context, resolver, tables, before, isWhole);
  return assemble(head, tables, { files, failures, idProblems, contested }, names);
}

/** Each is followed by a turn of the event loop: with the table, the look-ups over it are brought up to date. */
const STEP = 250;

/** As `changeTable`, in steps where the entries are many, but not so many that the table is better made as a whole. */
async function changeInSteps(
  table: Table,
  entries: ReadonlyMap<Base, Entry | null>,
  completion: Completion | undefined,
): Promise<Table | undefined> {
  if (entries.size <= STEP || entries.size > table.byBase.size / 4) return changeTable(table, entries, completion);
  // Removed first, as within a step: a file that was moved leaves its id to the one at its new path.
  const ordered = [...entries].sort(([, a], [, b]) => Number(a !== null) - Number(b !== null));
  let changed: Table | undefined = table;
  for (let at = 0; changed && at < ordered.length; at += STEP) {
    changed = await changeTable(changed, new Map(ordered.slice(at, at + STEP)), completion);
    await setImmediate();
  }
  return changed;
}

/** Whether a record has the id of one of another kind of its family. */
function sharesIds(
  kinds: readonly AnyKind[],
  tables: ReadonlyMap<AnyKind, Table>,
  kind: AnyKind,
  entries: ReadonlyMap<Base, Entry | null>,
): boolean {
  const others = kinds.filter((other) => other !== kind && kind.family !== undefined && other.family === kind.family);
  return others.some((other) => {
    const byId = tables.get(other)?.byId;
    return byId && [...entries.values()].some((entry) => entry && byId.has(summaryOf(entry).id));
  });
}

function withEntries(table: Table | undefined, entries: ReadonlyMap<Base, Entry | null>): Table["byBase"] {
  if (!table) return new SharedMap(withoutRemoved(entries));
  const changes = Array.from(entries, ([base, entry]) => [base, entry ?? undefined] as const);
  return table.byBase.with(changes);
}

/** The given map, without a copy, where no entry is removed: so it is at nearly every start. */
function withoutRemoved(entries: ReadonlyMap<Base, Entry | null>): ReadonlyMap<Base, Entry> {
  for (const entry of entries.values())
    if (entry === null) return new Map([...entries].flatMap(([base, each]) => (each ? [[base, each] as const] : [])));
  return entries as ReadonlyMap<Base, Entry>;
}

/** The files that are not read. They are few, and a write makes no pass over all files. */
const UNREADABLE: MapIndex<Path, WorkingFile, SharedMap<Path, string>> = {
  build(files) {
    const found = new Map<Path, string>();
    for (const [path, { unreadable }] of files.entries()) if (unreadable !== undefined) found.set(path, unreadable);
    return new SharedMap(found);
  },
  advance: (known, changes) => known.with(changes.map(({ key, after }) => [key, after?.unreadable] as const)),
};

function assemble(
  head: Oid | null,
  tables: ReadonlyMap<AnyKind, Table>,
  known: Omit<Loaded, "snapshot">,
  names: Names,
): Loaded {
  const { files, failures, idProblems, contested } = known;
  // The order must not depend on that in which the files were loaded.
  const problems: Problem[] = [
    ...[...failures.values()].flatMap((failed) => [...failed.values()].flat()),
    ...[...idProblems.values()].flat(),
    ...contested.problems,
    ...[...names.index(NAME_PROBLEMS).values()].flat(),
    ...Array.from(files.index(UNREADABLE), ([path, message]) => ({ path, message })),
  ];
  problems.sort(compareProblems);
  return { snapshot: new Snapshot(head, tables, problems, { owners: contested.owners, names }), ...known };
}
