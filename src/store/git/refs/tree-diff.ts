/**
 * The files that differ between two trees.
 *
 * Trees are compared only where their ids differ, and entry by entry as bytes: the history index is built from this, so
 * walking thousands of commits must take a second or two.
 */
import { CmsError } from "../../../errors.ts";
import type { Oid, Path, TreeChange } from "../../repo.ts";
import type { Objects } from "../objects/objects.ts";
import { pace } from "../../../time-slices.ts";
import {
  bytewise,
  treeEntryAt,
  entryEnd,
  entryNamed,
  fromBytewise,
  isFile,
  isFolder,
  parseTree,
  type TreeEntry,
} from "../objects/tree-format.ts";

/** Blob ids before and after; null for no file. */
export type FileChange = { readonly before: Oid | null; readonly after: Oid | null };

/** The changes from one tree (null: no tree) to another, below the given paths. */
export type DiffTrees = (before: Oid | null, after: Oid, under: readonly Path[]) => Promise<Map<Path, FileChange>>;

const CACHED_BYTES = 16 * 1024 * 1024;
const EMPTY = Buffer.alloc(0);
const OID_BYTES = 20;
const SPACE = 0x20;
const SLASH = 0x2f;
/** The first digit of the mode of a folder, and of no other entry. */
const FOLDER_MODE = 0x34;

/** A few entries. */
const COMPARED_BYTES = 64;

const FOLDERS_PER_FILE = 3;

type ReadTree = (tree: Oid) => Promise<Buffer>;

export function openTreeDiff(objects: Objects): DiffTrees {
  const readTree = openTreeReader(objects);
  return async (before, after, under) => {
    const changed = new Map<Path, FileChange>();
    const note: Note = (path, old, now) => {
      const change = { before: fileOid(old), after: fileOid(now) };
      if (change.before !== change.after) changed.set(fromBytewise(path), change);
    };
    if (before === after) return changed;
    for (const path of under) {
      const [old, now] = [await findEntry(readTree, before, path), await findEntry(readTree, after, path)];
      await diffEntries(readTree, old, now, bytewise(path), note);
    }
    return changed;
  };
}

/**
 * The entries that differ between two trees, of any mode.
 *
 * @param most how many entries may differ
 * @throws CmsError `conflict` for more
 */
export async function diffEntriesOf(
  objects: Objects,
  before: Oid,
  after: Oid,
  most: number,
): Promise<Map<Path, TreeChange>> {
  const changed = new Map<Path, TreeChange>();
  // Folders count too: a few trees that name each other many times make folders without end, and not one file.
  let seen = 0;
  const entryOf = (entry: TreeEntry | undefined): TreeEntry | null => (entry && !isTree(entry) ? entry : null);
  const note: Note = async (path, old, now) => {
    const change = { before: entryOf(old), after: entryOf(now) };
    if (change.before || change.after) changed.set(fromBytewise(path), change);
    if (++seen > most * FOLDERS_PER_FILE)
      throw new CmsError("conflict", `More than ${seen - 1} files and folders differ.`);
    if (changed.size > most) throw new CmsError("conflict", `More than ${most} files differ.`);
    await pace();
  };
  const [old, now] = [before, after].map((oid) => ({ mode: "40000", oid }));
  await diffEntries(openTreeReader(objects), old, now, "", note);
  return changed;
}

type Note = (path: string, before: TreeEntry | undefined, after: TreeEntry | undefined) => void | Promise<void>;

/** Reads each tree once, as long as the cache has room. */
function openTreeReader(objects: Objects): ReadTree {
  const cache = new Map<Oid, Buffer>();
  let size = 0;
  return async (oid) => {
    const cached = cache.get(oid);
    if (cached) return cached;
    const object = await objects.read(oid);
    if (object?.type !== "tree") throw new CmsError("not_found", `There is no tree ${oid}.`);
    if ((size += object.content.length) > CACHED_BYTES) {
      cache.clear();
      size = object.content.length;
    }
    cache.set(oid, object.content);
    return object.content;
  };
}

async function findEntry(readTree: ReadTree, root: Oid | null, path: Path): Promise<TreeEntry | undefined> {
  let entry: TreeEntry | undefined = root ? { mode: "40000", oid: root } : undefined;
  for (const segment of path === "" ? [] : bytewise(path).split("/")) {
    if (!isTree(entry)) return undefined;
    entry = entryNamed(parseTree(await readTree(entry.oid)), segment);
  }
  return entry;
}

