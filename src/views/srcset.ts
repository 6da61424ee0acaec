/**
 * What templates make of a media payload: the widths of one format, one rendition's address, a whole picture element.
 *
 * Everything is read off the payload, so a helper needs no standpoint of its own, and a macro can use it.
 */
import { isObject, own } from "../model/json.ts";
import { typeByName } from "../model/media-type.ts";
import { srcsets } from "../model/renditions.ts";

interface Shown {
  readonly name: string;
  readonly url: string;
  readonly width: number;
  readonly format: string;
}

export interface PictureOptions {
  /** null: the item's own. */
  readonly alt: string | null;
  /** As HTML has it: how wide the picture is shown. */
  readonly sizes?: string;
  /** Formats offered before the fallback, best first. */
  readonly formats: readonly string[];
  /** Format of the plain image, for browsers that know none of the others. */
  readonly fallback: string;
  /** Further attributes of the image, in order. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** `url 400w, url 800w` of one format; "" for what has none of it (interface.md, Rendition rules). */
export const srcsetOf = (media: unknown, format = "webp"): string => own(srcsets(renditionsOf(media)), format) ?? "";

/** The address of one rendition; "" where there is none of this name. */
export const renditionUrl = (media: unknown, name: string): string => renditionsOf(media).find((each) => each.name === name)?.url ?? "";

/** A picture element, or a plain image where there is nothing to choose from; "" without an item (contract.md 16). */
export function pictureHtml(media: unknown, { alt, sizes, formats, fallback, attributes }: PictureOptions): string {
  const file = textAt(media, "file");
  if (file === null) return "";
  const all = renditionsOf(media);
  const widest = (format: string | undefined): Shown | undefined => all.filter((each) => each.format === format).sort((a, b) => b.width - a.width)[0];
  const shown = widest(fallback) ?? widest("original") ?? widest(formats[0]);
  const ofSizes = sizes === undefined ? [] : [["sizes", sizes] as const];
  const props = isObject(media) ? own(media, "image_props") : undefined;
  // Of the file's own format there is always one more width: the file's.
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
    ...(shown ? [["srcset", shown.format === "original" ? withFile() : srcsetOf(media, shown.format)] as const, ...ofSizes] : []),
    ...dimension("width"),
    ...dimension("height"),
    ...attributes,
  ]);
  const sources = formats
    .filter((format) => format !== shown?.format && srcsetOf(media, format) !== "")
    .map((format) => tag("source", [["type", typeOf(format, media)], ["srcset", srcsetOf(media, format)], ...ofSizes]));
  return sources.length === 0 ? image : `<picture>${sources.join("")}${image}</picture>`;
}

function renditionsOf(media: unknown): Shown[] {
  const renditions = isObject(media) ? own(media, "renditions") : undefined;
  if (!isObject(renditions)) return [];
  return Object.entries(renditions).flatMap(([name, value]) => {
    if (!isObject(value)) return [];
    const [url, width, format] = [own(value, "url"), own(value, "width"), own(value, "format")];
    return typeof url === "string" && typeof width === "number" && typeof format === "string" ? [{ name, url, width, format }] : [];
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

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
