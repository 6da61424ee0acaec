/**
 * A private JSON file, readable by this machine's user only.
 *
 * Several processes may use it at the same time (a server, and `cms user add`): a change is made under a lock on the newest
 * content, and a reader notices when the file was replaced.
 */
import { statSync, type BigIntStats } from "node:fs";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { CmsError, setup, unavailable } from "../../errors.ts";
import { openQueue } from "../../queue.ts";
import { codeOf, diskFs, makeDirs, removeIfExists, replaceFile } from "../git/fs.ts";
import { undefinedIf, withLock } from "./private-lock.ts";

export interface PrivateFile<T> {
  /** The content, or `empty` if there is no file. The same object until the file changes on disk. */
  read(): Promise<T>;
  /**
   * Replaces the content durably. If `change` returns the same object, nothing is written.
   *
   * @param change gets the newest content; if it throws, nothing is written
   * @throws CmsError `unavailable` when another process keeps the lock, or the disk refuses
   */
  update<R>(change: (value: T) => readonly [next: T, result: R]): Promise<R>;
}

export interface PrivateFileOptions<T> {
  readonly dir: string;
  readonly name: string;
  /** The content of a missing file. */
  readonly empty: T;
  /** Its errors must not quote the content. */
  readonly parse: (raw: unknown) => T;
  readonly lockTimeoutMs?: number;
}

export function privateFile<T>({
  dir,
  name,
  empty,
  parse,
  lockTimeoutMs = 5000,
}: PrivateFileOptions<T>): PrivateFile<T> {
  const path = join(dir, name);
  let known: { readonly stamp: string; readonly value: T } | undefined;
  const runInTurn = openQueue();

  async function read(): Promise<T> {
    // Every request with a token asks this: on the thread pool it would wait for the syncs of the writes under way.
    const now = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!now) return empty;
    if (known?.stamp === stampOf(now)) return known.value;
    await refuseOpenFolder(dir);
    const file = await open(path).catch(undefinedIf("ENOENT"));
    if (!file) return empty;
    try {
      const stamp = stampOf(await file.stat({ bigint: true }));
      known = { stamp, value: parse(jsonOf(await file.readFile("utf8"), name)) };
      return known.value;
    } finally {
      await file.close();
    }
  }

  async function change<R>(work: (value: T) => readonly [next: T, result: R]): Promise<R> {
    try {
      await makeDirs(diskFs, dir, 0o700);
      await refuseOpenFolder(dir);
      return await withLock(dir, name, lockTimeoutMs, async (isHeld) => {
        const value = await read();
        const [next, result] = work(value);
        if (next !== value) await replace(dir, name, `${JSON.stringify(next, null, 2)}\n`, isHeld);
        return result;
      });
    } catch (cause) {
      // The system's message names the path, which must not be sent over HTTP.
      if (cause instanceof Error && "syscall" in cause) {
        throw new CmsError("unavailable", `${name} cannot be written just now (${codeOf(cause)}).`, { cause });
      }
      throw cause;
    }
  }

  return {
    read,
    update: (work) => runInTurn(() => change(work)),
  };
}

/** Identifies a version of the file, since it is only ever replaced as a whole. */
const stampOf = (stats: BigIntStats): string => `${stats.ino}:${stats.mtimeNs}:${stats.size}`;

/** Without the parser's message, which quotes the text. */
function jsonOf(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw setup(
      `${name} in the private state is not valid JSON: restore it from a backup, or remove it to start anew.`,
    );
  }
}

/** The mode is not corrected, since CMS_STATE_DIR may name a folder that others need. */
async function refuseOpenFolder(dir: string): Promise<void> {
  if (process.platform === "win32") return; // access lists do not show in the mode
  const { mode } = await stat(dir);
  if (mode & 0o077) throw setup(`${dir} is open to other users of this machine: run \`chmod 700\` on it.`);
}

async function replace(dir: string, name: string, text: string, isHeld: () => Promise<boolean>): Promise<void> {
  const temporary = join(dir, `${name}.new`); // one name is enough under the lock, and a crash leaves at most one
  await removeIfExists(diskFs, temporary);
  // A suspended process may have been taken for dead: it must not undo what another has written meanwhile.
  const confirm = async (): Promise<void> => {
    if (!(await isHeld())) throw unavailable(`${name} was changed by another process meanwhile. Try again.`, "write");
  };
  await replaceFile(diskFs, join(dir, name), Buffer.from(text), { mode: 0o600, temporary, confirm });
  await diskFs.syncDir(dir);
}
