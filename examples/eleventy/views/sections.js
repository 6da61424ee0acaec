import { articlesIn } from "../cms/site.js";
import { articleList, newestArticle } from "./article.js";
import { html } from "./html.js";
import { markdown } from "./markdown.js";
import { picture } from "./picture.js";

/** @import { NestedMedia, SectionsData } from "../cms/cms-types.js" */
/** @import { Site } from "../cms/site.js" */
/** @typedef {NonNullable<SectionsData["sections"]>[number]} Block */

/**
 * The sections of a page. Previews have hidden ones too.
 *
 * @param {readonly Block[]} blocks
 * @param {string} language
 * @param {Site} site
 * @returns {unknown[]}
 */
export const sections = (blocks, language, site) =>
  blocks.filter(({ hidden }) => !hidden).map((block) => section(block, language, site));

/**
 * @param {Block} block
 * @param {string} language
 * @param {Site} site
 */
function section(block, language, site) {
  const articles = articlesIn(site, language).map(({ page }) => page);
  switch (block.type) {
    case "newest":
      return articles[0] && newestArticle(articles[0]);
    case "entries": {
      const tag = typeof block.tag === "object" ? block.tag?.id : block.tag;
      const after = block.after ?? 0;
      const found = articles
        .filter(({ tags }) => tag === undefined || tags.some(({ id }) => id === tag))
        .slice(after, block.count ? after + block.count : undefined);
      return found.length > 0 && html`<section>${heading(block)} ${articleList(found)}</section>`;
    }
    case "subjects": {
      const tags = new Map(articles.flatMap((each) => each.tags.map(({ id, name }) => [id, name])));
      return [...tags].map(
        ([id, name]) =>
          html`<section>
            <h2 id="tag-${id}">${name}</h2>
            ${articleList(articles.filter((each) => each.tags.some((tag) => tag.id === id)))}
          </section>`,
      );
    }
    case "text":
      return html`<section>${heading(block)} ${markdown(block.body)}</section>`;
    case "quote":
      return html`<figure class="quote">
        <blockquote>${block.words}</blockquote>
        ${block.who && html`<figcaption>${block.who}</figcaption>`}
      </figure>`;
    case "note":
      return html`<aside class="note">${markdown(block.body)}</aside>`;
    case "now":
      return html`<section>
        ${heading(block)}
        <dl class="now">
          ${block.things?.map(
            ({ label, text }) =>
              html`<div>
                <dt>${label}</dt>
                <dd>${text}</dd>
              </div>`,
          )}
        </dl>
      </section>`;
    case "picture":
      return html`<figure class="wide">
        ${shown(block.picture, "(min-width: 62rem) 60rem, 100vw")}
        ${block.caption && html`<figcaption>${block.caption}</figcaption>`}
      </figure>`;
    case "gallery":
      return html`<section class="wide">
        ${heading(block)}
        <ul class="gallery">
          ${block.pictures?.map(
            (each) =>
              html`<li>
                ${shown(each.picture, "(min-width: 62rem) 20rem, 100vw")}
                ${each.caption && html`<p class="small">${each.caption}</p>`}
              </li>`,
          )}
        </ul>
      </section>`;
    case "portrait":
      return html`<section class="portrait">
        <div>${shown(block.picture, "9rem")}</div>
        <div>${heading(block)} ${markdown(block.body)}</div>
      </section>`;
    case "letter":
      return html`<section class="letter">
        ${heading(block)} ${block.text && html`<p>${block.text}</p>`}
        <p><a class="button" href="${block.link?.url}">${block.label}</a></p>
      </section>`;
    case "columns":
      return html`<div class="columns">${sections(block.content ?? [], language, site)}</div>`;
  }
}

const heading = (/** @type {{ title?: string | null }} */ { title }) => title && html`<h2>${title}</h2>`;

/**
 * @param {NestedMedia | number | null | undefined} media the number of one that is not served
 * @param {string} sizes
 */
const shown = (media, sizes) => media && typeof media === "object" && picture(media, { sizes });
