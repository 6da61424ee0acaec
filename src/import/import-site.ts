/**
 * Imports a site: reads and encodes its files, then writes everything in one transaction, which is one commit.
 *
 * A process that is killed leaves the content as it was, or completely imported. A second import of the same source
 * changes nothing, so it makes no commit.
 */
import { setImmediate } from "node:timers/promises";
import type { Context } from "../actions/context.ts";
import { changeItems, type MediaTx } from "../actions/media/transaction.ts";
import type { Id } from "../model/input/id.ts";
import type { Media } from "../model/media/media.ts";
import { pageModels } from "../store/content/indexes/pages-by-model.ts";
import type { Reader } from "../store/records/record-type.ts";
import { MEDIA } from "../store/records/media/media.ts";
import type { Author } from "../store/write/store.ts";
import { openTransaction } from "../store/write/transaction.ts";
import { planAccounts, type PlannedAccounts } from "./records/accounts.ts";
import { writeContents } from "./records/contents.ts";
import { openOrderings, placeEntry, writeEntry, type OpenEntry } from "./records/entries.ts";
import { parentsFirst } from "./records/entry-order.ts";
import { openRedirects, redirectSource, writeAddresses, writeRedirect } from "./records/former-addresses.ts";
import { writeFolders } from "./records/folders.ts";
import { openReport, type ImportReport, type OpenReport } from "./import-report.ts";
import { UNKNOWN, type ImportRun } from "./import-run.ts";
import type { ImportedSite, SourceId } from "./imported-site.ts";
import { keptAfter, keptPath, readKept, writeKept, type KeptValue } from "./records/kept-values.ts";
import { ledgerPath, readLedger, writeLedger, type Ledger, type LedgerRow } from "./ledger.ts";
import { openUsedPaths, readMedia, writeMedia, type ReadyMedia } from "./records/media.ts";
import { writeMenu, writeTags } from "./records/menus-and-tags.ts";
import { placeMetaInstance, writeMetaInstance, writeMetaType, type OpenInstance } from "./records/meta.ts";
import { refuseUnknownModels } from "./records/page-of-entry.ts";
import { recordFingerprint } from "./record-fingerprint.ts";

export interface ImportOptions {
  /** Names the ledger, so that several sources can be imported into one site: see `IMPORT_NAME`. */
  readonly name: string;
  /** Overwrites what was edited here since it was imported, and pages that have an imported address. */
  readonly force?: boolean;
  /** The page model of pages that are built of blocks; absent: the only one with a field for them. */
  readonly pageModel?: string | undefined;
  /** Finds what would be done, and writes nothing. */
  readonly dryRun?: boolean;
  /** Called often. @param step of the work, as it is shown: "Reading files" */
  onStep?(step: string, done: number, of: number, label: string): void;
}

/**
 * @param by author of the commit
 * @throws CmsError `invalid` for page models that the site lacks; `conflict` for a ledger that cannot be read;
 *   `unavailable` when nothing can be written
 */
export async function importSite(
  given: Context,
  by: Author,
  site: ImportedSite,
  { name, force = false, dryRun = false, pageModel, onStep = () => undefined }: ImportOptions,
): Promise<ImportReport> {
  const ctx: Context = { ...given, keepsAddresses: true };
  refuseUnknownModels(pageModel === undefined ? [] : [{ model: pageModel }], pageModels(ctx.store.current));
  refuseUnknownModels(site.entries, pageModels(ctx.store.current));
  const path = ledgerPath(name);
  const stored = await ctx.store.repo.read(path);
  const ledger = readLedger(new TextDecoder().decode(stored?.bytes), path);
  const accounts = await planAccounts(ctx, name, site.accounts ?? [], force);
  const present = await ctx.accounts.store.list();
  const accountIds = new Set([...present.map(({ id }) => id), ...accounts.ids.values()]);
  const kept = readKept(new TextDecoder().decode((await ctx.store.repo.read(keptPath(name)))?.bytes));
  const prepare = async (): Promise<ReadyMedia[]> =>
    readMedia(ctx, site.media ?? [], ledger, { force, dryRun }, (done, of, label) =>
      onStep("Reading files", done, of, label),
    );
  const begin = (library: MediaTx, ready: readonly ReadyMedia[]): OpenReport => {
    const report = openReport([...site.remarks, ...accounts.remarks]);
    for (const record of accounts.records) report.add(record);
    writeInPieces({ library, site, ledger, force, pageModel, report, name, ready, onStep, accounts, accountIds, kept });
    return report;
  };
  if (dryRun) return (await rehearse(ctx, begin, await prepare())).close(false);
  const before = ctx.store.current.commit;
  const { value: report, snapshot } = await changeItems(
    ctx,
    by,
    (reader) => importedMedia(reader, ledger),
    prepare,
    (library, _, ready) => begin(library, ready),
  );
  await accounts.apply();
  return report.close(snapshot.commit !== before);
}

/** The items that an import may replace: if their files change while it encodes, it encodes again. */
const importedMedia = (reader: Pick<Reader, "find">, ledger: Ledger): Media[] =>
  [...ledger.values()].flatMap(({ kind, id }) => (kind === MEDIA.name ? (reader.find(MEDIA, id) ?? []) : []));

