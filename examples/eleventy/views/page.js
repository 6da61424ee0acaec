import { cmsField } from "git-cms/client";
import { article } from "./article.js";
import { attributes, html } from "./html.js";
import { layout } from "./layout.js";
import { markdown } from "./markdown.js";
import { sections } from "./sections.js";

/** @import { AnyPublicPage, SectionsData } from "../cms/cms-types.js" */
/** @import { Site } from "../cms/site.js" */

/**
 * @param {AnyPublicPage} page public, or as a preview
 * @param {Site} site
 */
export function renderPage(page, site) {
  if (page.related_name === "cms_article") return layout(page, site, article(page, site, markdown(page.content)));
  // A page without a model may have a text.
  const { lead, body, sections: blocks } = /** @type {SectionsData & { body?: string }} */ (page.template_data);
  return layout(
    page,
    site,
    html`<h1${attributes(cmsField(page, "title"))}>${page.title}</h1>
      ${lead && html`<p class="lead" ${attributes(cmsField(page, "template_data.lead"))}>${lead}</p>`}
      ${body && markdown(body)}
      <div class="sections">${sections(blocks ?? [], page.language, site)}</div>`,
  );
}
