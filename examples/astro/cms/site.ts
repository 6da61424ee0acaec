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

/** Whether a page shows articles, and changes with them. */
export const listsArticles = ({ template_file }: Pick<AnyPublicPage, "template_file">): boolean =>
  template_file === "pages/home.html" || template_file === "pages/subjects.html";
