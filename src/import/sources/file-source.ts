/** Where the files of an old site are: a folder of this machine, or hosts from which fetching is allowed. */
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { CmsError } from "../../errors.ts";

/** A complete file on disk. */
export interface OpenedFile {
  /** Absolute path. */
  readonly file: string;
  readonly size: number;
}

/**
 * A file below a folder, by a path that the source of the import names. Neither `..` nor symbolic links lead out of the folder.
 *
 * @returns undefined where there is no such file
 * @throws CmsError `invalid` for a path that leads out of the folder
 */
export async function fileBelow(dir: string, path: string): Promise<OpenedFile | undefined> {
  try {
    const root = await realpath(dir);
    const file = await realpath(join(root, path));
    const within = relative(root, file);
    if (within.split(sep)[0] === ".." || isAbsolute(within))
      throw new CmsError("invalid", `${path} leads out of its folder.`);
    const found = await stat(file);
    return found.isFile() ? { file, size: found.size } : undefined;
  } catch (error) {
    if (error instanceof CmsError) throw error;
    return undefined;
  }
}
