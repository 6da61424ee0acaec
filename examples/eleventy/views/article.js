import { hasSection } from "../cms/site.js";
import { html } from "./html.js";
import { picture } from "./picture.js";

/** @import { PublicArticle } from "../cms/cms-types.js" */
/** @import { Site } from "../cms/site.js" */

/**
 * @param {PublicArticle} article
 * @param {Site} site
 * @param {unknown} text its content as HTML
 */
export function article({ title, description, published_at, highlight_image, tags, language }, { entries }, text) {
  const subjects = entries.find(({ page }) => page.language === language && hasSection(page, ["subjects"]));
  return html`<article class="post">
    <header>
      ${date(published_at, language)}
      <h1>${title}</h1>
      ${description && html`<p class="lead">${description}</p>`}
    </header>
    ${highlight_image && html`<div class="picture">${picture(highlight_image, { sizes: "(min-width: 62rem) 60rem, 100vw", isFirst: true })}</div>`}
    ${text}
    <ul class="tags">
      ${tags.map(({ id, name }) => html`<li><a href="${subjects?.path}#tag-${id}">${name}</a></li>`)}
    </ul>
  </article>`;
}

/** @param {PublicArticle} article */
export const newestArticle = ({ highlight_image, published_at, language, routerlink, title, description }) =>
  html`<article class="newest">
    ${highlight_image && picture(highlight_image, { sizes: "(min-width: 44rem) 42rem, 100vw", alt: "", isFirst: true })}
    ${date(published_at, language)}
    <h2><a href="${routerlink}">${title}</a></h2>
    <p>${description}</p>
  </article>`;

/** @param {readonly PublicArticle[]} articles */
export const articleList = (articles) =>
  html`<ul class="list">
    ${articles.map(listEntry)}
  </ul>`;

/** @param {PublicArticle} article */
const listEntry = ({ highlight_image, published_at, language, routerlink, title, description }) => html` <li>
  ${highlight_image && picture(highlight_image, { sizes: "8rem", alt: "" })}
  <div>
    ${date(published_at, language)}
    <h3><a href="${routerlink}">${title}</a></h3>
    <p>${description}</p>
  </div>
</li>`;

/**
 * @param {string | null} at a moment in UTC, as the API sends it
 * @param {string} language
 */
function date(at, language) {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
  return at && html`<time datetime="${at}">${format.format(new Date(at))}</time>`;
}
