/** Content blocks on disk: `content/contents/**\/<name>.yaml`; `page: <id>` when attached to a page. */
import { derived } from "../../memo.ts";
import { IDENTIFIER_MAX, type Content } from "../../model/records/content.ts";
import { own } from "../../model/input/json.ts";
import { LINK_TARGET } from "../../model/fields/definition.ts";
import { isId, type Id } from "../../model/input/id.ts";
import { isReferenceName, unresolved } from "../../model/records/reference-name.ts";
import { fileSlug } from "../../model/address/slug.ts";
import { freeBase, type Lookup, type Reader } from "./record-type.ts";
import { oneFileKind, readId, readTranslations, writeTranslations } from "./fields.ts";

const DIR = "content/contents";
const FOLDER_MAX = 500;

export const CONTENTS = oneFileKind<Content>({
  name: "Content",
  dir: DIR,
  order: () => [["id", "identifier", "page", "translations"], [], ["content"]],
  read(data, { base, errors, locales }) {
    const content = readTranslations(data, errors, locales, (texts, found) => {
      const text = own(texts, "content") ?? undefined;
      if (text === undefined || typeof text === "string") return text;
      found.content = ["A text is expected."];
      return undefined;
    });
    const identifier = own(data, "identifier") ?? base.slice(base.lastIndexOf("/") + 1);
    if (typeof identifier !== "string" || identifier === "" || identifier.length > IDENTIFIER_MAX) {
      errors.identifier = [`A text of 1 to ${IDENTIFIER_MAX} characters is expected.`];
    }
    const stated = own(data, "page") ?? null;
    const page = isReferenceName(stated) ? unresolved(stated.trim()) : isId(stated) ? stated : null;
    if (page === null && stated !== null) errors.page = ["The id or permalink of a page is expected."];
    return {
      id: readId(data, base, errors),
      identifier: String(identifier),
      page,
      content,
    };
  },
  write: ({ id, identifier, page, content }, locales) => ({
    ...{ id, identifier },
    ...(page !== null && { page }),
    ...writeTranslations(locales, (lang) => (content[lang] ? { content: content[lang] } : undefined)),
  }),
  visitReferences(block, visit) {
    const page = visit(LINK_TARGET, block.page, "page") as Id | null;
    return page === block.page ? block : { ...block, page };
  },
  namesOf: ({ identifier }) => [identifier],
  newBase(block, used) {
    // Blocks of one page are in one folder, which keeps folders small and shows what belongs together.
    const folder = block.page === null ? DIR : `${DIR}/page-${block.page}`;
    const name = fileSlug(block.identifier, 80) || `block-${block.id}`;
    return freeBase(
      used.count(folder) >= FOLDER_MAX ? `${folder}/${String(block.id).slice(0, 2)}` : folder,
      name,
      used,
    );
  },
});

const byPage = derived((all: readonly Content[]): ReadonlyMap<number | null, readonly Content[]> => {
  const made = new Map<number | null, Content[]>();
  for (const block of all) made.set(block.page, [...(made.get(block.page) ?? []), block]);
  return made;
});

export const CONTENTS_BY_PAGE: Lookup<Content> = {
  name: "contents by page",
  kind: CONTENTS,
  keyOf: ({ page }) => page,
  find: (reader, page) => contentsOf(reader, page as Id | null),
};

/** The blocks of a page; with null, those of the whole site. By id. */
export function contentsOf(reader: Reader, page: number | null): readonly Content[] {
  const all = (reader.lookup?.(CONTENTS_BY_PAGE, page) ?? reader).all(CONTENTS);
  return byPage(all).get(page) ?? [];
}
