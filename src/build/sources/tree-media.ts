/** The media folder of the tree. */
import { constants, type Dirent } from "node:fs";
import { copyFile, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { currentDerivatives } from "../../model/media.ts";
import { MEDIA } from "../../store/content/records/media.ts";
import type { Snapshot } from "../../store/content/snapshot.ts";
import type { MediaFile } from "./source.ts";

/** The files of the media folder, without thumbnails and renditions that are no longer used. */
export async function treeMedia(root: string, content: Snapshot, config: Config): Promise<MediaFile[]> {
  const shown = new Set(madeFilesShown(content, config));
  const { RENDITIONS, THUMBNAIL } = config.MEDIA;
  const made = [RENDITIONS.FOLDER, ...(THUMBNAIL.FOLDER === "" ? [] : [THUMBNAIL.FOLDER])];
  // Thumbnails and renditions that are no longer used may exist in this clone only.
  return (await mediaFiles(join(root, "media"))).filter(
    ({ path }) => shown.has(path) || !made.some((folder) => path.startsWith(`${folder}/`)),
  );
}

/** The paths of thumbnails and renditions in payloads, below the media folder. */
export const madeFilesShown = (content: Snapshot, { MEDIA: { RENDITIONS } }: Config): string[] =>
  content.all(MEDIA).flatMap((media) => {
    const made = currentDerivatives(media);
    return [
      ...(made?.thumbnail ? [made.thumbnail] : []),
      ...(RENDITIONS.ENABLE ? (made?.renditions ?? []).map(({ file }) => file) : []),
    ];
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

function unlessGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}

/** The files of the media folder that the service serves: regular files, neither hidden nor below a link. */
async function mediaFiles(folder: string, below = ""): Promise<MediaFile[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((): Dirent[] => []); // a site without media
  const found = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith("."))
      .map(async (entry): Promise<MediaFile[]> => {
        const path = below === "" ? entry.name : `${below}/${entry.name}`;
        if (entry.isDirectory()) return mediaFiles(folder, path);
        if (!entry.isFile()) return [];
        const from = join(folder, path);
        const found = await lstat(from).catch(unlessGone);
        if (!found) return [];
        const { size, mtimeMs } = found;
        // Not a hard link: a change of the built file must not change the original.
        return [{ path, version: `${size} ${Math.round(mtimeMs)}`, copy: (to) => copyIfThere(from, to) }];
      }),
  );
  return found.flat().sort((a, b) => (a.path < b.path ? -1 : 1));
}
