/** A file of the media library, as its record tells it: what people wrote about it, in each language. */
import type { Instant } from "./instant.ts";
import type { Lang } from "./locale.ts";
import type { Id } from "./page.ts";

export interface MediaText {
  readonly title: string | null;
  readonly alt_text: string | null;
  readonly description: string | null;
}

export interface Media {
  readonly id: Id;
  /** Path of the original below `media/`. */
  readonly file: string;
  readonly created: Instant;
  readonly translations: { readonly [lang: Lang]: MediaText };
}

export const EMPTY_MEDIA_TEXT: MediaText = { title: null, alt_text: null, description: null };
