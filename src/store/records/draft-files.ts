/** Drafts on disk: `<name>.draft.<lang>.yaml` beside the page's file. */
import { invalid } from "../../errors.ts";
import { UNDATED } from "../../model/time/instant.ts";
import { isObject, type Json, type JsonObject } from "../../model/input/json.ts";
import { findLang, splitSuffixed, type Lang, type Locales } from "../../model/language/locale.ts";
import { TEXT_FIELDS, type Draft } from "../../model/page/page.ts";
import { momentIn } from "../../model/time/time-zone.ts";
import type { FileContent } from "../codec/codec.ts";
import type { Part } from "./record-type.ts";
import { readMapping, readMoment, type FileErrors } from "./fields.ts";

export const DRAFT_PART = /^\.draft\.([A-Za-z0-9-]+)\.ya?ml$/;

export const DRAFT_ORDER: readonly (readonly string[])[] = [
  ["language", "scheduled_for", "created_at", "updated_at", "payload"],
];

const MOMENTS = new Set(TEXT_FIELDS.filter(({ type }) => type === "instant").map(({ name }) => name));

/** The language of a draft's file; undefined for other files. */
export const draftLang = (part: Part, locales: Locales): Lang | undefined =>
  findLang(locales, DRAFT_PART.exec(part)?.[1] ?? "");

/** The drafts among the files of a page. @throws CmsError `invalid` for one that does not load */
export function readDrafts(files: ReadonlyMap<Part, FileContent>, locales: Locales): Record<Lang, Draft> {
  const drafts: Record<Lang, Draft> = {};
  for (const [part, { data }] of files) {
    const lang = draftLang(part, locales);
    if (lang === undefined) continue;
    const errors: FileErrors = {};
    const created = readMoment(data, "created_at", errors, locales) ?? UNDATED;
    const payload = withZones(readMapping(data, "payload", errors), locales);
    const draft: Draft = {
      payload,
      scheduled_for: readMoment(data, "scheduled_for", errors, locales),
      created_at: created,
      updated_at: readMoment(data, "updated_at", errors, locales) ?? created,
    };
    if (Object.keys(errors).length > 0) throw invalid(errors, `The draft in ${lang} does not load.`);
    // A draft that changes nothing is no draft.
    if (Object.keys(payload).length > 0) drafts[lang] = draft;
  }
  return drafts;
}

/**
 * A payload with its moments as a PATCH of the page has them, in each form that a translated value can have: those of
 * files need no zone where the site has one.
 */
function withZones(payload: JsonObject, locales: Locales): JsonObject {
  if (!locales.timeZone) return payload;
  const read = (values: JsonObject, fieldOf: (key: string) => string): JsonObject =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]): [string, Json] => [
        key,
        MOMENTS.has(fieldOf(key)) ? (momentIn(value, locales.timeZone) ?? value) : value,
      ]),
    );
  const inText = (text: Json): Json => (isObject(text) ? read(text, (key) => key) : text);
  const top = read(payload, (key) => splitSuffixed(locales, key)?.field ?? key);
  const { translations } = top;
  if (!isObject(translations)) return top;
  const texts = Object.entries(translations).map(([lang, text]): [string, Json] => [lang, inText(text)]);
  return { ...top, translations: Object.fromEntries(texts) };
}

export const draftData = (lang: Lang, draft: Draft): JsonObject => ({
  language: lang,
  ...(draft.scheduled_for && { scheduled_for: draft.scheduled_for }),
  created_at: draft.created_at,
  updated_at: draft.updated_at,
  payload: draft.payload,
});
