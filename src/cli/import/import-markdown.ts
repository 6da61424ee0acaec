/** `cms import markdown`: a folder of Markdown of another generator. */
import { Option, type Command } from "commander";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { DIALECTS, type DialectName } from "../../import/markdown/generators/dialect.ts";
import { openTimeZone } from "../../model/time/time-zone.ts";
import { run, UsageError } from "../command.ts";
import { runImport, withImportOptions, type ImportFlags } from "./run-import.ts";
import type { Io } from "../terminal.ts";

interface Flags extends ImportFlags {
  readonly from?: DialectName;
  readonly timeZone?: string;
}

export function registerImportMarkdown(imports: Command, io: Io): void {
  withImportOptions(imports.command("markdown"))
    .description("import a folder of Markdown of another generator")
    .argument("<dir>", "the folder of the old site, with its configuration")
    .addOption(new Option("--from <generator>", "what it was made for; without it that is detected").choices(DIALECTS))
    .option("--time-zone <zone>", "of dates without one; without it that of the old site, else TIME_ZONE, else UTC")
    .action(run(io, (dir: string, flags: Flags) => importMarkdown(io, dir, flags)));
}

async function importMarkdown(io: Io, dir: string, flags: Flags): Promise<number> {
  const { from, timeZone } = flags;
  if (timeZone !== undefined && !openTimeZone(timeZone))
    throw new UsageError(`${timeZone} is no time zone, as Europe/Rome.`);
  if (!(await stat(dir).catch(() => undefined))?.isDirectory()) throw new UsageError(`There is no folder ${dir}.`);
  return runImport(io, flags, "markdown", async ({ cms, onStep }) => {
    const { readMarkdownSite } = await import("../../import/markdown/markdown-site.ts");
    const { site } = await readMarkdownSite(resolve(dir), { from, timeZone, locales: cms.locales, onStep });
    return { site };
  });
}
