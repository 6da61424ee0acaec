/**
 * The page payload: one shape for the editor endpoints and both routers (decisions.md 4).
 *
 * What a reader must not know of is absent here, not filtered later: on the public surface hidden ancestors leave no
 * trace, and nothing tells of drafts.
 */
import { contentTypeOf, relatedName } from "../model/content-type.ts";
import { showInstant, type Instant } from "../model/instant.ts";
import { objectOf, type JsonObject } from "../model/json.ts";
import { langSuffix, type Lang } from "../model/locale.ts";
import { isPublic, statusOf } from "../model/lifecycle.ts";
import { ARTICLE_MODEL, fallbackText, fieldsOf, textOf, titleOf, TEXT_FIELDS, type Page, type PageText } from "../model/page.ts";
import { slugOf } from "../model/permalink.ts";
import { tagName } from "../model/tag.ts";
import { TAGS } from "../store/kinds/tags.ts";
import { findPage, templateOf } from "../store/page-kinds.ts";
import { pageContents } from "./content.ts";
import { nestedMedia } from "./media.ts";
import { mayShow, routerlink, type View } from "./view.ts";

export type Payload = { readonly [key: string]: unknown };

/** How many parents are shown as objects before a bare id takes their place (contract.md 6.8: one less on the routers). */
const nestingDepth = (view: View): number => view.config.API.NESTING_DEPTH - (view.surface === "editor" ? 0 : 1);

/**
 * @param included languages whose texts are added under `translations` and as suffixed keys; the editor endpoints have
 *   `translations` of every language whatever is asked (decisions.md 5)
 */
export function pagePayload(view: View, page: Page, included: readonly Lang[] = []): Payload {
  const { lang, now } = view;
  const text = textOf(page, lang);
  const status = statusOf(page, lang, now);
  return {
    ...flatFields(view, page),
    permalink: text.permalink,
    slug: slugOf(text.permalink),
    routerlink: routerlink(view, page),
    alternates: alternates(view, page),
    breadcrumbs: breadcrumbs(view, page),
    status,
    is_public: status === "PUB",
    pubblication_date: moment(text.published_at),
    template_file: templateOf(view.content, view.config, page),
    language: lang,
    related_name: relatedName(page.model),
    content_type: contentTypeOf(page.model).id,
    contents: pageContents(view, page.id),
    url_node: urlNode(view, page),
    parent_page: nestedParent(view, page, nestingDepth(view)),
    ...translations(view, page, included),
    ...(view.surface !== "public" && draftFields(page, lang)),
  };
}

/** The reference shape of a page in payloads of others: `id`, `permalink`, `related_name`. */
export const urlNode = (view: View, page: Page): Payload => ({
  id: page.id,
  permalink: textOf(page, view.lang).permalink,
  related_name: relatedName(page.model),
});

/** What both the page and a nested parent show flat: active language, gaps filled from the default one. */
function flatFields(view: View, page: Page): Payload {
  const texts = fieldsOf(TEXT_FIELDS, page.model).filter(({ name }) => name !== "permalink").map(({ name }) => {
    const value = fallbackText(page, view.lang, view.locales.default, name as keyof PageText);
    return [name, name === "published_at" ? moment(value as Instant | null) : value] as const;
  });
  return {
    id: page.id,
    identifier: page.identifier,
    template: templateOf(view.content, view.config, page),
    meta: page.meta,
    ordering: page.ordering,
    og_image: nestedMedia(view, page.og_image),
    deleted_at: moment(page.deleted_at),
    date_created: showInstant(page.date_created),
    date_updated_at: showInstant(page.date_updated_at),
    ...objectOf(texts),
    ...(page.model === ARTICLE_MODEL && articleFields(view, page)),
  };
}

/** contract.md 11.1. A tag that is gone is left out. */
const articleFields = (view: View, page: Page): Payload => ({
  author: page.author,
  highlight_image: nestedMedia(view, page.highlight_image),
  tags: page.tags.flatMap((id) => {
    const tag = view.content.find(TAGS, id);
    return tag ? [{ id, name: tagName(tag, view.lang, view.locales.default) }] : [];
  }),
});

function nestedParent(view: View, page: Page, depth: number): Payload | number | null {
  const parent = page.parent_page === null ? undefined : findPage(view.content, page.parent_page);
  if (!parent || !mayShow(view, parent)) return null;
  if (depth <= 0) return parent.id;
  return { ...flatFields(view, parent), url_node: urlNode(view, parent), parent_page: nestedParent(view, parent, depth - 1) };
}

/** The other languages: where the page is public there its path, else null (decisions.md 6). */
const alternates = (view: View, page: Page): Payload =>
  objectOf(
    view.locales.codes
      .filter((lang) => lang !== view.lang)
      .map((lang) => [lang, isPublic(page, lang, view.now) ? routerlink(view, page, lang) : null] as const),
  );

/** From the root down to the page itself; ancestors the reader must not know of are left out. */
export function breadcrumbs(view: View, page: Page): { permalink: string | null; title: string | null }[] {
  const trail: Page[] = [];
  const seen = new Set<number>();
  for (let next: Page | undefined = page; next && !seen.has(next.id); next = next.parent_page === null ? undefined : findPage(view.content, next.parent_page)) {
    seen.add(next.id);
    if (next === page || mayShow(view, next)) trail.unshift(next);
  }
  return trail.map((each) => ({
    permalink: routerlink(view, each),
    title: fallbackText(each, view.lang, view.locales.default, "breadcrumbs_title") || titleOf(each, view.lang, view.locales.default) || null,
  }));
}

function translations(view: View, page: Page, included: readonly Lang[]): Payload {
  const langs = view.surface === "editor" ? view.locales.codes : included;
  if (langs.length === 0) return {};
  const suffixed = included.flatMap((lang) =>
    Object.entries(exactTexts(page, lang)).map(([field, value]) => [`${field}_${langSuffix(lang)}`, value] as const),
  );
  return { translations: objectOf(langs.map((lang) => [lang, exactTexts(page, lang)] as const)), ...objectOf(suffixed) };
}

/** One language's own values, without fallback. */
function exactTexts(page: Page, lang: Lang): JsonObject {
  const text = textOf(page, lang);
  return objectOf(
    fieldsOf(TEXT_FIELDS, page.model).map(({ name }) => {
      const value = text[name as keyof PageText];
      return [name, name === "published_at" ? moment(value as Instant | null) : value] as const;
    }),
  );
}

function draftFields(page: Page, lang: Lang): Payload {
  const draft = page.drafts[lang];
  return {
    has_draft: draft !== undefined,
    has_scheduled_draft: draft?.scheduled_for != null,
    draft_scheduled_for: moment(draft?.scheduled_for ?? null),
    draft_data: draft?.payload ?? {},
  };
}

const moment = (at: Instant | null): string | null => at && showInstant(at);
