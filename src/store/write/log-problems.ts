import type { Env } from "../../env.ts";
import { showProblem, type Problem } from "../../model/text/problem.ts";

/** Logs the problems that are new, and those that are solved. */
export function logProblems(env: Env, before: readonly Problem[], now: readonly Problem[]): void {
  const known = new Set(before.map(showProblem));
  const current = new Set(now.map(showProblem));
  for (const text of current) if (!known.has(text)) env.log.warn(text);
  const solved = before.filter((problem) => !current.has(showProblem(problem)));
  for (const path of new Set(solved.map(({ path }) => path))) env.log.info(`solved: ${path}`);
}
