/** `cms check`: everything wrong in the tree, with its place. */
import type { Command } from "commander";
import { silentLog, systemEnv } from "../env.ts";
import { showProblem } from "../model/problem.ts";
import { processIo, run, say, siteRoot, withSiteOptions, type Io, type SiteOptions } from "./command.ts";

export function registerCheck(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("check"))
    .description("report everything wrong in the tree; exit code 1 when there is anything")
    .option("--json", "print a list of { path, line, column, message }")
    .action(run(io, async (flags: SiteOptions & { readonly json?: boolean }) => {
      const root = siteRoot(flags);
      const { openCms } = await import("../cms.ts");
      const cms = await openCms(root, { env: systemEnv(silentLog), readOnly: true });
      const problems = [...cms.store.current.problems].sort((a, b) => (showProblem(a) < showProblem(b) ? -1 : 1));
      await cms.close();
      if (flags.json) io.stdout.write(`${JSON.stringify(problems, null, 2)}\n`);
      else for (const problem of problems) io.stdout.write(`${showProblem(problem)}\n`);
      say(io, flags, problems.length === 0 ? "No problems." : `${problems.length} ${problems.length === 1 ? "problem" : "problems"}.`);
      return problems.length === 0 ? 0 : 1;
    }));
}
