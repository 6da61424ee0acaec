/** Copies of a person's content that a write would otherwise lose, in `conflicts/` of the private state. */
import type { Oid, Path } from "../../repo.ts";
import { makeDirs, writeDurably, type Fs } from "../fs.ts";

/** Saves a copy, durably. @returns its path */
export type SaveCopy = (path: Path, bytes: Uint8Array, oid: Oid) => Promise<string>;

/** So many characters of the path are in the name of the copy, which file systems limit to 255. */
const PATH_LENGTH = 180;

export function openConflictCopies(fs: Fs, stateDir: string): SaveCopy {
  const dir = `${stateDir}/conflicts`;
  return async (path, bytes, oid) => {
    const changed = await makeDirs(fs, dir, 0o700);
    const copy = `${dir}/${oid.slice(0, 12)}-${path.replaceAll("/", "%2F").slice(-PATH_LENGTH)}`;
    if (await fs.lstat(copy)) return copy;
    await writeDurably(fs, copy, bytes, 0o600);
    for (const folder of [...changed, dir]) await fs.syncDir(folder);
    return copy;
  };
}
