/**
 * Notifications of changes below a folder: one watch for each folder, none for its files.
 *
 * The watch of a folder also tells of changes in its files, so a site of 10,000 files in 50 folders takes 50 watches and
 * no stat of any file. A folder is watched before it is listed: of what appears in it meanwhile, either the watch or the
 * listing tells.
 */
import { lstatSync, readdirSync, watch, type FSWatcher } from "node:fs";
import { isMissing } from "../git/fs.ts";

/** A path below the watched folder, with "/"; "" is that folder itself. */
type Path = string;

export interface FolderWatchOptions {
  /** Whether changes of a path are told. What is below a folder that is not of interest is neither watched nor told. */
  isOfInterest(path: Path): boolean;
  /** A file or folder has appeared, changed or gone. For a folder that has appeared, nothing below it may be told. */
  onChange(path: Path): void;
  /** A folder cannot be watched: its changes are not told. */
  onError(error: unknown): void;
}

/** Starts watching; changes are told from its return on. Symbolic links are not followed. @returns the way to stop */
export function watchFolders(root: string, { isOfInterest, onChange, onError }: FolderWatchOptions): () => void {
  const watched = new Map<Path, FSWatcher>();

  const add = (folder: Path): void => {
    try {
      const watcher = watch(`${root}/${folder}`);
      watched.set(folder, watcher);
      watcher.on("error", onError);
      watcher.on("change", (event: string, name: string | null) => hear(event, folder, name));
      for (const entry of readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
        const path = below(folder, entry.name);
        if (entry.isDirectory() && isOfInterest(path)) add(path);
      }
    } catch (error) {
      if (!isMissing(error)) onError(error); // it has gone meanwhile, which the folder above tells
    }
  };
  const remove = (folder: Path): void => {
    for (const [path, watcher] of watched) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watched.delete(path);
    }
  };
  /** @param name null where the system does not tell it */
  const hear = (event: string, folder: Path, name: string | null): void => {
    if (name === null) return onChange(folder);
    const path = below(folder, name);
    if (!isOfInterest(path)) return;
    // Also a folder that is watched already may be another one by now, even with the same inode.
    if (event === "rename") {
      if (watched.has(path)) remove(path);
      if (isFolder(`${root}/${path}`)) add(path);
    }
    onChange(path);
  };

  add("");
  return () => {
    for (const watcher of watched.values()) watcher.close();
    watched.clear();
  };
}

const below = (folder: Path, name: string): Path => (folder === "" ? name : `${folder}/${name}`);

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false; // it has gone
  }
}
