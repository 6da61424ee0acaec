/** The media folder of the tree. */
import { constants } from "node:fs";
import { copyFile, lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { currentDerivatives } from "../../model/media/media.ts";
import { publicFiles, unlessGone, type PublicFile } from "../../store/content/public-files.ts";
import { liveMedia, mediaIndex } from "../../store/content/indexes/media-index.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { MediaFile } from "./source.ts";

/** The files of the media folder, without those in the trash, and without thumbnails and renditions that are no longer used. */
export async function treeMedia(root: string, content: Snapshot, config: Config): Promise<MediaFile[]> {
  return (await publicFiles(join(root, "media"))).filter(isShownIn(content, config)).map(copied);
}

/** Which files are public. Thumbnails and renditions that are no longer used may exist in this clone only. */
export function isShownIn(content: Snapshot, config: Config): (file: { readonly path: string }) => boolean {
  const shown = new Set(madeFilesShown(content, config));
  const { RENDITIONS, THUMBNAIL } = config.MEDIA;
  const made = [RENDITIONS.FOLDER, ...(THUMBNAIL.FOLDER === "" ? [] : [THUMBNAIL.FOLDER])];
  const { isTrashed } = mediaIndex(content);
  return ({ path }) => shown.has(path) || (!isTrashed(path) && !made.some((folder) => path.startsWith(`${folder}/`)));
}

/** The paths of thumbnails and renditions in payloads, below the media folder. */
export const madeFilesShown = (content: Snapshot, { MEDIA: { RENDITIONS } }: Config): string[] =>
  liveMedia(content).flatMap((media) => {
    const made = currentDerivatives(media);
    return [
      ...(made?.thumbnail ? [made.thumbnail] : []),
      ...(RENDITIONS.ENABLE ? (made?.renditions ?? []).map(({ file }) => file) : []),
    ];
  });

/** A file as the build copies it. */
export const copied = ({ path, file, stats: { size, mtimeMs } }: PublicFile): MediaFile => ({
  path,
  version: `${size} ${Math.round(mtimeMs)}`,
  // Not a hard link: a change of the built file must not change the original.
  copy: (to) => copyIfThere(file, to),
});

/** @returns false when a server removed the file after it was listed */
async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (await lstat(from).catch(unlessGone)) throw error;
    return false;
  }
}
