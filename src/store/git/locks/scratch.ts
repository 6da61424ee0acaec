/**
 * A folder of this process under `.git/cms/run`: its journal, its staged files, and a note that says whose it is.
 *
 * It lies in git's folder even when the private state is elsewhere, because its files are renamed and linked into the
 * working tree and among the refs, which works only within one file system.
 */
import { randomBytes } from "node:crypto";
import { CmsError } from "../../../errors.ts";
import { makeDirs, unlessMissing, writeDurably, type Fs } from "../fs.ts";
import { startHeartbeat, isAlive, heartbeatAgeOf, HEARTBEAT_TIMEOUT_MS } from "./heartbeat.ts";
import { isRunning, parseOwner, thisOwner } from "./owner.ts";

export interface Scratch {
  /**
   * The folder and its note, made when first asked for: a process that only reads leaves no trace. Made again, under
   * another name, when it is gone.
   */
  make(): Promise<ScratchFolder>;
  /**
   * Says that a lock is held in the name of the note. Until the return value is called, a folder that is gone is not
   * made again: whoever removed it took the locks as well, so what is under way must end.
   */
  pin(): () => void;
  close(): Promise<void>;
}

export interface ScratchFolder {
  readonly dir: string;
  readonly note: string;
  /** The note's, and so that of every lock that is a link to it. */
  readonly ino: bigint;
}

const NOTE = "owner";

export function openScratch(fs: Fs, gitDir: string): Scratch {
  let current: ScratchFolder | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let stopBeating = (): void => undefined;
  const pins = new Set<symbol>();

  async function makeIt(): Promise<ScratchFolder> {
    const dir = `${runDirOf(gitDir)}/${process.pid}-${randomBytes(4).toString("hex")}`;
    const note = `${dir}/${NOTE}`;
    const changed = await makeDirs(fs, dir, 0o700);
    try {
      // Durable, since locks are links to it, and after a power cut must still say whose they are.
      const { ino } = await writeDurably(fs, note, Buffer.from(`${JSON.stringify(thisOwner(gitDir))}\n`), 0o600);
      for (const folder of [...changed, dir]) await fs.syncDir(folder);
      stopBeating();
      stopBeating = startHeartbeat(fs, note);
      return { dir, note, ino };
    } catch (error) {
      await removeFolder(fs, dir).catch(() => undefined); // the next attempt takes another name
      throw error;
    }
  }

  /** Somebody may have removed it by hand, or another process after this one stood still for too long. */
  async function isThere({ note, ino }: ScratchFolder): Promise<boolean> {
    return (await unlessMissing(fs.lstat(note)))?.ino === ino;
  }

  async function makeOnce(): Promise<ScratchFolder> {
    if (current) {
      if (await isThere(current)) return current;
      if (pins.size > 0)
        throw new CmsError(
          "unavailable",
          "The files of a write under way were removed by hand or by another process. Try again.",
          { retryAfter: 1 },
        );
    }
    current = await makeIt();
    return current;
  }

  return {
    make() {
      // One after the other: of several that find it gone, the first makes it again.
      const mine = last.then(makeOnce);
      last = mine.catch(() => undefined); // the caller has the error; the next one tries again
      return mine;
    },
    pin() {
      const pin = Symbol("lock");
      pins.add(pin);
      return () => void pins.delete(pin);
    },
    async close() {
      stopBeating();
      await last;
      if (current) await removeFolder(fs, current.dir);
      current = undefined;
    },
  };
}

/** The folders of processes that have ended without tidying up. */
export async function abandonedScratch(fs: Fs, gitDir: string): Promise<string[]> {
  const runDir = runDirOf(gitDir);
  const found: string[] = [];
  for (const { name } of (await unlessMissing(fs.readdir(runDir))) ?? []) {
    const dir = `${runDir}/${name}`;
    const note = `${dir}/${NOTE}`;
    const bytes = await unlessMissing(fs.readFile(note));
    const owner = bytes && parseOwner(bytes.toString("utf8"));
    const isInUse = owner ? await isAlive(fs, owner, note, gitDir) : await isBeingMade(fs, dir, gitDir);
    if (!isInUse) found.push(dir);
  }
  return found;
}

/** Without a note it is just being made, here or elsewhere, or its process ended in that instant. */
async function isBeingMade(fs: Fs, dir: string, gitDir: string): Promise<boolean> {
  const pid = Number.parseInt(dir.slice(dir.lastIndexOf("/") + 1), 10);
  return isRunning(pid) || (await heartbeatAgeOf(fs, dir, gitDir)) < HEARTBEAT_TIMEOUT_MS;
}

/** Removes a folder of plain files. */
export async function removeFolder(fs: Fs, dir: string): Promise<void> {
  for (const entry of (await unlessMissing(fs.readdir(dir))) ?? [])
    await unlessMissing(fs.unlink(`${dir}/${entry.name}`));
  await unlessMissing(fs.rmdir(dir));
}

const runDirOf = (gitDir: string): string => `${gitDir}/cms/run`;
