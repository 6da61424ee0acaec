/** Payloads of content blocks. */
import { contentTypeOf } from "../../model/page/content-type.ts";
import { contentIn, type Content } from "../../model/records/content.ts";
import { objectOf } from "../../model/input/json.ts";
import type { Id } from "../../model/page/page.ts";
import type { Queryable } from "../../model/lists/query.ts";
import { contentsOf } from "../../store/records/contents.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { ownFields } from "../lists/list-field.ts";
import type { Payload, View } from "../view.ts";

/** The payload of a content block. */
export function contentPayload(view: View, block: Content): Payload {
  const owner = block.page === null ? undefined : findPage(view.content, block.page);
  return {
    id: block.id,
    identifier: block.identifier,
    content: contentIn(block, view.lang, view.locales.default),
    object_id: block.page,
    content_type: owner ? contentTypeOf(owner.model) : null,
    translations: objectOf(view.locales.codes.map((lang) => [lang, { content: block.content[lang] ?? "" }] as const)),
  };
}

/** The blocks of a page by identifier, each with its id and text. */
export const pageContents = (
  view: View,
  page: Id | null,
): { readonly [identifier: string]: { readonly id: Id; readonly content: string } } =>
  objectOf(
    contentsOf(view.content, page).map(
      (block) =>
        [block.identifier, { id: block.id, content: contentIn(block, view.lang, view.locales.default) }] as const,
    ),
  );

export const CONTENT_LIST: Queryable<Content, View> = {
  fields: {
    ...ownFields<Content>({ id: "integer", identifier: "text" }),
    object_id: { type: "integer", get: (block) => block.page },
    content: {
      type: "text",
      translated: true,
      isNullable: false,
      get: (block, _view, lang) => block.content[lang] ?? null,
    },
  },
  search: ["identifier", "content"],
  order: ["-id"],
};
