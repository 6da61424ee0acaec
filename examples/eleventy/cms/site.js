/** Questions about the content that pages ask. */

/** @import { AnyPublicPage, Menu, PublicArticle } from "./cms-types.js" */
/** @typedef {import("git-cms/eleventy").SiteData<AnyPublicPage, Menu>} Site */
/** @typedef {import("git-cms/eleventy").PageEntry<AnyPublicPage>} Entry */

/**
 * The articles in a language, the newest first.
 *
 * @param {Site} site
 * @param {string} language
 * @returns {(Entry & { page: PublicArticle })[]}
 */
export const articlesIn = ({ entries }, language) =>
  entries
    .flatMap(({ page, ...entry }) =>
      page.related_name === "cms_article" && page.language === language ? [{ ...entry, page }] : [],
    )
    .sort((a, b) => String(b.page.published_at).localeCompare(String(a.page.published_at)));

/**
 * Whether a page has a section of one of these types.
 *
 * @param {AnyPublicPage} page
 * @param {readonly string[]} types
 */
export const hasSection = (page, types) =>
  page.related_name === "pages_sections" &&
  (page.template_data.sections ?? []).some(({ type }) => types.includes(type));

/**
 * The articles that a page lists: it changes with them.
 *
 * @param {Entry} entry
 * @param {Site} site
 */
export const articlesOn = ({ page }, site) =>
  hasSection(page, ["newest", "entries", "subjects"]) ? articlesIn(site, page.language) : [];
