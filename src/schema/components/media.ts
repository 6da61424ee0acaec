/** Schemas of the media library. */
import { VARIANT_FORMATS, VARIANT_NAME, VARIANT_WIDTH_MAX } from "../../config/setting-types.ts";
import { MEDIA_FOLDER, FOLDER_TITLE, MEDIA_TEXTS, SAME_URL, UPDIR } from "../../model/media/media-input.ts";
import { sentFields, sentRecord, servedFields } from "../fields.ts";
import * as s from "../json-schema.ts";
import type { SiteShape } from "../site-shape.ts";

const PIXELS: s.Schema = { type: "integer", minimum: 1, examples: [800] };
const texts = servedFields(MEDIA_TEXTS);

export const USE_LINKS: s.Schema = s.listOf(
  s.record({ model: s.text("Page"), name: s.text("(Page) About us"), id: s.ID }),
);

export const VARIANT: s.Schema = s.record({
  name: s.told("Unique in the set; part of file names.", {
    type: "string",
    pattern: VARIANT_NAME.source,
    examples: ["md-webp"],
  }),
  width: s.told("In pixels.", { type: "integer", minimum: 1, maximum: VARIANT_WIDTH_MAX, examples: [800] }),
  format: s.told("original: that of the file.", s.oneOfTexts(...VARIANT_FORMATS)),
});

const itemFields: s.Schemas = {
  id: s.ID,
  ...texts,
  file: s.told("Address of the file.", s.text("https://example.org/media/harbour.jpg")),
  thumbnail: s.told("Address of the thumbnail; null for what is no raster image.", s.orNull(s.TEXT)),
  created: s.MOMENT,
  size: s.told("In bytes.", s.COUNT),
  mime_type: s.text("image/jpeg"),
  image_props: s.told("Empty for what is no raster image.", {
    ...s.record({ mode: s.text("RGB"), width: PIXELS, height: PIXELS, format: s.text("JPEG") }, { optional: "all" }),
  }),
  folder: s.told("Id of its folder; null: the top level.", s.orNull(s.ID)),
  deleted_at: s.told("When it was moved to the trash, which hides its file; absent otherwise.", s.MOMENT),
};

const mayBeAbsent = { optional: ["deleted_at"] };

const renditionFields: s.Schemas = {
  renditions: {
    type: "object",
    description: "By name of their variant; empty where there are none.",
    additionalProperties: s.ref("Rendition"),
  },
  renditions_config: s.told(
    "Variants of this item alone; null: those of the settings.",
    s.orNull(s.listOf(s.ref("Variant"))),
  ),
};

const FILE: s.Schema = { type: "string", format: "binary" };

const imageFlag: s.Schemas = { is_image: s.FLAG };

const input = (codes: readonly string[], extra: s.Schemas = {}, required: readonly string[] = []): s.Schema =>
  sentRecord([...MEDIA_TEXTS, MEDIA_FOLDER, SAME_URL], codes, {
    others: { renditions_config: s.orNull(s.listOf(s.ref("Variant"))), ...extra },
    required,
  });

export function mediaSchemas({ codes }: SiteShape): s.Schemas {
  return {
    Variant: s.told("A rendition that images are to have.", VARIANT),
    Rendition: s.record({
      url: s.TEXT,
      width: PIXELS,
      height: PIXELS,
      format: s.oneOfTexts(...VARIANT_FORMATS),
      size: s.COUNT,
    }),
    MediaItem: s.part({ ...itemFields, ...renditionFields }, mayBeAbsent),
    NestedMedia: s.joined(
      "A media item inside another payload; only editors are shown one that is in the trash.",
      s.ref("MediaItem"),
    ),
    ListedMedia: s.record(
      { ...itemFields, ...imageFlag },
      { ...mayBeAbsent, description: "A media item in the listing of a folder, without its renditions." },
    ),
    Media: s.joined(
      "A media item.",
      s.ref("MediaItem"),
      s.part({
        ...imageFlag,
        links: s.told("Records that use the item.", USE_LINKS),
        srcset: {
          type: "object",
          description: "A value for `srcset` by format.",
          additionalProperties: s.text("https://example.org/media/renditions/harbour/sm-webp.webp 400w"),
        },
        translations: s.byLanguage(codes, s.record(texts)),
      }),
    ),
    MediaInput: s.told("The values of a media item.", s.withExample(input(codes), { alt_text: "The harbour at dusk" })),
    MediaForm: s.told(
      "A file with the values of its item.",
      input(codes, { file: s.told("The file.", FILE) }, ["file"]),
    ),
    MediaFileForm: s.told(
      "The values of an item, with a file that replaces the stored one if there is one.",
      input(codes, { file: s.told("The new file.", FILE) }),
    ),
    Folder: s.part(
      {
        id: s.ID,
        title: s.TEXT,
        slug: s.text("press"),
        creation_date: s.MOMENT,
        last_modified: s.MOMENT,
        path: s.told("Slugs of the folder and those above it.", s.text("/press/2027")),
        updir: s.told("Id of the folder above; null at the top level.", s.orNull(s.ID)),
      },
      { description: "A folder of the media library." },
    ),
    MediaFolder: s.joined("A folder of the media library.", s.ref("Folder")),
    FolderInput: s.withExample(s.record(sentFields([FOLDER_TITLE, UPDIR]), { optional: ["updir"] }), {
      title: "Press",
    }),
    FolderChange: s.withExample(s.record(sentFields([FOLDER_TITLE, UPDIR]), { optional: "all" }), { title: "Press" }),
    FolderListing: s.recordOf("The folders in a folder, and a page of its items.", {
      folders: s.listOf(s.ref("MediaFolder")),
      media: s.record({ items: s.listOf(s.ref("ListedMedia")), paginator: s.ref("Paginator") }),
      parent_folder: {
        anyOf: [s.ref("MediaFolder"), s.record({ title: { const: "" }, path: { const: "" }, updir: { type: "null" } })],
      },
    }),
  };
}
