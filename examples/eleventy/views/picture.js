import { picture as attributesOf } from "git-cms/client";
import { attributes, html } from "./html.js";

/** @import { NestedMedia } from "../cms/cms-types.js" */
/** @import { PictureOptions } from "git-cms/client" */

/**
 * @param {NestedMedia} media
 * @param {PictureOptions} options
 */
export function picture(media, options) {
  const { sources, img } = attributesOf(media, options);
  return html`<picture>
    ${sources.map((source) => html`<source${attributes(source)} />`)}
    <img${attributes(img)} />
  </picture>`;
}
