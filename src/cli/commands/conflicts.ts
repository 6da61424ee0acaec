/** `cms conflicts`: what syncs could not decide, with both values. */
import type { Command } from "commander";
import { silentLog, systemEnv } from "../../env.ts";
import type { OpenConflict } from "../../store/sync/conflicts/conflict-list.ts";
import { run, siteRoot, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, say, type Io } from "../terminal.ts";

export function registerConflicts(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("conflicts"))
    .description("list the conflicts of syncs that are still open")
    .option("--json", "print them as a list")
    .action(
      run(io, async (flags: SiteOptions & { readonly json?: boolean }) => {
        const root = siteRoot(flags);
        const [{ openCms }, { listConflicts }, { conflictPayload }] = await Promise.all([
          import("../../cms.ts"),
          import("../../actions/conflicts.ts"),
          import("../../views/moments/conflict.ts"),
        ]);
        const cms = await openCms(root, { env: systemEnv(silentLog), readOnly: true });
        const conflicts = await listConflicts(cms);
        // Before the site is closed: a record that is in the cache is read when its name is asked for.
        const payloads = conflicts.map((each) => conflictPayload(each, cms.locales.default));
        await cms.close();
        if (flags.json) io.stdout.write(`${JSON.stringify(payloads, null, 2)}\n`);
        else for (const conflict of conflicts) io.stdout.write(`${linesOf(conflict)}\n`);
        say(io, flags, conflicts.length === 0 ? "No open conflicts." : `Open conflicts: ${conflicts.length}.`);
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
