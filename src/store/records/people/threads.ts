/** Threads on disk: `content/threads/<id>.yaml`, with the comments as a list that a merge joins by their ids. */
import { COMMENT_FIELDS, readPassage, THREAD_FIELDS, type CommentThread } from "../../../model/review/thread.ts";
import { UNDATED } from "../../../model/time/instant.ts";
import { tableKind, type FileRow } from "../file-rows.ts";
import { CONTENT } from "../record-type.ts";

const DIR = `${CONTENT}/threads`;
const [PAGE, FIELD] = THREAD_FIELDS;
const NO_ID = "An id is expected, by which two versions of the list are joined.";

export const ROW_ID: FileRow = { type: "rowId", required: true, expected: NO_ID };
/** The user name of who added a row. */
export const ROW_BY: FileRow = {
  required: true,
  help: "User name.",
  expected: "The user name of the author is expected.",
};
export const PAGE_ID: FileRow = {
  type: "id",
  required: true,
  help: "Id of the page.",
  expected: "The id of a page is expected.",
};

export const THREADS = tableKind<CommentThread>({
  name: "Thread",
  help: "Comments at a field of a page, or at a passage of it.",
  dir: DIR,
  rows: {
    page: { ...PAGE_ID, field: PAGE },
    language: { type: "language", help: "The default language without it." },
    field: { field: FIELD, default: "", help: "Names and indexes joined by dots." },
    passage: {
      type: "mapping",
      rows: { text: { required: true }, before: {}, after: {} },
      read: readPassage,
      default: null,
    },
    resolved_at: { type: "moment", default: null, help: "When it was resolved." },
    comments: {
      type: "rows",
      rows: {
        id: ROW_ID,
        by: ROW_BY,
        name: { absentAs: "by" },
        at: { type: "moment", absent: UNDATED, help: "When it was written." },
        edited_at: { type: "moment", default: null, help: "When it was last changed." },
        text: { field: COMMENT_FIELDS[0], absent: "", required: true },
      },
      absent: [],
      required: true,
    },
  },
  newBase: ({ id }) => `${DIR}/${id}`,
});
