import { html } from "./html.js";
import { wordsIn } from "./words.js";

/** @import { AnyPublicPage, MenuNode } from "../cms/cms-types.js" */
/** @import { Site } from "../cms/site.js" */

const { CMS_URL = "http://127.0.0.1:8000" } = process.env;

/**
 * @param {AnyPublicPage} page
 * @param {Site} site
 * @param {unknown} content
 */
export function layout(page, site, content) {
  const { language, routerlink } = page;
  const words = wordsIn(language);
  const home = site.entries.find(({ page: { permalink, language: own } }) => permalink === "/" && own === language);
  // The editor shows previews beside its form.
  const isPreview = "paths" in page;
  const isDraft = !page.is_public || ("has_draft" in page && page.has_draft === true);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.permalink === "/" ? words.site : `${page.title} · ${words.site}`}</title>
        ${page.description && html`<meta name="description" content="${page.description}" />`}
        ${page.robots && html`<meta name="robots" content="${page.robots}" />`}
        ${page.og_image && html`<meta property="og:image" content="${page.og_image.file}" />`}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/site.css" />
        ${isPreview && html`<script src="${CMS_URL}/api/cms/bridge.js" data-refresh defer></script>`}
      </head>
      <body>
        <a class="skip" href="#main">${words.skip}</a>
        ${isDraft && html`<p class="draft">Draft: this is not public yet.</p>`}
        <header class="top">
          <div class="wrap">
            <a class="brand" href="${home?.path ?? "/"}">${words.site}</a>
            <nav aria-label="${words.menu}">${menu(site.menus[language]?.main?.nodes ?? [], routerlink)}</nav>
            <nav class="languages" aria-label="${words.languages}">
              <ul>
                ${site.languages.map((each) => languageLink(page, each))}
              </ul>
            </nav>
          </div>
        </header>
        <main id="main" tabindex="-1">${content}</main>
        <footer class="bottom">
          <div class="wrap"><p>${words.site}</p></div>
        </footer>
      </body>
    </html> `.text;
}

/**
 * @param {AnyPublicPage} page
 * @param {Site["languages"][number]} language
 */
function languageLink({ language, alternates }, { id, name }) {
  const address = /** @type {Record<string, string | null | undefined>} */ (alternates)[id];
  if (id === language) return html`<li><span aria-current="true" lang="${id}">${name}</span></li>`;
  return address && html`<li><a href="${address}" hreflang="${id}" lang="${id}">${name}</a></li>`;
}

/**
 * @param {readonly MenuNode[]} nodes
 * @param {string | null} at the address of the page that is shown
 * @returns {unknown}
 */
function menu(nodes, at) {
  return html`<ul>
    ${nodes.map(({ title, link: { url }, nodes: below = [] }) => {
      const current = url === at && html` aria-current="page"`;
      const entry = url ? html`<a href="${url}" ${current}>${title}</a>` : html`<span>${title}</span>`;
      return html`<li>${entry}${below.length > 0 && menu(below, at)}</li>`;
    })}
  </ul>`;
}
