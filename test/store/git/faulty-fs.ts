/** A file system that fails at one of its changing calls, or at which the process "dies". */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diskFs, type Fs, type OpenFile } from "../../../src/store/git/fs.ts";

export type Fault =
  | { readonly kind: "killed"; readonly when: "before" | "half way" | "after" }
  /** Done: the call does what it should and reports the error all the same. */
  | { readonly kind: "error"; readonly code: string; readonly lasts: boolean; readonly done?: boolean };

export interface FaultyFs {
  readonly fs: Fs;
  /** Changing calls so far. */
  calls(): number;
  /** Fails at the call of this number, counted from 1 and from now. */
  failAt(call: number, fault: Fault): void;
  heal(): void;
  /** Closes what a dead process left open. */
  closeAll(): Promise<void>;
}

const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length >> 1);

/** Nothing more happens after it: a process that is dead writes nothing. */
class Killed extends Error {}

export function faultyFs(): FaultyFs {
  let calls = 0;
  let at = Number.POSITIVE_INFINITY;
  let fault: Fault | undefined;
  let isDead = false;

  async function step<T>(act: () => Promise<T>, half: () => Promise<unknown> = async () => undefined): Promise<T> {
    if (isDead) throw new Killed("dead");
    const call = ++calls;
    if (!fault || call < at || (call > at && !(fault.kind === "error" && fault.lasts))) return act();
    if (fault.kind === "error") {
      await (fault.done ? act() : half());
      throw Object.assign(new Error(`${fault.code}: injected`), { code: fault.code });
    }
    isDead = true;
    if (fault.when === "after") await act();
    if (fault.when === "half way") await half();
    throw new Killed("killed");
  }

  function look<T>(act: () => Promise<T>): Promise<T> {
    return isDead ? Promise.reject(new Killed("dead")) : act();
  }

  const open = new Set<OpenFile>();

  const wrap = (file: OpenFile): OpenFile => (
    open.add(file),
    {
      write: (parts, position) =>
        step(
          () => file.write(parts, position),
          () => file.write([half(Buffer.concat(parts))], position),
        ),
      truncate: (length) => step(() => file.truncate(length)),
      sync: () => step(() => file.sync()),
      stat: () => look(() => file.stat()),
      close: () => (open.delete(file), file.close()),
    }
  );

  return {
    fs: {
      readFile: (path) => look(() => diskFs.readFile(path)),
      readRegular: (path) => look(() => diskFs.readRegular(path)),
      lstat: (path) => look(() => diskFs.lstat(path)),
      readdir: (path) => look(() => diskFs.readdir(path)),
      readlink: (path) => look(() => diskFs.readlink(path)),
      create: (path, mode) => step(async () => wrap(await diskFs.create(path, mode))),
      append: (path, text) =>
        step(
          () => diskFs.append(path, text),
          () => diskFs.append(path, text.slice(0, text.length >> 1)),
        ),
      syncDir: (path) => step(() => diskFs.syncDir(path)),
      mkdir: (path, mode) => step(() => diskFs.mkdir(path, mode)),
      rename: (from, to) => step(() => diskFs.rename(from, to)),
      link: (from, to) => step(() => diskFs.link(from, to)),
      symlink: (target, path) => step(() => diskFs.symlink(target, path)),
      unlink: (path) => step(() => diskFs.unlink(path)),
      rmdir: (path) => step(() => diskFs.rmdir(path)),
      touch: (path) => step(() => diskFs.touch(path)),
      // On a timer, so it must not change the numbers of the other calls.
      refresh: (path) => look(() => diskFs.refresh(path)),
    },
    calls: () => calls,
    failAt(call, next) {
      at = calls + call;
      fault = next;
    },
    heal() {
      fault = undefined;
      isDead = false;
    },
    async closeAll() {
      for (const file of open) await file.close();
      open.clear();
    },
  };
}

/**
 * Makes everything this process has open in a repository look like a dead one's.
 *
 * The notes are written over in place: locks are links to them.
 */
export function bury(gitDir: string): void {
  const runDir = join(gitDir, "cms/run");
  let names: string[] = [];
  try {
    names = readdirSync(runDir);
  } catch {
    return;
  }
  for (const name of names) {
    const note = join(runDir, name, "owner");
    try {
      const owner = JSON.parse(readFileSync(note, "utf8")) as object;
      writeFileSync(note, JSON.stringify({ ...owner, start: "0" }));
    } catch {
      // Killed before the note was whole: recovery has to do without.
    }
  }
}
