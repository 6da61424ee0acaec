/** Problems in the tree that do not stop the service: the log, `/healthz` and `cms check` report them. */
import type { JsonObject } from "../input/json.ts";
import { ignoredRules, isBinding, type CheckRule, type RuleLevels, type Severity } from "./check-rules.ts";

export interface Problem {
  readonly path: string;
  /** 1-based, where known. */
  readonly line?: number;
  readonly column?: number;
  /** A sentence a person can act on. */
  readonly message: string;
  /** `warning`: it is served as intended, but is likely to cause an error later. Default: `error`. */
  readonly severity?: Severity;
  /** Default: `invalid-file`, the rule of what loading finds. */
  readonly rule?: CheckRule;
  /** The data that the file should have, where there is one right answer (`cms check --fix`). */
  readonly fix?: Fix;
}

/** Data of a file to data without the problem. */
export type Fix = (data: JsonObject) => JsonObject;

export const ruleOf = ({ rule = "invalid-file" }: Pick<Problem, "rule">): CheckRule => rule;

export const severityOf = ({ severity = "error" }: Pick<Problem, "severity">): Severity => severity;

/**
 * A problem at the level that the site gives its rule.
 *
 * @param lines of its file
 * @returns undefined where the rule is off, or ignored at this place
 */
export function atLevel(problem: Problem, levels: RuleLevels, lines: readonly string[]): Problem | undefined {
  const rule = ruleOf(problem);
  if (isBinding(rule)) return problem;
  const severity = levels[rule] ?? severityOf(problem);
  return severity === "off" || ignoredRules(lines, problem.line).has(rule) ? undefined : { ...problem, severity };
}

/**
 * `content/pages/about.yaml:3:5: message`, or `...:3:5: warning: message`. Always one line: control characters in the
 * path are escaped.
 */
export const showProblem = (problem: Problem): string =>
  severityOf(problem) === "warning" ? showWithSeverity(problem) : `${placeOf(problem)}: ${problem.message}`;

/** As `showProblem`, with `error:` before the message of an error. */
export const showWithSeverity = (problem: Problem): string =>
  `${placeOf(problem)}: ${severityOf(problem)}: ${problem.message}`;

/** By file, line, column and message. */
export const compareProblems = (a: Problem, b: Problem): number =>
  compare(a.path, b.path) ||
  compare(a.line ?? 0, b.line ?? 0) ||
  compare(a.column ?? 0, b.column ?? 0) ||
  compare(a.message, b.message);

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

function placeOf({ path, line, column }: Problem): string {
  const name = CONTROL.test(path) ? JSON.stringify(path) : path;
  return [name, line, column].filter((part) => part !== undefined).join(":");
}

const CONTROL = /\p{Cc}/u;
