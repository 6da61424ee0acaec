/**
 * Files in `media/` that git does not keep: thumbnails and renditions that can be made again at any time.
 *
 * Nothing here is ever the only copy of anything, so nothing is synced, and what fails is tried again when it is asked
 * for. Paths are below `media/`.
 */
import { randomBytes } from "node:crypto";
import { realpath, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { diskFs, makeDirs } from "../git/fs.ts";
import { MEDIA_DIR } from "./records/media-files.ts";

export const mediaPath = (root: string, file: string): string => join(root, MEDIA_DIR, ...file.split("/"));

export const isThere = (root: string, file: string): Promise<boolean> =>
  stat(mediaPath(root, file)).then(
    (found) => found.isFile(),
    () => false,
  ); // whatever keeps us from seeing it

/** Writes a file; a reader sees all of it or nothing. @throws when the disk refuses, or a folder on the way is a link out of the site */
export async function keepFile(root: string, file: string, bytes: Uint8Array): Promise<void> {
  const path = mediaPath(root, file);
  const folder = dirname(path);
  await makeDirs(diskFs, folder, 0o777);
  if (!(await isInside(root, folder))) throw new Error(`${file} leads out of the site`);
  const partial = join(folder, `.${randomBytes(8).toString("hex")}.part`);
  try {
    await writeFile(partial, bytes);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Removes files, and folders that are empty then; what is gone already is fine. */
export async function dropFiles(root: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (!(await isInside(root, dirname(mediaPath(root, file))))) continue;
    await rm(mediaPath(root, file), { force: true });
    for (let at = dirname(file); at !== "."; at = dirname(at)) {
      const isEmptied = await rmdir(mediaPath(root, at)).then(
        () => true,
        () => false,
      ); // others still have files in it
      if (!isEmptied) break;
    }
  }
}

/** Whether a folder is one of `media/`, no link on the way leading elsewhere; false when it is not there. */
async function isInside(root: string, folder: string): Promise<boolean> {
  try {
    return `${await realpath(folder)}${sep}`.startsWith((await realpath(join(root, MEDIA_DIR))) + sep);
  } catch {
    return false; // not there, or not to be looked at
  }
}
