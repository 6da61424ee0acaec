/**
 * A folder of this process under `.git/cms/run`: its journal, its staged files, and a note that says whose it is.
 *
 * It lies in git's folder even when the private state is elsewhere, because its files are renamed and linked into the
 * working tree and among the refs, which works only within one file system.
 */
import { randomBytes } from "node:crypto";
import { makeDirs, removeIfThere, unlessMissing, writeDurably, type Fs } from "./fs.ts";
import { isAlive, isRunning, parseOwner, thisOwner } from "./owner.ts";

export interface Scratch {
  /** The folder and its note, made when first asked for: who only reads leaves no trace. */
  make(): Promise<{ readonly dir: string; readonly note: string }>;
  close(): Promise<void>;
}

const NOTE = "owner";

export function openScratch(fs: Fs, gitDir: string): Scratch {
  const dir = `${runDirOf(gitDir)}/${process.pid}-${randomBytes(4).toString("hex")}`;
  const note = `${dir}/${NOTE}`;
  let made: Promise<{ dir: string; note: string }> | undefined;

  async function makeIt(): Promise<{ dir: string; note: string }> {
    const changed = await makeDirs(fs, dir, 0o700);
    // From an attempt that failed.
    await removeIfThere(fs, note);
    // Durable, since locks are links to it, and after a power cut must still say whose they are.
    await writeDurably(fs, note, Buffer.from(`${JSON.stringify(thisOwner())}\n`), 0o600);
    for (const folder of [...changed, dir]) await fs.syncDir(folder);
    return { dir, note };
  }

  return {
    async make() {
      made ??= makeIt();
      try {
        return await made;
      } catch (error) {
        made = undefined;
        throw error;
      }
    },
    async close() {
      if (made) await removeFolder(fs, dir);
      made = undefined;
    },
  };
}

/** The folders of processes that have ended without tidying up. */
export async function abandonedScratch(fs: Fs, gitDir: string): Promise<string[]> {
  const runDir = runDirOf(gitDir);
  const found: string[] = [];
  for (const entry of (await unlessMissing(fs.readdir(runDir))) ?? []) {
    const note = await unlessMissing(fs.readFile(`${runDir}/${entry.name}/${NOTE}`));
    const owner = note && parseOwner(note.toString("utf8"));
    // Without a note it is just being made, or its process ended in that instant.
    const pid = Number.parseInt(entry.name, 10);
    if (owner ? !isAlive(owner) : !isRunning(pid)) found.push(`${runDir}/${entry.name}`);
  }
  return found;
}

/** Removes a folder of plain files. */
export async function removeFolder(fs: Fs, dir: string): Promise<void> {
  for (const entry of (await unlessMissing(fs.readdir(dir))) ?? []) await unlessMissing(fs.unlink(`${dir}/${entry.name}`));
  await unlessMissing(fs.rmdir(dir));
}

const runDirOf = (gitDir: string): string => `${gitDir}/cms/run`;
