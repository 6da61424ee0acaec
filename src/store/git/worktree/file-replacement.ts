/** Replacing a working file so that no content of a person is lost: neither what was there before nor a late save. */
import type { BigIntStats } from "node:fs";
import type { FilesAhead, StagedContent } from "../ahead/files-ahead.ts";
import type { Conversions } from "../attributes/conversions.ts";
import {
  EXECUTABLE_MODE,
  isPrepared,
  REGULAR_MODE,
  SYMLINK_MODE,
  type Content,
  type Oid,
  type Path,
} from "../../repo.ts";
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

/** A file that is ready to be renamed into place. */
export interface StagedFile extends StagedContent {
  readonly oid: Oid;
}

export interface Replacement {
  /** Directories to be synced. */
  readonly changed: readonly string[];
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
   * Puts a staged file in place, or (null) removes the file. Other content than expected is copied first.
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
  readonly ahead: Pick<FilesAhead, "take">;
}

export function openFileReplacement(options: FileReplacementOptions): FileReplacement {
  const { root, fs, scratch, conversions, filters, saveCopy, statCache, ahead } = options;
  const isFiltered = (path: Path): boolean => conversions.of(path).unsupported !== undefined;
  const absolute = (path: Path): string => `${root}/${path}`;
  const dirOf = (path: Path): string => (path.includes("/") ? absolute(folderOf(path)) : root);
  const lateSaves = openLateSaves(fs, async (path, backup) => {
    const bytes = await fs.readFile(backup);
    return saveCopy(path, bytes, oidOf("blob", bytes));
  });

  /** A second hard link to the current file, which outlives its replacement; undefined if there is no file. */
  async function backUp(path: Path): Promise<string | undefined> {
    const backup = await scratch.temporaryPath(BACKUP_KIND);
    try {
      await fs.link(absolute(path), backup);
      return backup;
    } catch (error) {
      if (isMissing(error) || isHardLinkRefused(error)) return undefined;
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
    if (stat.isSymbolicLink()) {
      await removeIfExists(fs, backup);
      return undefined;
    }
    if (seen && isSameFile(stat, seen)) {
      lateSaves.watch(path, backup, stat);
      return undefined;
    }
    const bytes = await fs.readFile(backup);
    const oid = isFiltered(path)
      ? await filters.storedOid(path, backup)
      : oidOf("blob", (await conversions.toStored(path, bytes)).bytes);
    const copy = oid === expected ? undefined : await saveCopy(path, bytes, oid);
    lateSaves.watch(path, backup, stat);
    return copy;
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
    if (linked === "refused") await fs.rename(staged.temporary, absolute(path));
    return linked !== "taken";
  }

  async function putOrRemove(
    path: Path,
    expected: Oid | null,
    staged: StagedFile | null,
    seen: BigIntStats | undefined,
  ): Promise<string | undefined> {
    if (staged && expected === null && (await putNew(staged, path))) return undefined;
    const backup = await backUp(path);
    if (staged) await fs.rename(staged.temporary, absolute(path));
    else await removeIfExists(fs, absolute(path));
    return backup && checkReplaced(path, backup, expected, seen);
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
      const early = isPrepared(content) ? undefined : await ahead.take(path, content);
      // Attributes may have been changed since it was begun.
      const isPlain = mode === undefined || mode === null || mode === REGULAR_MODE;
      if (early && isPlain && !isFiltered(path) && (await conversions.toWorking(path, content)) === content)
        return { ...early, oid };
      if (early) await removeIfExists(fs, early.temporary);
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
      const copy = await putOrRemove(path, expected, staged, seen);
      if (staged) return { changed: [...created, dirOf(path)], copy, stat: await noteReplaced(path, staged) };
      statCache.delete(path);
      return { changed: [...created, await removeEmptyFolders(path)], copy, stat: undefined };
    },

    async linkNew(path, staged) {
      if ((await unlessMissing(tryLink(staged, path))) !== "done") return undefined;
      return { changed: [dirOf(path)], copy: undefined, stat: await noteReplaced(path, staged) };
    },

    collectLateSaves: (all) => lateSaves.collect(all),
  };
}

const isSameFile = (a: StagedContent["stat"], b: StagedContent["stat"]): boolean =>
  a.ino === b.ino && a.mtimeNs === b.mtimeNs && a.size === b.size;

const folderOf = (path: Path): Path => path.slice(0, Math.max(path.lastIndexOf("/"), 0));
