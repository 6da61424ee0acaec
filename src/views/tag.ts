/** Payloads of tags (contract.md 11.2). */
import { objectOf } from "../model/json.ts";
import type { Queryable } from "../model/query.ts";
import { tagName, type Tag } from "../model/tag.ts";
import type { Payload, View } from "./view.ts";

export const tagPayload = (view: View, tag: Tag): Payload => ({
  id: tag.id,
  name: tagName(tag, view.lang, view.locales.default),
  translations: objectOf(view.locales.codes.map((lang) => [lang, { name: tag.name[lang] ?? null }] as const)),
});

export const TAG_LIST: Queryable<Tag, View> = {
  fields: {
    id: { type: "integer", get: (tag) => tag.id },
    name: { type: "text", translated: true, fallback: true, get: (tag, _view, lang) => tag.name[lang] ?? null },
  },
  search: ["name"],
  order: ["-id"],
};
