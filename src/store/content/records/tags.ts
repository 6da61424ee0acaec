/** Tags on disk: `content/tags/<name>.yaml`. */
import { invalid } from "../../../errors.ts";
import { isObject, own, type Json } from "../../../model/json.ts";
import { findLang, type Lang } from "../../../model/locale.ts";
import { fileSlug } from "../../../model/permalink.ts";
import { TAG_NAME_MAX, type Tag } from "../../../model/tag.ts";
import { freeBase, splitSingle, type Kind } from "../record-type.ts";
import { readId, readMapping, type FileErrors } from "./fields.ts";

const DIR = "content/tags";

export const TAGS: Kind<Tag> = {
  name: "Tag",
  dir: DIR,
  order: () => [["id", "translations"], [], ["name"]],
  split: (path) => splitSingle(DIR, path),
  fromFiles(base, files, locales) {
    const { data } = [...files.values()][0]!;
    const errors: FileErrors = {};
    const name: Record<Lang, string> = {};
    for (const [code, value] of Object.entries(readMapping(data, "translations", errors))) {
      const lang = findLang(locales, code);
      const text = isObject(value) ? own(value, "name") : undefined;
      if (lang === undefined || text === undefined || text === null) continue;
      if (typeof text === "string" && text.trim() !== "" && text.length <= TAG_NAME_MAX) name[lang] = text.trim();
      else errors.translations = { [code]: { name: [`A text of 1 to ${TAG_NAME_MAX} characters is expected.`] } };
    }
    const tag: Tag = { id: readId(data, base, errors), name };
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return tag;
  },
  toFiles(tag, main, locales) {
    const translations = locales.codes.flatMap((lang): [string, Json][] =>
      tag.name[lang] ? [[lang, { name: tag.name[lang] }]] : [],
    );
    const data = { id: tag.id, ...(translations.length > 0 && { translations: Object.fromEntries(translations) }) };
    return new Map([[main, { data }]]);
  },
  newBase(tag, shelf, locales) {
    const name = [locales.default, ...locales.codes]
      .map((lang) => fileSlug(tag.name[lang] ?? "", 80))
      .find((slug) => slug !== "");
    return freeBase(DIR, name ?? `tag-${tag.id}`, shelf);
  },
};
