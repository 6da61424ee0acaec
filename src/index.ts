/** The library: a site opened in a program, with the verbs editors have. */
export { openCms, type Cms, type CmsOptions } from "./cms.ts";
export { loadConfig, defaultConfig, type Config } from "./config.ts";
export { CmsError, type ErrorCode, type FieldErrors } from "./errors.ts";
export {
  createPage,
  deletePage,
  discardPageDraft,
  publishPage,
  restorePage,
  savePageDraft,
  schedulePage,
  trashPage,
  updatePage,
} from "./actions/pages.ts";
export {
  createMetaInstance,
  createMetaType,
  deleteMetaInstance,
  deleteMetaType,
  updateMetaInstance,
  updateMetaType,
} from "./actions/meta.ts";
export { createFolder, deleteFolder, updateFolder } from "./actions/media/folders.ts";
export { regenerateAll, regenerateRenditions } from "./actions/media/regenerate.ts";
export { deleteMedia } from "./actions/media/files.ts";
export { updateMedia, uploadMedia, type Upload } from "./actions/media/upload.ts";
export { listRevisions, revertToRevision } from "./actions/revisions.ts";
export { parseInstant, type Instant } from "./model/instant.ts";
export { dueDrafts, sweepDue } from "./actions/sweep.ts";
export { MEDIA_FOLDERS } from "./store/content/records/media-folders.ts";
export { MEDIA } from "./store/content/records/media.ts";
export { META_INSTANCES } from "./store/content/records/meta-instances.ts";
export { META_TYPES } from "./store/content/records/meta-types.ts";
export { filterPages, type PageConditions } from "./model/page-filters.ts";
export { ARTICLES, PAGES } from "./store/content/records/pages.ts";
