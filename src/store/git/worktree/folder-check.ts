/**
 * Checks that files can be renamed into folders of the working tree, before the branch moves.
 *
 * A folder of another user, or a volume mounted at `media/`, would refuse the files of a commit that is already made:
 * index and site would stay locked until a person repairs it.
 */
import { inParallel, isMissing, parentOf, randomSuffix, unlessMissing, type Fs } from "../fs.ts";
import type { Path } from "../../repo.ts";

export interface FolderCheck {
  /** @throws the error of the file system for the first folder that refuses; nothing has changed then */
  check(paths: Iterable<Path>): Promise<void>;
}

const FOLDERS_AT_ONCE = 8;

export function openFolderCheck(root: string, gitDir: string, fs: Fs): FolderCheck {
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

  /** If the process dies here, it leaves an empty dotfolder, which git and the service ignore. */
  async function tryRename(folder: string): Promise<void> {
    const name = `.try-${randomSuffix()}`;
    const source = `${gitDir}/cms/${name}`;
    await fs.mkdir(source, 0o700);
    try {
      await fs.rename(source, `${folder}/${name}`);
    } catch (error) {
      await fs.rmdir(source).catch(() => undefined);
      // The folder was removed meanwhile; the write will create it again.
      if (!isMissing(error)) throw error;
      return;
    }
    await unlessMissing(fs.rmdir(`${folder}/${name}`));
  }

  return {
    async check(paths) {
      const folders = new Set([...paths].map((path) => parentOf(`${root}/${path}`)));
      await inParallel([...folders], FOLDERS_AT_ONCE, check);
    },
  };
}
