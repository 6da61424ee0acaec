/**
 * Builds that render only the pages that changed.
 *
 * `site/.cms-state.json` says of each page from what it was rendered. After a change of the code or the menus the folder is made
 * anew.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { articlesIn, listsArticles } from "./site.js";

/** @import { AnyPublicPage } from "./cms-types.js" */
/** @import { Site } from "./site.js" */
/** @typedef {{ program: string, pages: Record<string, string> }} State */

/** The folder of the whole site: Next's own output, `out`, has the pages of one build only. */
export const SITE = "site";

const STATE = `${SITE}/.cms-state.json`;
const CHOSEN = ".cms/chosen.json";

/** @type {State} */
let before;
/** @type {State} */
let next;

/**
 * Before Next's work: chooses the pages to render.
 *
 * @param {Site} site
 * @returns {string[]} their paths
 */
export function prepare(site) {
  next = {
    program: programOf(site),
    pages: Object.fromEntries(site.pages.map((page) => [page.routerlink, stateOf(page, site)])),
  };
  before = existsSync(STATE) ? JSON.parse(readFileSync(STATE, "utf8")) : { program: "", pages: {} };
  if (before.program !== next.program) {
    rmSync(SITE, { recursive: true, force: true });
    before = { program: next.program, pages: {} };
  }
  const changed = Object.keys(next.pages).filter(
    (path) => next.pages[path] !== before.pages[path] || !existsSync(`${SITE}${path}index.html`),
  );
  mkdirSync(".cms", { recursive: true });
  mkdirSync(SITE, { recursive: true });
  writeFileSync(CHOSEN, JSON.stringify({ program: next.program, changed }));
  return changed;
}

/**
 * What `prepare` chose, for Next, which is a process of its own.
 *
 * @returns {{ program: string, changed: string[] }} `program`: what all pages are made from
 */
export const chosen = () => JSON.parse(readFileSync(CHOSEN, "utf8"));

/** After Next's work: removes pages that are gone. Their folders may have other pages. */
export function finish() {
  for (const path of Object.keys(before.pages).filter((each) => !(each in next.pages) && existsSync(SITE + each)))
    for (const entry of readdirSync(SITE + path, { withFileTypes: true }))
      if (entry.isFile()) rmSync(`${SITE}${path}${entry.name}`);
  writeFileSync(STATE, JSON.stringify(next));
}

/**
 * A page is made from its payload, whose hash is in the manifest, and a list of articles from theirs too.
 *
 * @param {AnyPublicPage} page
 * @param {Site} site
 */
function stateOf(page, { pages, hashes }) {
  const made = listsArticles(page) ? [page, ...articlesIn(pages, page.language)] : [page];
  return sha1(...made.map(({ routerlink }) => hashes.get(`${routerlink}`) ?? ""));
}

/**
 * What all pages are made from: the code, the languages and the menus.
 *
 * @param {Site} site
 */
function programOf({ languages, menus }) {
  const files = ["app", "cms", "components", "public"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`),
  );
  const code = ["next.config.ts", "package-lock.json", ...files.sort()].map((file) => readFileSync(file, "utf8"));
  return sha1(...code, JSON.stringify([languages, [...menus]]));
}

const sha1 = (/** @type {string[]} */ ...parts) => createHash("sha1").update(JSON.stringify(parts)).digest("hex");
