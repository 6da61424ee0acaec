/**
 * HTML from a media payload for templates: `srcset`, the URL of one rendition, a `<picture>` element.
 *
 * Depends only on the payload, so that macros without the template context can use it.
 */
import { isObject, own } from "../../model/input/json.ts";
import { typeByName } from "../../model/media/media-type.ts";
import { srcsets } from "../../model/media/srcset.ts";
import { escapeHtml } from "../../model/text/html-tokens.ts";

interface ShownRendition {
  readonly name: string;
  readonly url: string;
  readonly width: number;
  readonly format: string;
}

interface PictureOptions {
  /** null: the `alt_text` of the item. */
  readonly alt: string | null;
  /** The `sizes` attribute. */
  readonly sizes?: string;
  /** Formats offered before the fallback, best first. */
  readonly formats: readonly string[];
  /** Format of the `<img>` element, for browsers without support for the others. */
  readonly fallback: string;
  /** Further attributes of the image, in order. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** `url 400w, url 800w` of one format; "" when there are no renditions of it. */
export const srcsetOf = (media: unknown, format = "webp"): string => own(srcsets(renditionsOf(media)), format) ?? "";

/** The URL of one rendition; "" for an unknown name. */
export const renditionUrl = (media: unknown, name: string): string =>
  renditionsOf(media).find((each) => each.name === name)?.url ?? "";

/** A `<picture>` element, or an `<img>` without alternative formats; "" without an item. */
export function pictureHtml(media: unknown, { alt, sizes, formats, fallback, attributes }: PictureOptions): string {
  const file = textAt(media, "file");
  if (file === null) return "";
  const all = renditionsOf(media);
  const widest = (format: string | undefined): ShownRendition | undefined =>
    all.filter((each) => each.format === format).sort((a, b) => b.width - a.width)[0];
  const shown = widest(fallback) ?? widest("original") ?? widest(formats[0]);
  const ofSizes = sizes === undefined ? [] : [["sizes", sizes] as const];
  const props = isObject(media) ? own(media, "image_props") : undefined;
  // The file itself is one more width of its format.
  const withFile = (): string => {
    const width = isObject(props) ? own(props, "width") : undefined;
    return srcsetOf(media, "original") + (typeof width === "number" ? `, ${file} ${width}w` : "");
  };
  const dimension = (key: string): (readonly [string, string])[] => {
    const value = isObject(props) ? own(props, key) : undefined;
    return typeof value === "number" && !attributes.some(([name]) => name === key) ? [[key, String(value)]] : [];
  };
  const image = tag("img", [
    ["src", shown?.url ?? file],
    ["alt", alt ?? textAt(media, "alt_text") ?? ""],
    ...(shown
      ? [["srcset", shown.format === "original" ? withFile() : srcsetOf(media, shown.format)] as const, ...ofSizes]
      : []),
    ...dimension("width"),
    ...dimension("height"),
    ...attributes,
  ]);
  const sources = formats
    .filter((format) => format !== shown?.format && srcsetOf(media, format) !== "")
    .map((format) => tag("source", [["type", typeOf(format, media)], ["srcset", srcsetOf(media, format)], ...ofSizes]));
  return sources.length === 0 ? image : `<picture>${sources.join("")}${image}</picture>`;
}

function renditionsOf(media: unknown): ShownRendition[] {
  const renditions = isObject(media) ? own(media, "renditions") : undefined;
  if (!isObject(renditions)) return [];
  return Object.entries(renditions).flatMap(([name, value]) => {
    if (!isObject(value)) return [];
    const [url, width, format] = [own(value, "url"), own(value, "width"), own(value, "format")];
    return typeof url === "string" && typeof width === "number" && typeof format === "string"
      ? [{ name, url, width, format }]
      : [];
  });
}

const textAt = (media: unknown, key: string): string | null => {
  const value = isObject(media) ? own(media, key) : undefined;
  return typeof value === "string" && value !== "" ? value : null;
};

const typeOf = (format: string, media: unknown): string =>
  format === "original" ? (textAt(media, "mime_type") ?? "") : typeByName(`x.${format}`).mime;

const tag = (name: string, attributes: readonly (readonly [string, string])[]): string =>
  `<${name}${attributes.map(([key, value]) => ` ${key}="${escapeHtml(value)}"`).join("")}>`;
