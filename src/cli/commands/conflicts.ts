/** `cms conflicts`: what syncs could not decide, with both values. */
import type { Command } from "commander";
import type { OpenConflict } from "../../store/sync/conflicts/conflict-list.ts";
import { readSite, run, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, say, type Io } from "../terminal.ts";

export function registerConflicts(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("conflicts"))
    .description("list the conflicts of syncs that are still open")
    .option("--json", "print them as a list")
    .action(
      run(io, async (flags: SiteOptions & { readonly json?: boolean }) => {
        await readSite(flags, async (cms) => {
          const { listConflicts } = await import("../../actions/conflicts.ts");
          const { conflictPayload } = await import("../../views/moments/conflict.ts");
          const conflicts = await listConflicts(cms);
          const payloads = conflicts.map((each) => conflictPayload(each, cms.locales.default));
          if (flags.json) io.stdout.write(`${JSON.stringify(payloads, null, 2)}\n`);
          else for (const conflict of conflicts) io.stdout.write(`${linesOf(conflict)}\n`);
          say(io, flags, conflicts.length === 0 ? "No open conflicts." : `Open conflicts: ${conflicts.length}.`);
        });
      }),
    );
}

function linesOf({ past, path, field, language, ours, theirs }: OpenConflict): string {
  const what = {
    field: `${field ?? "a value"}${language ? ` (${language})` : ""}`,
    deleted: "removed on one side",
    file: "the file",
  };
  const value = (of: unknown): string => (past.kind === "field" ? ` ${JSON.stringify(of ?? null)}` : "");
  const kept = past.draft === undefined ? "" : `  (in the draft in ${past.draft})`;
  return [
    `${past.id}  ${path}: ${what[past.kind]}`,
    `  live:${value(theirs.value)}  ${theirs.author ?? ""} ${theirs.commit.slice(0, 10)}`,
    `  ours:${value(ours.value)}  ${ours.author ?? ""} ${ours.commit.slice(0, 10)}${kept}`,
  ].join("\n");
}
