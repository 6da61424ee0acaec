/**
 * The page payload: one shape for the editor endpoints and both routers.
 *
 * Hidden data is never put into a payload, rather than filtered out later: on the public surface there are neither
 * hidden ancestors nor drafts.
 */
import { contentTypeOf, relatedName } from "../../model/page/content-type.ts";
import { showInstant, type Instant } from "../../model/time/instant.ts";
import { objectOf } from "../../model/input/json.ts";
import { langSuffix, type Lang } from "../../model/language/locale.ts";
import { isPublic, statusOf } from "../../model/page/lifecycle.ts";
import {
  fallbackText,
  fieldsOf,
  textOf,
  titleOf,
  TEXT_FIELDS,
  type Page,
  type PageText,
} from "../../model/page/page.ts";
import { PARENT_FIELD } from "../../model/page/page-model.ts";
import { slugOf } from "../../model/address/permalink.ts";
import { findPageModel } from "../../store/records/page-models.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { pageContents } from "../records/content.ts";
import { urlNode } from "../records/link.ts";
import { dataIn, emptyFields, fillFlatFields, type Fields } from "./page-fields.ts";
import { resolverOf } from "../records/reference.ts";
import { mayShow, routerlink, type Payload, type Surface, type View } from "../view.ts";

export type { Payload } from "../view.ts";

/** How many parents are nested before a bare id (one less on the routers). */
const nestingDepth = (view: View): number => view.config.API.NESTING_DEPTH - (view.surface === "editor" ? 0 : 1);

/** The keys of a page payload after its flat fields. */
const OWN_KEYS = [
  "permalink",
  "slug",
  "routerlink",
  "alternates",
  "breadcrumbs",
  "status",
  "is_public",
  "pubblication_date",
  "template_file",
  "language",
  "related_name",
  "content_type",
  "contents",
  "url_node",
  PARENT_FIELD,
];
const DRAFT_KEYS = ["has_draft", "has_scheduled_draft", "draft_scheduled_for", "draft_data"];

const EMPTY_PAYLOADS: Readonly<Record<Surface, (page: Page) => Fields>> = {
  public: emptyFields(...OWN_KEYS),
  preview: emptyFields(...OWN_KEYS, ...DRAFT_KEYS),
  editor: emptyFields(...OWN_KEYS, "translations", ...DRAFT_KEYS),
};

/**
 * @param included languages whose texts are added under `translations` and as suffixed keys; the editor endpoints
 *   always have `translations` of every language
 */
export function pagePayload(view: View, page: Page, included: readonly Lang[] = []): Payload {
  const { lang, now } = view;
  const { extensions } = view.config;
  // A custom page model can give the parent another name.
  const parentField = findPageModel(view.content, page.model)?.parent_page_field ?? PARENT_FIELD;
  const hasMoreKeys = included.length > 0 || extensions !== undefined || parentField !== PARENT_FIELD;
  const text = textOf(page, lang);
  const payload = fillFlatFields(hasMoreKeys ? {} : EMPTY_PAYLOADS[view.surface](page), view, page, resolverOf);
  payload.permalink = text.permalink;
  payload.slug = slugOf(text.permalink);
  payload.routerlink = routerlink(view, page);
  payload.alternates = alternates(view, page);
  payload.breadcrumbs = breadcrumbs(view, page);
  payload.status = statusOf(page, lang, now);
  payload.is_public = isPublic(page, lang, now);
  payload.pubblication_date = showInstant(text.published_at);
  payload.template_file = payload.template;
  payload.language = lang;
  payload.related_name = relatedName(page.model);
  payload.content_type = contentTypeOf(page.model).id;
  payload.contents = pageContents(view, page.id);
  payload.url_node = urlNode(view, page);
  payload[PARENT_FIELD] = nestedParent(view, page, nestingDepth(view));
  payload[parentField] = payload[PARENT_FIELD];
  if (extensions) Object.assign(payload, extensions.computedFields(page, lang));
  addTranslations(payload, view, page, included);
  return view.surface === "public" ? payload : Object.assign(payload, draftFields(page, lang));
}

const EMPTY_PARENT = emptyFields("url_node", PARENT_FIELD);

function nestedParent(view: View, page: Page, depth: number): Payload | number | null {
  const parent = page.parent_page === null ? undefined : findPage(view.content, page.parent_page);
  if (!parent || !mayShow(view, parent)) return null;
  if (depth <= 0) return parent.id;
  const fields = fillFlatFields(EMPTY_PARENT(parent), view, parent);
  fields.url_node = urlNode(view, parent);
  fields[PARENT_FIELD] = nestedParent(view, parent, depth - 1);
  return fields;
}

/** The path of the page in each other language; null where it is not public. */
function alternates(view: View, page: Page): Payload {
  const paths: Fields = {};
  for (const lang of view.locales.codes)
    if (lang !== view.lang) paths[lang] = isPublic(page, lang, view.now) ? routerlink(view, page, lang) : null;
  return paths;
}

/** From the root to the page itself, without ancestors that are hidden from the reader. */
export function breadcrumbs(view: View, page: Page): { permalink: string | null; title: string | null }[] {
  const trail: Page[] = [];
  const seen = new Set<number>();
  for (
    let next: Page | undefined = page;
    next && !seen.has(next.id);
    next = next.parent_page === null ? undefined : findPage(view.content, next.parent_page)
  ) {
    seen.add(next.id);
    if (next === page || mayShow(view, next)) trail.unshift(next);
  }
  return trail.map((each) => ({
    permalink: routerlink(view, each),
    title:
      fallbackText(each, view.lang, view.locales.default, "breadcrumbs_title") ||
      titleOf(each, view.lang, view.locales.default) ||
      null,
  }));
}

function addTranslations(payload: { [key: string]: unknown }, view: View, page: Page, included: readonly Lang[]): void {
  // The texts of a language that is not public are hidden, also if the page is public in another.
  const shown = included.filter((lang) => mayShow(view, page, lang));
  const langs = view.surface === "editor" ? view.locales.codes : shown;
  if (langs.length === 0) return;
  payload.translations = objectOf(langs.map((lang) => [lang, exactTexts(view, page, lang)] as const));
  for (const lang of shown) {
    for (const [field, value] of Object.entries(exactTexts(view, page, lang)))
      payload[`${field}_${langSuffix(lang)}`] = value;
  }
}

/** One language's own values, without fallback. */
function exactTexts(view: View, page: Page, lang: Lang): Payload {
  const text = textOf(page, lang);
  return objectOf(
    fieldsOf(TEXT_FIELDS, page.model).map(({ name, type }) => {
      if (name === "template_data")
        return [name, dataIn({ ...view, lang }, page, text.template_data, resolverOf)] as const;
      const value = text[name as keyof PageText];
      return [name, type === "instant" ? showInstant(value as Instant | null) : value] as const;
    }),
  );
}

function draftFields(page: Page, lang: Lang): Payload {
  const draft = page.drafts[lang];
  return {
    has_draft: draft !== undefined,
    has_scheduled_draft: draft?.scheduled_for != null,
    draft_scheduled_for: showInstant(draft?.scheduled_for ?? null),
    draft_data: draft?.payload ?? {},
  };
}
