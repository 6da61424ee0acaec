/** The draft that a preview of camomilla shows. */
import { isObject, objectOf, own, sameJson, type Json, type JsonObject } from "../../model/input/json.ts";
import { PAGE_TEXTS } from "./rows.ts";

/** Keys of a preview that tell about the draft, or follow from other values. */
const OF_PREVIEWS: ReadonlySet<string> = new Set([
  "has_draft",
  "draft_data",
  "has_scheduled_draft",
  "draft_scheduled_for",
  "translations",
  "breadcrumbs",
  "routerlink",
  "status",
  "is_public",
  "template_file",
  "alternates",
  "contents",
  "language",
  "slug",
  "pubblication_date",
  "url_node",
]);

/**
 * The values that are drafted: those the preview states, else those in which it differs from the page.
 *
 * @param preview of one language
 * @param live the page as editors read it
 */
export function draftIn(preview: JsonObject, live: JsonObject): JsonObject {
  const stated = own(preview, "draft_data");
  if (isObject(stated)) return stated;
  const changed = (drafted: JsonObject, from: JsonObject): [string, Json][] =>
    Object.entries(drafted).filter(([name, value]) => !sameJson(value, own(from, name) ?? null));
  const [drafted, present] = [own(preview, "translations"), own(live, "translations")];
  const translations = Object.entries(isObject(drafted) ? drafted : {}).flatMap(([lang, text]): [string, Json][] => {
    const before = isObject(present) ? own(present, lang) : undefined;
    const changes = isObject(text) ? changed(text, isObject(before) ? before : {}) : [];
    return changes.length > 0 ? [[lang, objectOf(changes)]] : [];
  });
  const others = changed(preview, live).filter(([name]) => !OF_PREVIEWS.has(name) && !PAGE_TEXTS.has(name));
  return objectOf([...others, ...(translations.length > 0 ? [["translations", objectOf(translations)] as const] : [])]);
}
