import type { Config } from "../../config.ts";
import type { AnyKind } from "./record-type.ts";
import { CONTENTS } from "./records/contents.ts";
import { MEDIA_FOLDERS } from "./records/media-folders.ts";
import { mediaFiles } from "./records/media-files.ts";
import { MEDIA } from "./records/media.ts";
import { MENUS } from "./records/menus.ts";
import { META_INSTANCES } from "./records/meta-instances.ts";
import { META_TYPES } from "./records/meta-types.ts";
import { PAGE_MODELS } from "./records/page-models.ts";
import { ARTICLES, PAGES } from "./records/pages.ts";
import { DECLARED_TYPES } from "./records/declared.ts";
import { REDIRECTS } from "./records/redirects.ts";
import { RELEASES } from "./records/releases.ts";

/** Every record type except the files of the media library, whose folders depend on the settings. */
export const KINDS: readonly AnyKind[] = [
  PAGE_MODELS,
  PAGES,
  ARTICLES,
  ...DECLARED_TYPES,
  MEDIA,
  MEDIA_FOLDERS,
  MENUS,
  CONTENTS,
  META_TYPES,
  META_INSTANCES,
  REDIRECTS,
  RELEASES,
];

/** Every record type of a site. */
export function kindsOf({ MEDIA: { RENDITIONS, THUMBNAIL } }: Pick<Config, "MEDIA">): readonly AnyKind[] {
  return [...KINDS, mediaFiles([RENDITIONS.FOLDER, THUMBNAIL.FOLDER].filter((folder) => folder !== ""))];
}
