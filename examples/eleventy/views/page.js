import MarkdownIt from "markdown-it";
import { articlesIn } from "../cms/site.js";
import { article, articleList, newestArticle } from "./article.js";
import { html, raw } from "./html.js";
import { layout } from "./layout.js";
import { wordsIn } from "./words.js";

/** @import { AnyPublicPage } from "../cms/cms-types.js" */
/** @import { Site } from "../cms/site.js" */

// As the service does it: HTML in the text is shown, not used.
const parser = new MarkdownIt();
const markdown = (/** @type {string | undefined} */ text = "") =>
  html`<div class="prose">${raw(parser.render(text))}</div>`;

/**
 * @param {AnyPublicPage} page public, or as a preview
 * @param {Site} site
 */
export function renderPage(page, site) {
  if (page.related_name === "cms_article") return layout(page, site, article(page, site, markdown(page.content)));
  const { lead, body } = /** @type {{ lead?: string, body?: string }} */ (page.template_data);
  return layout(
    page,
    site,
    html`<h1>${page.title}</h1>
      ${lead && html`<p class="lead">${lead}</p>`}
      ${page.template_file === "pages/home.html" ? newest(page, site) : page.template_file === "pages/subjects.html" ? subjects(page, site) : markdown(body)}`,
  );
}

/**
 * @param {AnyPublicPage} page
 * @param {Site} site
 */
function newest({ language }, { pages }) {
  const [first, ...earlier] = articlesIn(pages, language);
  return html`${first && newestArticle(first)} ${earlier.length > 0 && html`<h2>${wordsIn(language).earlier}</h2>`}
  ${articleList(earlier)}`;
}

/**
 * @param {AnyPublicPage} page
 * @param {Site} site
 */
function subjects({ language }, { pages }) {
  const articles = articlesIn(pages, language);
  const tags = new Map(articles.flatMap((each) => each.tags.map(({ id, name }) => [id, name])));
  return [...tags].map(
    ([id, name]) => html`<h2 id="tag-${id}">${name}</h2>
      ${articleList(articles.filter((each) => each.tags.some((tag) => tag.id === id)))}`,
  );
}
