/**
 * All content at one moment, immutable.
 *
 * A write creates the next snapshot, which shares unchanged tables with this one. A reader sees the old content or the
 * new, never a mixture, and indexes can be cached by the table they are built from.
 */
import { createHash } from "node:crypto";
import { notFound } from "../errors.ts";
import { compareCreated } from "../model/time/instant.ts";
import type { Id } from "../model/page/page.ts";
import type { Problem } from "../model/text/problem.ts";
import {
  inPartOrder,
  type AnyKind,
  type Base,
  type CachedParts,
  type Completed,
  type Completion,
  type Entity,
  type Entry,
  type Kind,
  type Nesting,
  type Owners,
  type Part,
  type Reader,
  type Table,
} from "./records/record-type.ts";
import { SharedMap } from "./maps/shared-map.ts";
import type { Oid, Path } from "./repo.ts";

export type { CachedParts, Entry, Table };

/** Identifies the files of a record by suffix and blob id; it changes with any of them. */
export function filesKey(files: Iterable<readonly [Part, Oid]>): string {
  let key = "";
  for (const [part, oid] of [...files].sort()) key += `${key === "" ? "" : " "}${filesKeyOfOne(part, oid)}`;
  return key;
}

/** The `filesKey` of one file. */
export const filesKeyOfOne = (part: Part, oid: Oid): string => `${part} ${oid}`;

/** The files of a `filesKey`; suffixes contain no spaces. */
function parseFilesKey(key: string): Map<Part, Oid> {
  const fields = key.split(" ");
  const oids = new Map(fields.flatMap((part, at) => (at % 2 === 0 ? [[part, fields[at + 1]!] as const] : [])));
  return oids.size < 2 ? oids : new Map(inPartOrder(oids.keys()).map((part) => [part, oids.get(part)!]));
}

/** Identifies a version of a record among all records. @param files see `filesKey` */
export const entryKey = ({ name }: Pick<AnyKind, "name">, base: Base, files: string): string =>
  `${name} ${base} ${files}`;

export const keyOfEntry = (kind: AnyKind, { base, files, cached }: Entry): string =>
  entryKey(kind, base, cached?.filesKey ?? filesKey(files));

type CachedRecordParts = CachedParts & { readonly summary: Entity };

const ENTRIES = new WeakMap<Entity, Entry>();

/** A class, because V8 gives every object literal with accessors its own hidden class: half a kilobyte a record. */
class CachedEntry<C extends CachedRecordParts> implements Entry {
  readonly base: Base;
  readonly cached: C;
  readonly #readRecord: (cached: C) => Entity;
  #summary: Entity | undefined;
  #pinned: Entity | undefined;
  #files: ReadonlyMap<Part, Oid> | undefined;

  constructor(base: Base, cached: C, readRecord: (cached: C) => Entity) {
    this.base = base;
    this.cached = cached;
    this.#readRecord = readRecord;
  }

