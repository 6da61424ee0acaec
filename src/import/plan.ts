/**
 * What an import does with each record: it compares the source, what was imported before, and what is in the
 * site now.
 */
import type { LedgerRow } from "./ledger.ts";

/**
 * `edited`: the record was changed or removed here since it was imported, and is kept as it is. `gone`: it was imported
 * once and is no longer in the source, and is kept, too. `failed`: it could not be stored; a remark says why.
 */
export type Outcome = "created" | "updated" | "unchanged" | "edited" | "gone" | "failed";

/** A record of the source beside its past. */
export interface ImportComparison {
  /** Fingerprint of its imported data. */
  readonly from: string;
  /** Absent: it was not imported before. */
  readonly row: Pick<LedgerRow, "from" | "as"> | undefined;
  /** Fingerprint of the record as it is now; undefined where it was removed. */
  readonly now: string | undefined;
}

/** @param force overwrites what was edited here, and makes again what was removed here */
export function outcomeOf({ from, row, now }: ImportComparison, force: boolean): Exclude<Outcome, "gone" | "failed"> {
  if (!row) return "created";
  if (now === undefined) return force ? "created" : "edited";
  if (now !== row.as) return force ? "updated" : "edited";
  return from === row.from ? "unchanged" : "updated";
}
