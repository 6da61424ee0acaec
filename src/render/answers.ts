/**
 * What a template may ask of the site beyond its own page: every question, and how it is answered from the content.
 *
 * Helpers ask and never look for themselves, so that whoever renders can note what a page depends on, or answer from
 * elsewhere. Arguments and answers are JSON.
 */
import { isPublic } from "../model/lifecycle.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { splitLang } from "../model/locale.ts";
import type { Id, Page, PageOutline } from "../model/page.ts";
import { permalinkOf } from "../model/permalink.ts";
import { localisedData } from "../model/schema.ts";
import { ARTICLES } from "../store/content/records/pages.ts";
import { TAGS } from "../store/content/records/tags.ts";
import { findTypeByKey, instancesOf } from "../store/content/indexes/meta-index.ts";
import { pageIndex } from "../store/content/indexes/page-index.ts";
import { pageOf } from "../store/content/indexes/page-models.ts";
import { pageContents } from "../views/content.ts";
import { nestedMedia } from "../views/media.ts";
import { menusByKey } from "../views/menu.ts";
import { instancePayload } from "../views/meta.ts";
import { pagePayload } from "../views/page.ts";
import { tagPayload } from "../views/tag.ts";
import { mayShow, routerlink, type Payload, type View } from "../views/view.ts";

export interface Answers {
  /** Every menu by its key. */
  menus(view: View): { readonly [key: string]: Payload };
  media(view: View, id: Id): Payload | null;
  /** The public children of a page, in their order. */
  pages_of(view: View, id: Id): readonly Payload[];
  /** The public articles, newest first; with a tag those that bear it. */
  articles(view: View, tag: Id | null): readonly Payload[];
  tags(view: View): readonly Payload[];
  /** The instances of a type, with one value where a field is translated. */
  instances(view: View, key: string): readonly Payload[];
  /** A content block of a page, or with null of the whole site. */
  block(view: View, page: Id | null, identifier: string): Payload | null;
  /** Root-relative URL, in the view's language, of the page a public path without query names; null when it names none. */
  link(view: View, path: string): string | null;
}

export type Question = keyof Answers;

/** Answers a question for the reader a page is rendered for. */
export type Ask = <Q extends Question>(view: View, question: Q, ...args: QuestionArgs<Q>) => ReturnType<Answers[Q]>;

export type QuestionArgs<Q extends Question> =
  Parameters<Answers[Q]> extends [View, ...infer Rest extends (string | number | null)[]] ? Rest : never;

export const ANSWERS: Answers = {
  menus: menusByKey,
  media: nestedMedia,
  pages_of: (view, id) => publicChildren(view, id).map((child) => pagePayload(view, pageOf(child))),
  articles: (view, tag) => publicArticles(view, tag).map((article) => pagePayload(view, article)),
  tags: (view) => view.content.all(TAGS).map((each) => tagPayload(view, each)),
  instances: instancesByKey,
  block(view, page, identifier) {
    const blocks = pageContents(view, page);
    return Object.hasOwn(blocks, identifier) ? blocks[identifier]! : null;
  },
  link(view, path) {
    const page = pageAt(view, path);
    return page && mayShow(view, page) ? routerlink(view, page) : null;
  },
};

/** From the content the view has. */
export const askContent: Ask = (view, question, ...args) =>
  (ANSWERS[question] as (view: View, ...args: readonly Json[]) => never)(view, ...(args as readonly Json[]));

/** In their order. */
export const publicChildren = (view: View, id: Id): readonly PageOutline[] => {
  const index = pageIndex(view.content);
  const children = index.childOutlines(id);
  return children.length > 0 && index.has(id) ? children.filter((child) => isPublic(child, view.lang, view.now)) : [];
};

/** Newest first. */
export function publicArticles(view: View, tag: Id | null): readonly Page[] {
  const at = (article: Page): string => article.translations[view.lang]?.published_at ?? "";
  return view.content
    .all(ARTICLES)
    .filter((article) => isPublic(article, view.lang, view.now) && (tag === null || article.tags.includes(tag)))
    .sort((a, b) => (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : b.id - a.id));
}

/** In order of creation, with the value of the view's language where a field is translated, else of the default one. */
function instancesByKey(view: View, key: string): readonly Payload[] {
  const type = findTypeByKey(view.content, key);
  if (!type) return [];
  return instancesOf(view.content, type).map((instance) => {
    const payload = instancePayload(view, instance);
    return {
      ...payload,
      data: localisedData(type.schema, payload.data as JsonObject, view.lang, view.locales.default),
    };
  });
}

/**
 * The page a path means in the language it names, the view's, or the default one; a former permalink counts last. Where
 * the reader must not know of a page, there is none.
 */
function pageAt(view: View, path: string): Page | undefined {
  const { lang, rest } = splitLang(view.locales, path);
  const bare = permalinkOf(rest);
  const index = pageIndex(view.content);
  const langs = [lang, view.lang, view.locales.default];
  const shown = (find: (lang: string) => Page | undefined): Page | undefined =>
    langs.map((each) => [each, find(each)] as const).find(([each, page]) => page && mayShow(view, page, each))?.[1];
  return shown((each) => index.byPermalink(each, bare)) ?? shown((each) => index.byAlias(each, bare));
}
