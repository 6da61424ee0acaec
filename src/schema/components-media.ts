/** Schemas of the media library. */
import { VARIANT_FORMATS, VARIANT_NAME, VARIANT_WIDTH_MAX } from "../config/setting-types.ts";
import { FOLDER, FOLDER_TITLE, MEDIA_TEXTS, SAME_URL, UPDIR } from "../model/media-input.ts";
import { sentFields, sentRecord, servedFields } from "./fields.ts";
import {
  byLanguage,
  COUNT,
  FLAG,
  ID,
  joined,
  listOf,
  MOMENT,
  oneOfTexts,
  orNull,
  part,
  record,
  ref,
  TEXT,
  text,
  told,
  withExample,
  type Schema,
  type Schemas,
} from "./json-schema.ts";
import type { SiteShape } from "./site-shape.ts";

const PIXELS: Schema = { type: "integer", minimum: 1, examples: [800] };
const texts = servedFields(MEDIA_TEXTS);

export const VARIANT: Schema = record({
  name: told("Unique in the set; part of file names.", {
    type: "string",
    pattern: VARIANT_NAME.source,
    examples: ["md-webp"],
  }),
  width: told("In pixels.", { type: "integer", minimum: 1, maximum: VARIANT_WIDTH_MAX, examples: [800] }),
  format: told("original: that of the file.", oneOfTexts(...VARIANT_FORMATS)),
});

const itemFields: Schemas = {
  id: ID,
  ...texts,
  file: told("Address of the file.", text("https://example.org/media/harbour.jpg")),
  thumbnail: told("Address of the thumbnail; null for what is no raster image.", orNull(TEXT)),
  created: MOMENT,
  size: told("In bytes.", COUNT),
  mime_type: text("image/jpeg"),
  image_props: told("Empty for what is no raster image.", {
    ...record({ mode: text("RGB"), width: PIXELS, height: PIXELS, format: text("JPEG") }, { optional: "all" }),
  }),
  folder: told("Id of its folder; null: the top level.", orNull(ID)),
};

const renditionFields: Schemas = {
  renditions: {
    type: "object",
    description: "By name of their variant; empty where there are none.",
    additionalProperties: ref("Rendition"),
  },
  renditions_config: told("Variants of this item alone; null: those of the settings.", orNull(listOf(ref("Variant")))),
};

const FILE: Schema = { type: "string", format: "binary" };

const imageFlag: Schemas = { is_image: FLAG };

const input = (codes: readonly string[], extra: Schemas = {}, required: readonly string[] = []): Schema =>
  sentRecord([...MEDIA_TEXTS, FOLDER, SAME_URL], codes, {
    others: { renditions_config: orNull(listOf(ref("Variant"))), ...extra },
    required,
  });

export function mediaSchemas({ codes }: SiteShape): Schemas {
  return {
    Variant: told("A rendition that images are to have.", VARIANT),
    Rendition: record({
      url: TEXT,
      width: PIXELS,
      height: PIXELS,
      format: oneOfTexts(...VARIANT_FORMATS),
      size: COUNT,
    }),
    MediaItem: part({ ...itemFields, ...renditionFields }),
    NestedMedia: joined("A media item inside another payload.", ref("MediaItem")),
    ListedMedia: record(
      { ...itemFields, ...imageFlag },
      { description: "A media item in the listing of a folder, without its renditions." },
    ),
    Media: joined(
      "A media item.",
      ref("MediaItem"),
      part({
        ...imageFlag,
        links: told(
          "Records that use the item.",
          listOf(record({ model: text("Page"), name: text("(Page) About us"), id: ID })),
        ),
        srcset: {
          type: "object",
          description: "A value for `srcset` by format.",
          additionalProperties: text("https://example.org/media/renditions/harbour/sm-webp.webp 400w"),
        },
        translations: byLanguage(codes, record(texts)),
      }),
    ),
    MediaInput: told("The values of a media item.", withExample(input(codes), { alt_text: "The harbour at dusk" })),
    MediaForm: told("A file with the values of its item.", input(codes, { file: told("The file.", FILE) }, ["file"])),
    MediaFileForm: told(
      "The values of an item, with a file that replaces the stored one if there is one.",
      input(codes, { file: told("The new file.", FILE) }),
    ),
    Folder: part(
      {
        id: ID,
        title: TEXT,
        slug: text("press"),
        creation_date: MOMENT,
        last_modified: MOMENT,
        path: told("Slugs of the folder and those above it.", text("/press/2027")),
        updir: told("Id of the folder above; null at the top level.", orNull(ID)),
      },
      { description: "A folder of the media library." },
    ),
    MediaFolder: joined("A folder of the media library.", ref("Folder")),
    FolderInput: withExample(record(sentFields([FOLDER_TITLE, UPDIR]), { optional: ["updir"] }), { title: "Press" }),
    FolderChange: withExample(record(sentFields([FOLDER_TITLE, UPDIR]), { optional: "all" }), { title: "Press" }),
    FolderListing: record(
      {
        folders: listOf(ref("MediaFolder")),
        media: record({ items: listOf(ref("ListedMedia")), paginator: ref("Paginator") }),
        parent_folder: {
          anyOf: [ref("MediaFolder"), record({ title: { const: "" }, path: { const: "" }, updir: { type: "null" } })],
        },
      },
      { description: "The folders in a folder, and a page of its items." },
    ),
  };
}
