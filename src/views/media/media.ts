/**
 * Payloads of media items: in full, in folder listings, and inside other payloads.
 *
 * Renditions of other bytes than the current ones are omitted: an image replaced by hand must not show the old one at
 * some widths.
 */
import { withFallback } from "../../model/language/fallback.ts";
import { showInstant } from "../../model/time/instant.ts";
import { objectOf } from "../../model/input/json.ts";
import { encodePath, type Lang } from "../../model/language/locale.ts";
import {
  EMPTY_MEDIA_TEXT,
  isImage,
  currentDerivatives,
  mimeOf,
  rasterOf,
  type Media,
  type MediaText,
} from "../../model/media/media.ts";
import { folderOf } from "../../model/media/media-name.ts";
import type { Id } from "../../model/page/page.ts";
import { srcsets } from "../../model/media/srcset.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import { folderAt } from "../../store/content/indexes/media-index.ts";
import { mediaUses } from "../../store/content/indexes/record-uses.ts";
import type { Payload, View } from "../view.ts";

/** The public URL of a file of the library, by its path below `media/`. */
export const mediaUrl = (view: View, file: string): string =>
  `${view.config.mediaOrigin ?? view.origin}${view.config.MEDIA.URL}${encodePath(file)}`;

/** The item in full. */
export function mediaPayload(view: View, media: Media): Payload {
  return {
    ...nested(view, media),
    links: mediaUses(view.content, media, view.config.MEDIA.URL),
    is_image: isImage(media),
    srcset: srcsets(renditionsOf(view, media)),
    translations: objectOf(view.locales.codes.map((lang) => [lang, { ...textOf(media, lang) }] as const)),
  };
}

/** An item in the listing of a folder, without its renditions. */
export function listedMedia(view: View, media: Media): Payload {
  const { renditions: _renditions, renditions_config: _config, ...rest } = nested(view, media);
  return { ...rest, is_image: isImage(media) };
}

/**
 * A media item inside another payload, in the view's language; null when there is none. Only editors are shown one that is
 * in the trash, so that a payload that is written back keeps it.
 */
export function nestedMedia(view: View, id: Id | null): Payload | null {
  const media = id === null ? undefined : view.content.find(MEDIA, id);
  return media && (media.deleted_at === null || view.surface === "editor") ? nested(view, media) : null;
}

function nested(
  view: View,
  media: Media,
): Payload & { readonly renditions: Payload; readonly renditions_config: unknown } {
  const text = (field: keyof MediaText): string | null =>
    withFallback((lang) => textOf(media, lang)[field], view.lang, view.locales.default);
  const thumbnail = currentDerivatives(media)?.thumbnail ?? null;
  const image = rasterOf(media);
  return {
    id: media.id,
    alt_text: text("alt_text"),
    title: text("title"),
    description: text("description"),
    file: mediaUrl(view, media.file),
    thumbnail: thumbnail && mediaUrl(view, thumbnail),
    created: showInstant(media.created),
    size: media.facts?.size ?? 0,
    mime_type: mimeOf(media),
    image_props: image ? { mode: image.mode, width: image.width, height: image.height, format: image.format } : {},
    renditions: objectOf(renditionsOf(view, media).map(({ name, ...rest }) => [name, rest] as const)),
    renditions_config: media.renditions_config,
    folder: folderAt(view.content, folderOf(media.file))?.id ?? null,
    ...(media.deleted_at !== null && { deleted_at: showInstant(media.deleted_at) }),
  };
}

/** In the order of the variants; none while `MEDIA.RENDITIONS.ENABLE` is off. */
function renditionsOf(
  view: View,
  media: Media,
): { name: string; url: string; width: number; height: number; format: string; size: number }[] {
  const made = view.config.MEDIA.RENDITIONS.ENABLE ? (currentDerivatives(media)?.renditions ?? []) : [];
  return made.map(({ name, file, width, height, format, size }) => ({
    name,
    url: mediaUrl(view, file),
    width,
    height,
    format,
    size,
  }));
}

const textOf = (media: Media, lang: Lang): MediaText => media.translations[lang] ?? EMPTY_MEDIA_TEXT;
