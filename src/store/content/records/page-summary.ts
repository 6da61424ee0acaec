/** The part of a page that is in memory for every page of a site; the rest is read from the content cache on demand. */
import type { Page, PageSummary } from "../../../model/page.ts";
import type { Summaries } from "../record-type.ts";
import { CHILDREN, eachKey } from "./page-keys.ts";

export const PAGE_SUMMARIES: Summaries<Page> = {
  summarize: (page): PageSummary => ({
    id: page.id,
    model: page.model,
    identifier: page.identifier,
    parent_page: page.parent_page,
    ordering: page.ordering,
    robots: page.robots,
    deleted_at: page.deleted_at,
    date_created: page.date_created,
    date_updated_at: page.date_updated_at,
    aliases: page.aliases,
    translations: mapValues(page.translations, ({ permalink, published_at }) => ({ permalink, published_at })),
    drafts: mapValues(page.drafts, ({ scheduled_for }) => ({ scheduled_for })),
  }),
  keys: (summary, take) => eachKey(summary as PageSummary, take),
  isUnique: (space) => space !== CHILDREN,
};

const mapValues = <From, To>(of: { readonly [key: string]: From }, map: (value: From) => To): { [key: string]: To } =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, map(value)]));
