/**
 * A merged file with its conflicts in it, for a person to resolve in an editor.
 *
 * A text holds both values between git's markers. Of numbers, booleans, moments, lists and mappings, of which markers would
 * make something else, the remote's value stands. A comment line above says so, and names ours.
 */
import { sameJson, type JsonObject } from "../../model/input/json.ts";
import { showValue, type FieldConflict } from "../../model/merge/conflict.ts";
import { markedText } from "../../model/merge/marked-text.ts";
import { withValueAt } from "../../model/merge/path.ts";
import {
  decodeFile,
  decodeUnresolved,
  editFile,
  encodeUtf8,
  FileError,
  locate,
  type FileContent,
} from "../codec/codec.ts";
import { BOTH_TEXTS, CONFLICT_COMMENT } from "../codec/conflict.ts";
import { isPlain } from "../codec/front-matter.ts";
import type { Path } from "../repo.ts";

/**
 * @param bytes the merged file
 * @param markerSize in characters
 * @throws FileError when the result would exceed the limits of a file
 */
export function withConflicts(
  path: Path,
  bytes: Uint8Array,
  conflicts: readonly FieldConflict[],
  markerSize: number,
): Uint8Array {
  const texts = conflicts.filter(isText);
  const content = decodeFile(path, bytes);
  // A quoted text would stay quoted, with its markers on one line: a value that is null first becomes a block.
  const cleared = editFile(
    path,
    bytes,
    setAll(content, texts, () => null),
    [],
  );
  const marked = setAll(content, texts, ({ ours, theirs }) =>
    markedText(ours ?? undefined, theirs ?? undefined, markerSize),
  );
  let result = editFile(path, cleared, marked, []);
  for (const conflict of conflicts) result = withComment(path, result, conflict);
  return result;
}

interface TextConflict extends FieldConflict {
  readonly ours: string | null | undefined;
  readonly theirs: string | null | undefined;
}

function isText(conflict: FieldConflict): conflict is TextConflict {
  const values = [conflict.ours, conflict.theirs].filter((value) => value !== undefined && value !== null);
  return values.length > 0 && values.every((value) => typeof value === "string" && !/^\d{4}-\d\d-\d\d/.test(value));
}

/** @param valueOf null stands for an empty Markdown body */
function setAll(
  content: FileContent,
  conflicts: readonly TextConflict[],
  valueOf: (conflict: TextConflict) => string | null,
): FileContent {
  let { data, body } = content;
  for (const conflict of conflicts) {
    if (body !== undefined && conflict.path.join() === "body") body = valueOf(conflict) ?? "";
    else data = withValueAt(data, conflict.path, valueOf(conflict)) as JsonObject; // the path is not empty
  }
  return { ...content, data, ...(body !== undefined && { body }) };
}

/** With a comment above the line of the value, or above that of the nearest mapping if the remote removed it. */
export function withComment(path: Path, bytes: Uint8Array, conflict: FieldConflict): Uint8Array {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const lines = text.split("\n");
  const eol = lines[0]?.endsWith("\r") ? "\r" : "";
  const at = conflict.path
    .map((_, index) => locate(text, conflict.path.slice(0, conflict.path.length - index)))
    .find((position) => position !== undefined);
  const isMarkdown = path.endsWith(".md");
  if (isMarkdown && isPlain(text, path)) return encodeUtf8(`---\n${commentOf(conflict)}\n---\n${text}`);
  const top = isMarkdown ? 1 : 0;
  const expected = decodeUnresolved(path, bytes);
  for (const line of [at ? at.line - 1 : top, top]) {
    const indent = /^ */.exec(lines[line] ?? "")?.[0] ?? "";
    const commented = lines.toSpliced(line, 0, `${indent}${commentOf(conflict)}${eol}`).join("\n");
    const result = encodeUtf8(commented);
    if (hasContent(path, result, expected)) return result;
  }
  throw new FileError(path, "has no place for a comment about a merge conflict", at);
}

function hasContent(path: Path, bytes: Uint8Array, content: FileContent): boolean {
  try {
    return sameJson(decodeUnresolved(path, bytes), content);
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

function commentOf(conflict: FieldConflict): string {
  const { path, ours, theirs } = conflict;
  if (isText(conflict)) return `${CONFLICT_COMMENT}${path.join(".")} ${BOTH_TEXTS}`;
  const values = `${showValue(ours)} in ours and ${showValue(theirs)} in theirs, which stands`;
  return `${CONFLICT_COMMENT}${path.join(".")} is ${values}: keep one, and remove this line`;
}
