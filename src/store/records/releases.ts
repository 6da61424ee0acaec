/** Releases on disk: `content/releases/<name>.yaml`. The name is that of the file. */
import { isObject, own, type Json, type JsonObject } from "../../model/input/json.ts";
import { readValue } from "../../model/input/field.ts";
import { LINK_TARGET } from "../../model/fields/definition.ts";
import type { Id } from "../../model/input/id.ts";
import type { Locales } from "../../model/language/locale.ts";
import { isReferenceName, unresolved } from "../../model/records/reference-name.ts";
import {
  isReleaseName,
  readAction,
  readLanguage,
  RELEASE_FIELDS,
  RELEASE_ITEMS_MAX,
  TOO_MANY_ITEMS,
  WRONG_NAME,
  type ItemErrors,
  type Release,
  type ReleaseItem,
} from "../../model/page/release.ts";
import { CONTENT } from "./record-type.ts";
import { oneFileKind, readFields, readId, readMoment, type FileErrors } from "./fields.ts";

const DIR = `${CONTENT}/releases`;
const COMMENT = RELEASE_FIELDS.filter(({ name }) => name === "comment");

export const RELEASES = oneFileKind<Release>({
  name: "Release",
  dir: DIR,
  order: () => [["id", "comment", "publish_at", "published_at", "items"], [], ["page", "language", "action"]],
  read(data, { base, errors, locales }) {
    const name = base.slice(DIR.length + 1);
    if (!isReleaseName(name)) errors.name = [`The file is named ${name}. ${WRONG_NAME}`];
    const publishAt = readMoment(data, "publish_at", errors, locales);
    const publishedAt = readMoment(data, "published_at", errors, locales);
    return {
      id: readId(data, base, errors),
      name,
      comment: String(readFields(COMMENT, data, errors, locales).comment ?? ""),
      // A merge of a publication with a new schedule has both.
      publish_at: publishedAt === null ? publishAt : null,
      published_at: publishedAt,
      items: readItems(data, locales, errors),
    };
  },
  write({ id, comment, publish_at, published_at, items }) {
    return {
      id,
      ...(comment !== "" && { comment }),
      ...(publish_at !== null && { publish_at }),
      ...(published_at !== null && { published_at }),
      items: items.map(({ page, language, action }) => ({ page, ...(language !== null && { language }), action })),
    };
  },
  visitReferences(release, visit) {
    const items = release.items.map((item): ReleaseItem => {
      const page = visit(LINK_TARGET, item.page, "items");
      return page === item.page ? item : { ...item, page: page as Id };
    });
    return items.every((item, at) => item === release.items[at]) ? release : { ...release, items };
  },
  newBase: ({ name }) => `${DIR}/${name}`,
  baseOf: ({ name }) => `${DIR}/${name}`,
});

function readItems(data: JsonObject, locales: Locales, errors: FileErrors): readonly ReleaseItem[] {
  const rows = own(data, "items") ?? [];
  if (!Array.isArray(rows)) {
    errors.items = ["A list of items is expected, each with a page."];
    return [];
  }
  if (rows.length > RELEASE_ITEMS_MAX) {
    errors.items = [TOO_MANY_ITEMS];
    return [];
  }
  const wrong: FileErrors = {};
  const items = rows.map((row: Json, at) => {
    const found: ItemErrors = {};
    const item = readItem(row, locales, found);
    if (Object.keys(found).length > 0) wrong[at] = found;
    return item;
  });
  if (Object.keys(wrong).length > 0) errors.items = wrong;
  return items;
}

function readItem(row: Json, locales: Locales, errors: ItemErrors): ReleaseItem {
  const data = isObject(row) ? row : {};
  const sent = own(data, "page") ?? null;
  const read = isReferenceName(sent)
    ? { value: unresolved(sent.trim()) }
    : readValue({ name: "page", type: "reference" }, sent);
  if ("error" in read || read.value === null) errors.page = ["The id or a permalink of a page is expected."];
  const action = readAction(data, errors);
  const language = action === "trash" ? null : readLanguage(data, locales, errors);
  return { page: ("value" in read ? read.value : 0) as Id, language, action };
}
