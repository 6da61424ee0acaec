/** The outcome of an import, for people and, as JSON, for programs. */
import type { Id } from "../model/input/id.ts";
import type { Remark, SourceId } from "./imported-site.ts";
import type { Outcome } from "./plan.ts";

export interface ImportedRecord {
  readonly source: SourceId;
  /** Name of the kind of record, as in the ledger. */
  readonly kind: string;
  /** null: it was not stored, or has no id. */
  readonly id: Id | null;
  readonly outcome: Outcome;
  /** Its title, name or path. */
  readonly title: string;
}

export interface ImportReport {
  /** Whether a commit was made; false for `--dry-run`, and when nothing changed. */
  readonly committed: boolean;
  readonly counts: { readonly [outcome in Outcome]: number };
  /** All but the unchanged ones. */
  readonly records: readonly ImportedRecord[];
  readonly remarks: readonly Remark[];
}

export interface OpenReport {
  add(record: ImportedRecord): void;
  remark(remark: Remark): void;
  counts(): { readonly [outcome in Outcome]: number };
  close(committed: boolean): ImportReport;
}

/** @param remarks those of the importer */
export function openReport(remarks: readonly Remark[]): OpenReport {
  const counts = { created: 0, updated: 0, unchanged: 0, edited: 0, gone: 0, failed: 0 };
  const records: ImportedRecord[] = [];
  const all = [...remarks];
  return {
    add(record) {
      counts[record.outcome]++;
      if (record.outcome !== "unchanged") records.push(record);
    },
    remark: (remark) => void all.push(remark),
    counts: () => ({ ...counts }),
    close: (committed) => ({ committed, counts: { ...counts }, records, remarks: all }),
  };
}
