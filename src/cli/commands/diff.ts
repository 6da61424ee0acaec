/** `cms diff`: what differs between two revisions of the site, for a person, a script or the comment of a pull request. */
import type { Command } from "commander";
import { readSite, run, UsageError, withSiteOptions, type SiteOptions } from "../command.ts";
import { markdownOf, terminalTextOf } from "../diff-text.ts";
import { processIo, type Io } from "../terminal.ts";

interface DiffOptions extends SiteOptions {
  readonly json?: boolean;
  readonly markdown?: boolean;
}

export function registerDiff(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("diff <range>"))
    .description(
      "compare two revisions: records with the fields that differ, and public paths whose content does. " +
        "A range is from..to, each a commit, tag, branch or moment; without an end, the present content",
    )
    .option("--json", "print them as an object, as the API does")
    .option("--markdown", "print them as Markdown, for the comment of a pull request")
    .action(
      run(io, async (range: string, flags: DiffOptions) => {
        if (flags.json && flags.markdown) throw new UsageError("Use either --json or --markdown.");
        const { from, to } = rangeIn(range);
        await readSite(flags, async (cms) => {
          const { compareRevisions } = await import("../../library/moments/comparison.ts");
          const found = await compareRevisions(cms, from, to);
          if (flags.json) io.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
          else io.stdout.write(flags.markdown ? markdownOf(found) : terminalTextOf(io, found));
        });
      }),
    );
}

/** @throws UsageError */
function rangeIn(range: string): { from: string; to: string | null } {
  const [from = "", to = "", ...more] = range.split("..");
  if (from === "" || more.length > 0)
    throw new UsageError(`${JSON.stringify(range)} is no range: name one as main..design.`);
  return { from, to: to === "" ? null : to };
}
