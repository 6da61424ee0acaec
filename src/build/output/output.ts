/**
 * The output folder: what lies in it, and the only way anything gets into it or out.
 *
 * No link is followed on the way to a file, and a file that changes is replaced as a whole, so that nothing outside the
 * folder is ever written and nobody reads half a page. While files change, a list of them lies beside; where a build
 * was killed, the next one trusts none of those.
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
import { scanOutput, pathsIn, type OutputScan } from "./output-scan.ts";
import { builtFolder, fileIn, folderAbove } from "./output-path.ts";
import { STATE_FILE } from "../state/state-file.ts";
import type { State } from "../state/state.ts";

const MARK_FILE = ".cms-building";
/** What a build keeps for itself in its output. */
const OWN: readonly string[] = [STATE_FILE, MARK_FILE];

/** Puts files into an output folder. Several may write into one, each its own files. */
export interface Writer {
  /** @returns whether the file is another one now. @throws when there is something in the way */
  put(path: string, text: string): boolean;
}

export interface Output extends Writer {
  readonly dir: string;
  /** Sizes of the files found at the start, by path, but those of intact pages. */
  readonly found: ReadonlyMap<string, number>;
  /** What is neither file nor folder, which no build has made. */
  readonly links: ReadonlySet<string>;
  /** Whether the files of a page lie there as they were left, as far as a look tells. @param at its place in the state */
  isIntact(at: number): boolean;
  /** What the next build may know of this look. */
  readonly look: Pick<OutputScan, "unchangedDirs" | "began">;
  /** Files a build that did not end was about to touch. */
  readonly unsure: ReadonlySet<string>;
  /** Says what is about to be touched, before it is. */
  announce(paths: readonly string[]): void;
  /** As `put`, for bytes that come from elsewhere: `fill` gets an absolute path where there is nothing, and says whether it made the file. */
  fill(path: string, fill: (to: string) => Promise<boolean>): Promise<boolean>;
  /** Whether a file has this text, now. */
  holds(path: string, text: string): boolean;
  /** In bytes, now; -1 where no file is. */
  sizeOf(path: string): number;
  /** Removes a file, and the folders it leaves empty. @returns whether there was one */
  remove(path: string): boolean;
  /** All is as announced, and the state is written. */
  settle(): void;
}

/**
 * Looks at the folder, which is made when it is not there.
 *
 * @param state what an earlier build has left in it
 * @throws CmsError `setup` when the folder is not a build's and not empty
 */
export function openOutput(dir: string, state: State | undefined): Output {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw setup(`${dir} cannot be made: ${messageOf(error)}`, error);
  }
  const look = scanOutput(dir, OWN, state);
  const { files, sizes, others, intact } = look;
  const links = new Set(pathsIn(others));
  const isBehind = (path: string): boolean => path !== "" && (links.has(path) || isBehind(folderAbove(path)));
  const found = new Map(
    pathsIn(files).flatMap((path, at) => (links.size > 0 && isBehind(path) ? [] : [[path, sizes[at]!]])),
  );
  const isThere = (at: number): boolean =>
    intact[at] === 1 && (links.size === 0 || !isBehind(builtFolder(state!.pages.path[at]!)));
  const unsure = readMark(dir);
  for (const half of [`${STATE_FILE}.part`, `${MARK_FILE}.part`, ...Array.from(unsure ?? [], halfOf)]) {
    if (found.delete(half)) rmSync(join(dir, half), { force: true });
  }
  if (!state && !unsure && found.size + links.size > 0 && !existsSync(join(dir, STATE_FILE))) {
    throw setup(`${dir} holds files that no build has made. Empty it, or name another folder with --out.`);
  }
  const { full, enter, isFolder, forget, holds, put } = writing(dir);
  return {
    dir,
    found,
    links,
    look,
    isIntact: (at) =>
      isThere(at) &&
      (!unsure || state!.names.every((name) => !unsure.has(fileIn(builtFolder(state!.pages.path[at]!), name)))),
    unsure: unsure ?? new Set(),
    announce(paths) {
      const partial = join(dir, `${MARK_FILE}.part`);
      rmSync(partial, { force: true }); // also a link
      writeFileSync(partial, [...(unsure ?? []), ...paths].join("\n"), { flag: "wx" });
      renameSync(partial, join(dir, MARK_FILE));
    },
    put,
    async fill(path, fill) {
      enter(folderAbove(path));
      const half = full(halfOf(path));
      rmSync(half, { force: true });
      try {
        if (!(await fill(half))) return false;
        renameSync(half, full(path));
        return true;
      } finally {
        rmSync(half, { force: true });
      }
    },
    holds,
    sizeOf(path) {
      const file = lstatSync(full(path), { throwIfNoEntry: false });
      return file?.isFile() ? file.size : -1;
    },
    remove(path) {
      // Behind a link, or gone with its folder.
      if (!isFolder(folderAbove(path)) || this.sizeOf(path) < 0) return false;
      rmSync(full(path));
      for (let folder = folderAbove(path); folder !== ""; folder = folderAbove(folder)) {
        try {
          rmdirSync(full(folder));
        } catch {
          break; // others still have files in it
        }
        forget(folder);
      }
      return true;
    },
    settle() {
      rmSync(join(dir, MARK_FILE), { force: true });
    },
  };
}

/** Writes into a folder that another process has looked into and announced the files for. */
export const openWriter = (dir: string): Writer => ({ put: writing(dir).put });

function writing(dir: string) {
  /** What is known to be a folder and no link; whether it was made here. */
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
    // In one that was just made there is nothing yet, but what another process makes.
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
    const half = full(halfOf(path));
    rmSync(half, { force: true });
    try {
      writeNew(half, text);
      renameSync(half, full(path));
    } finally {
      rmSync(half, { force: true });
    }
    return true;
  };
  return { full, enter, isFolder, forget: (folder: string) => void folders.delete(folder), holds, put };
}

/** As `writeFileSync` where there is no file yet, which takes a quarter more time for a page's text. */
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

/** Where a file is put together that takes another's place: a name no page and no media file can have. One at a time in a folder. */
const halfOf = (path: string): string => fileIn(folderAbove(path), ".cms-part");

function readMark(dir: string): Set<string> | undefined {
  try {
    return new Set(readFileSync(join(dir, MARK_FILE), "utf8").split("\n").filter(Boolean));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
