/**
 * All content at one moment, immutable.
 *
 * A write makes the next snapshot and shares with this one what it did not touch, so a reader sees the old content or
 * the new, never half, and whatever is derived from a table of records may hang on that table.
 */
import { createHash } from "node:crypto";
import { notFound } from "../../errors.ts";
import { firstWhere } from "../../model/bisect.ts";
import { compareCreated } from "../../model/instant.ts";
import type { Id } from "../../model/page.ts";
import type { Problem } from "../../model/problem.ts";
import {
  inPartOrder,
  type AnyKind,
  type Base,
  type Entity,
  type Kind,
  type Owners,
  type Part,
  type Reader,
} from "./record-type.ts";
import type { Oid, Path } from "../repo.ts";

/** A record with where it came from. */
export interface Entry<T extends Entity = Entity> {
  readonly record: T;
  readonly base: Base;
  /** Blob id of each file, by part. */
  readonly files: ReadonlyMap<Part, Oid>;
  /** Set while what lies on disk does not load and this is the last version that did. */
  readonly broken?: Problem;
}

/** Names the files at a base a record is made of, whatever it holds: another name whenever any of them is another. */
export function partsName(files: Iterable<readonly [Part, Oid]>): string {
  let name = "";
  for (const [part, oid] of [...files].sort()) name += `${name === "" ? "" : " "}${part} ${oid}`;
  return name;
}

/** The files a name is of. @param parts of a kind whose parts have no spaces */
export function partsIn(parts: string): Map<Part, Oid> {
  const words = parts.split(" ");
  const oids = new Map(words.flatMap((part, at) => (at % 2 === 0 ? [[part, words[at + 1]!] as const] : [])));
  return oids.size < 2 ? oids : new Map(inPartOrder(oids.keys()).map((part) => [part, oids.get(part)!]));
}

/** Names an entry's files among those of all records. */
export const entryName = (kind: AnyKind, entry: Entry): string =>
  `${kind.name} ${entry.base} ${entry instanceof PackedEntry ? entry.parts : partsName(entry.files)}`;

/** A record as it is kept between starts. */
export interface Packed {
  /** Always the same. */
  outline(): Entity;
  /** Whether no other record decides part of it. */
  readonly isWhole: boolean;
  texts(at: number): string;
}

const ENTRY = Symbol("the entry an outline belongs to");

/** An entry of which the outline is at hand; the record is made when somebody wants it. It must not be spread. */
export class PackedEntry implements Entry {
  readonly base: Base;
  /** See `partsName`. */
  readonly parts: string;
  readonly #kind: AnyKind;
  readonly #packed: Packed;
  #outline: Entity | undefined;
  #files: ReadonlyMap<Part, Oid> | undefined;
  #record: Entity | undefined;

  /** @param kind one that is packed */
  constructor(kind: AnyKind, base: Base, parts: string, packed: Packed) {
    this.base = base;
    this.parts = parts;
    this.#kind = kind;
    this.#packed = packed;
  }

