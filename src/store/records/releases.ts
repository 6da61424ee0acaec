/** Releases on disk: `content/releases/<name>.yaml`. The name is that of the file. */
import { LINK_TARGET } from "../../model/fields/definition.ts";
import type { Id } from "../../model/input/id.ts";
import {
  isReleaseName,
  RELEASE_ACTIONS,
  RELEASE_FIELDS,
  RELEASE_ITEMS_MAX,
  TOO_MANY_ITEMS,
  WRONG_NAME,
  type Release,
  type ReleaseItem,
} from "../../model/page/release.ts";
import { CONTENT } from "./record-type.ts";
import type { FileErrors } from "./fields.ts";
import { choiceOf, tableKind, type FileRows } from "./file-rows.ts";

const DIR = `${CONTENT}/releases`;

const COMMENT = RELEASE_FIELDS.find(({ name }) => name === "comment");
const NO_PAGE = "The id or a permalink of a page is expected.";

const ITEM: FileRows = {
  page: { type: "reference", required: true, expected: NO_PAGE, help: "Id or permalink of the page." },
  language: {
    type: "language",
    default: null,
    nullable: true,
    help: "The default language without it; `trash` concerns all.",
  },
  action: choiceOf(RELEASE_ACTIONS, { absent: "publish", nullable: true, help: "`publish` without it." }),
};

export const RELEASES = tableKind<Release>({
  name: "Release",
  help: "Changes of pages that go live together. The name of the file is that of the release.",
  dir: DIR,
  rows: {
    comment: { field: COMMENT, default: "", nullable: true, help: "For people; it becomes part of the commit." },
    publish_at: { type: "moment", default: null, help: "When it is published; without it, not by itself." },
    published_at: { type: "moment", default: null, help: "Written by the program: when it was published." },
    items: {
      type: "rows",
      rows: ITEM,
      absent: [],
      expected: "A list of items is expected, each with a page.",
      help: "What happens to which pages.",
    },
  },
  complete(release, errors, base) {
    if (release.items.length > RELEASE_ITEMS_MAX) errors.items = [TOO_MANY_ITEMS];
    // A merge of a publication with a new schedule has both.
    const publish_at = release.published_at === null ? release.publish_at : null;
    return { ...release, name: nameOfFile(base, errors), publish_at };
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

/** The name of a release, or of a review, as its file is called. @param errors gets that of a wrong one */
export function nameOfFile(base: string, errors: FileErrors): string {
  const name = base.split("/").slice(2).join("/");
  if (!isReleaseName(name)) errors.name = [`The file is named ${name}. ${WRONG_NAME}`];
  return name;
}
