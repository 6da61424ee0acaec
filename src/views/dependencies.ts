/**
 * What a payload is made from: the records, whole tables and look-ups by a key that were read for it.
 *
 * A payload has to be made again exactly when one of its dependencies has changed, or a page among them becomes public
 * or stops being so by time alone.
 */
import type { Id } from "../model/page.ts";
import type { AnyKind, Kind, Lookup, Reader } from "../store/content/record-type.ts";

/** Told of each read before it is made. */
export interface Dependencies {
  record(kind: AnyKind, id: Id): void;
  table(kind: AnyKind): void;
  lookup(lookup: Lookup, key: string | number | null): void;
}

/** The content, with every read noted. */
export const notingReader = (content: Reader, noted: Dependencies): Reader => ({
  find(kind, id) {
    noted.record(kind, id);
    return content.find(kind, id);
  },
  get(kind, id) {
    noted.record(kind, id);
    return content.get(kind, id);
  },
  all(kind) {
    noted.table(kind);
    return content.all(kind);
  },
  summaries(kind) {
    noted.table(kind);
    return content.summaries?.(kind) ?? content.all(kind as Kind<never>);
  },
  ...(content.table && {
    table(kind) {
      noted.table(kind);
      return content.table!(kind);
    },
  }),
  lookup(lookup, key) {
    noted.lookup(lookup, key);
    return content;
  },
  get owners() {
    return content.owners;
  },
});
