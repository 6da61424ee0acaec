/** Scans the output folder, and compares it with the state of the last build. */
import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { builtFolder, fileIn, folderAbove } from "./output-path.ts";
import type { State } from "../state/state.ts";

export interface OutputScan {
  /** Sizes of files in bytes by path, without the files of intact pages. */
  readonly files: Map<string, number>;
  /** Paths that are neither file nor folder, such as links. What the scan finds below one of them does not count. */
  readonly others: ReadonlySet<string>;
  /** By a page's position in the state: 1 when all its files have the sizes they had. */
  readonly intact: Uint8Array;
}

/**
 * Scans the folders of the state's pages, and all other files.
 *
 * @param except names at the top that are skipped
 * @param state of the last build
 */
export function scanOutput(dir: string, except: readonly string[], state?: State): OutputScan {
  const { names = [], pages = [] } = state ?? {};
  const scan = new Scan(dir, except, new Set(pages.map(({ path }) => builtFolder(path))));
  const intact = new Uint8Array(pages.length);
  if (!scan.folders.has("")) scan.addFolder("");
  for (const [at, { path, sizes }] of pages.entries()) {
    const folder = builtFolder(path);
    const below = `${dir}/${folder}`;
    /** Whether the page's files have the sizes of the last build. */
    const hasSizes = (sizeOfName: (name: string) => number | undefined): boolean =>
      sizes.every((size, of) => sizeOfName(names[of]!) === size);
    // Most folders have nothing but their page's files.
    const isIntact = isOnly(below, names) && hasSizes((name) => sizeOf(`${below}/${name}`));
    intact[at] = isIntact || scan.addPage(folder, names, hasSizes) ? 1 : 0;
  }
  return { files: scan.files, others: scan.others, intact };
}

class Scan {
  readonly files = new Map<string, number>();
  readonly others = new Set<string>();
  /** Those of all pages. */
  readonly folders: ReadonlySet<string>;
  readonly #dir: string;
  readonly #except: readonly string[];

  constructor(dir: string, except: readonly string[], folders: ReadonlySet<string>) {
    this.#dir = dir;
    this.#except = except;
    this.folders = folders;
  }

  /** Adds the files of a folder, and of the folders below it that belong to no page. */
  addFolder(below: string, entries = readdirSync(join(this.#dir, below), { withFileTypes: true })): void {
    for (const entry of entries) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (this.#except.includes(path)) continue;
      if (entry.isDirectory()) {
        if (!this.folders.has(path)) this.addFolder(path);
      } else if (entry.isFile()) this.files.set(path, lstatSync(`${this.#dir}/${path}`).size);
      else this.others.add(path);
    }
  }

  /**
   * Adds the files of a page's folder, the page's own only where they are not intact.
   *
   * @param names of a page's own files
   * @param isIntact whether the page's files are, by their sizes
   * @returns whether they are intact
   */
  addPage(
    folder: string,
    names: readonly string[],
    isIntact: (sizeOfName: (name: string) => number | undefined) => boolean,
  ): boolean {
    const below = `${this.#dir}/${folder}`;
    const entries = entriesOf(below);
    if (!entries) return false;
    const own = new Map<string, number>();
    const rest = entries.filter((entry) => {
      if (entry.isDirectory()) return !this.folders.has(fileIn(folder, entry.name));
      if (!entry.isFile() || !names.includes(entry.name)) return true;
      own.set(entry.name, sizeOf(`${below}/${entry.name}`));
      return false;
    });
    const areIntact = isIntact((name) => own.get(name));
    if (!areIntact) for (const [file, size] of own) this.files.set(fileIn(folder, file), size);
    // A link on the way would lead out of the output.
    if (rest.length > 0 && isFolder(this.#dir, folder)) this.addFolder(folder, rest);
    return areIntact;
  }
}

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
