/**
 * The format of tree objects: entries are found and replaced in their bytes.
 *
 * Names are latin1 strings, one character a byte: this preserves names that are not UTF-8, and sorts as git does.
 */
import { CmsError } from "../../../errors.ts";
import { firstWhere } from "../../../model/text/bisect.ts";
import type { Oid, Path } from "../../repo.ts";

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
  /** The mode of each entry, a space, the name, a NUL and the id; in git's order. */
  readonly bytes: Buffer;
  /** The offset of each entry, and of the end of the last one. */
  readonly starts: Uint32Array;
}

export const FOLDER = "40000";
const OID_BYTES = 20;
const SPACE = 0x20;
const SLASH = 0x2f;
/** The first digit of the mode of a folder, and of no other entry. */
const FOLDER_DIGIT = 0x34;
export const EMPTY_TREE: Tree = { bytes: Buffer.alloc(0), starts: Uint32Array.of(0) };

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
    const key = keyOf(...treeEntryAt(content, at));
    isSorted &&= before < key;
    before = key;
  }
  const tree = { bytes: content, starts: Uint32Array.from([...starts, content.length]) };
  // Git never writes others, but some old tools did.
  return isSorted ? tree : treeOf(treeEntries(tree));
}

export const treeOf = (entries: Iterable<readonly [name: string, TreeEntry]>): Tree =>
  withEntries(EMPTY_TREE, new Map(entries));

/** Where the entry at an offset of a tree's bytes ends. @throws CmsError `unavailable` for a malformed tree */
export function entryEnd(bytes: Buffer, at: number): number {
  // A call of indexOf takes longer than a look at the few bytes of a name.
  let nul = at;
  while (nul < bytes.length && bytes[nul] !== 0) nul++;
  const end = nul + 1 + OID_BYTES;
  if (end > bytes.length) throw new CmsError("unavailable", "A tree of this repository is malformed: see `git fsck`.");
  return end;
}

/** Name and entry at an offset of a tree's bytes. */
export function treeEntryAt(bytes: Buffer, at: number): readonly [name: string, TreeEntry] {
  const space = bytes.indexOf(SPACE, at);
  const end = bytes.indexOf(0, space);
  const mode = bytes.toString("latin1", at, space);
  return [bytes.toString("latin1", space + 1, end), { mode, oid: bytes.toString("hex", end + 1, end + 1 + OID_BYTES) }];
}

export const treeEntryCount = ({ starts }: Tree): number => starts.length - 1;
const startOf = ({ starts }: Tree, place: number): number => starts[place] ?? 0;

/** By name, in git's order. */
export function* treeEntries(tree: Tree): Generator<readonly [name: string, TreeEntry]> {
  for (let place = 0; place < treeEntryCount(tree); place++) yield treeEntryAt(tree.bytes, startOf(tree, place));
}

export function entryNamed(tree: Tree, name: string): TreeEntry | undefined {
  const place = placeNamed(tree, name);
  return place < 0 ? undefined : treeEntryAt(tree.bytes, startOf(tree, place))[1];
}

/** -1 if there is none. */
function placeNamed(tree: Tree, name: string): number {
  for (const key of [name, `${name}/`]) {
    const place = placeOf(tree, key);
    if (place < treeEntryCount(tree) && compareKey(tree, place, key) === 0) return place;
  }
  return -1;
}

/** Git compares names byte by byte, a folder as if its name ended in a slash. */
const keyOf = (name: string, entry: TreeEntry): string => (isFolder(entry) ? `${name}/` : name);

/** Where the entry with a key is, or would be. */
const placeOf = (tree: Tree, key: string): number =>
  firstWhere(treeEntryCount(tree), (place) => compareKey(tree, place, key) >= 0);

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
export function withEntries(tree: Tree, changes: ReadonlyMap<string, TreeEntry | null>): Tree {
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
  const starts = new Uint32Array(treeEntryCount(tree) + added.length - removed.size + 1);
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
  keepUntil(treeEntryCount(tree));
  starts[count] = end;
  return { bytes: Buffer.concat(parts, end), starts };
}

function encodeEntry(name: string, { mode, oid }: TreeEntry): Buffer {
  const bytes = Buffer.alloc(mode.length + name.length + 2 + OID_BYTES);
  bytes.write(`${mode} ${name}`, "latin1");
  bytes.write(oid, bytes.length - OID_BYTES, "hex");
  return bytes;
}
