/**
 * Replacing a working file so that no content of a person is lost: neither what was there before nor a late save.
 *
 * No call replaces a file only if it is still the one that was looked at. So whatever is there is moved aside, and the new
 * file is linked to the free name: a person who saves in between makes the link fail, and the save stays. For some
 * microseconds there is no file, as in a checkout of git's.
 */
import type { BigIntStats } from "node:fs";
import type { Conversions } from "../attributes/conversions.ts";
import { EXECUTABLE_MODE, isPrepared, SYMLINK_MODE, type Content, type Oid, type Path } from "../../repo.ts";
import { copyDurably, linkOrCopy } from "../objects/file-blob.ts";
import {
  codeOf,
  isHardLinkRefused,
  isMissing,
  makeDirs,
  removeIfExists,
  statOf,
  unlessMissing,
  writeDurably,
} from "../fs.ts";
import type { Fs } from "../fs.ts";
import { oidOf } from "../objects/object.ts";
import { openLateSaves, type LateSave } from "./late-saves.ts";
import type { Filters } from "../attributes/filters.ts";
import type { Scratch } from "../locks/scratch.ts";
import type { SaveCopy } from "./conflict-copies.ts";
import type { StatCache } from "./stat-cache.ts";

/** A file that is ready to be put in place. */
export interface StagedFile {
  readonly temporary: string;
  readonly stat: Pick<BigIntStats, "ino" | "mtimeNs" | "size">;
  readonly oid: Oid;
}

export interface Replacement {
  /** Directories to be synced. */
  readonly changed: readonly string[];
  /** False where a person has saved just now: that file stays. */
  readonly isDone: boolean;
  /** Where other content than expected was copied to, if there was any. */
  readonly copy: string | undefined;
  /** The stat of the new file, unless a person has saved it again already. */
  readonly stat: BigIntStats | undefined;
}

export interface FileReplacement {
  /**
   * Writes a file as a checkout would, under a temporary name.
   *
   * @param oid of the content as git stores it; of a file that git filters, its blob is stored already
   * @param mode of the entry; that of a regular file by default
   */
  stage(path: Path, content: Content, oid: Oid, mode?: string | null): Promise<StagedFile>;
  /**
   * Puts a staged file where nothing is, below folders that the caller has looked at.
   *
   * @returns undefined where that is not so, or links are refused: nothing has changed then
   */
  linkNew(path: Path, staged: StagedFile): Promise<Replacement | undefined>;
  /**
   * Puts a staged file in place, or (null) removes the file. Other content than expected is copied, and what a person puts
   * there meanwhile stays.
   *
   * @param seen the stat with which the file had the expected content just now
   * @throws Error with the code ENOENT if the folder or the staged file was removed meanwhile
   */
  replace(path: Path, expected: Oid | null, staged: StagedFile | null, seen?: BigIntStats): Promise<Replacement>;
  /** Copies what editors saved into replaced files. @param all also of files replaced just now */
  collectLateSaves(all: boolean): Promise<readonly LateSave[]>;
}

/** How the names of backups in the scratch folder begin, by which recovery finds them. */
export const BACKUP_KIND = "aside";

export interface FileReplacementOptions {
  readonly root: string;
  readonly fs: Fs;
  readonly scratch: Scratch;
  readonly conversions: Conversions;
  readonly filters: Filters;
  readonly saveCopy: SaveCopy;
  readonly statCache: StatCache;
}

