/** Attachments of an export as media. */
import { join } from "node:path";
import { CmsError } from "../../errors.ts";
import { mediaStemOf } from "../../model/media/media-name.ts";
import { extensionOf } from "../../model/media/media-type.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { TimeZone } from "../../model/time/time-zone.ts";
import type { Downloads } from "../sources/download.ts";
import { fileBelow, type OpenedFile } from "../sources/file-source.ts";
import { decodeEntities } from "../../model/text/html-tokens.ts";
import type { ImportedMedia, ImportedRedirect } from "../imported-site.ts";
import { sourceLink } from "../texts/source-links.ts";
import { pathOfItem, type Posts } from "./posts.ts";
import { momentsOf } from "./publication.ts";
import { uploadPath } from "./uploads.ts";
import { metaOf, postSource, type WordPressItem } from "./wxr.ts";

export interface AttachmentReading {
  readonly posts: Posts;
  readonly locales: Locales;
  readonly zone: TimeZone | undefined;
  /** The folder `wp-content/uploads` of the old site. */
  readonly uploads: string | undefined;
  readonly downloads: Downloads;
  /** For what is fetched. */
  readonly temporary: string;
}

export const mediaIn = (reading: AttachmentReading): readonly ImportedMedia[] =>
  [...reading.posts.attachments.values()].map((item) => mediumOf(item, reading));

function mediumOf(item: WordPressItem, reading: AttachmentReading): ImportedMedia {
  const { posts, locales, zone, uploads } = reading;
  const path =
    uploadPath(item) ?? item.attachmentUrl.replace(/[?#].*$/s, "").slice(item.attachmentUrl.lastIndexOf("/") + 1);
  const lang = posts.translations.langOf(item) ?? locales.default;
  const title = decodeEntities(item.title);
  const alt = metaOf(item, "_wp_attachment_image_alt")?.trim() ?? "";
  const description = item.content.trim() || item.excerpt;
  const texts = {
    ...(title !== "" && { title }),
    ...(alt !== "" && { alt_text: alt }),
    ...(description !== "" && { description }),
  };
  return {
    source: postSource(item.id),
    place: { file: item.file, line: item.line },
    name: path.slice(path.lastIndexOf("/") + 1) || "file",
    folder: path.slice(0, Math.max(0, path.lastIndexOf("/"))),
    ...(Object.keys(texts).length > 0 && { texts: { [lang]: texts } }),
    created: momentsOf(item, zone).written,
    address: item.attachmentUrl,
    version: uploads === undefined ? item.attachmentUrl : undefined,
    open: () => fileOf(item, reading),
  };
}

async function fileOf(item: WordPressItem, { uploads, downloads, temporary }: AttachmentReading): Promise<OpenedFile> {
  const path = uploadPath(item);
  if (uploads !== undefined && path !== undefined) {
    const found = (await fileBelow(uploads, path)) ?? (await fileBelow(uploads, unscaled(path)));
    if (found) return found;
    if (!downloads.isAllowed(item.attachmentUrl))
      throw new CmsError("invalid", `There is no ${path} in the folder of uploads.`);
  }
  if (downloads.isAllowed(item.attachmentUrl))
    return downloads.fetch(item.attachmentUrl, join(temporary, `${item.id}`));
  const host = URL.canParse(item.attachmentUrl) ? new URL(item.attachmentUrl).host : "";
  if (host === "") throw new CmsError("invalid", "The export does not say where its file is.");
  throw new CmsError(
    "invalid",
    `Its file is not in the export: give the folder of uploads with --uploads, or allow fetching with --allow-media-from ${host}.`,
  );
}

/** WordPress keeps the original beside one that it made smaller. */
const unscaled = (path: string): string => mediaStemOf(path).replace(/-scaled$/, "") + extensionOf(path);

/** From the addresses of files, and from the pages that WordPress makes for them. */
export function* mediaRedirects({ posts }: AttachmentReading): Generator<ImportedRedirect> {
  for (const item of posts.attachments.values()) {
    const place = { file: item.file, line: item.line };
    const to = sourceLink(postSource(item.id));
    const from = posts.site.locate(item.attachmentUrl)?.path;
    if (from !== undefined && from !== "/") yield { place, from, to };
    const page = pathOfItem(item, posts.site);
    if (page !== undefined && page !== "/" && page !== from && !posts.byPath(page)) yield { place, from: page, to };
  }
}
