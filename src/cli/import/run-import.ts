/** What the imports of all sources have in common: flags, progress, the report and the exit code. */
import type { Command } from "commander";
import type { Cms } from "../../cms.ts";
import { systemEnv } from "../../env.ts";
import { importSite } from "../../import/import-site.ts";
import type { ImportedRecord, ImportReport } from "../../import/import-report.ts";
import type { ImportedSite, Remark } from "../../import/imported-site.ts";
import { IMPORT_NAME } from "../../import/ledger.ts";
import type { Outcome } from "../../import/plan.ts";
import { siteRoot, UsageError, withSiteOptions, type SiteOptions } from "../command.ts";
import { openBar } from "../progress.ts";
import { paint, printable, say, type Io } from "../terminal.ts";

export interface ImportFlags extends SiteOptions {
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly name?: string;
  readonly pageModel?: string;
  readonly json?: boolean;
}

export const withImportOptions = (command: Command): Command =>
  withSiteOptions(command)
    .option("--dry-run", "print what would be imported, change nothing")
    .option("--force", "overwrite what was edited here since it was imported, and pages that have an imported address")
    .option("--name <name>", "which import this is, where several sources are imported into one site")
    .option("--page-model <name>", "of pages that become blocks, where several page models have a field for them")
    .option("--json", "print the report: records, counts, and what could not be carried");

/** What reading a source is given. */
export interface SourceReading {
  readonly cms: Cms;
  /** Called often. @param step of the work, as it is shown: "Reading Markdown" */
  onStep(step: string, done: number, of: number, label: string): void;
}

/**
 * Imports what `read` returns into the site of the flags, and prints the report.
 *
 * @param importer the name of the import unless a flag names it
 * @param read the source; what it opened is closed by `close` of its result, after the import
 * @returns the exit code: 1 when a record could not be stored
 */
export async function runImport(
  io: Io,
  flags: ImportFlags,
  importer: string,
  read: (reading: SourceReading) => Promise<{ readonly site: ImportedSite; close?(): Promise<void> }>,
): Promise<number> {
  const name = flags.name ?? importer;
  if (!IMPORT_NAME.test(name)) throw new UsageError(`--name is of a-z, 0-9, _ and -, at most 64: ${name} is not.`);
  const root = siteRoot(flags);
  const { openCms } = await import("../../cms.ts");
  const cms = await openCms(root, { env: systemEnv(), readOnly: flags.dryRun });
  const steps = openImportSteps(io, flags);
  try {
    const source = await read({ cms, onStep: steps.show });
    try {
      const by = await cms.store.repo.user();
      const { dryRun, force, pageModel } = flags;
      const report = await importSite(cms, by, source.site, { name, dryRun, force, pageModel, onStep: steps.show });
      steps.end();
      if (flags.json) io.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      else printReport(io, flags, report);
      return report.counts.failed > 0 ? 1 : 0;
    } finally {
      await source.close?.();
    }
  } finally {
    steps.end();
    await cms.close();
  }
}

/** A bar for each step of the work. */
function openImportSteps(io: Io, flags: ImportFlags): { readonly show: SourceReading["onStep"]; end(): void } {
  let bar: { readonly step: string; readonly of: ReturnType<typeof openBar> } | undefined;
  const end = (): void => {
    bar?.of.end();
    bar = undefined;
  };
  return {
    show(step, done, of, label) {
      if (bar?.step !== step) {
        end();
        bar = { step, of: openBar(io, flags, step) };
      }
      bar.of.step(done, of, label);
    },
    end,
  };
}

/** The outcomes that a person has to know of, and what they mean. */
const LISTED: readonly (readonly [Outcome, string])[] = [
  ["edited", "edited here, kept"],
  ["gone", "no longer in the source, kept"],
  ["failed", "not imported"],
];

function printReport(io: Io, flags: ImportFlags, report: ImportReport): void {
  const { counts, records, remarks, committed } = report;
  for (const remark of remarks) io.stdout.write(`${placeOf(remark)}: ${printable(remark.message)}\n`);
  for (const [outcome, what] of LISTED)
    for (const record of records)
      if (record.outcome === outcome)
        io.stdout.write(`${paint(io, io.stdout, "yellow", `${what}:`)} ${nameOf(record)}\n`);
  const all: readonly (readonly [Outcome, string])[] = [
    ["created", flags.dryRun ? "would be added" : "added"],
    ["updated", flags.dryRun ? "would be changed" : "changed"],
    ["unchanged", "unchanged"],
    ...LISTED,
  ];
  const parts = all.flatMap(([outcome, what]) => (counts[outcome] > 0 ? [`${counts[outcome]} ${what}`] : []));
  // Accounts are in no commit.
  const isSame = !committed && counts.created + counts.updated === 0;
  const end = flags.dryRun ? " Nothing was written." : isSame ? " Nothing changed, no commit." : "";
  say(io, flags, `${parts.join("; ") || "Nothing to import"}.${end}`);
}

const placeOf = ({ file, line }: Remark): string => `${printable(file)}${line === undefined ? "" : `:${line}`}`;

const nameOf = ({ kind, title, source }: ImportedRecord): string => printable(`${kind} ${source} (${title})`);
