/**
 * Builds that render only the pages that changed.
 *
 * `_site/.cms-state.json` says of each page from what it was rendered. Eleventy leaves the files of earlier builds as they are; after
 * a change of the code or the menus the folder is made anew.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { articlesIn, listsArticles } from "./site.js";

/** @import { AnyPublicPage } from "./cms-types.js" */
/** @import { Site } from "./site.js" */
/** @typedef {{ program: string, pages: Record<string, string> }} State */

const STATE = "_site/.cms-state.json";

/** @type {Site} */
let site;
/** @type {State} */
let before;
/** @type {State} */
let next;

/**
 * Before a build: what the output has, and what it will have.
 *
 * @param {Site} content
 */
export function prepare(content) {
  site = content;
  next = {
    program: programOf(content),
    pages: Object.fromEntries(content.pages.map((page) => [page.routerlink, stateOf(page)])),
  };
  before = existsSync(STATE) ? JSON.parse(readFileSync(STATE, "utf8")) : { program: "", pages: {} };
  if (before.program === next.program) return;
  rmSync("_site", { recursive: true, force: true });
  before = { program: next.program, pages: {} };
}

/** The pages that the build has to render. */
export const changedPages = () =>
  site.pages.filter(
    ({ routerlink }) =>
      next.pages[`${routerlink}`] !== before.pages[`${routerlink}`] || !existsSync(`_site${routerlink}index.html`),
  );

/** After a build: removes pages that are gone. */
export function finish() {
  for (const path of Object.keys(before.pages))
    if (!(path in next.pages)) rmSync(`_site${path}index.html`, { force: true });
  writeFileSync(STATE, JSON.stringify(next));
}

/**
 * A page is made from its payload, whose hash is in the manifest, and a list of articles from theirs too.
 *
 * @param {AnyPublicPage} page
 */
function stateOf(page) {
  const made = listsArticles(page) ? [page, ...articlesIn(site.pages, page.language)] : [page];
  return sha1(...made.map(({ routerlink }) => site.hashes.get(`${routerlink}`) ?? ""));
}

/**
 * What all pages are made from: the code, the languages and the menus.
 *
 * @param {Site} site
 */
function programOf({ languages, menus }) {
  const files = ["cms", "src", "views"].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
  const code = ["eleventy.config.js", "package-lock.json", ...files.sort()].map((file) => readFileSync(file, "utf8"));
  return sha1(...code, JSON.stringify([languages, [...menus]]));
}

const sha1 = (/** @type {string[]} */ ...parts) => createHash("sha1").update(JSON.stringify(parts)).digest("hex");
