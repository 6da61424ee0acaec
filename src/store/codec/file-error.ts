import { showProblem } from "../../model/problem.ts";
import type { Problem } from "../../model/problem.ts";

/** A content file that cannot be read, or data that cannot be written into one: `content/x.yaml:3:5: reason`. */
export class FileError extends Error implements Problem {
  override readonly name = "FileError";
  readonly path: string;
  /** 1-based; absent when the whole file is meant. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The message without the position, in words a person can act on. */
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

/** Where an offset of a text stands; `\n`, `\r\n` and a lone `\r` end a line. A byte order mark takes no column. */
export function positionAt(text: string, offset: number): Position {
  const lines = text
    .slice(0, offset)
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
