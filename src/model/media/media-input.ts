/** Reads and validates writes to the media library, from form fields or JSON. */
import { refuseInvalid, type FieldErrors } from "../../errors.ts";
import { own, type Json } from "../input/json.ts";
import {
  anything,
  listOf,
  mergeErrors,
  named,
  record,
  refusedKeys,
  translated,
  type Keys,
  type UnknownFields,
} from "../input/known-keys.ts";
import { type Lang, type Locales } from "../language/locale.ts";
import { EMPTY_MEDIA_TEXT, type Media, type MediaText } from "./media.ts";
import { requireObject, REQUIRED } from "../input/input-errors.ts";
import type { FieldRow } from "../input/field.ts";
import type { Id } from "../page/page.ts";
import type { Variant } from "./renditions.ts";
import { readVariants } from "./variants.ts";
import { readersOf, readSent, readSentTexts, type Errors } from "../input/sent-fields.ts";

export interface MediaChange {
  readonly texts: { readonly [lang: Lang]: Partial<MediaText> };
  /** undefined: not sent; null: no folder. */
  readonly folder?: Id | null;
  readonly renditions_config?: readonly Variant[] | null;
  /** Whether a new file keeps the URL of the old one. */
  readonly sameUrl: boolean;
}

export interface FolderChange {
  readonly title?: string;
  /** undefined: not sent; null: the top level. */
  readonly updir?: Id | null;
}

/** The translated texts of an item. */
export const MEDIA_TEXTS: readonly FieldRow[] = [
  { name: "title", type: "text", translated: true, max: 200, nullable: true, help: "The title of the item." },
  {
    name: "alt_text",
    type: "text",
    translated: true,
    max: 200,
    nullable: true,
    help: "What the picture shows, for those who do not see it.",
  },
  {
    name: "description",
    type: "text",
    translated: true,
    nullable: true,
    help: "A longer description, such as a caption.",
  },
];
export const FOLDER_TITLE: FieldRow = {
  name: "title",
  type: "text",
  max: 200,
  blank: false,
  help: "The title of the folder.",
};

const TEXT_READERS = readersOf(MEDIA_TEXTS);
export const MEDIA_FOLDER: FieldRow = {
  name: "folder",
  type: "reference",
  nullable: true,
  help: "Id of the folder; null: the top level.",
};
export const UPDIR: FieldRow = { ...MEDIA_FOLDER, name: "updir", help: "Id of the folder above; null: the top level." };
export const SAME_URL: FieldRow = {
  name: "same_url",
  type: "boolean",
  help: "Whether a new file keeps the address of the old one.",
};

const VARIANT_KEYS: Keys = listOf(record(named("name", "width", "format")));
// oxfmt-ignore
const READ_ONLY = [
  "id", "thumbnail", "created", "deleted_at", "size", "mime_type", "image_props", "renditions", "links", "is_image", "srcset",
];

const mediaKeys = (locales: Locales): Keys => {
  const others = { ...named("file", "folder", "same_url"), renditions_config: VARIANT_KEYS };
  return translated(locales, named(...TEXT_READERS.keys()), others, READ_ONLY);
};

/** A GET of a folder returns a listing, so the keys of a listing are accepted too. */
// oxfmt-ignore
const FOLDER_KEYS: Keys = record({ title: anything, updir: anything }, [
  "id", "slug", "creation_date", "last_modified", "path", "folders", "media", "parent_folder",
]);

/** What a write to an item is validated with. */
interface MediaRules {
  readonly locales: Locales;
  readonly unknownFields: UnknownFields;
  /** Errors of the file sent with it. */
  readonly fileErrors?: readonly string[];
}

/** @throws CmsError `invalid` with every offending field */
export function readMediaChange(
  body: unknown,
  lang: Lang,
  { locales, unknownFields, fileErrors = [] }: MediaRules,
): MediaChange {
  requireObject(body);
  const errors: Errors = fileErrors.length > 0 ? { file: fileErrors } : {};
  const texts = readSentTexts(body, locales, lang, TEXT_READERS, errors);
  const { folder, same_url } = readSent(body, [MEDIA_FOLDER, SAME_URL], errors) as {
    folder?: Id | null;
    same_url?: boolean;
  };
  const sent = own(body, "renditions_config");
  const config = sent === undefined ? undefined : readConfig(sent, errors);
  refuseInvalid(mergeErrors(errors, refusedKeys(unknownFields, mediaKeys(locales), body)) as FieldErrors);
  return {
    texts,
    ...(folder !== undefined && { folder }),
    ...(config !== undefined && { renditions_config: config }),
    sameUrl: same_url === true,
  };
}

/** @param isNew whether a title is required @throws CmsError `invalid` */
export function readFolderChange(body: unknown, isNew: boolean, unknownFields: UnknownFields): FolderChange {
  requireObject(body);
  const errors: Errors = { ...refusedKeys(unknownFields, FOLDER_KEYS, body) };
  const change = readSent(body, [FOLDER_TITLE, UPDIR], errors) as FolderChange;
  if (isNew && own(body, "title") === undefined) errors.title = [REQUIRED];
  refuseInvalid(errors);
  return change;
}

/** The texts with the sent ones replaced. */
export function withTexts(before: Media["translations"], change: MediaChange["texts"]): Media["translations"] {
  const after: Record<Lang, MediaText> = { ...before };
  for (const [lang, text] of Object.entries(change)) after[lang] = { ...EMPTY_MEDIA_TEXT, ...before[lang], ...text };
  return after;
}

/** Forms have no lists, so a form sends the value as JSON text. */
function readConfig(sent: Json, errors: Errors): readonly Variant[] | null | undefined {
  let value: Json = sent;
  if (typeof sent === "string" && sent.trim() === "") value = null;
  else if (typeof sent === "string") {
    try {
      value = JSON.parse(sent) as Json;
    } catch {
      errors.renditions_config = ["Value must be valid JSON."];
      return undefined;
    }
  }
  const read = readVariants(value);
  if ("variants" in read) return read.variants?.length ? read.variants : null;
  errors.renditions_config = read.errors;
  return undefined;
}
