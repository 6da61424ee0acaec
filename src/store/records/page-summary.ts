/** The part of a page that is in memory for every page of a site; the rest is read from the content cache on demand. */
import { ARTICLE_MODEL, PAGE_MODEL, type Page, type PageSummary } from "../../model/page/page.ts";
import { fieldsWithReferences } from "../../model/records/schema.ts";
import type { Summaries } from "./record-type.ts";
import { CHILDREN, eachKey } from "./page-keys.ts";
import { hasNames, keysOfTexts } from "./page-references.ts";

/** What is known of references by name without reading the page. */
interface FileSummary extends PageSummary {
  /** A field or draft has one. */
  readonly hasNames?: true;
  /** Where the data of a page of a custom model may have one. */
  readonly texts?: readonly string[];
}

export const PAGE_SUMMARIES: Summaries<Page> = {
  summarize: (page): FileSummary => ({
    id: page.id,
    model: page.model,
    identifier: page.identifier,
    parent_page: page.parent_page,
    ordering: page.ordering,
    paginate: page.paginate,
    robots: page.robots,
    deleted_at: page.deleted_at,
    date_created: page.date_created,
    date_updated_at: page.date_updated_at,
    aliases: page.aliases,
    translations: mapValues(page.translations, ({ permalink, published_at }) => ({ permalink, published_at })),
    drafts: mapValues(page.drafts, ({ scheduled_for }) => ({ scheduled_for })),
    ...namesIn(page),
  }),
  summarizeNames: (page) => ({ id: page.id, model: page.model, parent_page: page.parent_page, ...namesIn(page) }),
  keys: (summary, take) => eachKey(summary as PageSummary, take),
  isUnique: (index) => index !== CHILDREN,
  mayHaveNames(summary, schemas) {
    const { model, hasNames: isNamed, texts = [] } = summary as FileSummary;
    if (isNamed || texts.length === 0) return isNamed === true;
    const schema = schemas.pageModel(model);
    const fields = schema && fieldsWithReferences(schema);
    return fields !== undefined && texts.some((key) => fields.has(key));
  },
};

const namesIn = (page: Page): Pick<FileSummary, "hasNames" | "texts"> => ({
  ...(hasNames(page) && { hasNames: true }),
  ...(page.model !== PAGE_MODEL && page.model !== ARTICLE_MODEL && { texts: keysOfTexts(page) }),
});

const mapValues = <From, To>(of: { readonly [key: string]: From }, map: (value: From) => To): { [key: string]: To } =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, map(value)]));
