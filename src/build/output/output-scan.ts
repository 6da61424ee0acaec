/** Scans the output folder, and compares it with the state of the last build. */
import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { builtFolder, fileIn, folderAbove } from "./output-path.ts";
import { everyAt, type State } from "../state/state.ts";

export interface OutputScan {
  /** Sizes of files in bytes by path, without the files of intact pages. */
  readonly files: Map<string, number>;
  /** Paths that are neither file nor folder, such as links. What the scan finds below one of them does not count. */
  readonly others: ReadonlySet<string>;
  /** By a page's position in the state: 1 when all its files have the sizes they had. */
  readonly intact: Uint8Array;
  /**
   * Two numbers for each page, by the same position: inode and ctime in milliseconds of a folder with nothing but its page's
   * files; zeros for other folders.
   */
  readonly unchangedDirs: Float64Array;
  /** The time of its beginning, in milliseconds since 1970. */
  readonly began: number;
}

/**
 * Scans the folders of the state's pages, and all other files.
 *
 * @param except names at the top that are skipped
 * @param state of the last build
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
  const files = new Map<string, number>();
  const others = new Set<string>();
  const intact = new Uint8Array(paths.length);
  const unchangedDirs = new Float64Array(2 * paths.length);
  // After the clock was set back, times prove nothing.
  const known = lastScan.began <= began ? lastScan.began - CLOCKS_MS : 0;
  /** Adds the files of a folder, and of the folders below it that belong to no page. */
  const scan = (below: string, entries = readdirSync(join(dir, below), { withFileTypes: true })): void => {
    for (const entry of entries) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (except.includes(path)) continue;
      if (entry.isDirectory()) {
        if (!folders.has(path)) scan(path);
      } else if (entry.isFile()) files.set(path, lstatSync(`${dir}/${path}`).size);
      else others.add(path);
    }
  };
  const scanPage = (at: number): void => {
    const folder = builtFolder(paths[at]!);
    const below = `${dir}/${folder}`;
    const itself = lstatSync(below, { throwIfNoEntry: false });
    // Most folders have nothing but their page's files. A folder with an unchanged inode and ctime need not be listed again.
    const isUnchanged =
      itself !== undefined &&
      itself.ctimeMs < known &&
      lastScan.unchangedDirs[2 * at] === itself.ino &&
      lastScan.unchangedDirs[2 * at + 1] === itself.ctimeMs;
    if (isUnchanged || isOnly(below, names)) {
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
    else for (const [file, size] of own) files.set(fileIn(folder, file), size);
    // A link on the way would lead out of the output.
    if (rest.length > 0 && isFolder(dir, folder)) scan(folder, rest);
  };
  if (!folders.has("")) scan("");
  for (let at = 0; at < paths.length; at++) scanPage(at);
  return { files, others, intact, unchangedDirs, began };
}

const NO_STATE: Pick<State, "names" | "lastScan"> & { readonly pages: Pick<State["pages"], "sizes"> } = {
  names: [],
  lastScan: { began: 0, unchangedDirs: new Float64Array() },
  pages: { sizes: { numbers: new Int32Array(), ends: new Int32Array() } },
};

/** How much the file system's clock may be behind, rounding of its times included. */
const CLOCKS_MS = 2_000;

/** Whether a folder has exactly these names, of files or anything else. */
function isOnly(path: string, names: readonly string[]): boolean {
  try {
    const found = readdirSync(path);
    return found.length === names.length && found.every((name) => names.includes(name));
  } catch {
    return false; // absent, or not a folder
  }
}

/** In bytes; -1 when it is not a file. */
export function sizeOf(path: string): number {
  const file = lstatSync(path, { throwIfNoEntry: false });
  return file?.isFile() ? file.size : -1;
}

/** undefined when it is not a folder. */
function entriesOf(path: string): Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** Whether a path is a folder, with no link on the way from the directory. */
function isFolder(dir: string, path: string): boolean {
  return (
    path === "" ||
    (isFolder(dir, folderAbove(path)) && lstatSync(join(dir, path), { throwIfNoEntry: false })?.isDirectory() === true)
  );
}
