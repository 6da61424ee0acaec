/**
 * The output folder. All files are written and removed here.
 *
 * No link is followed on the way to a file, so nothing outside the folder is written. A changed file is replaced as a whole,
 * so no half-written file is served. Until the build ends, the folder has a list of the files that it may change: after a
 * killed build the next one trusts none of them.
 */
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { messageOf, setup } from "../../errors.ts";
import { scanOutput, sizeOf, type OutputScan } from "./output-scan.ts";
import { builtFolder, fileIn, folderAbove } from "./output-path.ts";
import { STATE_FILE } from "../state/state-file.ts";
import type { State } from "../state/state.ts";

/** The files that the running build may change. */
const CHANGES_FILE = ".cms-building";
/** Files in the output that are not part of the site. */
const OWN: readonly string[] = [STATE_FILE, CHANGES_FILE];

/** Writes files into an output folder. Several writers may use one folder, each for its own files. */
export interface Writer {
  /** @returns whether the file changed. @throws when a folder or a link has its path */
  put(path: string, text: string): boolean;
}

export interface Output extends Writer {
  readonly dir: string;
  /** Sizes by path of the files that were there at the start, without those of intact pages. */
  readonly found: ReadonlyMap<string, number>;
  /** Paths that are neither file nor folder, which no build made. */
  readonly links: ReadonlySet<string>;
  /** Whether the files of a page are there with the sizes they had. @param at its position in the last state */
  isIntact(at: number): boolean;
  /** The part of the scan that the next build uses. */
  readonly scan: Pick<OutputScan, "unchangedDirs" | "began">;
  /** Files that a killed build may have changed. */
  readonly unsure: ReadonlySet<string>;
  /** Records the files that may change. Must be called before any does. */
  announce(paths: readonly string[]): void;
  /** Like `put`, for bytes that `copy` writes to a new file. @param copy returns false when there is nothing to copy */
  putFrom(path: string, copy: (to: string) => Promise<boolean>): Promise<boolean>;
  /** Whether a file has this text. */
  holds(path: string, text: string): boolean;
  /** In bytes; -1 when it is not a file. */
  sizeOf(path: string): number;
  /** Removes a file, and the folders that become empty. @returns whether there was one */
  remove(path: string): boolean;
  /** Ends the build: all files and the state are written. */
  settle(): void;
}

/**
 * Scans the folder, and creates it when it is missing.
 *
 * @param state of the last build
 * @throws CmsError `setup` when the folder has files, and none is of a build
 */
export function openOutput(dir: string, state: State | undefined): Output {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw setup(`${dir} cannot be made: ${messageOf(error)}`, error);
  }
  const scan = scanOutput(dir, OWN, state);
  const { files: found, others: links } = scan;
  const isBelowLink = (path: string): boolean =>
    links.size > 0 && path !== "" && (links.has(path) || isBelowLink(folderAbove(path)));
  for (const path of found.keys()) if (isBelowLink(path)) found.delete(path);
  const unsure = readChanges(dir);
  for (const partial of [`${STATE_FILE}.part`, `${CHANGES_FILE}.part`, ...Array.from(unsure ?? [], partialOf)]) {
    if (found.delete(partial)) rmSync(join(dir, partial), { force: true });
  }
  if (!state && !unsure && found.size + links.size > 0 && !existsSync(join(dir, STATE_FILE))) {
    throw setup(`${dir} holds files that no build has made. Empty it, or name another folder with --out.`);
  }
  const { full, enter, isFolder, forget, holds, put } = writing(dir);
  return {
    dir,
    found,
    links,
    scan,
    isIntact(at) {
      const path = state?.pages.path[at];
      if (path === undefined || scan.intact[at] === 0) return false;
      const folder = builtFolder(path);
      return !isBelowLink(folder) && (!unsure || !state?.names.some((name) => unsure.has(fileIn(folder, name))));
    },
    unsure: unsure ?? new Set(),
    announce(paths) {
      const partial = join(dir, `${CHANGES_FILE}.part`);
      rmSync(partial, { force: true }); // also a link
      writeFileSync(partial, [...(unsure ?? []), ...paths].join("\n"), { flag: "wx" });
      renameSync(partial, join(dir, CHANGES_FILE));
    },
    put,
    async putFrom(path, copy) {
      enter(folderAbove(path));
      const partial = full(partialOf(path));
      rmSync(partial, { force: true });
      try {
        if (!(await copy(partial))) return false;
        renameSync(partial, full(path));
        return true;
      } finally {
        rmSync(partial, { force: true });
      }
    },
    holds,
    sizeOf: (path) => sizeOf(full(path)),
    remove(path) {
      // Its folder may be missing, or a link.
      if (!isFolder(folderAbove(path)) || sizeOf(full(path)) < 0) return false;
      rmSync(full(path));
      for (let folder = folderAbove(path); folder !== ""; folder = folderAbove(folder)) {
        try {
          rmdirSync(full(folder));
        } catch {
          break; // not empty
        }
        forget(folder);
      }
      return true;
    },
    settle() {
      rmSync(join(dir, CHANGES_FILE), { force: true });
    },
  };
}

/** Writes into a folder that another process scanned. The files must be announced there. */
export const openWriter = (dir: string): Writer => ({ put: writing(dir).put });

function writing(dir: string) {
  /** Paths that are folders and no links; true for those created here. */
  const folders = new Map([["", false]]);
  const full = (path: string): string => join(dir, ...path.split("/"));
  const isFolder = (path: string): boolean => {
    if (folders.has(path)) return true;
    if (!isFolder(folderAbove(path)) || !lstatSync(full(path), { throwIfNoEntry: false })?.isDirectory()) return false;
    folders.set(path, false);
    return true;
  };
  const enter = (folder: string): void => {
    if (folders.has(folder)) return;
    const above = folderAbove(folder);
    enter(above);
    // A folder that was just created is empty, except for files of other processes.
    if (!folders.get(above) && isFolder(folder)) return;
    try {
      mkdirSync(full(folder));
    } catch (error) {
      if (!isFolder(folder)) throw error;
    }
    folders.set(folder, true);
  };
  const holds = (path: string, text: string): boolean => {
    const found = lstatSync(full(path), { throwIfNoEntry: false });
    return (
      found?.isFile() === true &&
      found.size === Buffer.byteLength(text) &&
      readFileSync(full(path)).equals(Buffer.from(text))
    );
  };
  const put = (path: string, text: string): boolean => {
    enter(folderAbove(path));
    try {
      writeNew(full(path), text);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (holds(path, text)) return false;
    const partial = full(partialOf(path));
    rmSync(partial, { force: true });
    try {
      writeNew(partial, text);
      renameSync(partial, full(path));
    } finally {
      rmSync(partial, { force: true });
    }
    return true;
  };
  return { full, enter, isFolder, forget: (folder: string) => void folders.delete(folder), holds, put };
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
const partialOf = (path: string): string => fileIn(folderAbove(path), ".cms-part");

function readChanges(dir: string): Set<string> | undefined {
  try {
    return new Set(readFileSync(join(dir, CHANGES_FILE), "utf8").split("\n").filter(Boolean));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
