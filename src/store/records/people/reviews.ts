/** Reviews on disk: `content/reviews/<name>.yaml`, with the decisions as a list that a merge joins by their ids. */
import { RELEASE_ACTIONS } from "../../../model/page/release.ts";
import { DECISION_FIELDS, readAsked, REVIEW_FIELDS, VERDICTS, type Review } from "../../../model/review/review.ts";
import { UNDATED } from "../../../model/time/instant.ts";
import { choiceOf, tableKind, type FileRows } from "../file-rows.ts";
import { CONTENT } from "../record-type.ts";
import { nameOfFile } from "../releases.ts";
import { PAGE_ID, ROW_BY, ROW_ID } from "./threads.ts";

const DIR = `${CONTENT}/reviews`;
const [COMMENT, HASH] = DECISION_FIELDS;
const NO_HASH = "The hash of a draft is a text.";
const NO_AUTHORS = "A list of addresses is expected.";

const ITEM: FileRows = {
  page: PAGE_ID,
  language: { type: "language", default: null, nullable: true },
  action: choiceOf(RELEASE_ACTIONS, { default: "publish" }),
  hash: { default: "", expected: NO_HASH, help: "Of the draft as it was seen last." },
  authors: { type: "texts", default: [], expected: NO_AUTHORS, help: "Addresses of those who wrote the draft." },
};

const DECISION: FileRows = {
  id: ROW_ID,
  by: { ...ROW_BY, as: "username" },
  name: { absentAs: "username" },
  email: { absent: "" },
  at: { type: "moment", absent: UNDATED, help: "When it was made." },
  verdict: choiceOf(VERDICTS, { required: true }),
  hash: { field: HASH, absent: "", required: true, help: "Of all items, as they were decided on." },
  comment: { field: COMMENT, default: "" },
};

export const REVIEWS = tableKind<Review>({
  name: "Review",
  help: "What somebody proposes to publish, and what others decided. The program writes it.",
  dir: DIR,
  rows: {
    title: { field: REVIEW_FIELDS[0], default: "" },
    by: { absent: "", help: "User name of the proposer." },
    name: { as: "proposer", absentAs: "by" },
    at: { type: "moment", absent: UNDATED, help: "When it was last proposed." },
    release: { default: null, nullable: true, help: "Name of the release that it is about as a whole." },
    asked: { type: "texts", read: readAsked, default: [], help: "User names, and roles as role:editor." },
    items: { type: "rows", rows: ITEM, absent: [], required: true },
    decisions: { type: "rows", rows: DECISION, default: [] },
  },
  complete: (review, errors, base) => ({ ...review, name: nameOfFile(base, errors) }),
  newBase: ({ name }) => `${DIR}/${name}`,
  baseOf: ({ name }) => `${DIR}/${name}`,
});
