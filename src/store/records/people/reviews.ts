/** Reviews on disk: `content/reviews/<name>.yaml`, with the decisions as a list that a merge joins by their ids. */
import { own, type JsonObject } from "../../../model/input/json.ts";
import type { Locales } from "../../../model/language/locale.ts";
import { isReleaseName, readAction, readLanguage, WRONG_NAME } from "../../../model/page/release.ts";
import {
  DECISION_FIELDS,
  readAsked,
  REVIEW_FIELDS,
  VERDICTS,
  type Review,
  type ReviewDecision,
  type ReviewItem,
} from "../../../model/review/review.ts";
import { UNDATED } from "../../../model/time/instant.ts";
import { oneFileKind, readFields, readId, readMoment, type FileErrors } from "../fields.ts";
import { CONTENT } from "../record-type.ts";
import { readRows, readSigned } from "./threads.ts";

const DIR = `${CONTENT}/reviews`;

export const REVIEWS = oneFileKind<Review>({
  name: "Review",
  dir: DIR,
  order: () => [
    ["id", "title", "by", "name", "at", "release", "asked", "items", "decisions"],
    [],
    ["page", "language", "action", "hash", "authors", "id", "by", "name", "email", "at", "verdict", "comment"],
  ],
  read(data, { base, errors, locales }) {
    const name = base.slice(DIR.length + 1);
    if (!isReleaseName(name)) errors.name = [`The file is named ${name}. ${WRONG_NAME}`];
    const by = String(own(data, "by") ?? "");
    const release = own(data, "release") ?? null;
    return {
      id: readId(data, base, errors),
      name,
      title: String(readFields(REVIEW_FIELDS, data, errors, locales).title ?? ""),
      by,
      proposer: String(own(data, "name") ?? by),
      at: readMoment(data, "at", errors, locales) ?? UNDATED,
      release: release === null ? null : String(release),
      asked: readAsked(own(data, "asked") ?? [], errors),
      items: readRows(data, "items", errors, (row, found) => readItem(row, locales, found)),
      decisions: readRows(data, "decisions", errors, (row, found) => readDecisionRow(row, locales, found)),
    };
  },
  write({ id, title, by, proposer, at, release, asked, items, decisions }) {
    return {
      id,
      ...(title !== "" && { title }),
      ...{ by, name: proposer, at },
      ...(release !== null && { release }),
      ...(asked.length > 0 && { asked: [...asked] }),
      items: items.map(itemRow),
      ...(decisions.length > 0 && { decisions: decisions.map(decisionRow) }),
    };
  },
  newBase: ({ name }) => `${DIR}/${name}`,
  baseOf: ({ name }) => `${DIR}/${name}`,
});

const itemRow = ({ page, language, action, hash, authors }: ReviewItem): JsonObject => ({
  page,
  ...(language !== null && { language }),
  ...(action !== "publish" && { action }),
  ...(hash !== "" && { hash }),
  ...(authors.length > 0 && { authors: [...authors] }),
});

const decisionRow = ({ id, username, name, email, at, verdict, hash, comment }: ReviewDecision): JsonObject => ({
  ...{ id, by: username, name, email, at, verdict, hash },
  ...(comment !== "" && { comment }),
});

function readItem(row: JsonObject, locales: Locales, errors: FileErrors): ReviewItem {
  const found: Record<string, string[]> = {};
  const action = readAction(row, found);
  const language = action === "trash" ? null : readLanguage(row, locales, found);
  const [page, hash, authors] = [own(row, "page"), own(row, "hash") ?? "", own(row, "authors") ?? []];
  if (typeof page !== "number") found.page = ["The id of a page is expected."];
  if (typeof hash !== "string") found.hash = ["The hash of a draft is a text."];
  if (!Array.isArray(authors)) found.authors = ["A list of addresses is expected."];
  Object.assign(errors, found);
  const known = Array.isArray(authors) ? authors.map(String) : [];
  return { page: Number(page), language, action, hash: String(hash), authors: known };
}

function readDecisionRow(row: JsonObject, locales: Locales, errors: FileErrors): ReviewDecision {
  const { id, by } = readSigned(row, errors);
  const { comment = "", hash = "" } = readFields(DECISION_FIELDS, row, errors, locales);
  const verdict = VERDICTS.find((each) => each === own(row, "verdict"));
  if (!verdict) errors.verdict = [`Expected one of ${VERDICTS.join(", ")}.`];
  return {
    id,
    username: by,
    name: String(own(row, "name") ?? by),
    email: String(own(row, "email") ?? ""),
    at: readMoment(row, "at", errors, locales) ?? UNDATED,
    verdict: verdict ?? "changes",
    hash: String(hash),
    comment: String(comment),
  };
}
