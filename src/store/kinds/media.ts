/**
 * Media on disk: the original is `media/**\/<file>`, its record `content/media/**\/<file>.yaml`.
 */
import { invalid } from "../../errors.ts";
import type { Instant } from "../../model/instant.ts";
import { isObject, own, type Json } from "../../model/json.ts";
import { findLang, type Lang } from "../../model/locale.ts";
import type { FieldRow } from "../../model/page.ts";
import { EMPTY_MEDIA_TEXT, type Media, type MediaText } from "../../model/media.ts";
import { splitSingle, type Kind } from "../kind.ts";
import { readFields, readId, readMapping, readMoment, writeFields, type FileErrors } from "./fields.ts";

const DIR = "content/media";
const FIELDS: readonly FieldRow[] = [
  { name: "title", type: "text", translated: true, max: 200, nullable: true, blank: true },
  { name: "alt_text", type: "text", translated: true, max: 200, nullable: true, blank: true },
  { name: "description", type: "text", translated: true, nullable: true, blank: true },
];
const UNDATED = "1970-01-01T00:00:00.000Z" as Instant;

export const MEDIA: Kind<Media> = {
  name: "Media",
  dir: DIR,
  order: () => [["id", "created", "translations"], [], FIELDS.map((row) => row.name)],
  split(path) {
    return /\/_folder\.ya?ml$/.test(path) ? undefined : splitSingle(DIR, path);
  },
  fromFiles(base, files, locales) {
    const { data } = [...files.values()][0]!;
    const errors: FileErrors = {};
    const translations: Record<Lang, MediaText> = {};
    for (const [key, value] of Object.entries(readMapping(data, "translations", errors))) {
      const lang = findLang(locales, key);
      if (lang && isObject(value)) translations[lang] = { ...EMPTY_MEDIA_TEXT, ...readFields(FIELDS, value, errors) };
    }
    const media: Media = {
      id: readId(data, base, errors),
      file: base.slice(DIR.length + 1),
      created: readMoment(data, "created", errors) ?? UNDATED,
      translations,
    };
    if (own(data, "file") !== undefined) errors.file = ["The file is named by the record's own path; remove this line."];
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return media;
  },
  toFiles(media, main, locales) {
    const translations = locales.codes.flatMap((lang): [string, Json][] => {
      const fields = writeFields(FIELDS, media.translations[lang] ?? EMPTY_MEDIA_TEXT, EMPTY_MEDIA_TEXT);
      return fields.length > 0 ? [[lang, Object.fromEntries(fields)]] : [];
    });
    const data = { id: media.id, created: media.created, ...(translations.length > 0 && { translations: Object.fromEntries(translations) }) };
    return new Map([[main, { data }]]);
  },
  newBase: (media) => `${DIR}/${media.file}`,
};
