/** The objects of Git LFS: the files whose pointers git stores, at the paths where `git lfs` looks for them. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { unavailable } from "../../../errors.ts";
import { isPrepared, type Content, type PreparedFile } from "../../repo.ts";
import type { Log } from "../../../env.ts";
import { isDiskError } from "../disk-error.ts";
import { isMissing, makeDirs, parentOf, randomSuffix, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import { copyDurably } from "../objects/file-blob.ts";
import { oidOf } from "../objects/object.ts";
import { parsePointer, pointerText, sha256Of, type Pointer } from "./pointer.ts";

export interface LfsObjects {
  /**
   * The object of a pointer; undefined when it was not fetched.
   *
   * Its content is verified when it is first read. One that is damaged is moved to the folder `bad`, as by `git lfs fsck`,
   * so that the next fetch brings it again.
   */
  find(pointer: Pointer): Promise<PreparedFile | undefined>;
  /**
   * Stores the object of a file, durably.
   *
   * @returns what git stores: the file with its pointer; a pointer that was given stays one
   */
  put(content: Content): Promise<Content>;
}

/** Files below this size may be pointers. */
const POINTER_MAX = 1024;

/** @param folder gives the folder of Git LFS, `.git/lfs` by default */
export function openLfsObjects(fs: Fs, log: Log, folder: () => string): LfsObjects {
  /** The version of each object whose content was verified. */
  const verified = new Map<string, string>();
  const pathOf = ({ sha256 }: Pointer): string =>
    `${folder()}/objects/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;

  async function find(pointer: Pointer): Promise<PreparedFile | undefined> {
    const path = pathOf(pointer);
    const stat = await fs.lstat(path);
    if (!stat?.isFile() || stat.size !== BigInt(pointer.size)) return undefined;
    const version = `${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs}`;
    if (verified.get(path) !== version) {
      if ((await unlessMissing(sha256OfFile(path))) !== pointer.sha256) return void (await discard(path, pointer));
      verified.set(path, version);
    }
    return preparedFile(path, pointer);
  }

  async function discard(path: string, { sha256 }: Pointer): Promise<void> {
    log.warn(
      `The Git LFS object ${sha256} is damaged: its content is not what its name says. It has to be fetched again.`,
    );
    try {
      await makeDirs(fs, `${folder()}/bad`, 0o777);
      await fs.rename(path, `${folder()}/bad/${sha256}`);
    } catch (error) {
      if (!isMissing(error) && !isDiskError(error)) throw error; // it is not used all the same
    }
  }

  async function write(content: Content, pointer: Pointer): Promise<PreparedFile> {
    const temporary = `${folder()}/tmp/cms-${randomSuffix()}`;
    const path = pathOf(pointer);
    await makeDirs(fs, parentOf(temporary), 0o777);
    if (isPrepared(content)) await copyChecked(content, temporary, pointer);
    else await writeDurably(fs, temporary, content, 0o666);
    await makeDirs(fs, parentOf(path), 0o777);
    await fs.rename(temporary, path);
    return synced(preparedFile(path, pointer));
  }

  /** Syncs the folders of an object, also of one that is there: what wrote it may have ended before it did. */
  async function synced(object: PreparedFile): Promise<PreparedFile> {
    const top = parentOf(folder());
    for (let dir = parentOf(object.file); dir.startsWith(top); dir = parentOf(dir)) {
      await fs.syncDir(dir);
      if (dir === top) break;
    }
    return object;
  }

  async function copyChecked({ file }: PreparedFile, to: string, { sha256 }: Pointer): Promise<void> {
    const hash = createHash("sha256");
    await copyDurably(fs, file, to, (chunk) => hash.update(chunk));
    if (hash.digest("hex") === sha256) return;
    await fs.unlink(to);
    throw unavailable("A file changed while it was being stored. Try again.", "write");
  }

  return {
    find,
    async put(content) {
      if (isPrepared(content) && content.pointer) return content;
      const size = isPrepared(content) ? content.size : content.length;
      const small = size < POINTER_MAX && isPrepared(content) ? await fs.readFile(content.file) : content;
      const given = isPrepared(small) ? undefined : parsePointer(small);
      if (given) return (await find(given)) ?? small;
      if (size === 0) return small;
      const pointer = { sha256: isPrepared(small) ? await sha256OfFile(small.file) : sha256Of(small), size };
      const found = await find(pointer);
      return found ? synced(found) : write(small, pointer);
    },
  };
}

function preparedFile(file: string, { sha256, size }: Pointer): PreparedFile {
  const pointer = pointerText({ sha256, size });
  return { file, size, oid: oidOf("blob", pointer), pointer };
}

/** Reads a file as a stream, since it may be larger than the memory. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
