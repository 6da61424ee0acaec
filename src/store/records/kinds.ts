import type { Config } from "../../config.ts";
import type { AnyKind } from "./record-type.ts";
import { BLOCK_TYPES } from "./block-types.ts";
import { CONTENTS } from "./contents.ts";
import { MEDIA_FOLDERS } from "./media/media-folders.ts";
import { mediaFiles } from "./media/media-files.ts";
import { MEDIA } from "./media/media.ts";
import { MENUS } from "./menus.ts";
import { META_INSTANCES } from "./meta-instances.ts";
import { META_TYPES } from "./meta-types.ts";
import { PAGE_MODELS } from "./page-models.ts";
import { ARTICLES, PAGES } from "./pages.ts";
import { DECLARED_TYPES } from "./declared.ts";
import { REDIRECTS } from "./redirects.ts";
import { RELEASES } from "./releases.ts";
import { REVIEWS } from "./people/reviews.ts";
import { THREADS } from "./people/threads.ts";
import { ROLES } from "./people/roles.ts";

/** Every record type except the files of the media library, whose folders depend on the settings. */
export const KINDS: readonly AnyKind[] = [
  BLOCK_TYPES,
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
  THREADS,
  REVIEWS,
  ROLES,
];

/** Every record type of a site. */
export function kindsOf({ MEDIA: { RENDITIONS, THUMBNAIL } }: Pick<Config, "MEDIA">): readonly AnyKind[] {
  return [...KINDS, mediaFiles([RENDITIONS.FOLDER, THUMBNAIL.FOLDER].filter((folder) => folder !== ""))];
}
