/**
 * The dependencies of a payload: the records, tables and look-ups by a key that were read for it.
 *
 * The manifest and the build both keep a payload until one of its dependencies changes. The manifest compares two
 * snapshots to find changed ones; the build compares digests, because the earlier content was that of another process.
 */
import type { Id } from "../model/page.ts";
import type { AnyKind, Kind, Lookup, Reader } from "../store/content/record-type.ts";

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
