/**
 * A disk that forgets at a power cut what was not synced: the content of files, and the entries of folders.
 *
 * Real file systems keep the order of renames and more. This one promises no more than POSIX does: any part of what was
 * not synced may be on the disk or not.
 */
import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { diskFs, type Fs, type OpenFile } from "../../../../src/store/git/fs.ts";

/** Contents are never changed in place, so that an image can refer to them. */
interface Inode {
  readonly kind: "file" | "folder" | "link";
  readonly mode: number;
  content: Buffer;
  synced: Buffer;
}

/** A change of one or two entries that reaches the disk as a whole. */
type Change = Map<string, Inode | null>;

/** The disk after a power cut: inode and content by absolute path. */
export type Image = ReadonlyMap<string, { readonly inode: Inode; readonly content: Buffer }>;

/** What a power cut leaves of that which was not synced. */
export interface Cut {
  /** Whether a change of folders is on the disk. */
  isKept(): boolean;
  contentOf(synced: Buffer, content: Buffer): Buffer;
}

export interface PowerCutFs {
  readonly fs: Fs;
  image(cut: Cut): Image;
}

/** More than all other syncs of a batch together take. */
const LATE_TURNS = 500;

/** @param afterChange called after each changing call */
export function powerCutFs(root: string, afterChange: () => void): PowerCutFs {
  const entries = new Map<string, Inode>();
  const durable = new Map<string, Inode>();
  let pending: Change[] = [];
  scan(root, durable);
  for (const [path, inode] of durable) entries.set(path, inode);

  function change(...changed: readonly (readonly [string, Inode | null])[]): void {
    for (const [path, inode] of changed) set(entries, path, inode);
    pending.push(new Map(changed));
  }
  function syncFolder(folder: string): void {
    const isOf = (made: Change): boolean => [...made.keys()].some((path) => dirname(path) === folder);
    for (const made of pending.filter(isOf)) for (const [path, inode] of made) set(durable, path, inode);
    pending = pending.filter((made) => !isOf(made));
  }
  const inodeAt = (path: string): Inode => {
    const inode = entries.get(path);
    if (!inode) throw new Error(`${path} is not known to the disk`);
    return inode;
  };
  async function step<T>(act: () => Promise<T>, then: (result: T) => void): Promise<T> {
    const result = await act();
    then(result);
    afterChange();
    return result;
  }
  const wrap = (file: OpenFile, inode: Inode): OpenFile => ({
    write: (parts, position) =>
      step(
        () => file.write(parts, position),
        () => {
          const bytes = Buffer.concat(parts);
          const next = Buffer.alloc(Math.max(inode.content.length, position + bytes.length));
          next.set(inode.content);
          next.set(bytes, position);
          inode.content = next;
        },
      ),
    truncate: (length) =>
      step(
        () => file.truncate(length),
        () => void (inode.content = inode.content.subarray(0, length)),
      ),
    sync: () => {
      const { content } = inode;
      return step(
        () => file.sync(),
        () => void (inode.synced = content),
      );
    },
    stat: () => file.stat(),
    close: () => file.close(),
  });

  const fs: Fs = {
    ...diskFs,
    create: (path, mode) =>
      step(
        async () => {
          const inode: Inode = { kind: "file", mode, content: Buffer.alloc(0), synced: Buffer.alloc(0) };
          return { file: wrap(await diskFs.create(path, mode), inode), inode };
        },
        ({ inode }) => change([path, inode]),
      ).then(({ file }) => file),
    append: (path, line) =>
      step(
        () => diskFs.append(path, line),
        () => {
          const content = readFileSync(path);
          const inode = entries.get(path);
          if (inode) inode.content = content;
          else change([path, { kind: "file", mode: 0o666, content, synced: Buffer.alloc(0) }]);
        },
      ),
    syncDir: (path) => {
      // Only what was changed before the call is certain to be synced.
      const known = new Set(pending);
      return step(
        async () => {
          await diskFs.syncDir(path);
          // The branch last, so that what is not to happen before it would be seen.
          for (let turn = 0; path.endsWith("/refs/heads") && turn < LATE_TURNS; turn++) await setImmediate();
        },
        () => {
          const later = pending.filter((made) => !known.has(made));
          pending = pending.filter((made) => known.has(made));
          syncFolder(path);
          pending.push(...later);
        },
      );
    },
    mkdir: (path, mode) =>
      step(
        () => diskFs.mkdir(path, mode),
        () => change([path, { kind: "folder", mode, content: Buffer.alloc(0), synced: Buffer.alloc(0) }]),
      ),
    rename: (from, to) =>
      step(
        () => diskFs.rename(from, to),
        () => {
          const inode = inodeAt(from);
          if ([...entries.keys()].some((path) => dirname(path) === from))
            throw new Error(`${from} is a folder with entries, which this disk does not move`);
          // Two names of one file stay as they are.
          if (entries.get(to) !== inode) change([from, null], [to, inode]);
        },
      ),
    link: (from, to) =>
      step(
        () => diskFs.link(from, to),
        () => change([to, inodeAt(from)]),
      ),
    symlink: (target, path) =>
      step(
        () => diskFs.symlink(target, path),
        () => change([path, { kind: "link", mode: 0o777, content: target, synced: target }]),
      ),
    unlink: (path, hasOtherName) =>
      step(
        () => diskFs.unlink(path, hasOtherName),
        () => change([path, null]),
      ),
    rmdir: (path) =>
      step(
        () => diskFs.rmdir(path),
        () => change([path, null]),
      ),
  };

  return {
    fs,
    image({ isKept, contentOf }) {
      const left = new Map(durable);
      for (const made of pending) if (isKept()) for (const [path, inode] of made) set(left, path, inode);
      const contents = new Map<Inode, Buffer>();
      const image = new Map<string, { inode: Inode; content: Buffer }>();
      const isReachable = (path: string): boolean =>
        path === root || (left.get(path)?.kind === "folder" && isReachable(dirname(path)));
      for (const [path, inode] of left) {
        if (!isReachable(dirname(path))) continue;
        const { synced, content } = inode;
        if (!contents.has(inode)) contents.set(inode, synced === content ? content : contentOf(synced, content));
        image.set(path, { inode, content: contents.get(inode)! });
      }
      return image;
    },
  };
}

function set(of: Map<string, Inode>, path: string, inode: Inode | null): void {
  if (inode) of.set(path, inode);
  else of.delete(path);
}

function scan(folder: string, into: Map<string, Inode>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const kind = entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "file";
    const content =
      kind === "folder"
        ? Buffer.alloc(0)
        : kind === "link"
          ? readlinkSync(path, { encoding: "buffer" })
          : readFileSync(path);
    into.set(path, { kind, mode: lstatSync(path).mode & 0o777, content, synced: content });
    if (kind === "folder") scan(path, into);
  }
}

/** Writes an image of `root` to another folder, which is there and empty. */
export function writeImage(image: Image, root: string, to: string): void {
  const written = new Map<Inode, string>();
  const inOrder = [...image].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, { inode, content }] of inOrder) {
    const place = to + path.slice(root.length);
    const same = written.get(inode);
    if (inode.kind === "folder") mkdirSync(place, { mode: inode.mode | 0o700 });
    else if (inode.kind === "link") symlinkSync(content, place);
    else if (same !== undefined) linkSync(same, place);
    else {
      const file = openSync(place, "wx", inode.mode);
      writeSync(file, content);
      closeSync(file);
      written.set(inode, place);
    }
  }
}
