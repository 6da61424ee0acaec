/**
 * Tree objects: read, searched, and rebuilt along the paths that change.
 *
 * A new tree is always the old one plus the changed paths, never the index, so what a person has staged is not included.
 * Names are latin1 strings, one character a byte: this preserves names that are not UTF-8, and sorts as git does.
 */
import { CmsError } from "../../../errors.ts";
import { firstWhere } from "../../../model/bisect.ts";
import { REGULAR_MODE, type Oid, type Path } from "../../repo.ts";
import { newObject, type NewObject } from "./object.ts";
import type { Objects } from "./objects.ts";
import { openPace } from "../../../time-slices.ts";

export interface TreeEntry {
  /** As git writes it: `100644`, `100755`, `120000` symlink, `160000` submodule, `40000` tree. */
  readonly mode: string;
  readonly oid: Oid;
}

/**
 * The bytes of a tree object, which are searched and edited without being decoded: a write makes the trees above its
 * files anew, and a folder may have thousands of other entries.
 */
export interface Tree {
  /** Of each entry the mode, a space, the name, a NUL and the id; in git's order. */
  readonly bytes: Buffer;
  /** The offset of each entry, and of the end of the last one. */
  readonly starts: Uint32Array;
}

export interface Trees {
  /** @throws CmsError `not_found` if there is no such tree */
  get(oid: Oid): Promise<Tree>;
}

/** With a cache that may contain trees that are not written yet. */
export interface EditableTrees extends Trees {
  cached(oid: Oid): Tree | undefined;
  cache(oid: Oid, tree: Tree): void;
}

export interface EditedTree {
  readonly oid: Oid;
  /** The new trees, to be written. */
  readonly objects: readonly NewObject[];
}

const FOLDER = "40000";
const OID_BYTES = 20;
const SPACE = 0x20;
const SLASH = 0x2f;
/** The first digit of the mode of a folder, and of no other entry. */
const FOLDER_DIGIT = 0x34;
const EMPTY: Tree = { bytes: Buffer.alloc(0), starts: Uint32Array.of(0) };
/** Several times the folders of a large site. */
const CACHED_BYTES = 16 * 1024 * 1024;

export const isFile = (entry: TreeEntry): boolean => entry.mode.startsWith("100");
export const isFolder = (entry: TreeEntry): boolean => entry.mode === FOLDER;

const ASCII = /^[\x00-\x7f]*$/;

export const bytewise = (path: Path): string =>
  ASCII.test(path) ? path : Buffer.from(path, "utf8").toString("latin1");
export const fromBytewise = (name: string): Path => Buffer.from(name, "latin1").toString("utf8");

/** @throws CmsError `unavailable` for a malformed tree */
export function parseTree(content: Buffer): Tree {
  const starts: number[] = [];
  let isSorted = true;
  let before = "";
  for (let at = 0; at < content.length; at = entryEnd(content, at)) {
    starts.push(at);
    const key = keyOf(...entryAt(content, at));
    isSorted &&= before < key;
    before = key;
  }
  const tree = { bytes: content, starts: Uint32Array.from([...starts, content.length]) };
  // Git never writes others, but some old tools did.
  return isSorted ? tree : treeOf(treeEntries(tree));
}

export const treeOf = (entries: Iterable<readonly [name: string, TreeEntry]>): Tree =>
  withEntries(EMPTY, new Map(entries));

/** Where the entry at an offset of a tree's bytes ends. @throws CmsError `unavailable` for a malformed tree */
export function entryEnd(bytes: Buffer, at: number): number {
  const nul = bytes.indexOf(0, at);
  const end = nul + 1 + OID_BYTES;
  if (nul < 0 || end > bytes.length)
    throw new CmsError("unavailable", "A tree of this repository is malformed: see `git fsck`.");
  return end;
}

/** Name and entry at an offset of a tree's bytes. */
export function entryAt(bytes: Buffer, at: number): readonly [name: string, TreeEntry] {
  const space = bytes.indexOf(SPACE, at);
  const end = bytes.indexOf(0, space);
  const mode = bytes.toString("latin1", at, space);
  return [bytes.toString("latin1", space + 1, end), { mode, oid: bytes.toString("hex", end + 1, end + 1 + OID_BYTES) }];
}

const countOf = ({ starts }: Tree): number => starts.length - 1;
const startOf = ({ starts }: Tree, place: number): number => starts[place] ?? 0;

/** By name, in git's order. */
export function* treeEntries(tree: Tree): Generator<readonly [name: string, TreeEntry]> {
  for (let place = 0; place < countOf(tree); place++) yield entryAt(tree.bytes, startOf(tree, place));
}

export function entryNamed(tree: Tree, name: string): TreeEntry | undefined {
  const place = placeNamed(tree, name);
  return place < 0 ? undefined : entryAt(tree.bytes, startOf(tree, place))[1];
}

