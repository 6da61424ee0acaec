/** Threads on disk: `content/threads/<id>.yaml`, with the comments as a list that a merge joins by their ids. */
import { isObject, own, type Json, type JsonObject } from "../../../model/input/json.ts";
import { isId } from "../../../model/input/id.ts";
import type { Locales } from "../../../model/language/locale.ts";
import { readLanguage } from "../../../model/page/release.ts";
import {
  COMMENT_FIELDS,
  readPassage,
  THREAD_FIELDS,
  type Comment,
  type CommentThread,
} from "../../../model/review/thread.ts";
import { UNDATED } from "../../../model/time/instant.ts";
import { oneFileKind, readFields, readId, readMoment, type FileErrors } from "../fields.ts";
import { CONTENT } from "../record-type.ts";

const DIR = `${CONTENT}/threads`;

export const THREADS = oneFileKind<CommentThread>({
  name: "Thread",
  dir: DIR,
  order: () => [
    ["id", "page", "language", "field", "passage", "resolved_at", "comments"],
    [],
    ["id", "by", "name", "at", "edited_at", "text"],
  ],
  read(data, { base, errors, locales }) {
    const { page, field = "" } = readFields(THREAD_FIELDS, data, errors, locales);
    if (typeof page !== "number") errors.page ??= ["The id of a page is expected."];
    return {
      id: readId(data, base, errors),
      page: Number(page),
      language: readLanguage(data, locales, errors),
      field: String(field),
      passage: readPassage(own(data, "passage") ?? null, errors),
      resolved_at: readMoment(data, "resolved_at", errors, locales),
      comments: readRows(data, "comments", errors, (row, found) => readComment(row, locales, found)),
    };
  },
  write({ id, page, language, field, passage, resolved_at, comments }) {
    return {
      id,
      page,
      language,
      ...(field !== "" && { field }),
      ...(passage && { passage: { ...passage } }),
      ...(resolved_at !== null && { resolved_at }),
      comments: comments.map(({ edited_at, ...comment }) => ({ ...comment, ...(edited_at !== null && { edited_at }) })),
    };
  },
  newBase: ({ id }) => `${DIR}/${id}`,
});

function readComment(row: JsonObject, locales: Locales, errors: FileErrors): Comment {
  const { text = "" } = readFields(COMMENT_FIELDS, row, errors, locales);
  const { id, by } = readSigned(row, errors);
  return {
    id,
    by,
    name: String(own(row, "name") ?? by),
    at: readMoment(row, "at", errors, locales) ?? UNDATED,
    edited_at: readMoment(row, "edited_at", errors, locales),
    text: String(text),
  };
}

/** The id of a row, and the user name of who added it. */
export function readSigned(row: JsonObject, errors: FileErrors): { readonly id: number; readonly by: string } {
  const [id, by] = [own(row, "id"), own(row, "by")];
  if (!isId(id)) errors.id = ["An id is expected, by which two versions of the list are joined."];
  if (typeof by !== "string" || by === "") errors.by = ["The user name of the author is expected."];
  return { id: isId(id) ? id : 0, by: String(by) };
}

/** A list of mappings. @param errors get those of each row by its position */
export function readRows<T>(
  data: JsonObject,
  key: string,
  errors: FileErrors,
  readRow: (row: JsonObject, errors: FileErrors) => T,
): readonly T[] {
  const rows = own(data, key) ?? [];
  if (!Array.isArray(rows)) {
    errors[key] = ["A list is expected."];
    return [];
  }
  const wrong: FileErrors = {};
  const read = rows.map((row: Json, at) => {
    const found: FileErrors = {};
    const value = readRow(isObject(row) ? row : {}, found);
    if (Object.keys(found).length > 0) wrong[at] = found;
    return value;
  });
  if (Object.keys(wrong).length > 0) errors[key] = wrong;
  return read;
}
