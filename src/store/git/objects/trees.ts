/**
 * Tree objects: read, looked into, and rebuilt along the paths that change.
 *
 * A new tree is always the old one plus our paths, never the index, so what a person has staged is not swept in.
 * Names are held as latin1 strings, one character a byte: that keeps names which are no UTF-8, and sorts as git does.
 */
import { CmsError } from "../../../errors.ts";
import type { Oid, Path } from "../../repo.ts";
import { newObject, type NewObject } from "./object.ts";
import type { Objects } from "./objects.ts";

export interface TreeEntry {
  /** As git writes it: `100644`, `100755`, `120000` symlink, `160000` submodule, `40000` tree. */
  readonly mode: string;
  readonly oid: Oid;
}

/** Entries by name, in git's order. */
export type Tree = ReadonlyMap<string, TreeEntry>;

export interface Trees {
  /** @throws CmsError `not_found` when there is no such tree */
  get(oid: Oid): Promise<Tree>;
}

/** With trees that are not written yet. */
export interface EditableTrees extends Trees {
  /** One that is in memory. */
  known(oid: Oid): Tree | undefined;
  remember(oid: Oid, tree: Tree): void;
}

export interface EditedTree {
  readonly oid: Oid;
  /** The trees that are new, to be written. */
  readonly made: readonly NewObject[];
}

const FOLDER = "40000";
const EMPTY: Tree = new Map();
/** Some 30 MB at the most for the usual names; a site's folders fit in many times over. */
const ENTRIES_KEPT = 200_000;

export const isFile = (entry: TreeEntry): boolean => entry.mode.startsWith("100");
export const isFolder = (entry: TreeEntry): boolean => entry.mode === FOLDER;

export const bytewise = (path: Path): string => Buffer.from(path, "utf8").toString("latin1");
export const fromBytewise = (name: string): Path => Buffer.from(name, "latin1").toString("utf8");

export function parseTree(content: Buffer): Tree {
  const tree = new Map<string, TreeEntry>();
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    tree.set(content.toString("latin1", space + 1, end), {
      mode: content.toString("latin1", at, space),
      oid: content.toString("hex", end + 1, end + 21),
    });
    at = end + 21;
  }
  return tree;
}

export function encodeTree(tree: Tree): Buffer {
  const parts: Buffer[] = [];
  for (const [name, { mode, oid }] of tree) {
    parts.push(Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(oid, "hex"));
  }
  return Buffer.concat(parts);
}

/** Trees by id, the most recently used kept in memory: an id never means anything else, so none goes stale. */
export function openTrees(objects: Objects): EditableTrees {
  const kept = new Map<Oid, Tree>();
  let entries = 0;

  function remember(oid: Oid, tree: Tree): void {
    if (kept.has(oid)) return;
    kept.set(oid, tree);
    entries += tree.size + 1;
    for (const [oldest, old] of kept) {
      if (entries <= ENTRIES_KEPT || oldest === oid) break;
      kept.delete(oldest);
      entries -= old.size + 1;
    }
  }

  return {
    remember,
    known: (oid) => kept.get(oid),
    async get(oid) {
      const known = kept.get(oid);
      if (known) {
        kept.delete(oid);
        kept.set(oid, known);
        return known;
      }
      const object = await objects.read(oid);
      if (object?.type !== "tree") throw new CmsError("not_found", `There is no tree ${oid}.`);
      const tree = parseTree(object.content);
      remember(oid, tree);
      return tree;
    },
  };
}

/** The entry at a path, whatever it is; undefined when there is none. */
export async function findEntry(trees: Trees, root: Oid | null, path: Path): Promise<TreeEntry | undefined> {
  let entry: TreeEntry | undefined = root ? { mode: FOLDER, oid: root } : undefined;
  for (const segment of path === "" ? [] : bytewise(path).split("/")) {
    if (!entry || !isFolder(entry)) return undefined;
    entry = (await trees.get(entry.oid)).get(segment);
  }
  return entry;
}

/** Everything at or below a path but folders: files, symbolic links, submodules. Names are one character a byte. */
export async function collectEntries(trees: Trees, root: Oid, path: Path = ""): Promise<Map<string, TreeEntry>> {
  const found = new Map<string, TreeEntry>();
  const collect = async (entry: TreeEntry, at: string): Promise<void> => {
    if (!isFolder(entry)) {
      found.set(at, entry);
      return;
    }
    for (const [name, below] of await trees.get(entry.oid)) await collect(below, at ? `${at}/${name}` : name);
  };
  const entry = await findEntry(trees, root, path);
  if (entry) await collect(entry, bytewise(path));
  return found;
}

interface Edits {
  readonly files: Map<string, Oid | null>;
  readonly folders: Map<string, Edits>;
}

/**
 * The tree that `root` becomes when the given paths get these blobs (null: are removed).
 *
 * A folder without entries goes, as git has no empty ones. A path whose blob stays the same keeps its mode, too.
 *
 * @throws CmsError `conflict` when a file stands where a folder is needed, or the other way round
 */
export async function editTree(
  trees: EditableTrees,
  root: Oid | null,
  changes: ReadonlyMap<Path, Oid | null>,
): Promise<EditedTree> {
  const made: NewObject[] = [];

  async function edit(oid: Oid | null, edits: Edits, at: string): Promise<Oid | null> {
    const before = oid ? await trees.get(oid) : EMPTY;
    const after = new Map(before);
    for (const [name, blob] of edits.files) {
      const there = after.get(name);
      if (there && !isFile(there)) throw inTheWay(at + name, there);
      if (blob === null) after.delete(name);
      else if (there?.oid !== blob) after.set(name, { mode: "100644", oid: blob });
    }
    for (const [name, below] of edits.folders) {
      const there = after.get(name);
      if (there && !isFolder(there)) throw inTheWay(at + name, there);
      const folder = await edit(there?.oid ?? null, below, `${at}${name}/`);
      if (folder === null) after.delete(name);
      else if (folder !== there?.oid) after.set(name, { mode: FOLDER, oid: folder });
    }
    if (after.size === 0 && at !== "") return null;
    const sorted = [...after.keys()].some((name) => !before.has(name)) ? inGitOrder(after) : after;
    const object = newObject("tree", encodeTree(sorted));
    trees.remember(object.oid, sorted);
    if (object.oid !== oid) made.push(object);
    return object.oid;
  }

  const oid = (await edit(root, nest(changes), ""))!;
  return { oid, made };
}

function nest(changes: ReadonlyMap<Path, Oid | null>): Edits {
  const top: Edits = { files: new Map(), folders: new Map() };
  for (const [path, blob] of changes) {
    const segments = bytewise(path).split("/");
    const name = segments.pop()!;
    let at = top;
    for (const segment of segments) {
      let next = at.folders.get(segment);
      if (!next) at.folders.set(segment, (next = { files: new Map(), folders: new Map() }));
      at = next;
    }
    at.files.set(name, blob);
  }
  return top;
}

/** Git compares names byte by byte, a folder as if its name ended in a slash. */
export function inGitOrder(tree: Tree): Tree {
  const keyed = [...tree].map(([name, entry]) => ({ key: isFolder(entry) ? `${name}/` : name, name, entry }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return new Map(keyed.map(({ name, entry }) => [name, entry]));
}

const KINDS: Readonly<Record<string, string>> = {
  [FOLDER]: "a folder",
  "120000": "a symbolic link",
  "160000": "a submodule",
};

const inTheWay = (path: string, entry: TreeEntry): CmsError =>
  new CmsError("conflict", `${fromBytewise(path)} is ${KINDS[entry.mode] ?? "a file"} in the last commit.`);
