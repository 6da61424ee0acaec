/**
 * Tree objects: read, searched, and rebuilt along the paths that change.
 *
 * A new tree is always the old one plus the changed paths, never the index, so what a person has staged is not included.
 */
import { CmsError } from "../../../errors.ts";
import { REGULAR_MODE, type Oid, type Path } from "../../repo.ts";
import { newObject, type NewObject } from "./object.ts";
import type { Objects } from "./objects.ts";
import { pace } from "../../../time-slices.ts";
import {
  bytewise,
  treeEntryCount,
  EMPTY_TREE,
  entryNamed,
  FOLDER,
  fromBytewise,
  isFile,
  isFolder,
  parseTree,
  treeEntries,
  withEntries,
  type Tree,
  type TreeEntry,
} from "./tree-format.ts";

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

/** Several times the folders of a large site. */
const CACHED_BYTES = 16 * 1024 * 1024;

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

/** As `findEntry`, for a path that is no folder. */
export async function findLeaf(trees: Trees, root: Oid | null, path: Path): Promise<TreeEntry | undefined> {
  const entry = await findEntry(trees, root, path);
  return entry && !isFolder(entry) ? entry : undefined;
}

/** The entries at these paths, in their order: each folder on the way is looked for once. */
export async function findEntries(
  trees: Trees,
  root: Oid | null,
  paths: readonly Path[],
): Promise<(TreeEntry | undefined)[]> {
  const folders = new Map<Path, Tree>();
  const found: (TreeEntry | undefined)[] = [];
  for (const path of paths) {
    await pace();
    const end = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(end, 0));
    let tree = folders.get(folder);
    if (!tree) {
      const entry = await findEntry(trees, root, folder);
      folders.set(folder, (tree = entry && isFolder(entry) ? await trees.get(entry.oid) : EMPTY_TREE));
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
 * A folder whose files are all removed may become a file, and a file that is removed a folder.
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
    const before = oid ? await trees.get(oid) : EMPTY_TREE;
    const changed = new Map<string, TreeEntry | null>();
    for (const [name, edit] of edits.files) {
      const entry = entryNamed(before, name);
      const isLeft = entry !== undefined && isFolder(entry) && edits.folders.has(name);
      if (entry && !replaces(entry) && !isLeft) throw wrongTypeError(at + name, entry);
      if (typeof edit !== "string") changed.set(name, edit);
      else if (entry?.oid !== edit) changed.set(name, { mode: REGULAR_MODE, oid: edit });
    }
    for (const [name, below] of edits.folders) {
      const placed = changed.get(name);
      const entry = placed === null ? undefined : entryNamed(before, name);
      if (entry && !isFolder(entry)) throw wrongTypeError(at + name, entry);
      const folder = await edit(entry?.oid ?? null, below, `${at}${name}/`);
      if (placed && !folder.isEmpty) throw wrongTypeError(at + name, placed);
      if (placed) continue;
      if (folder.isEmpty) changed.set(name, null);
      else if (folder.oid !== entry?.oid) changed.set(name, { mode: FOLDER, oid: folder.oid });
    }
    const after = withEntries(before, changed);
    const object = newObject("tree", after.bytes);
    const isEmpty = treeEntryCount(after) === 0;
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