  get summary(): Entity {
    if (this.#summary === undefined) {
      this.#summary = this.cached.summary;
      ENTRIES.set(this.#summary, this);
    }
    return this.#summary;
  }

  get record(): Entity {
    return this.#pinned ?? this.#readRecord(this.cached);
  }

  pin(): Entity {
    return (this.#pinned ??= this.#readRecord(this.cached));
  }

  get files(): ReadonlyMap<Part, Oid> {
    return (this.#files ??= parseFilesKey(this.cached.filesKey));
  }
}

/**
 * An entry whose record is in the content cache.
 *
 * @param readRecord called each time the record is asked for
 */
export const cachedEntry = <C extends CachedRecordParts>(
  base: Base,
  cached: C,
  readRecord: (cached: C) => Entity,
): Entry => new CachedEntry(base, cached, readRecord);

/** The summary of an entry's record; the record itself where it is in memory anyway. */
export const summaryOf = (entry: Entry): Entity => entry.summary ?? entry.record;

/**
 * The record of an entry, which stays in memory as long as the entry. For what reads all records, and does so again
 * after each write: to parse those of a large site takes seconds.
 */
export const pinnedRecordOf = (entry: Entry): Entity => (entry instanceof CachedEntry ? entry.pin() : entry.record);

/** The record of a summary, which may be the given object itself. It stays in memory as long as its entry. */
export function recordOf(summary: Entity): Entity {
  const entry = ENTRIES.get(summary);
  return entry ? pinnedRecordOf(entry) : summary;
}

export function tableOf(byBase: Table["byBase"], byId: Table["byId"], completed?: Completed): Table {
  let summaries: readonly Entity[] | undefined;
  let all: readonly Entity[] | undefined;
  return {
    byBase,
    byId,
    get summaries() {
      return (summaries ??= Array.from(byId.values(), summaryOf).sort((a, b) => a.id - b.id));
    },
    get all() {
      return (all ??= this.summaries.some((each) => recordOf(each) !== each)
        ? this.summaries.map(recordOf)
        : this.summaries);
    },
    completed,
  };
}

const NO_RECORDS: Table = tableOf(new SharedMap(), new SharedMap());

export const NO_OWNERS: Owners = new Map();

/** A record whose files refer to others by name, or leave its parent to the place of its file. */
export interface NameHolder {
  readonly kind: AnyKind;
  readonly id: Id;
  /** As its files have it. */
  readonly source: Entry;
  /** With ids for names; derived values are added to this. */
  readonly entry: Entry;
  /** Whether values that are derived from other records depend on what the names stand for. */
  readonly isDerivedFrom: boolean;
  /** What each name stands for. */
  readonly ids: readonly (Id | null)[];
  /** The keys on which that depends; see `keysChanged`. */
  readonly keys: readonly string[];
  readonly problems: readonly Problem[];
}

/** By kind and base: see `holderKey`. */
export type Names = SharedMap<string, NameHolder>;

export const NO_NAMES: Names = new SharedMap();

export class Snapshot implements Reader {
  /** HEAD when this was loaded or committed; null for a branch without a commit. */
  readonly commit: Oid | null;
  readonly problems: readonly Problem[];
  readonly owners: Owners;
  /** The references by name in files. */
  readonly names: Names;
  readonly #tables: ReadonlyMap<AnyKind, Table>;

  constructor(
    commit: Oid | null,
    tables: ReadonlyMap<AnyKind, Table>,
    problems: readonly Problem[],
    { owners = NO_OWNERS, names = NO_NAMES }: { readonly owners?: Owners; readonly names?: Names } = {},
  ) {
    this.commit = commit;
    this.#tables = tables;
    this.problems = problems;
    this.owners = owners;
    this.names = names;
  }

  table(kind: AnyKind): Table {
    return this.#tables.get(kind) ?? NO_RECORDS;
  }

  tables(): ReadonlyMap<AnyKind, Table> {
    return this.#tables;
  }

  find<T extends Entity>(kind: Kind<T>, id: Id): T | undefined {
    return this.table(kind).byId.get(id)?.record as T | undefined;
  }

  get<T extends Entity>(kind: Kind<T>, id: Id): T {
    const record = this.find(kind, id);
    if (!record) throw notFound(kind.name);
    return record;
  }

  all<T extends Entity>(kind: Kind<T>): readonly T[] {
    return this.table(kind).all as readonly T[];
  }

  summaries(kind: AnyKind): readonly Entity[] {
    return this.table(kind).summaries;
  }

  findSummary(kind: AnyKind, id: Id): Entity | undefined {
    const entry = this.table(kind).byId.get(id);
    return entry && summaryOf(entry);
  }

  /** The record's file, for messages and history. */
  pathsOf(kind: AnyKind, id: Id): Path[] {
    const entry = this.table(kind).byId.get(id);
    return entry ? [...entry.files.keys()].map((part) => entry.base + part) : [];
  }

  /**
   * Identifies the stored bytes of a record: it changes if and only if they do. "" when there are
   * none.
   */
  version(kind: AnyKind, id: Id): string {
    const entry = this.table(kind).byId.get(id);
    if (!entry) return "";
    const parts = [...entry.files].sort(([a], [b]) => (a < b ? -1 : 1));
    return createHash("sha1").update(parts.flat().join("\n")).digest("hex");
  }
}

/**
 * A table from its entries.
 *
 * @param owners the owner of each contested id, in this or another kind of the family (ownership.ts)
 */
export async function makeTable(
  byBase: SharedMap<Base, Entry>,
  completion?: Completion,
  owners: IdOwners = NO_ID_OWNERS,
): Promise<Table> {
  const byId = new Map<Id, Entry>();
  const lacking = new Map<Id, Entry>();
  for (const [, entry] of byBase.entries()) {
    const { id } = summaryOf(entry);
    const owner = owners.get(id);
    if (owner && owner.base !== entry.base) continue;
    byId.set(id, entry);
    if (!isSelfContained(entry, completion)) lacking.set(id, entry);
  }
  const table = tableOf(byBase, new SharedMap(byId));
  return completion && lacking.size > 0 ? completedTable(table, byBase, lacking, completion) : table;
}

/** The record beside the folder that a record's file is in, if the record leaves open what it belongs to. */
export function parentOfFolder(
  byBase: Table["byBase"],
  base: Base,
  summary: Entity,
  { isOpen }: Nesting<Entity>,
): Id | undefined {
  const parent = isOpen(summary) ? byBase.get(base.slice(0, base.lastIndexOf("/"))) : undefined;
  const id = parent && summaryOf(parent).id;
  return id === summary.id ? undefined : id;
}

/** The older record first, then the shorter path. */
export function byAge(a: Entry, b: Entry): number {
  return compareCreated(createdOf(a), createdOf(b)) || a.base.length - b.base.length || (a.base < b.base ? -1 : 1);
}

const createdOf = (entry: Entry): string => String((summaryOf(entry) as { date_created?: unknown }).date_created ?? "");

export type IdOwners = ReadonlyMap<Id, Entry>;

const NO_ID_OWNERS: IdOwners = new Map();

/** Whether everything in a record comes from its own files. */
export const isSelfContained = (entry: Entry, completion: Completion | undefined): boolean =>
  completion === undefined || (entry.cached?.isSelfContained ?? completion.isSelfContained(entry.record));

/**
 * A table with a few entries changed, without a pass over the others.
 *
 * @param entries null for a removed record
 * @returns undefined when other records are affected, too: then the table must be rebuilt
 */
export async function changeTable(
  before: Table,
  entries: ReadonlyMap<Base, Entry | null>,
  completion?: Completion,
): Promise<Table | undefined> {
  const changes = changesById(before, entries);
  if (!changes) return undefined;
  const byBase = before.byBase.with(Array.from(entries, ([base, entry]) => [base, entry ?? undefined]));
  const isWhole =
    !before.completed && [...changes.values()].every((entry) => !entry || isSelfContained(entry, completion));
  if (!completion || isWhole) return tableOf(byBase, before.byId.with(changes));
  return completedTable(before, byBase, changes, completion);
}

async function completedTable(
  before: Table,
  byBase: Table["byBase"],
  changes: ReadonlyMap<Id, Entry | undefined>,
  completion: Completion,
): Promise<Table> {
  const completed = await completion.follow(before, byBase, changes);
  if (completed === before.completed && byBase === before.byBase) return before;
  return tableOf(byBase, completed.byId, completed.lacking.size > 0 ? completed : undefined);
}

/** An entry without the values that were derived from other records. */
export const ownEntry = ({ byId, completed }: Table, id: Id): Entry | undefined =>
  completed?.lacking.get(id) ?? byId.get(id);

/** With some entries replaced by what they are with the references of their files resolved. */
export async function withResolved(
  table: Table,
  changes: ReadonlyMap<Id, Entry>,
  completion: Completion | undefined,
): Promise<Table> {
  const { byBase, byId, completed } = table;
  if (!completion || !completed) return tableOf(byBase, byId.with(changes));
  return completedTable(table, byBase, changes, completion);
}

/** The changed entries by id; undefined where an id gets another owner. */
function changesById(before: Table, entries: ReadonlyMap<Base, Entry | null>): Map<Id, Entry | undefined> | undefined {
  const changes = new Map<Id, Entry | undefined>();
  const known = (id: Id): Entry | undefined => (changes.has(id) ? changes.get(id) : before.byId.get(id));
  // Removals first: the id of a moved file is then free for the entry at its new path.
  for (const isRemoval of [true, false]) {
    for (const [base, entry] of entries) {
      if ((entry === null) !== isRemoval) continue;
      const old = before.byBase.get(base);
      const concerned = entry ?? old;
      if (!concerned) continue;
      const { id } = summaryOf(concerned);
      const owner = known(id);
      if ((owner && owner.base !== base) || (old && summaryOf(old).id !== id)) return undefined;
      changes.set(id, entry ?? undefined);
    }
  }
  return changes;
}
