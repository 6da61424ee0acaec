/** Something wrong in the tree that does not stop the service: reported by the log, `/healthz` and `cms check`. */

export interface Problem {
  readonly path: string;
  /** 1-based, where known. */
  readonly line?: number;
  readonly column?: number;
  /** A sentence a person can act on. */
  readonly message: string;
}

/** `content/pages/about.yaml:3:5: message` */
export const showProblem = ({ path, line, column, message }: Problem): string =>
  `${[path, line, column].filter((part) => part !== undefined).join(":")}: ${message}`;
