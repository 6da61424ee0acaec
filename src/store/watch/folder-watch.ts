/**
 * Notifications of changes below a folder: one watch for each folder, none for its files.
 *
 * The watch of a folder also reports changes of its files, so a site of 10,000 files in 50 folders needs 50 watches and
 * no stat of any file. A folder is watched before it is listed, so that a file that appears meanwhile is reported by
 * one of the two.
 */
import { lstatSync, readdirSync, watch, type FSWatcher } from "node:fs";
import { isMissing } from "../git/fs.ts";

/** A path below the watched folder, with "/"; "" is that folder itself. */
type Path = string;

export interface FolderWatchOptions {
  /** Whether changes of a path are reported. An excluded folder is not watched, and nothing below it is reported. */
  isOfInterest(path: Path): boolean;
  /**
   * A file or folder was added, changed or removed; for a removed folder, its contents may not be reported. The watched
   * folder itself (""): anything may have changed.
   */
  onChange(path: Path): void;
  /** A folder cannot be watched: its changes are not reported. */
  onError(error: unknown): void;
}

/**
 * Linux keeps 16,384 notifications for a process that does not read them (`fs.inotify.max_queued_events`) and drops
 * further ones, which libuv does not report. Half of that in one turn of the event loop means that some may be missing.
 */
const MANY_AT_ONCE = 8_192;

/** Starts watching; changes after its return are reported. Symbolic links are not followed. @returns stops watching */
export function watchFolders(root: string, { isOfInterest, onChange, onError }: FolderWatchOptions): () => void {
  const watched = new Map<Path, FSWatcher>();
  let heardInTurn = 0;
  let isStarted = false;

  const add = (folder: Path): void => {
    try {
      const watcher = watch(`${root}/${folder}`);
      watched.set(folder, watcher);
      watcher.on("error", onError);
      watcher.on("change", (event: string, name: string | null) => hear(event, folder, name));
      for (const entry of readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
        const path = below(folder, entry.name);
        if (!isOfInterest(path)) continue;
        if (isStarted) onChange(path);
        if (entry.isDirectory()) add(path);
      }
    } catch (error) {
      if (!isMissing(error)) onError(error); // removed meanwhile, which the watch of the parent folder reports
    }
  };
  const remove = (folder: Path): void => {
    for (const [path, watcher] of watched) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watched.delete(path);
    }
  };
  /** @param name null where the system does not report it */
  const hear = (event: string, folder: Path, name: string | null): void => {
    if (heardInTurn === 0) setImmediate(() => (heardInTurn = 0));
    if (++heardInTurn === MANY_AT_ONCE) onChange("");
    if (name === null) return onChange(folder);
    const path = below(folder, name);
    if (!isOfInterest(path)) return;
    // A folder at a watched path may be a new one by now, even with the same inode.
    if (event === "rename") {
      if (watched.has(path)) remove(path);
      if (isFolder(`${root}/${path}`)) add(path);
    }
    onChange(path);
  };

  add("");
  isStarted = true;
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
    return false; // removed
  }
}
