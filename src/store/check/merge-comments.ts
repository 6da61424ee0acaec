/** What merges left: comments with the value of one side, and markers in the bodies of Markdown files. */
import type { Problem } from "../../model/text/problem.ts";
import { BOTH_TEXTS, CONFLICT_COMMENT, conflictComments } from "../codec/conflict.ts";
import type { Store } from "../write/store.ts";

export async function mergeCommentProblems({ kinds, current, repo }: Store): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const kind of kinds) {
    if (kind.opaque) continue;
    for (const { base, files, broken } of current.table(kind).byBase.values()) {
      for (const part of files.keys()) {
        const bytes = (await repo.read(base + part))?.bytes;
        if (!bytes) continue;
        problems.push(...problemsIn(base + part, bytes, broken !== undefined));
        if (part === ".md" && !broken) problems.push(...markersIn(base + part, bytes));
      }
    }
  }
  return problems;
}

/** A comment about a text with markers is left when the markers are gone: before, the file does not load. */
const problemsIn = (path: string, bytes: Uint8Array, isBroken: boolean): Problem[] =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(CONFLICT_COMMENT) < 0
    ? []
    : conflictComments(new TextDecoder().decode(bytes))
        .filter(({ text }) => !isBroken || !text.endsWith(BOTH_TEXTS))
        .map(({ text, line, column }) => ({
          path,
          line,
          column,
          rule: "merge-conflict",
          message: `A merge left a conflict: ${text}.`,
        }));

/** Git writes markers at the beginning of lines, where YAML does not parse and the body of a Markdown file takes any text. */
function markersIn(path: string, bytes: Uint8Array): Problem[] {
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
  const open = lines.findIndex((line) => line.startsWith("<<<<<<< "));
  const middle = lines.indexOf("=======", open + 1);
  const isClosed = open >= 0 && middle > 0 && lines.some((line, at) => at > middle && line.startsWith(">>>>>>> "));
  return isClosed
    ? [{ path, line: open + 1, column: 1, severity: "warning", rule: "merge-conflict", message: MARKERS }]
    : [];
}

const MARKERS = "The text has the markers of a merge: where one left them, keep one side and remove the markers.";
