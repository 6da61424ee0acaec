/**
 * Derivatives (thumbnails and renditions) in `media/` that are not committed.
 *
 * They can be generated again at any time, so nothing is synced to the disk, and a failed write is repeated at the next
 * request. Paths are below `media/`.
 */
import { randomBytes } from "node:crypto";
import { open, realpath, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { diskFs, makeDirs, replaceFile } from "../git/fs.ts";
import { MEDIA_DIR } from "../records/media/media-files.ts";

export const mediaPath = (root: string, file: string): string => join(root, MEDIA_DIR, ...file.split("/"));

export const isThere = (root: string, file: string): Promise<boolean> =>
  stat(mediaPath(root, file)).then(
    (found) => found.isFile(),
    () => false, // missing, or not readable
  );

/** The first bytes of a file. @param file absolute path @param length in bytes; a shorter file is read whole */
export async function readFirstBytes(file: string, length: number): Promise<Uint8Array> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file, so that a reader never sees part of it.
 *
 * @throws Error when the disk refuses, or a folder on the path is a symbolic link out of the site
 */
export async function keepFile(root: string, file: string, bytes: Uint8Array): Promise<void> {
  const path = mediaPath(root, file);
  const folder = dirname(path);
  await makeDirs(diskFs, folder, 0o777);
  if (!(await isInside(root, folder))) throw new Error(`${file} leads out of the site`);
  const temporary = join(folder, `.${randomBytes(8).toString("hex")}.part`);
  await replaceFile(diskFs, path, bytes, { mode: 0o666, temporary, isDurable: false });
}

/** Removes files, and folders that this leaves empty. Missing files are ignored. */
export async function dropFiles(root: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (!(await isInside(root, dirname(mediaPath(root, file))))) continue;
    await rm(mediaPath(root, file), { force: true });
    for (let at = dirname(file); at !== "."; at = dirname(at)) {
      const isRemoved = await rmdir(mediaPath(root, at)).then(
        () => true,
        () => false, // not empty
      );
      if (!isRemoved) break;
    }
  }
}

/** Whether a folder exists and is in `media/` after symbolic links are resolved. */
async function isInside(root: string, folder: string): Promise<boolean> {
  try {
    return `${await realpath(folder)}${sep}`.startsWith((await realpath(join(root, MEDIA_DIR))) + sep);
  } catch {
    return false; // missing, or not readable
  }
}