/** Does the work of the transaction without its commit. */
async function rehearse(
  ctx: Context,
  begin: (library: MediaTx, ready: readonly ReadyMedia[]) => OpenReport,
  ready: readonly ReadyMedia[],
): Promise<OpenReport> {
  const { tx, deferred } = openTransaction(ctx.store.current, ctx.env, ctx.env.now());
  const afterCommit = { write: new Map<string, Uint8Array>(), remove: new Set<string>() };
  const report = begin({ ctx, tx, committed: new Set(), afterCommit }, ready);
  for (const piece of deferred) {
    piece();
    await setImmediate();
  }
  return report;
}

interface Work {
  readonly library: MediaTx;
  readonly site: ImportedSite;
  readonly ledger: Ledger;
  readonly force: boolean;
  readonly pageModel: string | undefined;
  readonly report: OpenReport;
  readonly name: string;
  readonly ready: readonly ReadyMedia[];
  readonly onStep: NonNullable<ImportOptions["onStep"]>;
  readonly accounts: PlannedAccounts;
  readonly accountIds: ReadonlySet<Id>;
  /** Of former imports. */
  readonly kept: readonly KeptValue[];
}

/** Requests are served between the pieces. */
function writeInPieces(work: Work): void {
  const { library, site, ledger, force, pageModel, report, name, ready, onStep, accounts, accountIds } = work;
  const { tx, ctx } = library;
  const paths = openUsedPaths(tx);
  const run: ImportRun = {
    name,
    ctx,
    library: { ...library, paths },
    site,
    ledger,
    force,
    pageModel,
    report,
    ids: new Map(accounts.ids),
    importedIds: new Set([...ledger.values()].map(({ id }) => id)),
    rows: new Map(),
    media: new Map((site.media ?? []).map((medium) => [medium.source, medium])),
    accountIds,
    kept: [],
  };
  const open: OpenEntry[] = [];
  const instances: OpenInstance[] = [];
  tx.defer(() => writeTags(run, site.tags ?? []));
  for (const each of ready)
    tx.defer(() => {
      const media = writeMedia(run, each);
      if (media) paths.add(media);
    });
  tx.defer(() => writeFolders(run, site.folders ?? []));
  const orderings = openOrderings(run);
  for (const entry of parentsFirst(site.entries))
    tx.defer(() => {
      const placed = placeEntry(run, entry, orderings);
      if (placed) open.push(placed);
    });
  tx.defer(() => {
    for (const type of site.metaTypes ?? []) writeMetaType(run, type);
    for (const instance of site.metaInstances ?? []) {
      const placed = placeMetaInstance(run, instance);
      if (placed) instances.push(placed);
    }
    const redirects = openRedirects(run);
    for (const [at, each] of open.entries())
      tx.defer(() => {
        onStep("Writing pages", at, open.length, each.entry.place.file);
        writeEntry(run, each);
      });
    tx.defer(() => {
      for (const menu of site.menus ?? []) writeMenu(run, menu);
      for (const instance of instances) writeMetaInstance(run, instance);
      writeContents(run, site.contents ?? []);
      for (const each of open) writeAddresses(run, each, redirects);
      for (const redirect of site.redirects ?? []) writeRedirect(run, redirect, redirects);
      redirects.save();
    });
    tx.defer(() => finish(run, work.kept));
  });
}

/** Adds the ledger and the message of the commit. */
function finish(run: ImportRun, kept: readonly KeptValue[]): void {
  const { name } = run;
  const { tx, ctx } = run.library;
  const { entries, redirects = [] } = run.site;
  const {
    tags = [],
    media = [],
    folders = [],
    menus = [],
    contents = [],
    metaTypes = [],
    metaInstances = [],
  } = run.site;
  const records = [entries, tags, media, folders, menus, contents, metaTypes, metaInstances].flat();
  const sources = new Set(records.map(({ source }) => source));
  for (const { from } of redirects) sources.add(redirectSource(from));
  for (const [source, row] of run.ledger) {
    if (run.rows.has(source)) continue;
    run.rows.set(source, row);
    if (!sources.has(source)) run.report.add({ source, kind: row.kind, id: row.id, outcome: "gone", title: source });
  }
  const rows = new Map<string, LedgerRow>();
  for (const [source, row] of run.rows) {
    const as = row.as === UNKNOWN ? recordFingerprint(tx, row.kind, row.id, ctx.locales) : row.as;
    if (as !== undefined) rows.set(source, { ...row, as });
  }
  if (rows.size > 0) tx.attach(ledgerPath(name), new TextEncoder().encode(writeLedger(rows)));
  const isOpen = (source: SourceId): boolean => sources.has(source) && run.rows.get(source)?.as !== UNKNOWN;
  const values = keptAfter(kept, run.kept, isOpen);
  if (values.length > 0) tx.attach(keptPath(name), new TextEncoder().encode(writeKept(values)));
  else if (kept.length > 0) tx.attach(keptPath(name), null);
  const { created, updated } = run.report.counts();
  tx.describe(`Import ${name}: ${created} added, ${updated} changed`, { "Cms-Action": "import", "Cms-Import": name });
}
