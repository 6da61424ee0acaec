/**
 * The dependencies of a payload: the records, tables and look-ups by a key that were read for it.
 *
 * The manifest, the router's cache and the build keep a payload until one of its dependencies changes. The manifest
 * compares two snapshots to find the payloads that changed; the cache compares what one payload was made from with the
 * newest snapshot; the build compares digests, because the earlier content was that of another process.
 */
import type { Id } from "../../model/page/page.ts";
import { derived, keptBy } from "../../memo.ts";
import type { AnyKind, Entity, Entry, Kind, Lookup, Reader, Table } from "../../store/records/record-type.ts";

/** Called before each read. */
export interface ReadListener {
  record(kind: AnyKind, id: Id): void;
  table(kind: AnyKind): void;
  /** Absent: a look-up counts as a read of its whole table. */
  lookup?(lookup: Lookup, key: string | number | null): void;
}

/** The content, with a listener that is called before every read. */
export const trackingReader = (content: Reader, reads: ReadListener): Reader => {
  const tableOf = content.table?.bind(content);
  const summaryOf = content.findSummary?.bind(content);
  return {
    noted: content.noted ?? content,
    find(kind, id) {
      reads.record(kind, id);
      return content.find(kind, id);
    },
    get(kind, id) {
      reads.record(kind, id);
      return content.get(kind, id);
    },
    all(kind) {
      reads.table(kind);
      return content.all(kind);
    },
    summaries(kind) {
      reads.table(kind);
      return content.summaries?.(kind) ?? content.all(kind as Kind<never>);
    },
    ...(summaryOf && {
      findSummary(kind, id) {
        reads.record(kind, id);
        return summaryOf(kind, id);
      },
    }),
    ...(tableOf && {
      table(kind) {
        reads.table(kind);
        return tableOf(kind);
      },
    }),
    ...(reads.lookup && {
      lookup(lookup, key) {
        reads.lookup?.(lookup, key);
        return content;
      },
    }),
    get owners() {
      return content.owners;
    },
  };
};

/** A reader of content that has tables: a snapshot, or one that notes the reads of it. */
export type TableReader = Reader & Required<Pick<Reader, "table">>;

/** A record, a table, or the records with one key, as they were when they were read. */
export type ReadVersion =
  | { readonly kind: AnyKind; readonly id: Id; readonly entry: Entry | undefined }
  | { readonly kind: AnyKind; readonly table: number }
  | { readonly lookup: Lookup; readonly key: string | number | null; readonly found: readonly Entity[] };

let lastNumber = 0;

/** Every table has a number of its own. An answer that kept the table would keep the indexes made from it, too. */
const numberOf = derived((_table: Table): number => ++lastNumber);

/**
 * A reader over a snapshot that lists everything it returns: each record, table and look-up, as it is in this snapshot.
 *
 * @returns the reader, and the list, which grows with each first read
 */
export function versionsReader(content: TableReader): {
  readonly reader: Reader;
  readonly reads: readonly ReadVersion[];
} {
  const reads: ReadVersion[] = [];
  const known = new Map<object, Set<unknown>>();
  const note = (of: object, key: unknown, read: () => ReadVersion): void => {
    const keys = keptBy(known, of, () => new Set<unknown>());
    if (keys.has(key)) return;
    keys.add(key);
    reads.push(read());
  };
  const reader = trackingReader(content, {
    record: (kind, id) => note(kind, id, () => ({ kind, id, entry: content.table(kind).byId.get(id) })),
    table: (kind) => note(kind, undefined, () => ({ kind, table: numberOf(content.table(kind)) })),
    lookup: (lookup, key) => note(lookup, key, () => ({ lookup, key, found: lookup.find(content, key) })),
  });
  return { reader, reads };
}

/** Whether a snapshot has the same records and tables as were read: then a payload made from them is still correct. */
export const areUnchanged = (reads: readonly ReadVersion[], content: TableReader): boolean =>
  reads.every((read) => {
    if ("table" in read) return read.table === numberOf(content.table(read.kind));
    if ("entry" in read) return read.entry === content.table(read.kind).byId.get(read.id);
    const found = read.lookup.find(content, read.key);
    return found.length === read.found.length && found.every((record, at) => record === read.found[at]);
  });

/** Lets a reader note what was read for a result that is used again. */
export function noteAgain(reads: readonly ReadVersion[], content: TableReader): void {
  for (const read of reads) {
    if ("table" in read) content.table(read.kind);
    else if ("lookup" in read) content.lookup?.(read.lookup, read.key);
    else if (content.findSummary) content.findSummary(read.kind, read.id);
    else content.find(read.kind, read.id);
  }
}