export function openFileReplacement(options: FileReplacementOptions): FileReplacement {
  const { root, fs, scratch, conversions, filters, saveCopy, statCache } = options;
  const isFiltered = (path: Path): boolean => conversions.of(path).unsupported !== undefined;
  const absolute = (path: Path): string => `${root}/${path}`;
  const dirOf = (path: Path): string => (path.includes("/") ? absolute(folderOf(path)) : root);
  const lateSaves = openLateSaves(fs, async (path, backup) => {
    const bytes = await fs.readFile(backup);
    return saveCopy(path, bytes, oidOf("blob", bytes));
  });

  /** Moves to a backup name whatever is there, which outlives its replacement; undefined if nothing is. */
  async function moveAside(path: Path): Promise<string | undefined> {
    const backup = await scratch.temporaryPath(BACKUP_KIND);
    try {
      await fs.rename(absolute(path), backup);
      return backup;
    } catch (error) {
      // The call may fail after it took effect, and the scratch folder may be missing instead of the file.
      if (await fs.lstat(backup)) return backup;
      if (isMissing(error) && !(await fs.lstat(absolute(path)))) return undefined;
      throw error;
    }
  }

  /** Copies the replaced content if it is not the expected one, and watches for late saves. */
  async function checkReplaced(
    path: Path,
    backup: string,
    expected: Oid | null,
    seen: BigIntStats | undefined,
  ): Promise<string | undefined> {
    const stat = await statOf(fs, backup);
    if (seen && isSameFile(stat, seen)) {
      lateSaves.watch(path, backup, stat);
      return undefined;
    }
    const bytes = stat.isSymbolicLink() ? await fs.readlink(backup) : await fs.readFile(backup);
    const oid = await storedOid(path, backup, bytes, stat);
    const copy = oid === expected ? undefined : await saveCopy(path, bytes, oid);
    if (stat.isSymbolicLink()) await removeIfExists(fs, backup);
    else lateSaves.watch(path, backup, stat);
    return copy;
  }

  async function storedOid(path: Path, file: string, bytes: Buffer, stat: BigIntStats): Promise<Oid> {
    if (stat.isSymbolicLink()) return oidOf("blob", bytes);
    if (isFiltered(path)) return filters.storedOid(path, file);
    return oidOf("blob", (await conversions.toStored(path, bytes)).bytes);
  }

  /** Puts a file where none was. A file that a person has created meanwhile is not overwritten. */
  async function tryLink(staged: StagedFile, path: Path): Promise<"done" | "taken" | "refused"> {
    try {
      await fs.link(staged.temporary, absolute(path));
    } catch (error) {
      if (codeOf(error) === "EEXIST") return "taken";
      if (isHardLinkRefused(error)) return "refused";
      throw error;
    }
    await fs.unlink(staged.temporary, true);
    return "done";
  }

  /** As `tryLink`, where links are refused, too. @returns whether it was done */
  async function putNew(staged: StagedFile, path: Path): Promise<boolean> {
    const linked = await tryLink(staged, path);
    const isFree = linked === "refused" ? !(await fs.lstat(absolute(path))) : linked === "done";
    if (isFree && linked === "refused") await fs.rename(staged.temporary, absolute(path));
    return isFree;
  }

  async function putOrRemove(
    path: Path,
    expected: Oid | null,
    staged: StagedFile | null,
    seen: BigIntStats | undefined,
  ): Promise<Pick<Replacement, "isDone" | "copy">> {
    const backup = expected === null ? undefined : await moveAside(path);
    let isDone = false;
    let copy: string | undefined;
    try {
      isDone = staged === null || (await putNew(staged, path));
    } finally {
      if (backup !== undefined && (await statOf(fs, backup)).isDirectory()) {
        // A folder that a person has made of the file just now stays as well.
        if (isDone && staged) await fs.unlink(absolute(path));
        await fs.rename(backup, absolute(path));
        isDone = false;
      } else if (backup !== undefined) copy = await checkReplaced(path, backup, expected, seen);
    }
    return { isDone, copy };
  }

  /** @returns the nearest folder that stays, to be synced */
  async function removeEmptyFolders(path: Path): Promise<string> {
    let folder = folderOf(path);
    while (folder !== "") {
      try {
        await fs.rmdir(absolute(folder));
      } catch (error) {
        if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") break;
        if (!isMissing(error)) throw error;
      }
      folder = folderOf(folder);
    }
    return folder === "" ? root : absolute(folder);
  }

  /** @returns the stat of the file in place, unless a person has saved it again already */
  async function noteReplaced(path: Path, staged: StagedFile): Promise<BigIntStats | undefined> {
    statCache.delete(path);
    const stat = await fs.lstat(absolute(path));
    if (!stat || !isSameFile(stat, staged.stat)) return undefined;
    // Otherwise the next scan would read the whole file again. Only regular files are in the cache, and what git filters
    // is there with the id of its own bytes.
    if (stat.isFile() && !isFiltered(path)) statCache.set(path, stat, staged.oid, Number(stat.size));
    return stat;
  }

  return {
    async stage(path, content, oid, mode) {
      const temporary = await scratch.temporaryPath("new");
      if (mode === SYMLINK_MODE && !isPrepared(content)) {
        await fs.symlink(Buffer.from(content), temporary);
        return { temporary, oid, stat: await statOf(fs, temporary) };
      }
      const permissions = mode === EXECUTABLE_MODE ? 0o777 : 0o666;
      if (isFiltered(path)) {
        await filters.write(path, oid, temporary, permissions);
        return { temporary, oid, stat: await statOf(fs, temporary) };
      }
      const working = await conversions.toWorking(path, content);
      if (!isPrepared(working)) {
        return { temporary, oid, stat: await writeDurably(fs, temporary, working, permissions) };
      }
      // An editor that writes into the working file must not change the object of Git LFS.
      if (working.pointer) await copyDurably(fs, working.file, temporary);
      else await linkOrCopy(fs, working, temporary);
      return { temporary, oid, stat: await statOf(fs, temporary) };
    },

    async replace(path, expected, staged, seen) {
      // Where the file was just now, its folder was, too.
      const created = staged && !seen ? await makeDirs(fs, dirOf(path), 0o777) : [];
      const done = await putOrRemove(path, expected, staged, seen);
      if (staged) return { changed: [...created, dirOf(path)], ...done, stat: await noteReplaced(path, staged) };
      statCache.delete(path);
      return { changed: [...created, await removeEmptyFolders(path)], ...done, stat: undefined };
    },

    async linkNew(path, staged) {
      if ((await unlessMissing(tryLink(staged, path))) !== "done") return undefined;
      return { changed: [dirOf(path)], isDone: true, copy: undefined, stat: await noteReplaced(path, staged) };
    },

    collectLateSaves: (all) => lateSaves.collect(all),
  };
}

const isSameFile = (a: StagedFile["stat"], b: StagedFile["stat"]): boolean =>
  a.ino === b.ino && a.mtimeNs === b.mtimeNs && a.size === b.size;

const folderOf = (path: Path): Path => path.slice(0, Math.max(path.lastIndexOf("/"), 0));
