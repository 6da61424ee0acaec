/** The fields of a page that are the same in its own payload and inside other payloads. */
import { showInstant, type Instant } from "../model/instant.ts";
import type { Resolver } from "../model/fields/definition.ts";
import { isObject, type Json } from "../model/json.ts";
import { ARTICLE_MODEL, fallbackText, TEXT_FIELDS, type Page, type PageText } from "../model/page.ts";
import { resolveData } from "../model/schema.ts";
import { tagName } from "../model/tag.ts";
import { findPageModel } from "../store/content/records/page-models.ts";
import { TAGS } from "../store/content/records/tags.ts";
import { templateOf } from "../store/content/indexes/page-models.ts";
import { nestedMedia } from "./media.ts";
import { nestedResolver } from "./resolver.ts";
import type { Payload, View } from "./view.ts";

/** All translated fields except the permalink, which has no fallback and is added separately. */
const SHOWN_FIELDS = TEXT_FIELDS.filter(({ name }) => name !== "permalink");

/** The flat fields of a page and of a nested parent: the active language, with fallback to the default one. */
export function flatFields(view: View, page: Page): { [key: string]: unknown } {
  const { lang, locales } = view;
  // Assigned to one object: spreading several objects took half the time of a payload.
  const fields: { [key: string]: unknown } = {
    id: page.id,
    identifier: page.identifier,
    template: templateOf(view.content, view.config, page),
    meta: page.meta,
    ordering: page.ordering,
    og_image: nestedMedia(view, page.og_image),
    deleted_at: moment(page.deleted_at),
    date_created: showInstant(page.date_created),
    date_updated_at: showInstant(page.date_updated_at),
  };
  for (const { name, only } of SHOWN_FIELDS) {
    if (only !== undefined && only !== page.model) continue;
    const value = fallbackText(page, lang, locales.default, name as keyof PageText);
    fields[name] =
      name === "published_at"
        ? moment(value as Instant | null)
        : name === "template_data"
          ? dataIn(view, page, value as Json, nestedResolver(view))
          : value;
  }
  return page.model === ARTICLE_MODEL ? Object.assign(fields, articleFields(view, page)) : fields;
}

/** `template_data`, with references and links resolved for a custom page model (contract.md 13.2). */
export function dataIn(view: View, page: Page, data: Json, resolver: Resolver): unknown {
  const model = findPageModel(view.content, page.model);
  return model && isObject(data) ? resolveData(model.schema, data, view.locales, resolver) : data;
}

/** contract.md 11.1. Tags that do not exist are omitted. */
const articleFields = (view: View, page: Page): Payload => ({
  author: page.author,
  highlight_image: nestedMedia(view, page.highlight_image),
  tags: page.tags.flatMap((id) => {
    const tag = view.content.find(TAGS, id);
    return tag ? [{ id, name: tagName(tag, view.lang, view.locales.default) }] : [];
  }),
});

/** A moment in the form of payloads. */
export const moment = (at: Instant | null): string | null => at && showInstant(at);
