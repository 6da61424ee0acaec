import { showProblem } from "../../model/text/problem.ts";
import type { Problem } from "../../model/text/problem.ts";

/** A file that cannot be parsed, or data that cannot be written to one: `content/x.yaml:3:5: reason`. */
export class FileError extends Error implements Problem {
  override readonly name = "FileError";
  readonly path: string;
  /** 1-based; undefined for errors of the whole file. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The message without path and position. */
  readonly reason: string;

  constructor(path: string, reason: string, at?: Position, options?: ErrorOptions) {
    super(showProblem({ path, ...at, message: reason }), options);
    this.path = path;
    this.line = at?.line;
    this.column = at?.column;
    this.reason = reason;
  }
}

/** 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The position of an offset. `\n`, `\r\n` and a lone `\r` end a line; a byte order mark takes no column. */
export function positionAt(text: string, offset: number): Position {
  const lines = text
    .slice(0, offset)
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
