/** The state of one run of an import inside its transaction. */
import type { Context } from "../actions/context.ts";
import type { MediaTx } from "../actions/media/transaction.ts";
import type { Id } from "../model/input/id.ts";
import type { Json } from "../model/input/json.ts";
import { encodePath, publicPath, type Lang } from "../model/language/locale.ts";
import { textOf } from "../model/page/page.ts";
import { findPage } from "../store/content/indexes/pages-by-model.ts";
import { MEDIA } from "../store/records/media/media.ts";
import type { ImportedMedia, ImportedSite, SourceId, SourcePlace } from "./imported-site.ts";
import type { ImportedRecord, OpenReport } from "./import-report.ts";
import { keptPath, type KeptValue } from "./records/kept-values.ts";
import { fingerprint, type Ledger, type LedgerRow } from "./ledger.ts";
import { outcomeOf } from "./plan.ts";
import { recordFingerprint } from "./record-fingerprint.ts";
import { resolveLinksIn, sourcesIn, type ResolveLink } from "./texts/source-links.ts";

export interface ImportRun {
  /** The name of the ledger. */
  readonly name: string;
  readonly ctx: Context;
  readonly library: MediaTx;
  readonly site: ImportedSite;
  readonly ledger: Ledger;
  readonly force: boolean;
  /** The page model of pages that are built of blocks; absent: the only one with a field for them. */
  readonly pageModel: string | undefined;
  readonly report: OpenReport;
  /** The ids of imported records that are in the site, of this run and of former ones. */
  readonly ids: Map<SourceId, Id>;
  /** Those ids: records that are the import's own, so that no other record of it takes their place. */
  readonly importedIds: Set<Id>;
  /** The rows of the next ledger; `as` is filled in at the end. */
  readonly rows: Map<SourceId, LedgerRow>;
  readonly media: ReadonlyMap<SourceId, ImportedMedia>;
  /** The ids of all accounts that are here after the import. */
  readonly accountIds: ReadonlySet<Id>;
  /** What has no place in the site. */
  readonly kept: KeptValue[];
}

/** Keeps a value that has no place in the site, and says so. @param reason a sentence */
export function keepBeside(run: ImportRun, place: SourcePlace, row: KeptValue, reason: string): void {
  run.kept.push(row);
  run.report.remark({ ...place, message: `${reason} It is kept in ${keptPath(run.name)}.` });
}

/** A record of the source, compared. */
export interface Compared {
  readonly outcome: ReturnType<typeof outcomeOf>;
  readonly from: string;
  readonly row: LedgerRow | undefined;
  readonly isKept: boolean;
}

/**
 * Compares a record; one that is kept as it is gets its id and its row at once, and is reported.
 *
 * A record that shows files which are not imported is changed once they are, so that it shows them then.
 */
export function compare(
  run: ImportRun,
  { source, title }: Pick<ImportedRecord, "source" | "title">,
  data: unknown,
): Compared {
  const { tx, ctx } = run.library;
  const from = fingerprint(withMissing(run, data));
  const row = run.ledger.get(source);
  const now = row && recordFingerprint(tx, row.kind, row.id, ctx.locales);
  const outcome = outcomeOf({ from, row, now }, run.force);
  if (row && now !== undefined) setId(run, source, row.id);
  const isKept = row !== undefined && (outcome === "unchanged" || outcome === "edited");
  if (isKept) {
    run.rows.set(source, row);
    run.report.add({ source, kind: row.kind, id: row.id, outcome, title });
  }
  return { outcome, from, row, isKept };
}

function withMissing({ media, ids }: ImportRun, data: unknown): unknown {
  // Thousands of texts are not searched for what there is none of.
  if (media.size === 0) return data;
  const missing = sourcesIn(data, (each) => media.has(each)).filter((each) => !ids.has(each));
  return missing.length === 0 ? data : { data, missing: [...new Set(missing)].sort() };
}

/** The row of a record that was written; `finish` fills in what it was stored as. */
export function noteWritten(run: ImportRun, source: SourceId, kind: string, id: Id, from: string): void {
  setId(run, source, id);
  run.rows.set(source, { source, kind, id, from, as: UNKNOWN });
}

/** In place of the fingerprint of a record that may still change. */
export const UNKNOWN = "";

function setId(run: ImportRun, source: SourceId, id: Id): void {
  run.ids.set(source, id);
  run.importedIds.add(id);
}

/** Addresses for the links in texts of a language. */
export const resolverFor =
  (run: ImportRun) =>
  (lang: Lang): ResolveLink =>
  (source, asked) => {
    const { ctx, library } = run;
    const id = run.ids.get(source);
    const medium = run.media.get(source);
    if (medium) {
      const media = id === undefined ? undefined : library.tx.find(MEDIA, id);
      return media ? ctx.config.MEDIA.URL + encodePath(media.file) : medium.address;
    }
    const page = id === undefined ? undefined : findPage(library.tx, id);
    if (!page) return "";
    const isThere = (each: Lang): boolean => textOf(page, each).title !== null && textOf(page, each).permalink !== null;
    const wanted = asked ?? lang;
    const target = isThere(wanted) ? wanted : ([ctx.locales.default, ...ctx.locales.codes].find(isThere) ?? lang);
    const permalink = textOf(page, target).permalink;
    return permalink === null ? "" : encodePath(publicPath(ctx.locales, target, permalink, ctx.config.APPEND_SLASH));
  };

/** A value in a language with its links and references resolved. */
export const resolved = <T extends Json>(run: ImportRun, lang: Lang, value: T): T =>
  resolveLinksIn(value, resolverFor(run)(lang), (source) => run.ids.get(source));
