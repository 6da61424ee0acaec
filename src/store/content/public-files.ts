/** Files below a folder that are published as they are: regular files, neither hidden nor below a symbolic link. */
import { readdirSync, type BigIntStats, type Dirent, type Stats } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { folded } from "../../model/address/possible-names.ts";
import { isHiddenName, STATIC_DIR } from "../../model/address/static-file.ts";

export interface PublicFile {
  /** Below the folder, with "/". */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  readonly stats: Stats;
}

/** In the order of paths; none for a folder that does not exist. */
export async function publicFiles(folder: string): Promise<PublicFile[]> {
  return (await filesBelow(folder, "")).sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function filesBelow(folder: string, below: string): Promise<PublicFile[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((): Dirent[] => []);
  const found = await Promise.all(
    entries
      .filter(({ name }) => !isHiddenName(name))
      .map(async (entry): Promise<PublicFile[]> => {
        const path = below === "" ? entry.name : `${below}/${entry.name}`;
        if (entry.isDirectory()) return filesBelow(folder, path);
        if (!entry.isFile()) return [];
        const file = join(folder, path);
        const stats = await lstat(file).catch(unlessGone);
        return stats ? [{ path, file, stats }] : [];
      }),
  );
  return found.flat();
}

/** @throws the error, unless it says that the file was removed */
export function unlessGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}

/** The files of `static/`, which may be missing; a link in its place is not followed. */
export async function staticFiles(root: string): Promise<PublicFile[]> {
  const folder = join(root, STATIC_DIR);
  return (await lstat(folder).catch(unlessGone))?.isDirectory() ? publicFiles(folder) : [];
}

/** The file or folder at the top of `static/` that stands where a page at the top would be. */
export function staticNameAt(root: string, permalink: string): string | undefined {
  if (permalink === "/" || permalink.lastIndexOf("/") > 0) return undefined;
  try {
    return readdirSync(join(root, STATIC_DIR)).find((name) => `/${folded(name)}` === permalink);
  } catch {
    return undefined;
  }
}

/** Whether a folder on the way to a file is a symbolic link that leads out of the folder. */
export const leadsOut = async (folder: string, file: string): Promise<boolean> =>
  !(await realpath(file)).startsWith((await realpath(folder)) + sep);

/** @returns undefined where there is no regular file */
export async function statFile(file: string): Promise<BigIntStats | undefined> {
  const found = await lstat(file, { bigint: true }).catch(() => undefined);
  return found?.isFile() ? found : undefined;
}
