/** The media library: items with their files, and folders. */
import { mkdir, open } from "node:fs/promises";
import { deleteMedia } from "../actions/media/files.ts";
import { createFolder, deleteFolder, updateFolder } from "../actions/media/folders.ts";
import { regenerateRenditions } from "../actions/media/regenerate.ts";
import { restoreMedia, trashMedia } from "../actions/media/trash.ts";
import { updateMedia, uploadMedia, type Upload } from "../actions/media/upload.ts";
import type { Media as MediaRecord, MediaFolder } from "../model/media/media.ts";
import type { Id } from "../model/page/page.ts";
import { loadUses } from "../store/content/indexes/record-uses.ts";
import { MEDIA_FOLDERS } from "../store/records/media/media-folders.ts";
import { MEDIA } from "../store/records/media/media.ts";
import { MEDIA_LIST } from "../views/media/media-list.ts";
import { mediaPayload } from "../views/media/media.ts";
import { folderPayload } from "../views/media/media-folder.ts";
import { uploadFolder, uploadPlace } from "../store/private/uploads.ts";
import type { SiteContext } from "./context.ts";
import type { FolderInput, MediaInput, UploadFile } from "./inputs.ts";
import { authorOf, langOf, viewOf, type ReadOptions, type WriteOptions } from "./options.ts";
import type { FolderPayload, MediaPayload } from "./payloads.ts";
import { readers, writtenPayload, type Readers, type RecordSpec } from "./records.ts";

/** Errors as for `Records`; a picture that cannot be decoded is `invalid` under `file`. */
export interface Media extends Readers<MediaPayload> {
  /** Stores a file. Pictures are optimised and get renditions, as the settings below MEDIA say. */
  upload(file: UploadFile, values: MediaInput, options: WriteOptions): Promise<MediaPayload>;
  update(id: Id, values: MediaInput, options: WriteOptions): Promise<MediaPayload>;
  /** Replaces the file of an item. @param options.sameUrl keeps its URL; the new file must be of the same type */
  replace(id: Id, file: UploadFile, options: WriteOptions & { readonly sameUrl?: boolean }): Promise<MediaPayload>;
  /** Encodes the thumbnail and the renditions again. */
  regenerate(id: Id, options: WriteOptions): Promise<MediaPayload>;
  /**
   * Moves an item to the trash: its addresses answer 404, and only editors are shown it. References to it stay.
   *
   * @throws CmsError `conflict` with the records that use it, unless `options.confirm` is set
   */
  trash(id: Id, options: ConfirmOptions): Promise<MediaPayload>;
  /** Takes an item out of the trash, which makes everything as it was. */
  restore(id: Id, options: WriteOptions): Promise<MediaPayload>;
  /** Deletes an item with its files, and removes references to it. */
  delete(id: Id, options: WriteOptions): Promise<void>;
  readonly folders: Folders;
}

export interface Folders {
  get(id: Id, options?: ReadOptions): Promise<FolderPayload>;
  /** All folders, by id. */
  list(options?: ReadOptions): Promise<readonly FolderPayload[]>;
  create(values: FolderInput & { readonly title: string }, options: WriteOptions): Promise<FolderPayload>;
  /** Renames or moves a folder with its contents; former addresses of files redirect. */
  update(id: Id, values: FolderInput, options: WriteOptions): Promise<FolderPayload>;
  /** Deletes a folder with its contents. @throws CmsError `conflict` as `Media.trash`, for the files in it */
  delete(id: Id, options: ConfirmOptions): Promise<void>;
}

export interface ConfirmOptions extends WriteOptions {
  /** Whether it is done also when a file is used. */
  readonly confirm?: boolean;
}

export const MEDIA_SPEC: RecordSpec<MediaRecord> = {
  kind: MEDIA,
  queryable: MEDIA_LIST,
  show: mediaPayload,
  prepare: ({ content, config }) => loadUses(content, config.MEDIA.URL),
};

export function openMedia(ctx: SiteContext): Media {
  return {
    ...readers(ctx, MEDIA_SPEC),
    upload: (file, values, options) =>
      withUpload(ctx, file, async (upload) => {
        const made = await uploadMedia(ctx, options.by, values, { upload, lang: langOf(ctx, options.lang) });
        return writtenPayload(ctx, MEDIA_SPEC, made, options);
      }),
    async update(id, values, options) {
      const by = authorOf(options, MEDIA, id);
      const changed = await updateMedia(ctx, by, id, values, { upload: null, lang: langOf(ctx, options.lang) });
      return writtenPayload(ctx, MEDIA_SPEC, changed, options);
    },
    replace: (id, file, { sameUrl = false, ...options }) =>
      withUpload(ctx, file, async (upload) => {
        const by = authorOf(options, MEDIA, id);
        const values = { same_url: sameUrl };
        const changed = await updateMedia(ctx, by, id, values, { upload, lang: langOf(ctx, options.lang) });
        return writtenPayload(ctx, MEDIA_SPEC, changed, options);
      }),
    regenerate: async (id, options) =>
      writtenPayload(ctx, MEDIA_SPEC, await regenerateRenditions(ctx, authorOf(options, MEDIA, id), id), options),
    trash: async (id, { confirm = false, ...options }) =>
      writtenPayload(ctx, MEDIA_SPEC, await trashMedia(ctx, authorOf(options, MEDIA, id), id, confirm), options),
    restore: async (id, options) =>
      writtenPayload(ctx, MEDIA_SPEC, await restoreMedia(ctx, authorOf(options, MEDIA, id), id), options),
    async delete(id, options) {
      ctx.store.current.get(MEDIA, id);
      await deleteMedia(ctx, authorOf(options, MEDIA, id), [id]);
    },
    folders: openFolders(ctx),
  };
}

function openFolders(ctx: SiteContext): Folders {
  const shown = (folder: MediaFolder, view = viewOf(ctx, "editor")): FolderPayload =>
    folderPayload(view, folder) as FolderPayload;
  return {
    get: async (id, options) => shown(ctx.store.current.get(MEDIA_FOLDERS, id), viewOf(ctx, "editor", options)),
    list: async (options) => {
      const view = viewOf(ctx, "editor", options);
      return view.content.all(MEDIA_FOLDERS).map((folder) => shown(folder, view));
    },
    async create(values, options) {
      const { value, snapshot } = await createFolder(ctx, options.by, values);
      return shown(value, viewOf(ctx, "editor", options, snapshot));
    },
    async update(id, values, options) {
      const { value, snapshot } = await updateFolder(ctx, authorOf(options, MEDIA_FOLDERS, id), id, values);
      return shown(value, viewOf(ctx, "editor", options, snapshot));
    },
    async delete(id, { confirm = false, ...options }) {
      await deleteFolder(ctx, authorOf(options, MEDIA_FOLDERS, id), id, confirm);
    },
  };
}

/** Stores the bytes in the folder of uploads, on the disk of the repository, until the write is done. */
async function withUpload<R>(
  { store }: SiteContext,
  { name, bytes }: UploadFile,
  work: (upload: Upload) => Promise<R>,
): Promise<R> {
  const folder = uploadFolder(store.repo.stateDir);
  const { file, release } = uploadPlace(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const handle = await open(file, "wx", 0o666);
    try {
      await handle.writeFile(bytes);
      await handle.sync(); // the commit names the file's bytes, so they must be durable before it
    } finally {
      await handle.close();
    }
    return await work({ file, size: bytes.length, name });
  } finally {
    await release();
  }
}
