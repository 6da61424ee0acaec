/** The fields of page lists: what pages can be filtered, sorted and searched by. */
import { objectOf, stringsIn } from "../../model/input/json.ts";
import type { Instant } from "../../model/time/instant.ts";
import type { Status } from "../../model/page/lifecycle.ts";
import type { Lang } from "../../model/language/locale.ts";
import { modelOf, RECORDS } from "../../model/records/records.ts";
import { PAGE_FILTERS, STATUS_FIELDS, STATUSES, type PagePredicate } from "../../model/page/page-filters.ts";
import {
  PAGE_FIELDS,
  textOf,
  type Byline,
  type Page,
  type PageFieldRow,
  type PageGlobals,
  type PageSummary,
  type PageText,
} from "../../model/page/page.ts";
import { slugOf } from "../../model/address/permalink.ts";
import type { Queryable, QueryField, Reads, ReferenceField, ValueField } from "../../model/lists/query.ts";
import { addressesAbove, findPage, pageOf, templateOf } from "../../store/content/indexes/pages-by-model.ts";
import { globalField, ownFields, valueTypeOf } from "../lists/list-field.ts";
import { MEDIA_LIST } from "../media/media-list.ts";
import { recordList } from "../records/record.ts";
import { mayShow, type View } from "../view.ts";

type PageField = ValueField<Page, View>;

/** The fields that the summary of a page has (store/records/page-summary.ts). */
const IN_SUMMARY = new Set<string>(["identifier", "ordering", "robots", "permalink", "published_at"]);
const readsOf = ({ name }: PageFieldRow): Reads => (IN_SUMMARY.has(name) ? "summary" : "record");

const pageText = (row: PageFieldRow): PageField => ({
  type: valueTypeOf(row.type),
  reads: readsOf(row),
  translated: true,
  fallback: row.fallback !== false,
  isNullable: row.default === null,
  get: (page, _view, lang) => textOf(page, lang)[row.name as keyof PageText],
});

const statusField = (of: (page: Page, lang: Lang, now: Instant) => Status): PageField => ({
  type: "text",
  translated: true,
  fallback: false,
  choices: STATUSES,
  reads: "summary",
  isTimed: true,
  get: (page, view, lang) => of(page, lang, view.now),
});

const filter = (holds: PagePredicate): PageField => ({
  type: "boolean",
  translated: true,
  fallback: false,
  reads: "summary",
  isTimed: true,
  get: (page, view, lang) => holds(page, lang, view.now),
});

const template: PageField = { type: "text", get: (page, view) => templateOf(view.content, view.config, page) };
const ofDraft = (type: PageField["type"], get: (page: Page, lang: Lang) => unknown): PageField => ({
  type,
  translated: true,
  fallback: false,
  reads: "summary",
  get: (page, _view, lang) => get(page, lang),
});

const permalinkOf = (page: Page, _view: View, lang: Lang): string | null => textOf(page, lang).permalink;

const URL_NODE: Queryable<Page, View> = {
  fields: {
    ...ownFields<Page>({ id: "integer" }),
    permalink: { type: "text", translated: true, fallback: false, get: permalinkOf },
  },
  search: [],
  order: ["id"],
};

/** The lists of records that references of pages lead to. */
const TARGET_LISTS: ReadonlyMap<string, Queryable<never, View>> = new Map<string, Queryable<never, View>>([
  ["cms.Media", MEDIA_LIST],
  ...RECORDS.map((of) => [modelOf(of), recordList(of)] as const),
]);

const pageGlobal = (row: PageFieldRow): QueryField<Page, View> => {
  const field = globalField<Page>(row, (page) => page[row.name as keyof PageGlobals], TARGET_LISTS);
  return field.type === "reference" ? field : { ...field, reads: readsOf(row) };
};

const parentPage: ReferenceField<Page, View> = {
  type: "reference",
  target: () => PAGE_LIST,
  get: (page, view) => {
    const parent = page.parent_page === null ? undefined : findPage(view.content, page.parent_page);
    return parent && mayShow(view, parent) ? [parent] : [];
  },
};

/** The addresses of the pages above one, at any distance, in all languages, former ones too. */
const above: ReferenceField<Page, View> = {
  type: "reference",
  target: () => ADDRESS,
  get: (page, view) => addressesAbove(view.content, page, (each) => mayShow(view, pageOf(each))),
};

const ADDRESS: Queryable<string, View> = {
  fields: { id: { type: "text", get: (address) => address }, permalink: { type: "text", get: (address) => address } },
  search: [],
  order: ["id"],
};

const BYLINE: Queryable<Byline, View> = {
  fields: ownFields<Byline>({ id: "integer", username: "text" }),
  search: [],
  order: ["id"],
};

/**
 * The fields of pages. They include drafts and schedules, so the list is for staff only.
 *
 * The filters of page lists are fields too (`trashed=true`), and can have a language suffix (`status_it=PUB`). `text` is all text in
 * the data for the template, and in the draft.
 */
export const PAGE_LIST: Queryable<Page, View> = {
  fields: {
    ...ownFields<PageSummary>(
      {
        id: "integer",
        model: "text",
        deleted_at: "instant",
        date_created: "instant",
        date_updated_at: "instant",
      },
      "summary",
    ),
    ...objectOf(PAGE_FIELDS.map((row) => [row.name, row.translated ? pageText(row) : pageGlobal(row)] as const)),
    author: { type: "reference", target: () => BYLINE, get: (page) => (page.author ? [page.author] : []) },
    parent_page: parentPage,
    above,
    template,
    template_file: template,
    pubblication_date: {
      type: "instant",
      reads: "summary",
      translated: true,
      fallback: false,
      get: (page, _view, lang) => textOf(page, lang).published_at,
    },
    slug: {
      type: "text",
      reads: "summary",
      translated: true,
      fallback: false,
      get: (page, _view, lang) => slugOf(textOf(page, lang).permalink),
    },
    ...objectOf(Object.entries(STATUS_FIELDS).map(([name, of]) => [name, statusField(of)] as const)),
    ...objectOf(Object.entries(PAGE_FILTERS).map(([name, holds]) => [name, filter(holds)] as const)),
    has_draft: ofDraft("boolean", (page, lang) => page.drafts[lang] !== undefined),
    has_scheduled_draft: ofDraft("boolean", (page, lang) => page.drafts[lang]?.scheduled_for != null),
    draft_scheduled_for: ofDraft("instant", (page, lang) => page.drafts[lang]?.scheduled_for ?? null),
    text: {
      type: "text",
      translated: true,
      get: (page, _view, lang) =>
        [textOf(page, lang).template_data, page.drafts[lang]?.payload ?? null].flatMap(stringsIn).join("\n") || null,
    },
    url_node: { type: "reference", target: () => URL_NODE, get: (page) => [page] },
  },
  search: ["title", "identifier", "description", "content", "text"],
  order: ["ordering", "-id"],
  created: "date_created",
};
