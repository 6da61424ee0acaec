/** The content of the site, from the files that `cms build --data-only` writes. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** @import { AnyPublicPage, Menu } from "./cms-types.js" */

/**
 * @typedef {object} Site
 * @property {readonly { id: string, name: string }[]} languages
 * @property {ReadonlyMap<string, Menu>} menus by language
 * @property {readonly AnyPublicPage[]} pages
 * @property {ReadonlyMap<string, string>} hashes by the address of the page; those of the manifest
 */

/** The folder of the files. */
export const DATA = process.env.CMS_DATA ?? "data";

/** @type {Site} */
let current;

/** The content that the running build is of. */
export const site = () => current;

/** @returns {Site} */
export function readSite() {
  const languages = readJson("_data/languages.json");
  const menus = languages.map((/** @type {{ id: string }} */ { id }) => [id, readJson(`_data/${id}/menus.json`).main]);
  const pages = [];
  const hashes = new Map();
  for (const file of readdirSync(DATA, { recursive: true, encoding: "utf8" })) {
    if (!/(^|[\\/])index\.json$/.test(file)) continue;
    const text = readFileSync(`${DATA}/${file}`, "utf8");
    const page = JSON.parse(text);
    pages.push(page);
    hashes.set(page.routerlink, createHash("sha1").update(text).digest("hex"));
  }
  return (current = { languages, menus: new Map(menus), pages, hashes });
}

const readJson = (/** @type {string} */ file) => JSON.parse(readFileSync(`${DATA}/${file}`, "utf8"));

/**
 * The articles in a language, the newest first.
 *
 * @param {readonly AnyPublicPage[]} pages
 * @param {string} language
 */
export const articlesIn = (pages, language) =>
  pages
    .flatMap((page) => (page.related_name === "cms_article" && page.language === language ? page : []))
    .sort((a, b) => String(b.published_at).localeCompare(String(a.published_at)));

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
 * Whether a page shows articles, and changes with them.
 *
 * @param {AnyPublicPage} page
 */
export const listsArticles = (page) => hasSection(page, ["newest", "entries", "subjects"]);
