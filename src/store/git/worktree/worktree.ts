/** The working files: listed and read without following symbolic links, and replaced without loss. */
import type { BigIntStats } from "node:fs";
import { CmsError, invalid } from "../../../errors.ts";
import { pace } from "../../../time-slices.ts";
import { foldersAbove, refuseUnsupported } from "../attributes/attributes.ts";
import type { Conversions } from "../attributes/conversions.ts";
import { openFilters } from "../attributes/filters.ts";
import type { Content, KnownFolders, Oid, Path, WorkingFile } from "../../repo.ts";
import type { Fs } from "../fs.ts";
import { allEnded } from "../parallel.ts";
import { oidOf } from "../objects/object.ts";
import type { Scratch } from "../locks/scratch.ts";
import { openConflictCopies, type SaveCopy } from "./conflict-copies.ts";
import type { FindUnchanged } from "../index/index-file.ts";
import { fileKindOf, NO_OID, openFileIds, type FileIdContent } from "./file-ids.ts";
import { openFileReplacement, type FileReplacement, type Replacement, type StagedFile } from "./file-replacement.ts";
import { openStatCache } from "./stat-cache.ts";
import type { TreeScan } from "./tree-scan.ts";
import { nameProblem } from "./unsupported-names.ts";

export interface Worktree extends FileReplacement {
  /**
   * Puts a staged file where none is, below folders that are there.
   *
   * @returns undefined where that is not so, or cannot be told: nothing has changed then
   */
  create(path: Path, staged: StagedFile): Promise<Replacement | undefined>;
  /** As `Repo.files`. */
  scan(
    under: readonly Path[],
    except?: readonly Path[],
    contents?: Map<Path, Uint8Array>,
  ): Promise<Map<Path, WorkingFile>>;
  /**
   * The content of a file; undefined if the path leads to no regular file.
   *
   * @param known as for `oidAt`
   */
  read(path: Path, known?: KnownFolders): Promise<FileIdContent | undefined>;
  /** Blob id of a file; null if the path leads to no regular file. */
  find(path: Path): Promise<Oid | null>;
  /**
   * Blob id of a file; null if it does not exist.
   *
   * @param known gets the folders on the way
   * @throws CmsError `conflict` if something else is there, the path leads through a symbolic link, or git filters it
   */
  oidAt(path: Path, known?: KnownFolders): Promise<Oid | null>;
  /** As `oidAt`, of one of many files: the folders on the way are looked at once a turn of the event loop. */
  look(path: Path): Promise<SeenFile>;
  /**
   * As `oidAt`, for merges: of a symbolic link the blob id of its target; undefined for a folder or device. Of a file that
   * git filters, what git would store of it.
   *
   * @param removed files that are removed first: what is there is what they leave
   * @throws CmsError `conflict` if the path leads through a symbolic link; `unavailable` if the filter fails
   */
  entryOidAt(path: Path, removed?: ReadonlySet<Path>): Promise<Oid | null | undefined>;
  /** Removes a folder that has no files, which is in the way of a file. */
  removeEmptyFolder(path: Path): Promise<void>;
  /** The stat of a file that is known to have this content; undefined if that is not certain. */
  statIfUnchanged(path: Path, oid: Oid): Promise<BigIntStats | undefined>;
  /** Those of these files that have the content of the blob for certain: large ones are not read. */
  findUnchanged: FindUnchanged;
  /** Reads the attributes that apply to these paths again. To be called before `toStored`. */
  updateConversions(paths: Iterable<Path>): Promise<void>;
  /**
   * The content git stores for a path: the same unless line endings are converted.
   *
   * @throws CmsError `conflict` for a path whose stored content only git can compute (attributes.ts)
   */
  toStored(path: Path, content: Content | null): Promise<Content | null>;
  readonly saveCopy: SaveCopy;
  /** Saves the stat cache. */
  close(): Promise<void>;
}

export interface SeenFile {
  readonly oid: Oid | null;
  /** Its stat, if that alone tells its content. */
  readonly stat?: BigIntStats | undefined;
}

/** @throws CmsError `invalid` if the path could lead out of the site or into `.git` */
export function checkPath(path: Path): void {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const isGood = folder === checkedFolder ? !isBad(path.slice(folder.length)) : !path.split("/").some(isBad);
  if (!isGood) throw invalid({}, `${JSON.stringify(path)} is not a path in the site.`);
  checkedFolder = folder;
}