/** -1 if there is none. */
function placeNamed(tree: Tree, name: string): number {
  for (const key of [name, `${name}/`]) {
    const place = placeOf(tree, key);
    if (place < countOf(tree) && compareKey(tree, place, key) === 0) return place;
  }
  return -1;
}

/** Git compares names byte by byte, a folder as if its name ended in a slash. */
const keyOf = (name: string, entry: TreeEntry): string => (isFolder(entry) ? `${name}/` : name);

/** Where the entry with a key is, or would be. */
const placeOf = (tree: Tree, key: string): number =>
  firstWhere(countOf(tree), (place) => compareKey(tree, place, key) >= 0);

/** The order of the key of an entry and another key. */
function compareKey({ bytes, starts }: Tree, place: number, key: string): number {
  const start = starts[place]!;
  const nameAt = bytes.indexOf(SPACE, start) + 1;
  const end = starts[place + 1]! - OID_BYTES - 1;
  const after = bytes[start] === FOLDER_DIGIT ? SLASH : -1;
  for (let n = 0; ; n++) {
    const at = nameAt + n;
    const byte = at < end ? bytes[at]! : at === end ? after : -1;
    const other = n < key.length ? key.charCodeAt(n) : -1;
    if (byte !== other || byte < 0) return byte - other;
  }
}

/** The tree with entries added and replaced; null removes one. */
function withEntries(tree: Tree, changes: ReadonlyMap<string, TreeEntry | null>): Tree {
  const removed = new Set<number>();
  const added: { readonly place: number; readonly key: string; readonly bytes: Buffer }[] = [];
  for (const [name, entry] of changes) {
    const place = placeNamed(tree, name);
    if (place >= 0) removed.add(place);
    if (!entry) continue;
    const key = keyOf(name, entry);
    added.push({ place: placeOf(tree, key), key, bytes: encodeEntry(name, entry) });
  }
  added.sort((a, b) => a.place - b.place || (a.key < b.key ? -1 : 1));
  const starts = new Uint32Array(countOf(tree) + added.length - removed.size + 1);
  const parts: Buffer[] = [];
  let count = 0;
  let end = 0;
  let kept = 0;
  const keepUntil = (to: number): void => {
    const shift = end - startOf(tree, kept);
    for (let place = kept; place < to; place++) starts[count++] = startOf(tree, place) + shift;
    parts.push(tree.bytes.subarray(startOf(tree, kept), startOf(tree, to)));
    end = startOf(tree, to) + shift;
    kept = to;
  };
  const places = new Set([...removed, ...added.map(({ place }) => place)]);
  let next = 0;
  for (const place of [...places].sort((a, b) => a - b)) {
    keepUntil(place);
    for (; added[next]?.place === place; next++) {
      const { bytes } = added[next]!;
      starts[count++] = end;
      parts.push(bytes);
      end += bytes.length;
    }
    if (removed.has(place)) kept = place + 1;
  }
  keepUntil(countOf(tree));
  starts[count] = end;
  return { bytes: Buffer.concat(parts, end), starts };
}

function encodeEntry(name: string, { mode, oid }: TreeEntry): Buffer {
  const bytes = Buffer.alloc(mode.length + name.length + 2 + OID_BYTES);
  bytes.write(`${mode} ${name}`, "latin1");
  bytes.write(oid, bytes.length - OID_BYTES, "hex");
  return bytes;
}

/** In bytes, with an allowance for the objects of a tree. */
const sizeOf = ({ bytes, starts }: Tree): number => bytes.length + starts.byteLength + 300;

/** Trees by id, with the most recently used ones cached. An id always has the same content, so none becomes stale. */
export function openTrees(objects: Objects): EditableTrees {
  const trees = new Map<Oid, Tree>();
  let size = 0;

  function cache(oid: Oid, tree: Tree): void {
    if (trees.has(oid)) return;
    trees.set(oid, tree);
    size += sizeOf(tree);
    for (const [oldest, old] of trees) {
      if (size <= CACHED_BYTES || oldest === oid) break;
      trees.delete(oldest);
      size -= sizeOf(old);
    }
  }

  return {
    cache,
    cached: (oid) => trees.get(oid),
    async get(oid) {
      const cached = trees.get(oid);
      if (cached) {
        trees.delete(oid);
        trees.set(oid, cached);
        return cached;
      }
      const object = await objects.read(oid);
      if (object?.type !== "tree") throw new CmsError("not_found", `There is no tree ${oid}.`);
      const tree = parseTree(object.content);
      cache(oid, tree);
      return tree;
    },
  };
}

/** The entry at a path, of any mode; undefined if there is none. */
export async function findEntry(trees: Trees, root: Oid | null, path: Path): Promise<TreeEntry | undefined> {
  let entry: TreeEntry | undefined = root ? { mode: FOLDER, oid: root } : undefined;
  for (const segment of path === "" ? [] : bytewise(path).split("/")) {
    if (!entry || !isFolder(entry)) return undefined;
    entry = entryNamed(await trees.get(entry.oid), segment);
  }
  return entry;
}