  get record(): Entity {
    return (this.#record ??= this.#kind.packing!.unpack({
      outline: this.outline,
      texts: (at) => this.#packed.texts(at),
    }) as Entity);
  }

  get files(): ReadonlyMap<Part, Oid> {
    return (this.#files ??= partsIn(this.parts));
  }

  get outline(): Entity {
    if (!this.#outline) {
      this.#outline = this.#packed.outline();
      (this.#outline as { [ENTRY]?: PackedEntry })[ENTRY] = this;
    }
    return this.#outline;
  }

  get isWhole(): boolean {
    return this.#packed.isWhole;
  }
}

/** What is at hand of a record. */
export const outlineOf = (entry: Entry): Entity => (entry instanceof PackedEntry ? entry.outline : entry.record);

/** The record an outline is of, which may be the outline itself. */
export const recordOf = (outline: Entity): Entity => (outline as { [ENTRY]?: PackedEntry })[ENTRY]?.record ?? outline;

/** The records of one kind. */
export interface Table {
  readonly byBase: ReadonlyMap<Base, Entry>;
  /** Of entries that share an id, the one that wins. */
  readonly byId: ReadonlyMap<Id, Entry>;
  /** By id, ascending. */
  readonly all: readonly Entity[];
  /** What is at hand of each, in the same order: `recordOf` has the record. */
  readonly outlines: readonly Entity[];
  /** Whether any record says more than its files do, because another record decides part of it. */
  readonly isCompleted?: boolean;
}

function tableOf(
  byBase: Table["byBase"],
  byId: Table["byId"],
  outlines: readonly Entity[],
  isCompleted: boolean,
): Table {
  let all: readonly Entity[] | undefined;
  return {
    byBase,
    byId,
    outlines,
    get all() {
      return (all ??= outlines.some((each) => recordOf(each) !== each) ? outlines.map(recordOf) : outlines);
    },
    isCompleted,
  };
}

const NO_RECORDS: Table = { byBase: new Map(), byId: new Map(), all: [], outlines: [] };

export const NO_OWNERS: Owners = new Map();

export class Snapshot implements Reader {
  /** HEAD when this was loaded or committed; null for a branch without a commit. */
  readonly commit: Oid | null;
  readonly problems: readonly Problem[];
  readonly owners: Owners;
  readonly #tables: ReadonlyMap<AnyKind, Table>;

  constructor(
    commit: Oid | null,
    tables: ReadonlyMap<AnyKind, Table>,
    problems: readonly Problem[],
    { owners = NO_OWNERS }: { readonly owners?: Owners } = {},
  ) {
    this.commit = commit;
    this.#tables = tables;
    this.problems = problems;
    this.owners = owners;
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

  outlines(kind: AnyKind): readonly Entity[] {
    return this.table(kind).outlines;
  }

  /** The record's file, for messages and history. */
  pathsOf(kind: AnyKind, id: Id): Path[] {
    const entry = this.table(kind).byId.get(id);
    return entry ? [...entry.files.keys()].map((part) => entry.base + part) : [];
  }

  /** Names the stored bytes of a record: equal exactly while its files are (decisions.md 17). "" when there is none. */
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
 * @param owners of each id that several claim, here or in a kind of the same family, the entry that has it (ownership.ts)
 */
export function makeTable(
  byBase: ReadonlyMap<Base, Entry>,
  complete?: (records: readonly Entity[]) => readonly Entity[],
  owners: IdOwners = NO_ID_OWNERS,
): Table {
  const byId = new Map<Id, Entry>();
  for (const entry of byBase.values()) {
    const { id } = outlineOf(entry);
    const owner = owners.get(id);
    if (!owner || owner.base === entry.base) byId.set(id, entry);
  }
  const outlines = Array.from(byId.values(), outlineOf).sort((a, b) => a.id - b.id);
  const isLacking =
    complete &&
    [...byId.values()].some(
      (entry) => !(entry instanceof PackedEntry ? entry.isWhole : isWhole(entry.record, complete)),
    );
  if (!isLacking) return tableOf(byBase, byId, outlines, false);
  // Of files that would have one permalink derived, the first in this order gets the plain one, in every clone.
  const inPrecedence = [...byId.values()].sort(byAge);
  const all = complete(inPrecedence.map((entry) => recordOf(outlineOf(entry)))).toSorted((a, b) => a.id - b.id);
  for (const record of all) {
    const { base, files, broken, record: own } = byId.get(record.id)!;
    if (own !== record) byId.set(record.id, { record, base, files, ...(broken && { broken }) });
  }
  return tableOf(byBase, byId, all, true);
}

/** The older record first, then the shorter path. */
export function byAge(a: Entry, b: Entry): number {
  const [createdA, createdB] = [a, b].map((entry) =>
    String((outlineOf(entry) as { date_created?: unknown }).date_created ?? ""),
  );
  return compareCreated(createdA!, createdB!) || a.base.length - b.base.length || (a.base < b.base ? -1 : 1);
}

export type IdOwners = ReadonlyMap<Id, Entry>;

const NO_ID_OWNERS: IdOwners = new Map();

/** Whether a record has all it needs in its own files. */
export const isWhole = (
  record: Entity,
  complete: ((records: readonly Entity[]) => readonly Entity[]) | undefined,
): boolean => complete === undefined || complete([record])[0] === record;

/** How one table's outlines came from another's: by a few changes. */
export interface Step {
  readonly from: readonly Entity[];
  readonly changes: ReadonlyMap<Id, Entity | null>;
}

// Weak both ways: no snapshot is kept alive because a later one came from it.
const STEPS = new WeakMap<
  readonly Entity[],
  { readonly from: WeakRef<readonly Entity[]>; readonly changes: Step["changes"] }
>();

/** The step that led to a table's `outlines`; undefined when it was made as a whole, or its origin is gone. */
export function stepTo(outlines: readonly Entity[]): Step | undefined {
  const step = STEPS.get(outlines);
  const from = step?.from.deref();
  return step && from && { from, changes: step.changes };
}

/**
 * A table after a few entries changed, without looking at the others.
 *
 * @param entries null for a removed record
 * @returns undefined where others matter: then the table must be made as a whole
 */
export function changeTable(
  before: Table,
  entries: ReadonlyMap<Base, Entry | null>,
  complete?: (records: readonly Entity[]) => readonly Entity[],
): Table | undefined {
  if (before.isCompleted) return undefined;
  const byBase = new Map(before.byBase);
  const byId = new Map(before.byId);
  const outlines = [...before.outlines];
  const changes = new Map<Id, Entity | null>();
  for (const [base, entry] of entries) {
    const old = byBase.get(base);
    const concerned = entry ?? old;
    if (!concerned) continue;
    const { id } = outlineOf(concerned);
    const owner = byId.get(id);
    if ((owner && owner.base !== base) || (old && outlineOf(old).id !== id)) return undefined;
    if (entry && !isWhole(entry.record, complete)) return undefined;
    const at = placeIn(outlines, id);
    outlines.splice(at, old ? 1 : 0, ...(entry ? [outlineOf(entry)] : []));
    changes.set(id, entry?.record ?? null);
    if (entry) {
      byBase.set(base, entry);
      byId.set(id, entry);
    } else {
      byBase.delete(base);
      byId.delete(id);
    }
  }
  STEPS.set(outlines, { from: new WeakRef(before.outlines), changes });
  return tableOf(byBase, byId, outlines, false);
}

/** Where a record with this id stands, or would. */
const placeIn = (all: readonly Entity[], id: Id): number => firstWhere(all.length, (place) => all[place]!.id >= id);
