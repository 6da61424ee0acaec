/** The fields of media items that lists can be filtered, sorted and searched by. */
import { folderOf } from "../../model/media/media-name.ts";
import { EMPTY_MEDIA_TEXT, isImage, mimeOf, type Media, type MediaText } from "../../model/media/media.ts";
import type { Queryable, ValueField } from "../../model/lists/query.ts";
import { folderAt } from "../../store/content/indexes/media-index.ts";
import { ownFields } from "../lists/list-field.ts";
import type { View } from "../view.ts";

const mediaText = (name: keyof MediaText): ValueField<Media, View> => ({
  type: "text",
  translated: true,
  get: (media, _view, lang) => (media.translations[lang] ?? EMPTY_MEDIA_TEXT)[name],
});

/** The fields of media items, in their list and behind `og_image__`. */
export const MEDIA_LIST: Queryable<Media, View> = {
  fields: {
    ...ownFields<Media>({ id: "integer", file: "text", created: "instant" }),
    title: mediaText("title"),
    alt_text: mediaText("alt_text"),
    description: mediaText("description"),
    deleted_at: { type: "instant", reads: "record", get: (media) => media.deleted_at },
    alive: { type: "boolean", reads: "record", get: (media) => media.deleted_at === null },
    trashed: { type: "boolean", reads: "record", get: (media) => media.deleted_at !== null },
    size: { type: "integer", get: (media) => media.facts?.size ?? 0 },
    mime_type: { type: "text", get: (media) => mimeOf(media) },
    is_image: { type: "boolean", get: (media) => isImage(media) },
    width: { type: "integer", get: (media) => media.facts?.image?.width ?? null },
    height: { type: "integer", get: (media) => media.facts?.image?.height ?? null },
    folder: {
      type: "integer",
      get: (media, view) => folderAt(view.content, folderOf(media.file))?.id ?? null,
    },
  },
  search: ["title", "alt_text", "description", "file"],
  order: ["-id"],
  created: "created",
  ownFilter: { text: "alive=true", unless: ["alive", "trashed", "deleted_at"] },
};
