/** Questions about the content that pages ask. */
import type { AnyPublicPage, PublicArticle } from "./cms-types";
import type { Entry } from "./content";

/** The articles in a language, the newest first. */
export const articlesIn = (entries: readonly Entry[], language: string): (Entry & { readonly page: PublicArticle })[] =>
  entries
    .flatMap(({ page, ...entry }) =>
      page.related_name === "cms_article" && page.language === language ? [{ ...entry, page }] : [],
    )
    .sort((a, b) => String(b.page.published_at).localeCompare(String(a.page.published_at)));

/** Whether a page has a section of one of these types. */
export const hasSection = (page: AnyPublicPage, types: readonly string[]): boolean =>
  page.related_name === "pages_sections" &&
  (page.template_data.sections ?? []).some(({ type }) => types.includes(type));

/** Whether a page shows articles, and changes with them. */
export const listsArticles = (page: AnyPublicPage): boolean => hasSection(page, ["newest", "entries", "subjects"]);
