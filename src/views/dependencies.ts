/**
 * What something is made from: the records, whole tables and look-ups by a key that were read for it.
 *
 * The manifest and the build both keep a payload until one of its dependencies changes. The manifest finds those by what
 * differs between two snapshots, the build by digests, since it compares with an earlier process.
 */
import type { Id } from "../model/page.ts";
import type { AnyKind, Kind, Lookup, Reader } from "../store/content/record-type.ts";

/** Called before each read. */
export interface ReadListener {
  record(kind: AnyKind, id: Id): void;
  table(kind: AnyKind): void;
  /** Absent: a look-up is a read of its whole table. */
  lookup?(lookup: Lookup, key: string | number | null): void;
}

/** The content; the listener is told of every read. */
export const notingReader = (content: Reader, reads: ReadListener): Reader => ({
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
  ...(content.table && {
    table(kind) {
      reads.table(kind);
      return content.table!(kind);
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
});
