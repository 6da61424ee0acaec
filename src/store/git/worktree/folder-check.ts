/**
 * Whether files can be renamed into a folder of the working tree, found out before the branch moves.
 *
 * A folder of another user's, or a volume mounted at `media/`, would refuse the files of a commit that is made already:
 * index and site would stay locked until a person mends it.
 */
import { randomBytes } from "node:crypto";
import { inParallel, isMissing, unlessMissing, type Fs } from "../fs.ts";
import type { Path } from "../../repo.ts";

export interface FolderCheck {
  /** @throws the error of the file system for the first folder that refuses; nothing has changed then */
  check(paths: Iterable<Path>): Promise<void>;
}

const FOLDERS_AT_ONCE = 8;

export function openFolderCheck(root: string, gitDir: string, fs: Fs): FolderCheck {
  /** What the file system says of each folder in which it went well. */
  const known = new Map<string, string>();

  /** The folder itself, or the nearest above it that is there. */
  async function check(folder: string): Promise<void> {
    const stat = await unlessMissing(fs.lstat(folder));
    if (!stat?.isDirectory()) {
      if (folder !== root) await check(folder.slice(0, folder.lastIndexOf("/")));
      return;
    }
    const facts = [stat.dev, stat.ino, stat.mode, stat.uid, stat.gid].join();
    if (known.get(folder) === facts) return;
    await tryOut(folder);
    known.set(folder, facts);
  }

  /** Killed half way, it leaves an empty folder with a dot, which neither git nor the service sees. */
  async function tryOut(folder: string): Promise<void> {
    const name = `.try-${randomBytes(8).toString("hex")}`;
    const made = `${gitDir}/cms/${name}`;
    await fs.mkdir(made, 0o700);
    try {
      await fs.rename(made, `${folder}/${name}`);
    } catch (error) {
      await fs.rmdir(made).catch(() => undefined);
      // It has gone meanwhile, and will be made again.
      if (!isMissing(error)) throw error;
      return;
    }
    await unlessMissing(fs.rmdir(`${folder}/${name}`));
  }

  return {
    async check(paths) {
      const folders = new Set([...paths].map((path) => `${root}/${path}`.replace(/\/[^/]*$/, "")));
      await inParallel([...folders], FOLDERS_AT_ONCE, check);
    },
  };
}