/** The folder of the last path that was checked: the paths of a batch are checked several times, and most are in one folder. */
let checkedFolder = "";

const isBad = (name: string): boolean =>
  name === "" || name === "." || name === ".." || nameProblem(name) !== undefined;

/** Limits for files whose content git's index may not tell: reading more would hold up a write, and git reads them instead. */
const COMPARED_MAX = 1_000;
const COMPARED_BYTES = 4n * 1024n * 1024n;

export interface WorktreeOptions {
  readonly root: string;
  readonly fs: Fs;
  readonly scratch: Scratch;
  readonly stateDir: string;
  readonly conversions: Conversions;
  readonly treeScan: TreeScan;
}

export function openWorktree(options: WorktreeOptions): Worktree {
  const { root, fs, scratch, stateDir, conversions, treeScan } = options;
  const statCache = openStatCache(fs, `${stateDir}/stat.cache`, () => conversions.fingerprint);
  const filters = openFilters(root);
  const saveCopy = openConflictCopies(fs, stateDir);
  const fileIds = openFileIds(root, fs, statCache, conversions);
  const replacement = openFileReplacement({ root, fs, scratch, conversions, filters, saveCopy, statCache });
  const statOf = (path: Path) => fs.lstat(`${root}/${path}`);

  /** The first folder on the way that is none: something else is there, or nothing. */
  async function findObstacle(
    path: Path,
    known?: KnownFolders,
  ): Promise<{ folder: Path; stat: BigIntStats | undefined } | undefined> {
    // So are those above it.
    if (known?.get(path.slice(0, Math.max(path.lastIndexOf("/"), 0)))) return undefined;
    for (const folder of foldersAbove(path)) {
      const isKnown = known?.get(folder);
      if (isKnown) continue;
      const stat = isKnown === undefined ? await statOf(folder) : undefined;
      if (!stat) known?.set(folder, false);
      if (!stat?.isDirectory()) return { folder, stat };
      known?.set(folder, true);
    }
    return undefined;
  }

  let recentlySeen: KnownFolders | undefined;
  /** Of thousands of files most are in the same folders, which are looked at once a turn of the event loop. */
  function seenFolders(): KnownFolders {
    if (!recentlySeen) setImmediate(() => (recentlySeen = undefined));
    return (recentlySeen ??= new Map());
  }

  /** The stat of a regular file; undefined if the path leads to none. */
  async function findFile(path: Path, known?: KnownFolders): Promise<BigIntStats | undefined> {
    checkPath(path);
    if (await findObstacle(path, known)) return undefined;
    const stat = await statOf(path);
    return stat?.isFile() ? stat : undefined;
  }

  /** Whether the folders above a path are there. @throws CmsError `conflict` if something else is */
  async function hasFolders(path: Path, known?: KnownFolders): Promise<boolean> {
    const obstacle = await findObstacle(path, known);
    if (obstacle?.stat)
      throw new CmsError("conflict", `${obstacle.folder} is ${fileKindOf(obstacle.stat)}, not a folder.`);
    return !obstacle;
  }

  /** The stat of a file, if there is one. @throws as `oidAt` */
  async function statAt(path: Path, known?: KnownFolders): Promise<BigIntStats | undefined> {
    checkPath(path);
    const isFolderThere = await hasFolders(path, known);
    refuseUnsupported(path, conversions.of(path));
    const stat = isFolderThere ? await statOf(path) : undefined;
    if (stat && !stat.isFile()) throw new CmsError("conflict", `${path} is ${fileKindOf(stat)}, not a file.`);
    return stat;
  }

  /** Whether a folder has no files but these. */
  async function hasOnly(folder: Path, files: ReadonlySet<Path>): Promise<boolean> {
    for (const entry of await fs.readdir(`${root}/${folder}`)) {
      const path = `${folder}/${entry.name}`;
      if (!(entry.isDirectory() ? await hasOnly(path, files) : files.has(path))) return false;
    }
    return true;
  }

  async function removeEmptyFolder(path: Path): Promise<void> {
    if (!(await statOf(path))?.isDirectory() || !(await hasOnly(path, new Set()))) return;
    for (const { name } of await fs.readdir(`${root}/${path}`)) await removeEmptyFolder(`${path}/${name}`);
    await fs.rmdir(`${root}/${path}`);
  }

  async function oidAt(path: Path, known?: KnownFolders): Promise<Oid | null> {
    const stat = await statAt(path, known);
    return (stat && (await fileIds.oidOf(path, stat))) ?? null;
  }

  async function updateConversions(folders: Iterable<Path>): Promise<void> {
    if (await conversions.update(folders)) statCache.clear();
  }

  async function updateConversionsOf(paths: Iterable<Path>): Promise<void> {
    const folders = new Set<Path>();
    for (const path of paths) {
      await pace();
      for (const folder of foldersAbove(path)) folders.add(folder);
    }
    await updateConversions(folders);
  }

  return {
    ...replacement,
    saveCopy,

    async create(path, staged) {
      checkPath(path);
      const seen = seenFolders();
      const obstacle = await findObstacle(path, seen);
      if (!obstacle) return replacement.linkNew(path, staged);
      seen.delete(obstacle.folder); // the caller makes one that is missing
      return undefined;
    },

    async scan(under, except = [], contents) {
      const folders: Path[] = [];
      const single: Path[] = [];
      for (const start of under) {
        await pace();
        if (start === "") {
          folders.push(start);
          continue;
        }
        checkPath(start);
        const stat = await statOf(start);
        if (stat && !(await findObstacle(start, seenFolders()))) (stat.isDirectory() ? folders : single).push(start);
      }
      const [listing] = await allEnded([treeScan.list(folders, except, statCache.savedCount), statCache.load()]);
      await updateConversions(listing.attributeFolders);
      const files = await fileIds.list(listing.files, contents, listing.seen);
      for (const [path, file] of await fileIds.list(single, contents)) files.set(path, file);
      for (const [path, unreadable] of listing.unsupported)
        files.set(path, { oid: NO_OID, size: 0, mtimeMs: 0, unreadable });
      return files;
    },

    async read(path, known) {
      const stat = await findFile(path, known);
      return stat && fileIds.read(path, stat);
    },

    async find(path) {
      const stat = await findFile(path);
      return (stat && (await fileIds.oidOf(path, stat))) ?? null;
    },

    oidAt,
    removeEmptyFolder,

    async look(path) {
      const folders = seenFolders();
      const stat = await statAt(path, folders);
      // The caller may make a folder that is missing.
      if (!stat) for (const folder of foldersAbove(path)) if (!folders.get(folder)) folders.delete(folder);
      const oid = (stat && (await fileIds.oidOf(path, stat))) ?? null;
      return { oid, stat: stat && oid !== null && statCache.get(path, stat) === oid ? stat : undefined };
    },

    async entryOidAt(path, removed) {
      const above = removed && (await findObstacle(path));
      if (removed && above?.stat && (removed.has(above.folder) || removed.has(path))) return null;
      const stat = await statOf(path);
      if (removed && stat?.isDirectory() && (await hasOnly(path, removed))) return null;
      if (stat?.isSymbolicLink() && !(await findObstacle(path))) {
        checkPath(path);
        return oidOf("blob", await fs.readlink(`${root}/${path}`));
      }
      if (stat && !stat.isFile()) return undefined;
      if (conversions.of(path).unsupported === undefined) return oidAt(path);
      checkPath(path);
      await hasFolders(path);
      return stat === undefined
        ? null
        : ((await conversions.filteredOid(path, stat)) ?? filters.storedOid(path, `${root}/${path}`));
    },

    async statIfUnchanged(path, oid) {
      const stat = await statOf(path);
      if (!stat) return undefined;
      await statCache.load();
      return statCache.get(path, stat) === oid ? stat : undefined;
    },

    async findUnchanged(files) {
      await updateConversionsOf(files.keys());
      await statCache.load();
      const unchanged = new Set<Path>();
      let read = 0;
      for (const [path, oid] of files) {
        await pace();
        const stat = await statOf(path);
        if (stat?.isSymbolicLink()) {
          if (oidOf("blob", await fs.readlink(`${root}/${path}`)) === oid) unchanged.add(path);
        } else if (stat?.isFile() && conversions.of(path).unsupported === undefined) {
          const isRead = stat.size <= COMPARED_BYTES && read < COMPARED_MAX;
          const known = statCache.get(path, stat) ?? (isRead && (read++, await fileIds.oidOf(path, stat)));
          if (known === oid) unchanged.add(path);
        }
      }
      return unchanged;
    },

    updateConversions: updateConversionsOf,

    async toStored(path, content) {
      checkPath(path);
      refuseUnsupported(path, conversions.of(path));
      return content && conversions.contentToStored(path, content);
    },

    close: () => statCache.close(),
  };
}
