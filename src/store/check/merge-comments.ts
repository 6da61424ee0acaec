/** Values of one side that a merge left in comments, because the other side's stands. */
import type { Problem } from "../../model/problem.ts";
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
  return lines.flatMap((line, at): Problem[] => {
    const column = line.indexOf(CONFLICT_COMMENT);
    if (column < 0 || line.slice(0, column).trim() !== "") return [];
    const message = `A merge left a conflict: ${line.slice(column + CONFLICT_COMMENT.length)}.`;
    return [{ path, line: at + 1, column: column + 1, message }];
  });
}
