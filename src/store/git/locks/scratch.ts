/**
 * The scratch folder of this process under `.git/cms/run`: its journal, its staged files, and a file that names it as
 * the owner.
 *
 * It is in `.git` even when the private state is elsewhere, because its files are renamed and linked into the working
 * tree and the refs, which works only within one file system.
 */
import { randomBytes } from "node:crypto";
import { unavailable } from "../../../errors.ts";
import { openQueue } from "../../../queue.ts";
import { makeDirs, randomSuffix, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import { heartbeatAgeOf, HEARTBEAT_TIMEOUT_MS, isAlive, startHeartbeat } from "./heartbeat.ts";
import { isRunning, parseOwner, thisOwner } from "./owner.ts";

export interface Scratch {
  /**
   * The folder with its owner file, created when first used: a process that only reads leaves no trace. If it was
   * removed, it is created again under another name, except while pinned.
   */
  folder(): Promise<ScratchFolder>;
  /** Whether this is the folder. */
  isIn(dir: string): boolean;
  /** A new path in the folder. @param kind the beginning of its name */
  temporaryPath(kind: string): Promise<string>;
  /**
   * Says that a lock is held in the name of the owner file. Until the returned function is called, a removed folder is
   * not created again: the locks were removed with it, so the write must fail.
   */
  pin(): () => void;
  close(): Promise<void>;
}

export interface ScratchFolder {
  readonly dir: string;
  readonly ownerFile: string;
  /** Inode of the owner file, and so of every lock that is a link to it. */
  readonly ino: bigint;
}

const OWNER_FILE = "owner";

export function openScratch(fs: Fs, gitDir: string): Scratch {
  let current: ScratchFolder | undefined;
  const runInTurn = openQueue();
  let stopHeartbeat = (): void => undefined;
  const pins = new Set<symbol>();

  async function create(): Promise<ScratchFolder> {
    const dir = `${runDirOf(gitDir)}/${process.pid}-${randomBytes(4).toString("hex")}`;
    const ownerFile = `${dir}/${OWNER_FILE}`;
    const changed = await makeDirs(fs, dir, 0o700);
    try {
      // Durable, because locks are links to it and must name their owner after a power failure.
      const { ino } = await writeDurably(fs, ownerFile, Buffer.from(`${JSON.stringify(thisOwner(gitDir))}\n`), 0o600);
      for (const folder of [...changed, dir]) await fs.syncDir(folder);
      stopHeartbeat();
      stopHeartbeat = startHeartbeat(fs, ownerFile);
      return { dir, ownerFile, ino };
    } catch (error) {
      await removeFolder(fs, dir).catch(() => undefined); // the next attempt uses another name
      throw error;
    }
  }

  async function currentOrNew(): Promise<ScratchFolder> {
    if (current) {
      if ((await fs.lstat(current.ownerFile))?.ino === current.ino) return current;
      if (pins.size > 0)
        throw unavailable(
          "The files of a write in progress were removed by hand or by another process. Try again.",
          "write",
        );
    }
    current = await create();
    return current;
  }

  // One call at a time, so that only one creates the folder.
  const folder = (): Promise<ScratchFolder> => runInTurn(currentOrNew);

  return {
    folder,
    isIn: (dir) => current?.dir === dir,
    temporaryPath: async (kind) => `${(await folder()).dir}/${kind}-${randomSuffix()}`,
    pin() {
      const pin = Symbol("lock");
      pins.add(pin);
      return () => void pins.delete(pin);
    },
    async close() {
      stopHeartbeat();
      await runInTurn(() => undefined);
      if (current) await removeFolder(fs, current.dir);
      current = undefined;
    },
  };
}

/** The scratch folders of processes that ended without removing them. @param own the scratch of this repository */
export async function abandonedScratch(fs: Fs, gitDir: string, own: Scratch): Promise<string[]> {
  const runDir = runDirOf(gitDir);
  const found: string[] = [];
  for (const { name } of (await unlessMissing(fs.readdir(runDir))) ?? []) {
    const dir = `${runDir}/${name}`;
    if (own.isIn(dir)) continue;
    const ownerFile = `${dir}/${OWNER_FILE}`;
    const bytes = await unlessMissing(fs.readFile(ownerFile));
    const owner = bytes && parseOwner(bytes.toString("utf8"));
    const isInUse = owner ? await isAlive(fs, owner, ownerFile, gitDir) : await isBeingCreated(fs, dir, gitDir);
    if (!isInUse) found.push(dir);
  }
  return found;
}

/** A folder without an owner file is being created, or its process ended while creating it. */
async function isBeingCreated(fs: Fs, dir: string, gitDir: string): Promise<boolean> {
  const pid = Number.parseInt(dir.slice(dir.lastIndexOf("/") + 1), 10);
  return isRunning(pid) || (await heartbeatAgeOf(fs, dir, gitDir)) < HEARTBEAT_TIMEOUT_MS;
}

/** Removes a folder that contains files only. */
export async function removeFolder(fs: Fs, dir: string): Promise<void> {
  for (const entry of (await unlessMissing(fs.readdir(dir))) ?? [])
    await unlessMissing(fs.unlink(`${dir}/${entry.name}`));
  await unlessMissing(fs.rmdir(dir));
}

const runDirOf = (gitDir: string): string => `${gitDir}/cms/run`;
