/**
 * `core.sharedRepository`: objects, refs, index and logs that other users of the machine may read or write, too.
 *
 * Working files are created under the umask, as git does; the private state is never shared.
 *
 * Source: `calc_shared_perm` and `adjust_shared_perm` in path.c of git 2.39.
 */
import { chmodSync, lstatSync } from "node:fs";
import type { GitConfig } from "./config.ts";
import type { Fs } from "./fs.ts";

/** Permission bits that are added to those of the umask (`group`, `all`), or replace them (`isExact`: an octal mode). */
export interface FsSharing {
  readonly bits: number;
  readonly isExact: boolean;
}

const OWNER_BITS = 0o600;

/** undefined if the umask alone applies, also for a value that git would refuse. */
export function sharingOf(config: GitConfig): FsSharing | undefined {
  const value = config.get("core.sharedRepository")?.toLowerCase();
  if (value === undefined || value === "umask") return undefined;
  if (value === "group") return { bits: 0o660, isExact: false };
  if (value === "all" || value === "world" || value === "everybody") return { bits: 0o664, isExact: false };
  const number = /^[0-7]+$/.test(value) ? Number.parseInt(value, 8) : undefined;
  if (number === undefined) return config.isTrue("core.sharedRepository") ? { bits: 0o660, isExact: false } : undefined;
  if (number === 0) return undefined;
  if (number === 1) return { bits: 0o660, isExact: false };
  if (number === 2) return { bits: 0o664, isExact: false };
  return (number & OWNER_BITS) === OWNER_BITS ? { bits: number & 0o666, isExact: true } : undefined;
}

/** The mode of a shared file or folder. @param mode from `stat` */
function sharedMode(mode: number, { bits, isExact }: FsSharing, isFolder: boolean): number {
  let added = mode & 0o200 ? bits : bits & ~0o222;
  // Read permission for a folder comes with permission to enter it.
  if (mode & 0o100) added |= (added & 0o444) >> 2;
  const shared = (isExact ? mode & ~0o777 : mode) | added;
  return (isFolder ? shared | 0o2000 | ((shared & 0o444) >> 2) : shared) & 0o7777;
}

/** A file system that gives new files and folders in `.git` the configured modes. */
export function sharedFs(fs: Fs, gitDir: string, sharing: FsSharing): Fs {
  /** In the private `.git/cms`, only staged files that are renamed into shared folders. */
  const isShared = (path: string): boolean => {
    if (!path.startsWith(`${gitDir}/`)) return false;
    const within = path.slice(gitDir.length + 1);
    return within.startsWith("cms/") ? /^cms\/run\/[^/]+\/(?:ref|index|pack)-[^/]*$/.test(within) : within !== "cms";
  };
  const share = (path: string): void => {
    if (!isShared(path)) return;
    const stat = lstatSync(path);
    chmodSync(path, sharedMode(stat.mode, sharing, stat.isDirectory()));
  };
  return {
    ...fs,
    async create(path, mode) {
      const file = await fs.create(path, mode);
      share(path);
      return file;
    },
    async mkdir(path, mode) {
      await fs.mkdir(path, mode);
      share(path);
    },
    async append(path, line) {
      const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined;
      await fs.append(path, line);
      // An existing file may belong to another user.
      if (isNew) share(path);
    },
  };
}
