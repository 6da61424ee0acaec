/** Content blocks on disk: `content/contents/**\/<name>.yaml`; `page: <id>` when attached to a page. */
import { derived } from "../../memo.ts";
import { IDENTIFIER_MAX, type Content } from "../../model/records/content.ts";
import { isObject, own, type Json } from "../../model/input/json.ts";
import { findLang, type Lang } from "../../model/language/locale.ts";
import { LINK_TARGET } from "../../model/fields/definition.ts";
import { isId, type Id } from "../../model/input/id.ts";
import { isReferenceName, unresolved } from "../../model/records/reference-name.ts";
import { fileSlug } from "../../model/address/slug.ts";
import { freeBase, type Lookup, type Reader } from "./record-type.ts";
import { oneFileKind, readId, readMapping } from "./fields.ts";

const DIR = "content/contents";
const FOLDER_MAX = 500;

export const CONTENTS = oneFileKind<Content>({
  name: "Content",
  dir: DIR,
  order: () => [["id", "identifier", "page", "translations"], [], ["content"]],
  read(data, { base, errors, locales }) {
    const content: Record<Lang, string> = {};
    for (const [code, value] of Object.entries(readMapping(data, "translations", errors))) {
      const lang = findLang(locales, code);
      const text = isObject(value) ? own(value, "content") : undefined;
      if (lang === undefined || text === undefined || text === null) continue;
      if (typeof text === "string") content[lang] = text;
      else errors.translations = { [code]: { content: ["A text is expected."] } };
    }
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
  write(block, locales) {
    const translations = locales.codes.flatMap((lang): [string, Json][] => {
      const content = block.content[lang] ?? "";
      return content === "" ? [] : [[lang, { content }]];
    });
    return {
      id: block.id,
      identifier: block.identifier,
      ...(block.page !== null && { page: block.page }),
      ...(translations.length > 0 && { translations: Object.fromEntries(translations) }),
    };
  },
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
