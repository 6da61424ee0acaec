/** Media items as other payloads show them. */
import { showInstant } from "../model/instant.ts";
import { encodePath } from "../model/locale.ts";
import { EMPTY_MEDIA_TEXT, type Media, type MediaText } from "../model/media.ts";
import type { Id } from "../model/page.ts";
import { MEDIA } from "../store/kinds/media.ts";
import type { View } from "./view.ts";

/** The public URL of a media item's file. */
export const mediaUrl = (view: View, media: Media): string => `${view.origin}${view.config.MEDIA.URL}${encodePath(media.file)}`;

/** A media item inside another payload, in the view's language; null when there is none (contract.md 6.8). */
export function nestedMedia(view: View, id: Id | null): object | null {
  const media = id === null ? undefined : view.content.find(MEDIA, id);
  if (!media) return null;
  const text = (field: keyof MediaText): string | null =>
    (media.translations[view.lang] ?? EMPTY_MEDIA_TEXT)[field] ??
    (media.translations[view.locales.default] ?? EMPTY_MEDIA_TEXT)[field];
  return {
    id: media.id,
    alt_text: text("alt_text"),
    title: text("title"),
    description: text("description"),
    file: mediaUrl(view, media),
    created: showInstant(media.created),
  };
}
