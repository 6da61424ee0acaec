/** The files below a folder of the working tree, without dotfiles. Symbolic links are not followed. */
import { pace } from "../../../time-slices.ts";
import type { Path } from "../../repo.ts";
import { ATTRIBUTES_FILE } from "../attributes/attributes-file.ts";
import { unlessMissing, type Fs } from "../fs.ts";
import { mayBeMisdecoded, nameProblem, NOT_UTF_8 } from "./unsupported-names.ts";

export interface DirectoryListing {
  /** Regular files, symbolic links, devices, and submodules. */
  readonly files: Path[];
  /** Folders that contain a `.gitattributes`. */
  readonly attributeFolders: Path[];
  /** Names that are not supported, with the problem. Folders with such a name are not listed. */
  readonly unsupported: Map<Path, string>;
}

/** Everything below some folders. @param except folders that are not listed */
export async function listFolders(
  fs: Fs,
  root: string,
  folders: readonly Path[],
  except: readonly Path[],
): Promise<DirectoryListing> {
  const listing: DirectoryListing = { files: [], attributeFolders: [], unsupported: new Map() };
  for (const folder of folders) await listBelow(fs, root, folder, except, listing);
  return listing;
}

async function listBelow(
  fs: Fs,
  root: string,
  folder: Path,
  except: readonly Path[],
  listing: DirectoryListing,
): Promise<void> {
  const stat = (path: Path) => fs.lstat(`${root}/${path}`);
  await pace();
  for (const entry of (await unlessMissing(fs.readdir(`${root}/${folder}`))) ?? []) {
    if (entry.name === ATTRIBUTES_FILE) listing.attributeFolders.push(folder);
    if (entry.name.startsWith(".")) continue;
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    const isMisdecoded = mayBeMisdecoded(entry.name) && !(await stat(path));
    const problem = isMisdecoded ? NOT_UTF_8 : nameProblem(entry.name);
    if (problem) listing.unsupported.set(path, problem);
    else if (except.includes(path)) continue;
    else if (!entry.isDirectory()) listing.files.push(path);
    // A folder that is a repository is a submodule: its files are not part of this site.
    else if (await stat(`${path}/.git`)) listing.files.push(path);
    else await listBelow(fs, root, path, except, listing);
  }
}
