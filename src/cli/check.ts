/** `cms check`: every problem in the tree, with file, line and column. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { Cms } from "../cms.ts";
import { silentLog, systemEnv } from "../env.ts";
import { severityOf, showProblem, showWithSeverity, type Problem } from "../model/problem.ts";
import { processIo, run, say, siteRoot, withSiteOptions, type Io, type SiteOptions } from "./command.ts";

export function registerCheck(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("check"))
    .description("report all problems in the tree; exit code 1 when there is an error")
    .option("--json", "print a list of { path, line, column, severity, message }")
    .option("--strict", "count warnings as errors")
    .action(
      run(io, async (flags: SiteOptions & { readonly json?: boolean; readonly strict?: boolean }) => {
        const root = siteRoot(flags);
        const { openCms } = await import("../cms.ts");
        const cms = await openCms(root, { env: systemEnv(silentLog), readOnly: true });
        const lasting = await lastingProblems(cms);
        const problems = [...lasting, ...forgottenLocks(root)].sort((a, b) =>
          showProblem(a) < showProblem(b) ? -1 : 1,
        );
        const notes = await cms.store.repo.notes(["content", "media"]);
        await cms.close();
        if (flags.json) io.stdout.write(`${JSON.stringify(problems.map(shown), null, 2)}\n`);
        else for (const problem of problems) io.stdout.write(`${showWithSeverity(problem)}\n`);
        for (const note of notes) say(io, flags, `note: ${note}`);
        const errors = problems.filter((problem) => severityOf(problem) === "error").length;
        say(io, flags, summary(errors, problems.length - errors));
        return errors > 0 || (flags.strict && problems.length > 0) ? 1 : 0;
      }),
    );
}

const shown = (problem: Problem): Problem => {
  const { path, line, column, message } = problem;
  return { path, line, column, severity: severityOf(problem), message };
};

/** `No problems.`, `2 problems.`, `1 warning.`, `2 problems, 1 warning.` */
function summary(errors: number, warnings: number): string {
  const counted = (count: number, noun: string): string[] =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`];
  return `${[...counted(errors, "problem"), ...counted(warnings, "warning")].join(", ") || "No problems"}.`;
}

/** How often a tree that is being written to is checked. */
const LOOKS = 5;

/**
 * The problems in the tree. While a server or git writes, a check may see some files from before a change and some from
 * after it, so a problem counts when the next check finds it again.
 */
async function lastingProblems(cms: Cms): Promise<Problem[]> {
  const { allProblems } = await import("../store/check/check.ts");
  const surroundings = { mediaUrl: cms.config.MEDIA.URL, hasTemplate: cms.hasTemplate };
  const look = (): Promise<Problem[]> => allProblems(cms.store, cms.locales, surroundings);
  let found = await look();
  for (let looks = 1; looks < LOOKS && found.length > 0; looks++) {
    const before = await stateOf(cms);
    await cms.store.refresh();
    const again = new Set((await look()).map(showProblem));
    const isStill = found.every((problem) => again.has(showProblem(problem)));
    found = found.filter((problem) => again.has(showProblem(problem)));
    if (isStill && (await stateOf(cms)) === before) break;
  }
  return found;
}

/** Changes with every commit and every change of the index. */
async function stateOf({ store: { repo } }: Cms): Promise<string> {
  const index = statSync(join(repo.root, ".git", "index"), { throwIfNoEntry: false });
  return `${(await repo.state()).head} ${index?.ino} ${index?.mtimeMs}`;
}

const LOCKS = ["index.lock", "HEAD.lock", "packed-refs.lock"];
/** Seconds; no git command holds a lock longer. */
const LONG = 60;

/** Locks that block all writes and are probably left from a crash. They are reported, never removed. */
function forgottenLocks(root: string): Problem[] {
  return LOCKS.flatMap((name): Problem[] => {
    const lock = statSync(join(root, ".git", name), { throwIfNoEntry: false });
    const age = lock ? Math.round((Date.now() - lock.mtimeMs) / 1000) : 0;
    return age < LONG
      ? []
      : [
          {
            path: `.git/${name}`,
            message: `It is ${age} s old and blocks all writes. If no git command is running, remove it.`,
          },
        ];
  });
}
