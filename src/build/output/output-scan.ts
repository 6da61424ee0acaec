/** What lies in the output folder, against what the last build has left there. */
import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { builtFolder, fileIn, folderAbove } from "./output-path.ts";
import { everyAt, type State } from "../state/state.ts";

export interface OutputScan {
  /** Paths of files, each ended by NUL, which no name can hold; in the order of `sizes`. Those of intact pages are left out. */
  readonly files: string;
  /** In bytes. */
  readonly sizes: Float64Array;
  /** Paths of whatever is neither file nor folder, as `files`. What is said of anything behind one does not count. */
  readonly others: string;
  /** By the place of a page in the state: whether all its files have the sizes they had. */
  readonly intact: Uint8Array;
  /** By the same, of a folder that holds nothing but its page's files: its inode and its ctime in milliseconds; else two zeros. */
  readonly unchangedDirs: Float64Array;
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
}

/**
 * Looks at the folders of the state's pages, and at all that belongs to none of them.
 *
 * @param except names at the top that do not count
 * @param state what a build has left there
 * @param began the time, in milliseconds since 1970
 */
export function scanOutput(dir: string, except: readonly string[], state?: State, began = Date.now()): OutputScan {
  const paths = state?.pages.path ?? [];
  const {
    names,
    lastScan,
    pages: { sizes },
  } = state ?? NO_STATE;
  const folders = new Set(paths.map(builtFolder));
  const found = new Map<string, number>();
  const intact = new Uint8Array(paths.length);
  const unchangedDirs = new Float64Array(2 * paths.length);
  // A clock that was set back since tells nothing.
  const known = lastScan.began <= began ? lastScan.began - CLOCKS_MS : 0;
  let others = "";
  /** Takes what is in a folder, and in those below it that are no page's. */
  const look = (below: string, entries = readdirSync(join(dir, below), { withFileTypes: true })): void => {
    for (const entry of entries) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (except.includes(path)) continue;
      if (entry.isDirectory()) {
        if (!folders.has(path)) look(path);
      } else if (entry.isFile()) found.set(path, lstatSync(`${dir}/${path}`).size);
      else others += `${path}\0`;
    }
  };
  const lookAtPage = (at: number): void => {
    const folder = builtFolder(paths[at]!);
    const below = `${dir}/${folder}`;
    const itself = lstatSync(below, { throwIfNoEntry: false });
    // Most pages have their files in their folder and nothing else. One that is the same and has not changed since need not be listed again.
    const isAsSeen =
      itself !== undefined &&
      itself.ctimeMs < known &&
      lastScan.unchangedDirs[2 * at] === itself.ino &&
      lastScan.unchangedDirs[2 * at + 1] === itself.ctimeMs;
    if (isAsSeen || isOnly(below, names)) {
      if (itself?.isDirectory()) unchangedDirs.set([itself.ino, itself.ctimeMs], 2 * at);
      let name = 0;
      intact[at] = everyAt(sizes, at, (size) => sizeOf(`${below}/${names[name++]!}`) === size) ? 1 : 0;
      if (intact[at] === 1) return;
    }
    const entries = entriesOf(below);
    if (!entries) return;
    const own = new Map<string, number>();
    const rest = entries.filter((entry) => {
      if (entry.isDirectory()) return !folders.has(fileIn(folder, entry.name));
      if (!entry.isFile() || !names.includes(entry.name)) return true;
      own.set(entry.name, sizeOf(`${below}/${entry.name}`));
      return false;
    });
    let name = 0;
    if (everyAt(sizes, at, (size) => own.get(names[name++]!) === size)) intact[at] = 1;
    else for (const [file, size] of own) found.set(fileIn(folder, file), size);
    // Behind a link it would be no longer this folder that is looked into.
    if (rest.length > 0 && isFolder(dir, folder)) look(folder, rest);
  };
  if (!folders.has("")) look("");
  for (let at = 0; at < paths.length; at++) lookAtPage(at);
  return {
    files: Array.from(found.keys(), (path) => `${path}\0`).join(""),
    sizes: Float64Array.from(found.values()),
    others,
    intact,
    unchangedDirs,
    began,
  };
}

const NO_STATE: Pick<State, "names" | "lastScan"> & { readonly pages: Pick<State["pages"], "sizes"> } = {
  names: [],
  lastScan: { began: 0, unchangedDirs: new Float64Array() },
  pages: { sizes: { numbers: new Int32Array(), ends: new Int32Array() } },
};

/** By how much the file system's clock may be behind, or its times be rounded. */
const CLOCKS_MS = 2_000;

/** Whether a folder holds just these names, whatever they are of. */
function isOnly(path: string, names: readonly string[]): boolean {
  try {
    const found = readdirSync(path);
    return found.length === names.length && found.every((name) => names.includes(name));
  } catch {
    return false; // nor is there anything to see
  }
}

/** In bytes; -1 where no file is. */
function sizeOf(path: string): number {
  const file = lstatSync(path, { throwIfNoEntry: false });
  return file?.isFile() ? file.size : -1;
}

/** undefined where no folder is. */
function entriesOf(path: string): Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** Whether a path below a directory leads through folders only, and to one. */
export function isFolder(dir: string, path: string): boolean {
  return (
    path === "" ||
    (isFolder(dir, folderAbove(path)) && lstatSync(join(dir, path), { throwIfNoEntry: false })?.isDirectory() === true)
  );
}

export const pathsIn = (ended: string): string[] => ended.split("\0").slice(0, -1);
