/**
 * All content at one moment, immutable.
 *
 * A write makes the next snapshot and shares with this one what it did not touch, so a reader sees the old content or
 * the new, never half, and whatever is derived from a table of records may hang on that table.
 */
import { createHash } from "node:crypto";
import { notFound } from "../errors.ts";
import type { Id } from "../model/page.ts";
import type { Problem } from "../model/problem.ts";
import type { AnyKind, Base, Entity, Kind, Part, Reader } from "./kind.ts";
import type { Oid, Path } from "./repo.ts";

/** A record with where it came from. */
export interface Entry<T extends Entity = Entity> {
  readonly record: T;
  readonly base: Base;
  /** Blob id of each file, by part. */
  readonly files: ReadonlyMap<Part, Oid>;
  /** Set while what lies on disk does not load and this is the last version that did. */
  readonly broken?: Problem;
}

/** The records of one kind. */
export interface Table {
  readonly byBase: ReadonlyMap<Base, Entry>;
  /** Of entries that share an id, the one that wins. */
  readonly byId: ReadonlyMap<Id, Entry>;
  readonly all: readonly Entity[];
}

const NO_RECORDS: Table = { byBase: new Map(), byId: new Map(), all: [] };

export class Snapshot implements Reader {
  /** HEAD when this was loaded or committed; null for a branch without a commit. */
  readonly commit: Oid | null;
  readonly problems: readonly Problem[];
  readonly #tables: ReadonlyMap<AnyKind, Table>;

  constructor(commit: Oid | null, tables: ReadonlyMap<AnyKind, Table>, problems: readonly Problem[]) {
    this.commit = commit;
    this.#tables = tables;
    this.problems = problems;
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
 * A table from its entries. Where two share an id the older record wins, then the shorter path (ARCHITECTURE.md).
 *
 * @returns also the problem of each loser, with both paths
 */
export function makeTable(byBase: ReadonlyMap<Base, Entry>, complete?: (records: readonly Entity[]) => readonly Entity[]): { table: Table; problems: Problem[] } {
  const byId = new Map<Id, Entry>();
  const problems: Problem[] = [];
  for (const entry of byBase.values()) {
    const rival = byId.get(entry.record.id);
    const [winner, loser] = rival && isOlder(rival, entry) ? [rival, entry] : [entry, rival];
    byId.set(entry.record.id, winner);
    if (loser) {
      problems.push({
        path: mainFile(loser),
        message: `The id ${loser.record.id} is taken by ${mainFile(winner)}: this file is not served. Remove its "id" to have it derived, or give it another.`,
      });
    }
  }
  const records = [...byId.values()].map((entry) => entry.record).sort((a, b) => a.id - b.id);
  const all = complete ? complete(records) : records;
  if (all !== records) {
    for (const record of all) {
      const entry = byId.get(record.id);
      if (entry && entry.record !== record) byId.set(record.id, { ...entry, record });
    }
  }
  return { table: { byBase, byId, all }, problems };
}

function isOlder(a: Entry, b: Entry): boolean {
  const [createdA, createdB] = [a, b].map(({ record }) => String((record as { date_created?: unknown }).date_created ?? ""));
  if (createdA !== createdB) return createdA! < createdB!;
  return a.base.length !== b.base.length ? a.base.length < b.base.length : a.base < b.base;
}

const mainFile = (entry: Entry): Path => entry.base + ([...entry.files.keys()].find((part) => /^\.(ya?ml|md)$/.test(part)) ?? "");
