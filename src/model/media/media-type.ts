/**
 * Media types of files: detected from the first bytes where possible, from the name otherwise.
 *
 * An image gets the extension of its detected type, since a name may be wrong. Types that could run scripts with the
 * site's origin (SVG, HTML, XML) are sandboxed or sent as downloads.
 */

/** Formats that can be decoded. Other images are stored and served unchanged. */
export type RasterFormat = "jpeg" | "png" | "webp" | "gif" | "tiff" | "avif";

export interface MediaType {
  readonly mime: string;
  /** With a dot, in lower case; the first is the preferred one. */
  readonly extensions: readonly string[];
  /** For images that can be decoded. */
  readonly raster?: RasterFormat;
  /** How it is served. `sandboxed`: with a Content-Security-Policy that forbids scripts. */
  readonly delivery: "inline" | "sandboxed" | "download";
}

const type = (mime: string, extensions: string, delivery: MediaType["delivery"] = "inline"): MediaType => ({
  mime,
  extensions: extensions.split(" "),
  delivery,
});

const RASTER_TYPES: Readonly<Record<RasterFormat, MediaType>> = {
  jpeg: { ...type("image/jpeg", ".jpg .jpeg .jpe .jfif"), raster: "jpeg" },
  png: { ...type("image/png", ".png"), raster: "png" },
  webp: { ...type("image/webp", ".webp"), raster: "webp" },
  gif: { ...type("image/gif", ".gif"), raster: "gif" },
  tiff: { ...type("image/tiff", ".tiff .tif"), raster: "tiff" },
  avif: { ...type("image/avif", ".avif"), raster: "avif" },
};

const TYPES: readonly MediaType[] = [
  ...Object.values(RASTER_TYPES),
  type("image/heic", ".heic .heif"),
  type("image/bmp", ".bmp .dib"),
  type("image/x-icon", ".ico"),
  type("image/jxl", ".jxl"),
  type("image/svg+xml", ".svg", "sandboxed"),
  type("application/pdf", ".pdf"),
  type("application/zip", ".zip", "download"),
  type("application/gzip", ".gz .tgz", "download"),
  type("application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx", "download"),
  type("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx", "download"),
  type("application/vnd.openxmlformats-officedocument.presentationml.presentation", ".pptx", "download"),
  type("application/vnd.oasis.opendocument.text", ".odt", "download"),
  type("application/epub+zip", ".epub", "download"),
  type("application/json", ".json"),
  type("application/xml", ".xml", "download"),
  type("text/html", ".html .htm .xhtml", "download"),
  type("text/css", ".css"),
  type("text/csv", ".csv", "download"),
  type("text/markdown", ".md"),
  type("text/plain", ".txt .text .log"),
  type("text/vtt", ".vtt"),
  type("audio/mpeg", ".mp3"),
  type("audio/ogg", ".ogg .oga .opus"),
  type("audio/wav", ".wav"),
  type("audio/flac", ".flac"),
  type("audio/mp4", ".m4a"),
  type("video/mp4", ".mp4 .m4v"),
  type("video/webm", ".webm"),
  type("video/quicktime", ".mov"),
  type("font/woff2", ".woff2"),
  type("font/woff", ".woff"),
  type("font/ttf", ".ttf"),
  type("font/otf", ".otf"),
];

const BY_EXTENSION = new Map(TYPES.flatMap((each) => each.extensions.map((extension) => [extension, each] as const)));
const BY_MIME = new Map(TYPES.map((each) => [each.mime, each]));

/** The type of unknown files: served as a download. */
const UNKNOWN: MediaType = { mime: "application/octet-stream", extensions: [""], delivery: "download" };

/** The extension of a name with its dot, in lower case; "" when it has none. A leading dot does not count. */
export const extensionOf = (name: string): string => /[^/](\.[^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";

export const typeByName = (name: string): MediaType => BY_EXTENSION.get(extensionOf(name)) ?? UNKNOWN;

export const rasterType = (format: RasterFormat): MediaType => RASTER_TYPES[format];

export const isRasterFormat = (value: unknown): value is RasterFormat =>
  typeof value === "string" && Object.hasOwn(RASTER_TYPES, value);

/** The number of leading bytes that `sniff` reads. */
export const SNIFF_BYTES = 1024;

/** The type detected from the first bytes of a file; undefined when there is no known signature. */
export function sniff(head: Uint8Array): MediaType | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SNIFF_BYTES)).toString("latin1");
  const mime = MAGIC.find(([pattern]) => pattern.test(text))?.[1] ?? markupType(text);
  return mime === undefined ? undefined : BY_MIME.get(mime);
}

// Patterns match the bytes decoded as Latin-1.
const MAGIC: readonly (readonly [RegExp, string])[] = [
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^\x89PNG\r\n\x1a\n/, "image/png"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF[^]{4}WEBP/, "image/webp"],
  [/^(II\x2a\0|MM\0\x2a)/, "image/tiff"],
  [/^[^]{4}ftyp(avif|avis)/, "image/avif"],
  [/^[^]{4}ftyp(mif1|msf1)[^]{4,40}?(avif|avis)/, "image/avif"],
  [/^[^]{4}ftyp(hei[cxms]|hev[cx]|mif1|msf1)/, "image/heic"],
  [/^BM[^]{4}\0\0\0\0/, "image/bmp"],
  [/^\0\0\x01\0[^\0]/, "image/x-icon"],
  [/^(\xff\x0a|\0\0\0\x0cJXL )/, "image/jxl"],
  [/^%PDF-/, "application/pdf"],
];

/**
 * The type of a text by its first tag, past byte order mark, XML declaration, comments and doctype.
 *
 * Linear time for any number of comments: each step reads the remaining text once.
 */
function markupType(text: string): string | undefined {
  let rest = text.replace(/^\xef\xbb\xbf/, "").trimStart();
  const isXml = /^<\?xml\s/i.test(rest);
  const past = (mark: string, from = 0): boolean => {
    const at = rest.indexOf(mark, from);
    rest = at < 0 ? "" : rest.slice(at + mark.length).trimStart();
    return at >= 0;
  };
  if (isXml) past(">");
  let isSvg = false;
  for (;;) {
    if (rest.startsWith("<!--")) past("-->", "<!--".length);
    else if (/^<!doctype svg/i.test(rest)) isSvg = past(">");
    else break;
  }
  if (/^<svg[\s>]/i.test(rest)) return "image/svg+xml";
  if (isXml) return "application/xml";
  return !isSvg && /^<(!doctype html|html|head|body|script|iframe)[\s>]/i.test(rest) ? "text/html" : undefined;
}

/** The size and SHA-256 in a Git LFS pointer file; undefined for any other content. */
export function lfsPointer(head: Uint8Array): { readonly size: number; readonly oid: string | undefined } | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SNIFF_BYTES)).toString("latin1");
  if (!text.startsWith("version https://git-lfs.github.com/spec/")) return undefined;
  const oid = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1];
  return { size: Number(/^size (\d{1,15})$/m.exec(text)?.[1] ?? 0), oid };
}