/** Notes the entries that differ at one path, or below it. */
async function diffEntries(
  readTree: ReadTree,
  before: TreeEntry | undefined,
  after: TreeEntry | undefined,
  path: string,
  note: Note,
): Promise<void> {
  if (before?.oid === after?.oid && before?.mode === after?.mode) return;
  await note(path, before, after);
  if (!isTree(before) && !isTree(after)) return;
  const old = isTree(before) ? await readTree(before.oid) : EMPTY;
  const now = isTree(after) ? await readTree(after.oid) : EMPTY;
  for (const [name, sides] of differingEntries(old, now)) {
    await diffEntries(readTree, sides.before, sides.after, path ? `${path}/${name}` : name, note);
  }
}

type Sides = { before?: TreeEntry; after?: TreeEntry };

/** The entries that differ, by name. Equal ones, usually most, are skipped without being parsed. */
function differingEntries(before: Buffer, after: Buffer): Map<string, Sides> {
  const found = new Map<string, Sides>();
  const add = (side: keyof Sides, tree: Buffer, { from }: Span): void => {
    const [name, entry] = treeEntryAt(tree, from);
    found.set(name, { ...found.get(name), [side]: entry });
  };
  const old = { from: 0, to: nextEnd(before, 0) };
  const now = { from: 0, to: nextEnd(after, 0) };
  const skip = (): void => skipEqual(before, old, after, now);
  for (skip(); old.from < before.length || now.from < after.length; skip()) {
    const order = compareNames(before, old, after, now);
    const isEqual = order === 0 && before.compare(after, now.from, now.to, old.from, old.to) === 0;
    if (!isEqual && order <= 0) add("before", before, old);
    if (!isEqual && order >= 0) add("after", after, now);
    if (order <= 0) advance(before, old);
    if (order >= 0) advance(after, now);
  }
  return found;
}

/** Skips entries that both trees have here, but for the last few before the first that differs. */
function skipEqual(before: Buffer, old: Span, after: Buffer, now: Span): void {
  const ahead = now.from - old.from;
  const end = old.from + equalBytes(before, old.from, after, now.from);
  if (old.to > end) return;
  for (; old.from < end && old.to <= end; advance(before, old));
  now.from = old.from + ahead;
  now.to = nextEnd(after, now.from);
}

/** How many bytes are the same from here on, rounded down: many are compared at a time, more and more, then fewer again. */
function equalBytes(before: Buffer, from: number, after: Buffer, at: number): number {
  const most = Math.min(before.length - from, after.length - at);
  let equal = 0;
  let step = COMPARED_BYTES;
  for (let grows = true; step >= COMPARED_BYTES && equal < most;) {
    const next = Math.min(equal + step, most);
    if (before.compare(after, at + equal, at + next, from + equal, from + next) === 0) equal = next;
    else grows = false;
    step = grows ? step * 2 : step / 2;
  }
  return equal;
}

/** The bytes of one entry in a tree. */
interface Span {
  from: number;
  to: number;
}

const nextEnd = (tree: Buffer, from: number): number => (from < tree.length ? entryEnd(tree, from) : from);

function advance(tree: Buffer, span: Span): void {
  span.from = span.to;
  span.to = nextEnd(tree, span.to);
}

/** Git's order of two entries: by name, a folder as if its name ended in a slash. The end of a tree comes last. */
function compareNames(a: Buffer, spanA: Span, b: Buffer, spanB: Span): number {
  if (spanA.from >= a.length) return 1;
  if (spanB.from >= b.length) return -1;
  let atA = a.indexOf(SPACE, spanA.from) + 1;
  let atB = b.indexOf(SPACE, spanB.from) + 1;
  const [endA, endB] = [spanA.to - 1 - OID_BYTES, spanB.to - 1 - OID_BYTES];
  while (atA < endA && atB < endB && a[atA] === b[atB]) {
    atA++;
    atB++;
  }
  const nextByte = (tree: Buffer, at: number, end: number, from: number): number => {
    if (at < end) return tree.readUInt8(at);
    return tree[from] === FOLDER_MODE ? SLASH : 0;
  };
  return nextByte(a, atA, endA, spanA.from) - nextByte(b, atB, endB, spanB.from);
}

const isTree = (entry: TreeEntry | undefined): entry is TreeEntry => entry !== undefined && isFolder(entry);
const fileOid = (entry: TreeEntry | undefined): Oid | null => (entry && isFile(entry) ? entry.oid : null);
