/**
 * What was imported before: `content/imports/<name>.jsonl`, one line of JSON a record, by source id.
 *
 * The file is committed with the content, so every clone knows it, and git merges it by lines. Only imports read it: it
 * is no kind of record, is not loaded at a start, and is in no payload.
 */
import { hash } from "node:crypto";
import { CmsError } from "../errors.ts";
import { isId, type Id } from "../model/input/id.ts";
import { canonicalJson, isObject, own, type JsonObject } from "../model/input/json.ts";
import { CONTENT } from "../store/records/record-type.ts";
import type { Path } from "../store/repo.ts";
import type { SourceId } from "./imported-site.ts";

export interface LedgerRow {
  readonly source: SourceId;
  /** Name of the kind of record: `Page`, `Article`, `Tag`, `Media`, `MediaFolder`, `Menu`, `Content`, `MetaType`,
   * `MetaInstance`, `Redirect`. */
  readonly kind: string;
  readonly id: Id;
  /** Fingerprint of the imported data. */
  readonly from: string;
  /** Fingerprint of the record as the import left it. */
  readonly as: string;
}

export type Ledger = ReadonlyMap<SourceId, LedgerRow>;

/** Names of imports are names of files. */
export const IMPORT_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export const ledgerPath = (name: string): Path => `${CONTENT}/imports/${name}.jsonl`;

/**
 * Equal for equal data. Against accidents only: 80 bits tell one record's versions apart.
 *
 * @param value anything that JSON can hold; keys in any order
 */
export const fingerprint = (value: unknown): string => hash("sha256", canonicalJson(value), "hex").slice(0, 20);

/** @throws CmsError `conflict` naming the line that is no row, as after a merge with conflicts */
export function readLedger(text: string, path: Path): Ledger {
  const rows = new Map<SourceId, LedgerRow>();
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const row = readRow(line);
    if (!row) throw new CmsError("conflict", `${path}:${at + 1} is no row of an import: mend it, or restore the file.`);
    rows.set(row.source, row);
  }
  return rows;
}

export const writeLedger = (ledger: Ledger): string =>
  [...ledger.values()]
    .sort((a, b) => (a.source < b.source ? -1 : 1))
    .map(({ source, kind, id, from, as }) => `${JSON.stringify({ source, kind, id, from, as })}\n`)
    .join("");

function readRow(line: string): LedgerRow | undefined {
  const value = parsed(line);
  if (!value) return undefined;
  const text = (key: string): string => {
    const each = own(value, key);
    return typeof each === "string" ? each : "";
  };
  const row = { source: text("source"), kind: text("kind"), from: text("from"), as: text("as") };
  const id = own(value, "id");
  return isId(id) && Object.values(row).every((each) => each !== "") ? { ...row, id } : undefined;
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
