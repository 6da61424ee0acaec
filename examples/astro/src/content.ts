/** The content that this build, or this development server, is of, and the questions that pages ask about it. */
import { getCollection } from "astro:content";
import { createClient } from "git-cms/client";
import type { AnyPublicPage, PublicArticle, Site } from "./cms-types";

export const cms = createClient<Site>();
export const entries = await getCollection("pages");
export const languages = await cms.languages();
/** By language. */
export const menus = new Map(
  await Promise.all(languages.map(async ({ id }) => [id, await cms.menu("main", id)] as const)),
);

/** The articles in a language, the newest first. */
export const articlesIn = (language: string): { readonly digest: string; readonly page: PublicArticle }[] =>
  entries
    .flatMap(({ data, digest }) =>
      data.related_name === "cms_article" && data.language === language ? [{ digest: `${digest}`, page: data }] : [],
    )
    .sort((a, b) => String(b.page.published_at).localeCompare(String(a.page.published_at)));

/** Whether a page has a section of one of these types. */
export const hasSection = (page: AnyPublicPage, types: readonly string[]): boolean =>
  page.related_name === "pages_sections" &&
  (page.template_data.sections ?? []).some(({ type }) => types.includes(type));

/** Whether a page shows articles, and changes with them. */
export const listsArticles = (page: AnyPublicPage): boolean => hasSection(page, ["newest", "entries", "subjects"]);
