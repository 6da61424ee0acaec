import { html } from "./html.js";

/** @import { NestedMedia } from "../cms/cms-types.js" */

/**
 * @param {NestedMedia} media
 * @param {{ sizes: string, alt?: string, isFirst?: boolean }} options `sizes`: the width that the picture has on the page
 */
export function picture({ file, renditions, image_props: { width, height }, alt_text }, options) {
  const { sizes, alt = alt_text ?? "", isFirst = false } = options;
  const srcset = (/** @type {string} */ format) =>
    Object.values(renditions)
      .filter((rendition) => rendition.format === format)
      .sort((a, b) => a.width - b.width)
      .map((rendition) => `${rendition.url} ${rendition.width}w`)
      .join(", ");
  const sources = ["avif", "webp"].map(
    (format) => srcset(format) && html`<source type="image/${format}" srcset="${srcset(format)}" sizes="${sizes}" />`,
  );
  return html`<picture>
    ${sources}
    <img
      src="${file}"
      srcset="${srcset("original")}"
      sizes="${sizes}"
      alt="${alt}"
      width="${width}"
      height="${height}"
      loading="${isFirst ? "eager" : "lazy"}"
    />
  </picture>`;
}
