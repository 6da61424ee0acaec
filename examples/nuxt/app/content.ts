/** The questions that pages ask about the content. */
import MarkdownIt from "markdown-it";
import type { AnyPublicPage, PublicArticle } from "./cms-types";

/** The articles in a language, the newest first. */
export const useArticles = (language: string) =>
  useCmsPages(`articles:${language}`, (pages: readonly AnyPublicPage[]): PublicArticle[] =>
    pages
      .flatMap((page) => (page.related_name === "cms_article" && page.language === language ? page : []))
      .sort((a, b) => String(b.published_at).localeCompare(String(a.published_at))),
  );

// As the service does it: HTML in the text is shown, not used.
const parser = new MarkdownIt();

export const markdown = (text: string | null | undefined): string => parser.render(text ?? "");