/** The entries at these paths, in their order: each folder on the way is looked for once. */
export async function findEntries(
  trees: Trees,
  root: Oid | null,
  paths: readonly Path[],
): Promise<(TreeEntry | undefined)[]> {
  const folders = new Map<Path, Tree>();
  const found: (TreeEntry | undefined)[] = [];
  const pace = openPace();
  for (const path of paths) {
    await pace();
    const end = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(end, 0));
    let tree = folders.get(folder);
    if (!tree) {
      const entry = await findEntry(trees, root, folder);
      folders.set(folder, (tree = entry && isFolder(entry) ? await trees.get(entry.oid) : EMPTY));
    }
    found.push(entryNamed(tree, bytewise(path.slice(end + 1))));
  }
  return found;
}

/** The entries at or below a path that are not folders, by path, one character a byte. */
export async function collectEntries(trees: Trees, root: Oid, path: Path = ""): Promise<Map<string, TreeEntry>> {
  const found = new Map<string, TreeEntry>();
  const collect = async (entry: TreeEntry, at: string): Promise<void> => {
    if (!isFolder(entry)) {
      found.set(at, entry);
      return;
    }
    for (const [name, below] of treeEntries(await trees.get(entry.oid)))
      await collect(below, at ? `${at}/${name}` : name);
  };
  const entry = await findEntry(trees, root, path);
  if (entry) await collect(entry, bytewise(path));
  return found;
}

/** A blob keeps the mode of the entry it replaces; an entry has its own. */
type Edit = Oid | TreeEntry | null;

interface Edits {
  readonly files: Map<string, Edit>;
  readonly folders: Map<string, Edits>;
}

/**
 * The tree with the given blobs or entries at the given paths; null removes a path.
 *
 * Empty folders are removed, since git has none. A path whose blob does not change keeps its mode.
 *
 * @param replaces which entries may be replaced or removed
 * @throws CmsError `conflict` if there is a file where a folder is needed, or the other way round
 */
export async function editTree(
  trees: EditableTrees,
  root: Oid | null,
  changes: ReadonlyMap<Path, Edit>,
  replaces: (entry: TreeEntry) => boolean = isFile,
): Promise<EditedTree> {
  const objects: NewObject[] = [];

  async function edit(oid: Oid | null, edits: Edits, at: string): Promise<NewTree> {
    const before = oid ? await trees.get(oid) : EMPTY;
    const changed = new Map<string, TreeEntry | null>();
    for (const [name, edit] of edits.files) {
      const entry = entryNamed(before, name);
      if (entry && !replaces(entry)) throw wrongTypeError(at + name, entry);
      if (typeof edit !== "string") changed.set(name, edit);
      else if (entry?.oid !== edit) changed.set(name, { mode: REGULAR_MODE, oid: edit });
    }
    for (const [name, below] of edits.folders) {
      const entry = changed.has(name) ? changed.get(name) : entryNamed(before, name);
      if (entry && !isFolder(entry)) throw wrongTypeError(at + name, entry);
      const folder = await edit(entry?.oid ?? null, below, `${at}${name}/`);
      if (folder.isEmpty) changed.set(name, null);
      else if (folder.oid !== entry?.oid) changed.set(name, { mode: FOLDER, oid: folder.oid });
    }
    const after = withEntries(before, changed);
    const object = newObject("tree", after.bytes);
    const isEmpty = countOf(after) === 0;
    // Only the root is written when it is empty.
    if (isEmpty && at !== "") return { oid: object.oid, isEmpty };
    trees.cache(object.oid, after);
    if (object.oid !== oid) objects.push({ ...object, basedOn: oid ?? undefined });
    return { oid: object.oid, isEmpty };
  }

  const { oid } = await edit(root, await nest(changes), "");
  return { oid, objects };
}

interface NewTree {
  readonly oid: Oid;
  readonly isEmpty: boolean;
}

async function nest(changes: ReadonlyMap<Path, Edit>): Promise<Edits> {
  const top: Edits = { files: new Map(), folders: new Map() };
  const pace = openPace();
  for (const [path, blob] of changes) {
    await pace();
    const segments = bytewise(path).split("/");
    const name = segments.pop() ?? "";
    let folder = top;
    for (const segment of segments) {
      let next = folder.folders.get(segment);
      if (!next) folder.folders.set(segment, (next = { files: new Map(), folders: new Map() }));
      folder = next;
    }
    folder.files.set(name, blob);
  }
  return top;
}

const TYPES: Readonly<Record<string, string>> = {
  [FOLDER]: "a folder",
  "120000": "a symbolic link",
  "160000": "a submodule",
};

const wrongTypeError = (path: string, entry: TreeEntry): CmsError =>
  new CmsError("conflict", `${fromBytewise(path)} is ${TYPES[entry.mode] ?? "a file"} in the last commit.`);
