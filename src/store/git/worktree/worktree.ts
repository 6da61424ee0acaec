/** The working files: looked at without following symbolic links, and replaced so that nothing of a person's is lost. */
import { randomBytes } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { CmsError, invalid } from "../../../errors.ts";
import { ATTRIBUTES_FILE } from "../attributes/attributes-file.ts";
import { foldersAbove, refuseUnsupported } from "../attributes/attributes.ts";
import type { Conversions } from "../attributes/conversions.ts";
import { isPrepared, type Content, type Oid, type Path, type WorkingFile } from "../../repo.ts";
import { linkOrCopy } from "../objects/file-blob.ts";
import { codeOf, isMissing, makeDirs, removeIfExists, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import { HARD_LINKS_REFUSED } from "../locks/lock.ts";
import { mayBeMisdecoded, nameProblem, NOT_UTF_8 } from "./unsupported-names.ts";
import { oidOf } from "../objects/object.ts";
import { openLateSaves, type LateSave } from "./late-saves.ts";
import type { Scratch } from "../locks/scratch.ts";
import { kindOf, NO_FILE, openSight, type Sight } from "./worktree-scan.ts";

/** A file written and synced under a temporary name, waiting to be renamed into place. */
export interface StagedFile {
  readonly temporary: string;
  readonly stat: BigIntStats;
  readonly oid: Oid;
}

export interface Worktree {
  readonly sight: Sight;
  /** See `Repo.files`. */
  scan(under: readonly Path[], except?: readonly Path[], read?: Map<Path, Uint8Array>): Promise<Map<Path, WorkingFile>>;
  read(path: Path): Promise<{ bytes: Uint8Array; oid: Oid } | undefined>;
  /** Id of the file's content; null when there is no file, or no way to it. */
  find(path: Path): Promise<Oid | null>;
  /**
   * Id of the file's content; null when there is no file.
   *
   * @throws CmsError `conflict` when something else is there, or the path leads through a symbolic link
   */
  oidAt(path: Path): Promise<Oid | null>;
  /** What the file system says of a file whose content is certain to be the blob; undefined when it is not certain. */
  statOf(path: Path, oid: Oid): Promise<BigIntStats | undefined>;
  /** Makes a working file ready, as a checkout would write it. @param oid of the content as it is stored */
  stage(path: Path, content: Content, oid: Oid): Promise<StagedFile>;
  /**
   * What git stores of content for a path: the very same unless ends of lines are converted.
   *
   * @throws CmsError `conflict` for a path of which only git knows what to store (attributes.ts)
   */
  stored(path: Path, content: Content | null): Promise<Content | null>;
  /**
   * Puts a staged file in place of what is there, or (null) removes it.
   *
   * Was something else there than expected, it is kept, and where is told.
   *
   * @returns the directories to be synced, where a person's late save was put, and what the file system says of our file
   */
  replace(path: Path, expected: Oid | null, staged: StagedFile | null): Promise<Replacement>;
  /** Keeps a copy of what a person would lose otherwise. @returns the file it is in */
  keep(path: Path, bytes: Uint8Array, oid: Oid): Promise<string>;
  /** What editors have written to files after they were replaced. @param all whether to wait no longer for more */
  lateSaves(all: boolean): Promise<readonly LateSave[]>;
}

export interface Replacement {
  readonly changed: readonly string[];
  readonly kept: string | undefined;
  readonly stat: BigIntStats | undefined;
}

/** What a scan comes by. */
interface Found {
  readonly files: Path[];
  /** Folders with a file of attributes. */
  readonly attributes: Path[];
  /** What is against names, by path. Nothing below such a folder is looked at. */
  readonly odd: Map<Path, string>;
}

/** @throws CmsError `invalid` when the path could lead out of the site or into git's own folder */
export function checkPath(path: Path): void {
  const isBad = (name: string): boolean => ["", ".", ".."].includes(name) || nameProblem(name) !== undefined;
  if (path.split("/").some(isBad)) throw invalid({}, `${JSON.stringify(path)} is not a path in the site.`);
}

export interface WorktreeOptions {
  readonly root: string;
  readonly fs: Fs;
  readonly scratch: Scratch;
  /** Where is kept what a person would lose otherwise, and what was seen of files for the next start. */
  readonly stateDir: string;
  readonly conversions: Conversions;
}

export async function openWorktree(options: WorktreeOptions): Promise<Worktree> {
  const { root, fs, scratch, stateDir, conversions } = options;
  const keepDir = `${stateDir}/conflicts`;
  const sight = openSight(root, fs, `${stateDir}/looks`, conversions);
  const fileAt = (path: Path) => `${root}/${path}`;
  const lateSaves = openLateSaves(fs, async (path, file) => {
    const bytes = await fs.readFile(file);
    return keep(path, bytes, oidOf("blob", bytes));
  });
  const dirOf = (path: Path) => (path.includes("/") ? fileAt(folderOf(path)) : root);

  /** @throws CmsError `conflict` when a folder on the way is none */
  async function checkWay(path: Path): Promise<void> {
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at);
      const stat = await unlessMissing(fs.lstat(fileAt(folder)));
      if (!stat) return;
      if (!stat.isDirectory()) throw new CmsError("conflict", `${folder} is ${kindOf(stat)}, not a folder.`);
    }
  }

  /** Looks whether files of attributes have changed; if so, no id of a working file counts any more. */
  async function updateConversions(folders: Iterable<Path>): Promise<void> {
    if (await conversions.update(folders)) sight.forgetAll();
  }

  async function listBelow(folder: Path, found: Found, except: readonly Path[]): Promise<void> {
    for (const entry of (await unlessMissing(fs.readdir(fileAt(folder)))) ?? []) {
      if (entry.name === ATTRIBUTES_FILE) found.attributes.push(folder);
      if (entry.name.startsWith(".")) continue;
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      const isOther = mayBeMisdecoded(entry.name) && !(await unlessMissing(fs.lstat(fileAt(path))));
      const trouble = isOther ? NOT_UTF_8 : nameProblem(entry.name);
      if (trouble) {
        found.odd.set(path, trouble);
        continue;
      }
      // A folder with a repository of its own is a submodule: its files are not this site's.
      if (except.includes(path)) continue;
      if (!entry.isDirectory()) found.files.push(path);
      else if (await unlessMissing(fs.lstat(fileAt(`${path}/.git`)))) found.files.push(path);
      else await listBelow(path, found, except);
    }
  }

  async function oidAt(path: Path): Promise<Oid | null> {
    await checkWay(path);
    refuseUnsupported(path, conversions.of(path));
    const stat = await unlessMissing(fs.lstat(fileAt(path)));
    if (!stat) return null;
    if (!stat.isFile()) throw new CmsError("conflict", `${path} is ${kindOf(stat)}, not a file.`);
    return (await sight.idOf(path, stat)) ?? null;
  }

  const temporaryName = async (kind: string) =>
    `${(await scratch.make()).dir}/${kind}-${randomBytes(8).toString("hex")}`;

  /** A second name for what is there, so that it outlives its replacement; undefined when nothing is there. */
  async function setAside(path: Path): Promise<string | undefined> {
    const aside = await temporaryName("aside");
    try {
      await fs.link(fileAt(path), aside);
      return aside;
    } catch (error) {
      if (isMissing(error) || HARD_LINKS_REFUSED.has(codeOf(error) ?? "")) return undefined;
      throw error;
    }
  }

  /** Keeps what was set aside, unless it is what was expected. Either way, an editor may not be done with it yet. */
  async function settle(path: Path, aside: string, expected: Oid | null): Promise<string | undefined> {
    const stat = await fs.lstat(aside);
    const bytes = await fs.readFile(aside);
    const oid = oidOf("blob", (await conversions.toStored(path, bytes)).bytes);
    const kept = oid === expected ? undefined : await keep(path, bytes, oid);
    lateSaves.add(path, aside, stat);
    return kept;
  }

  async function keep(path: Path, bytes: Uint8Array, oid: Oid): Promise<string> {
    const changed = await makeDirs(fs, keepDir, 0o700);
    const kept = `${keepDir}/${oid.slice(0, 12)}-${path.replaceAll("/", "%2F").slice(-180)}`;
    if (await unlessMissing(fs.lstat(kept))) return kept;
    await writeDurably(fs, kept, bytes, 0o600);
    for (const dir of [...changed, keepDir]) await fs.syncDir(dir);
    return kept;
  }

  /** For a file that was not there: never over one that a person has made in the meantime. */
  async function putNew(staged: StagedFile, path: Path): Promise<boolean> {
    try {
      await fs.link(staged.temporary, fileAt(path));
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      if (!HARD_LINKS_REFUSED.has(codeOf(error) ?? "")) throw error;
      await fs.rename(staged.temporary, fileAt(path));
      return true;
    }
    await fs.unlink(staged.temporary);
    return true;
  }

  async function removeEmptyFolders(path: Path): Promise<string> {
    let folder = folderOf(path);
    while (folder !== "") {
      try {
        await fs.rmdir(fileAt(folder));
      } catch (error) {
        if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") break;
        if (!isMissing(error)) throw error;
      }
      folder = folderOf(folder);
    }
    return folder === "" ? root : fileAt(folder);
  }

  return {
    sight,

    async scan(under, except = [], read) {
      const found: Found = { files: [], attributes: [], odd: new Map() };
      for (const start of under) {
        if (start === "") {
          await listBelow("", found, except);
          continue;
        }
        checkPath(start);
        const stat = await unlessMissing(fs.lstat(fileAt(start)));
        if (!stat || !(await isReachable(start))) continue;
        if (stat.isDirectory()) await listBelow(start, found, except);
        else found.files.push(start);
      }
      await updateConversions(found.attributes);
      const files = await sight.look(found.files, read);
      for (const [path, unreadable] of found.odd) files.set(path, { oid: NO_FILE, size: 0, mtimeMs: 0, unreadable });
      return files;
    },

    async read(path) {
      checkPath(path);
      if (!(await isReachable(path))) return undefined;
      const stat = await unlessMissing(fs.lstat(fileAt(path)));
      return stat?.isFile() ? sight.hash(path, stat) : undefined;
    },

    async find(path) {
      checkPath(path);
      if (!(await isReachable(path))) return null;
      const stat = await unlessMissing(fs.lstat(fileAt(path)));
      return stat?.isFile() ? ((await sight.idOf(path, stat)) ?? null) : null;
    },

    oidAt(path) {
      checkPath(path);
      return oidAt(path);
    },

    async statOf(path, oid) {
      const stat = await unlessMissing(fs.lstat(fileAt(path)));
      return stat && (await sight.isAsSeen(path, stat, oid)) ? stat : undefined;
    },

    async stage(path, content, oid) {
      const temporary = await temporaryName("new");
      const working = await conversions.toWorking(path, content);
      if (!isPrepared(working)) return { temporary, oid, stat: await writeDurably(fs, temporary, working, 0o666) };
      await linkOrCopy(fs, working, temporary);
      return { temporary, oid, stat: await fs.lstat(temporary) };
    },

    async stored(path, content) {
      checkPath(path);
      await updateConversions(foldersAbove(path));
      refuseUnsupported(path, conversions.of(path));
      return content && conversions.contentToStored(path, content);
    },

    keep,

    lateSaves: (all) => lateSaves.settle(all),

    async replace(path, expected, staged) {
      const changed = staged ? await makeDirs(fs, dirOf(path), 0o777) : [];
      let kept: string | undefined;
      if (!(staged && expected === null && (await putNew(staged, path)))) {
        const aside = await setAside(path);
        if (staged) await fs.rename(staged.temporary, fileAt(path));
        else await removeIfExists(fs, fileAt(path));
        if (aside) kept = await settle(path, aside, expected);
      }
      sight.forget(path);
      if (!staged) return { changed: [...changed, await removeEmptyFolders(path)], kept, stat: undefined };
      changed.push(dirOf(path));
      const stat = await unlessMissing(fs.lstat(fileAt(path)));
      // A person may have saved again already: what is said of that file must not be said of ours.
      const isOurs =
        stat?.ino === staged.stat.ino && stat.mtimeNs === staged.stat.mtimeNs && stat.size === staged.stat.size;
      // Else the next look would read it as a whole to know what has just been written.
      if (isOurs) sight.remember(path, stat, staged.oid, Number(stat.size));
      return { changed, kept, stat: isOurs ? stat : undefined };
    },
  };

  async function isReachable(path: Path): Promise<boolean> {
    try {
      await checkWay(path);
      return true;
    } catch (error) {
      if (error instanceof CmsError) return false;
      throw error;
    }
  }
}

const folderOf = (path: Path): Path => path.slice(0, Math.max(path.lastIndexOf("/"), 0));
