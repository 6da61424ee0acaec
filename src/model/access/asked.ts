/**
 * What a change of a record comes to, as the actions that are asked for: whichever way a change is made, by a form, a
 * release or a push, it is judged by what is different afterwards.
 *
 * Of records that have no drafts, all but new media and tags are seen by the public as soon as they are written: to change
 * them is to publish, too.
 */
import { isObject, sameJson, type Json } from "../input/json.ts";
import type { Lang } from "../language/locale.ts";
import type { Action } from "./rule.ts";

/** Something that is done to a record, in a language, to a field; absent: to all, to the record as a whole. */
export interface Asked {
  readonly action: Action;
  readonly language?: Lang;
  readonly field?: string;
  /** Whether the language was public before, or any where none is named. */
  readonly isPublic?: boolean;
}

/** The fields, by model, whose values the public sees at once. `*`: all, and the record itself. */
const LIVE: Readonly<Record<string, readonly string[]>> = {
  menu: ["*"],
  content: ["*"],
  redirect: ["*"],
  metainstance: ["*"],
  media: ["file"],
  tag: ["name"],
};
/** Fields that follow from the change itself. */
const KEPT_BY_SERVICE = ["id", "created_at", "updated_at", "date_created", "date_updated_at", "facts", "derivatives"];

/** @param before undefined for a new record; `after` for a removed one */
export function recordActions(
  model: string,
  before: object | undefined,
  after: object | undefined,
  langs: readonly Lang[],
): readonly Asked[] {
  const live = LIVE[model] ?? [];
  if (!before) return [{ action: "create" }, ...(live.includes("*") ? [{ action: "publish" } as const] : [])];
  if (!after) return [{ action: "delete", isPublic: live.length > 0 }];
  const edits = changedFields(before, after, langs).filter(({ field }) => field !== "deleted_at");
  const isTrashed = (record: object): boolean => ((record as { deleted_at?: Json }).deleted_at ?? null) !== null;
  return [
    ...(isTrashed(before) === isTrashed(after) ? [] : [{ action: "trash" } as const]),
    ...edits.flatMap((edit): Asked[] => {
      const isLive = live.includes("*") || live.includes(edit.field);
      const edited: Asked = { action: "edit", ...edit, isPublic: live.includes("*") };
      return isLive ? [edited, { ...edited, action: "publish" }] : [edited];
    }),
  ];
}

/** Each field that differs; where a value has an entry for each language, those of the languages that differ. */
function changedFields(
  before: object,
  after: object,
  langs: readonly Lang[],
): readonly { readonly language?: Lang; readonly field: string }[] {
  const [old, next] = [before, after] as Readonly<Record<string, Json | undefined>>[];
  const names = [...new Set([...Object.keys(old!), ...Object.keys(next!)])];
  return names.flatMap((name) => {
    const [was, is] = [old![name], next![name]];
    if (KEPT_BY_SERVICE.includes(name) || same(was, is)) return [];
    const [wasByLang, isByLang] = [byLanguage(was, langs), byLanguage(is, langs)];
    if (!wasByLang || !isByLang) return [{ field: name }];
    return langs.flatMap((language) => {
      const [text = {}, newText = {}] = [wasByLang[language], isByLang[language]];
      if (same(text, newText)) return [];
      if (!isObject(text) || !isObject(newText)) return [{ language, field: name }];
      return changedFields(text, newText, []).map(({ field }) => ({ language, field }));
    });
  });
}

function byLanguage(value: Json | undefined, langs: readonly Lang[]): Readonly<Record<Lang, Json>> | undefined {
  if (value === undefined) return {};
  return isObject(value) && Object.keys(value).every((key) => langs.includes(key)) && langs.length > 0
    ? value
    : undefined;
}

const same = (a: Json | undefined, b: Json | undefined): boolean => sameJson(a ?? null, b ?? null);
