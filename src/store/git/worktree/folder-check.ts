/**
 * Checks that files can be renamed into folders of the working tree, before the branch moves.
 *
 * A folder of another user, or a volume mounted at `media/`, would refuse the files of a commit that is already made:
 * index and site would stay locked until a person repairs it.
 */
import { codeOf, isMissing, parentOf, randomSuffix, unlessMissing, type Fs } from "../fs.ts";
import { inParallel } from "../parallel.ts";
import type { Path } from "../../repo.ts";

export interface FolderCheck {
  /** @throws the error of the file system for the first folder that refuses; nothing has changed then */
  check(paths: Iterable<Path>): Promise<void>;
}

export function openFolderCheck(root: string, gitDir: string, fs: Fs): FolderCheck {
  const spare = `${gitDir}/cms/rename-check`;
  /** The folders that passed, with the stat fields that decide it. */
  const passed = new Map<string, string>();

  /** Checks the folder, or if it does not exist yet, its nearest existing parent. */
  async function check(folder: string): Promise<void> {
    const stat = await fs.lstat(folder);
    if (!stat?.isDirectory()) {
      if (folder !== root) await check(parentOf(folder));
      return;
    }
    const key = [stat.dev, stat.ino, stat.mode, stat.uid, stat.gid].join();
    if (passed.get(folder) === key) return;
    await tryRename(folder);
    passed.set(folder, key);
  }

  /**
   * Moves an empty folder there and back. It is kept: to make and to remove one waits for the disk.
   *
   * If the process dies here, it leaves an empty dotfolder, which git and the service ignore.
   */
  async function tryRename(folder: string): Promise<void> {
    const moved = `${folder}/.try-${randomSuffix()}`;
    try {
      if (!(await renameIfThere(moved))) {
        await makeSpare();
        // If it fails again, the folder was removed meanwhile; the write will create it again.
        if (!(await renameIfThere(moved))) return;
      }
    } finally {
      // Another process may have made another one meanwhile, which only Windows does not replace.
      if (await fs.lstat(moved)) await fs.rename(moved, spare).catch(() => unlessMissing(fs.rmdir(moved)));
    }
  }

  /** @returns false if it, or the folder that it is renamed into, is not there */
  async function renameIfThere(to: string): Promise<boolean> {
    try {
      await fs.rename(spare, to);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async function makeSpare(): Promise<void> {
    try {
      await fs.mkdir(spare, 0o700);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }

  return {
    async check(paths) {
      const folders = new Set([...paths].map((path) => parentOf(`${root}/${path}`)));
      // One after the other, since there is one to be renamed.
      await inParallel([...folders], 1, check);
    },
  };
}
