/** Something wrong in the tree that does not stop the service: reported by the log, `/healthz` and `cms check`. */

export type Severity = "error" | "warning";

export interface Problem {
  readonly path: string;
  /** 1-based, where known. */
  readonly line?: number;
  readonly column?: number;
  /** A sentence a person can act on. */
  readonly message: string;
  /** A warning is served as meant, and is likely to go wrong later (decisions.md 62). Absent: an error. */
  readonly severity?: Severity;
}

export const severityOf = ({ severity = "error" }: Pick<Problem, "severity">): Severity => severity;

/**
 * `content/pages/about.yaml:3:5: message`, or `...:3:5: warning: message`: always one line: control characters in the
 * path are escaped.
 */
export const showProblem = (problem: Problem): string =>
  severityOf(problem) === "warning" ? showWithSeverity(problem) : `${placeOf(problem)}: ${problem.message}`;

/** As `showProblem`, with `error:` before the message of an error. */
export const showWithSeverity = (problem: Problem): string =>
  `${placeOf(problem)}: ${severityOf(problem)}: ${problem.message}`;

function placeOf({ path, line, column }: Problem): string {
  const name = CONTROL.test(path) ? JSON.stringify(path) : path;
  return [name, line, column].filter((part) => part !== undefined).join(":");
}

const CONTROL = /\p{Cc}/u;
