import type { Env } from "../../env.ts";
import { showProblem, type Problem } from "../../model/text/problem.ts";

/** A line of the log has a level of its own, so that of the problem is left out. */
const lineOf = (problem: Problem): string => showProblem({ ...problem, severity: "error" });

/** Logs the problems that are new, and those that are solved. */
export function logProblems(env: Env, before: readonly Problem[], now: readonly Problem[]): void {
  const known = new Set(before.map(lineOf));
  const current = new Set(now.map(lineOf));
  for (const text of current) if (!known.has(text)) env.log.warn(text);
  const solved = before.filter((problem) => !current.has(lineOf(problem)));
  for (const path of new Set(solved.map(({ path }) => path))) env.log.info(`solved: ${path}`);
}
