/** Values of one side that a merge left in comments, because the other side's stands. */
import type { Problem } from "../../model/problem.ts";
import { decodeFile } from "../codec/codec.ts";
import { FileError } from "../codec/file-error.ts";
import { CONFLICT_COMMENT } from "../merge/conflicted-file.ts";
import type { Store } from "../write/store.ts";

export async function mergeCommentProblems({ kinds, current, repo }: Store): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const kind of kinds) {
    if (kind.opaque) continue;
    for (const { base, files } of current.table(kind).byBase.values()) {
      for (const part of files.keys()) {
        const bytes = (await repo.read(base + part))?.bytes;
        if (bytes) problems.push(...problemsIn(base + part, bytes));
      }
    }
  }
  return problems;
}

function problemsIn(path: string, bytes: Uint8Array): Problem[] {
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(CONFLICT_COMMENT) < 0) return [];
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
  const places = lines.flatMap((line, at) => {
    const column = line.indexOf(CONFLICT_COMMENT);
    return column < 0 || line.slice(0, column).trim() !== "" ? [] : [{ at, column }];
  });
  const quoted = quotedPlaces(path, lines, places);
  return places.flatMap(({ at, column }, number): Problem[] => {
    if (quoted.has(number)) return [];
    const message = `A merge left a conflict: ${lines[at]!.slice(column + CONFLICT_COMMENT.length)}.`;
    return [{ path, line: at + 1, column: column + 1, message }];
  });
}

interface Place {
  /** Counted from 0. */
  readonly at: number;
  readonly column: number;
}

/**
 * The places that are part of a value, such as a text about merges, by their number. A mark of the same length is written
 * over each, and the file is parsed once: the marks of comments are in no value.
 */
function quotedPlaces(path: string, lines: readonly string[], places: readonly Place[]): ReadonlySet<number> {
  const marked = [...lines];
  for (const [number, { at, column }] of places.entries()) {
    const line = lines[at]!;
    marked[at] = line.slice(0, column) + markOf(number) + line.slice(column + CONFLICT_COMMENT.length);
  }
  try {
    const content = JSON.stringify(decodeFile(path, new TextEncoder().encode(marked.join("\n"))));
    return new Set([...content.matchAll(MARK)].map(([, number]) => Number(number)));
  } catch (error) {
    if (error instanceof FileError) return new Set(); // the file is reported as broken
    throw error;
  }
}

const markOf = (number: number): string => `#${String(number).padStart(CONFLICT_COMMENT.length - 1, "0")}`;
const MARK = /#(\d{17})/g;
