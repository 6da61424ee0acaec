/**
 * Writes and removes the files of an output folder.
 *
 * No link is followed on the way to a file, so nothing outside the folder is written. A changed file is replaced as a whole,
 * so no half-written file is served.
 */
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileIn, folderAbove } from "./output-path.ts";
import { sizeOf } from "./output-scan.ts";

export class OutputFiles {
  readonly #dir: string;
  /** Paths that are folders and no links; true for those created here. */
  readonly #folders = new Map([["", false]]);

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** @returns whether the file changed. @throws when a folder or a link has its path */
  put(path: string, text: string): boolean {
    this.#enter(folderAbove(path));
    try {
      writeNew(this.#full(path), text);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (this.holds(path, text)) return false;
    replaceText(this.#full(path), text, this.#full(partialOf(path)));
    return true;
  }

  /** Like `put`, for bytes that `copy` writes to a new file. @param copy returns false when there is nothing to copy */
  async putFrom(path: string, copy: (to: string) => Promise<boolean>): Promise<boolean> {
    this.#enter(folderAbove(path));
    const partial = this.#full(partialOf(path));
    rmSync(partial, { force: true });
    try {
      if (!(await copy(partial))) return false;
      renameSync(partial, this.#full(path));
      return true;
    } finally {
      rmSync(partial, { force: true });
    }
  }

  /** Whether a file has this text. */
  holds(path: string, text: string): boolean {
    return this.sizeOf(path) === Buffer.byteLength(text) && readFileSync(this.#full(path)).equals(Buffer.from(text));
  }

  /** In bytes; -1 when it is not a file. */
  sizeOf(path: string): number {
    return sizeOf(this.#full(path));
  }

  /** Removes a file, and the folders that become empty. @returns whether there was one */
  remove(path: string): boolean {
    // Its folder may be missing, or a link.
    if (!this.#isFolder(folderAbove(path)) || this.sizeOf(path) < 0) return false;
    rmSync(this.#full(path));
    for (let folder = folderAbove(path); folder !== ""; folder = folderAbove(folder)) {
      try {
        rmdirSync(this.#full(folder));
      } catch {
        break; // not empty
      }
      this.#folders.delete(folder);
    }
    return true;
  }

  #full(path: string): string {
    return join(this.#dir, ...path.split("/"));
  }

  #isFolder(path: string): boolean {
    if (this.#folders.has(path)) return true;
    if (!this.#isFolder(folderAbove(path)) || !lstatSync(this.#full(path), { throwIfNoEntry: false })?.isDirectory())
      return false;
    this.#folders.set(path, false);
    return true;
  }

  #enter(folder: string): void {
    if (this.#folders.has(folder)) return;
    const above = folderAbove(folder);
    this.#enter(above);
    // A folder that was just created is empty, except for files of other processes.
    if (!this.#folders.get(above) && this.#isFolder(folder)) return;
    try {
      mkdirSync(this.#full(folder));
    } catch (error) {
      if (!this.#isFolder(folder)) throw error;
    }
    this.#folders.set(folder, true);
  }
}

/**
 * Replaces a file as a whole, without following a link. It is synchronous, unlike `replaceFile` of the repository, and syncs
 * nothing, since a build writes thousands of files that it can make again.
 *
 * @param partial the temporary name; whatever has it is removed
 */
export function replaceText(path: string, text: string, partial = `${path}.part`): void {
  rmSync(partial, { force: true }); // it may be a link
  try {
    writeNew(partial, text);
    renameSync(partial, path);
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Writes a file that must not exist. `writeFileSync` takes a quarter more time for the text of a page. */
function writeNew(path: string, text: string): void {
  const file = openSync(path, "wx");
  try {
    let done = writeSync(file, text);
    if (done === Buffer.byteLength(text)) return;
    const bytes = Buffer.from(text);
    while (done < bytes.length) done += writeSync(file, bytes, done);
  } finally {
    closeSync(file);
  }
}

/** The temporary file for a path: a name that no page and no media file can have. A folder has one at a time. */
export const partialOf = (path: string): string => fileIn(folderAbove(path), ".cms-part");
