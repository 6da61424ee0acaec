/** `cms check`: everything wrong in the tree, with its place. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { silentLog, systemEnv } from "../env.ts";
import { severityOf, showProblem, type Problem } from "../model/problem.ts";
import { processIo, run, say, siteRoot, withSiteOptions, type Io, type SiteOptions } from "./command.ts";

export function registerCheck(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("check"))
    .description("report everything wrong in the tree; exit code 1 when there is an error")
    .option("--json", "print a list of { path, line, column, severity, message }")
    .option("--strict", "count warnings as errors")
    .action(run(io, async (flags: SiteOptions & { readonly json?: boolean; readonly strict?: boolean }) => {
      const root = siteRoot(flags);
      const { openCms } = await import("../cms.ts");
      const cms = await openCms(root, { env: systemEnv(silentLog), readOnly: true });
      const { contentProblems } = await import("../store/check.ts");
      const found = await contentProblems(cms.store, cms.locales);
      const problems = [...cms.store.current.problems, ...found, ...forgottenLocks(root)].sort((a, b) => (showProblem(a) < showProblem(b) ? -1 : 1));
      await cms.close();
      if (flags.json) io.stdout.write(`${JSON.stringify(problems.map(shown), null, 2)}\n`);
      else for (const problem of problems) io.stdout.write(`${showProblem(problem)}\n`);
      const errors = problems.filter((problem) => severityOf(problem) === "error").length;
      say(io, flags, summary(errors, problems.length - errors));
      return errors > 0 || (flags.strict && problems.length > 0) ? 1 : 0;
    }));
}

const shown = (problem: Problem): Problem => {
  const { path, line, column, message } = problem;
  return { path, line, column, severity: severityOf(problem), message };
};

/** `No problems.`, `2 problems.`, `1 warning.`, `2 problems, 1 warning.` */
function summary(errors: number, warnings: number): string {
  const counted = (count: number, noun: string): string[] => (count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`]);
  return `${[...counted(errors, "problem"), ...counted(warnings, "warning")].join(", ") || "No problems"}.`;
}

const LOCKS = ["index.lock", "HEAD.lock", "packed-refs.lock"];
/** No git command holds a lock for so many seconds. */
const LONG = 60;

/** Locks that keep everybody from writing and that nobody seems to hold any more. They are told, never removed. */
function forgottenLocks(root: string): Problem[] {
  return LOCKS.flatMap((name): Problem[] => {
    const lock = statSync(join(root, ".git", name), { throwIfNoEntry: false });
    const age = lock ? Math.round((Date.now() - lock.mtimeMs) / 1000) : 0;
    return age < LONG ? [] : [{ path: `.git/${name}`, message: `It is ${age} s old and keeps git and us from writing. If no git command is running, remove it.` }];
  });
}
