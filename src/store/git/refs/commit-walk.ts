/**
 * The commits between two points, and what each of them changed.
 *
 * Two trees are compared only where their ids differ, entry by entry as bytes: an index of all revisions is made of
 * this, so a walk through thousands of commits has to take a second or two.
 */
import { CmsError } from "../../../errors.ts";
import type { LogEntry, Oid, Path } from "../../repo.ts";
import { readCommit, type Commit } from "../objects/commits.ts";
import { unlessMissing, type Fs } from "../fs.ts";
import type { Objects } from "../objects/objects.ts";
import { openPace } from "../time-slices.ts";
import { bytewise, fromBytewise, isFile, isFolder, parseTree, type TreeEntry } from "../objects/trees.ts";

export interface HistorySource {
  readonly fs: Fs;
  readonly gitDir: string;
  readonly objects: Objects;
}

const TREES_KEPT_BYTES = 64 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);
const SPACE = 0x20;
const SLASH = 0x2f;
/** The first digit of a folder's mode, and of no other. */
const FOLDER_MODE = 0x34;

type Change = { readonly before: Oid | null; readonly after: Oid | null };

/** Commits reachable from `from` and not from `until`, each before its parents, with their changes under some folders. */
export async function* walkCommits(
  past: HistorySource,
  from: Oid,
  until: Oid | null,
  under: readonly Path[],
): AsyncGenerator<LogEntry> {
  const pace = openPace();
  const commits = await between(past, from, until, pace);
  const bytesOf = treeReader(past.objects);
  const treeOf = async (id: Oid) => (commits.get(id) ?? (await readCommit(past.objects, id))).tree;
  for (const [id, commit] of parentsLast(commits)) {
    const first = commit.parents[0];
    const before = first ? await treeOf(first) : null;
    const changed = new Map<Path, Change>();
    if (before !== commit.tree) {
      for (const path of under) {
        const [old, now] = [await entryAt(bytesOf, before, path), await entryAt(bytesOf, commit.tree, path)];
        await compare(bytesOf, old, now, bytewise(path), changed);
      }
    }
    yield { id, parents: commit.parents, author: commit.author, at: commit.at, message: commit.message, changed };
    await pace();
  }
}

type BytesOf = (tree: Oid) => Promise<Buffer>;

/** Trees as they lie in git, each read once as long as the memory set aside for them holds. */
function treeReader(objects: Objects): BytesOf {
  const kept = new Map<Oid, Buffer>();
  let size = 0;
  return async (oid) => {
    const known = kept.get(oid);
    if (known) return known;
    const object = await objects.read(oid);
    if (object?.type !== "tree") throw new CmsError("not_found", `There is no tree ${oid}.`);
    if ((size += object.content.length) > TREES_KEPT_BYTES) {
      kept.clear();
      size = object.content.length;
    }
    kept.set(oid, object.content);
    return object.content;
  };
}

async function entryAt(bytesOf: BytesOf, root: Oid | null, path: Path): Promise<TreeEntry | undefined> {
  let entry: TreeEntry | undefined = root ? { mode: "40000", oid: root } : undefined;
  for (const segment of path === "" ? [] : bytewise(path).split("/")) {
    if (!isTree(entry)) return undefined;
    entry = parseTree(await bytesOf(entry.oid)).get(segment);
  }
  return entry;
}

/** Adds the files that differ between two entries of one path, or below it. */
async function compare(
  bytesOf: BytesOf,
  before: TreeEntry | undefined,
  after: TreeEntry | undefined,
  at: string,
  changed: Map<Path, Change>,
): Promise<void> {
  if (before?.oid === after?.oid && before?.mode === after?.mode) return;
  const change = { before: fileOid(before), after: fileOid(after) };
  if (change.before !== change.after) changed.set(fromBytewise(at), change);
  if (!isTree(before) && !isTree(after)) return;
  const old = isTree(before) ? await bytesOf(before.oid) : NOTHING;
  const now = isTree(after) ? await bytesOf(after.oid) : NOTHING;
  for (const [name, sides] of differing(old, now)) {
    await compare(bytesOf, sides.before, sides.after, at ? `${at}/${name}` : name, changed);
  }
}

/** The entries that two trees do not share. Most are shared, and those are passed over without being taken apart. */
function differing(before: Buffer, after: Buffer): Map<string, { before?: TreeEntry; after?: TreeEntry }> {
  const found = new Map<string, { before?: TreeEntry; after?: TreeEntry }>();
  const add = (side: "before" | "after", tree: Buffer, from: number, to: number) => {
    for (const [name, entry] of parseTree(tree.subarray(from, to)))
      found.set(name, { ...found.get(name), [side]: entry });
  };
  const [old, now] = [
    { from: 0, to: entryEnd(before, 0) },
    { from: 0, to: entryEnd(after, 0) },
  ];
  while (old.from < before.length || now.from < after.length) {
    const order = compareKeys(before, old, after, now);
    if (order === 0 && before.compare(after, now.from, now.to, old.from, old.to) === 0) {
      // The same in both.
    } else {
      if (order <= 0) add("before", before, old.from, old.to);
      if (order >= 0) add("after", after, now.from, now.to);
    }
    if (order <= 0) advance(before, old);
    if (order >= 0) advance(after, now);
  }
  return found;
}

interface Span {
  from: number;
  to: number;
}

const entryEnd = (tree: Buffer, from: number): number => (from < tree.length ? tree.indexOf(0, from) + 21 : from);

function advance(tree: Buffer, span: Span): void {
  span.from = span.to;
  span.to = entryEnd(tree, span.to);
}

/** Git's order of two entries, by name, a folder as if its name ended in a slash. Beyond the end comes last. */
function compareKeys(a: Buffer, inA: Span, b: Buffer, inB: Span): number {
  if (inA.from >= a.length) return 1;
  if (inB.from >= b.length) return -1;
  let atA = a.indexOf(SPACE, inA.from) + 1;
  let atB = b.indexOf(SPACE, inB.from) + 1;
  const [endA, endB] = [inA.to - 21, inB.to - 21];
  while (atA < endA && atB < endB && a[atA] === b[atB]) {
    atA++;
    atB++;
  }
  const nextOf = (tree: Buffer, at: number, end: number, from: number): number => {
    if (at < end) return tree[at]!;
    return tree[from] === FOLDER_MODE ? SLASH : 0;
  };
  return nextOf(a, atA, endA, inA.from) - nextOf(b, atB, endB, inB.from);
}

const isTree = (entry: TreeEntry | undefined): entry is TreeEntry => entry !== undefined && isFolder(entry);
const fileOid = (entry: TreeEntry | undefined): Oid | null => (entry && isFile(entry) ? entry.oid : null);

/** The commits wanted, in no order to rely on. Those beyond a shallow clone's boundary count as not there. */
async function between(
  past: HistorySource,
  from: Oid,
  until: Oid | null,
  pace: () => Promise<void>,
): Promise<Map<Oid, Commit>> {
  const boundary = await shallowBoundary(past);
  const read = async (id: Oid): Promise<Commit> => {
    const commit = await readCommit(past.objects, id);
    return boundary.has(id) ? { ...commit, parents: [] } : commit;
  };
  const wanted = new Map<Oid, Commit>();
  const excluded = new Map<Oid, Commit>();
  const queue = new Queue();
  if (until) queue.add({ id: until, commit: await read(until), isWanted: false });
  if (from !== until) queue.add({ id: from, commit: await read(from), isWanted: true });

  for (let next = queue.take(); next; next = queue.take()) {
    const { id, commit, isWanted } = next;
    if (excluded.has(id) || (isWanted && wanted.has(id))) continue;
    if (isWanted) wanted.set(id, commit);
    else {
      excluded.set(id, commit);
      wanted.delete(id);
    }
    for (const parent of commit.parents) {
      if (excluded.has(parent) || (isWanted && wanted.has(parent))) continue;
      queue.add({ id: parent, commit: wanted.get(parent) ?? (await read(parent)), isWanted });
    }
    if (queue.isDone(wanted)) break;
    await pace();
  }
  return wanted;
}

interface Waiting {
  readonly id: Oid;
  readonly commit: Commit;
  readonly isWanted: boolean;
}

/** Newest first. Histories are mostly lines, so it is short: a list kept in order is enough. */
class Queue {
  readonly #waiting: Waiting[] = [];
  #wanted = 0;
  #oldest = "\uffff";

  add(item: Waiting): void {
    let at = this.#waiting.length;
    while (at > 0 && this.#waiting[at - 1]!.commit.at > item.commit.at) at--;
    this.#waiting.splice(at, 0, item);
    if (!item.isWanted) return;
    this.#wanted++;
    if (item.commit.at < this.#oldest) this.#oldest = item.commit.at;
  }

  take(): Waiting | undefined {
    const item = this.#waiting.pop();
    if (item?.isWanted) this.#wanted--;
    return item;
  }

  /** Nothing more can be found, and nothing found can turn out to be excluded: all that waits is older than it. */
  isDone(wanted: ReadonlyMap<Oid, Commit>): boolean {
    if (this.#wanted > 0) return false;
    const newest = this.#waiting.at(-1);
    return !newest || wanted.size === 0 || newest.commit.at < this.#oldest;
  }
}

/** Each commit before its parents; where that leaves a choice, the newer one first. */
function* parentsLast(commits: ReadonlyMap<Oid, Commit>): Generator<[Oid, Commit]> {
  const children = new Map<Oid, number>();
  for (const { parents } of commits.values()) {
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  }
  const ready = [...commits].filter(([id]) => !children.has(id)).sort(([, a], [, b]) => (a.at < b.at ? -1 : 1));
  for (let next = ready.pop(); next; next = ready.pop()) {
    yield next;
    for (const parent of next[1].parents) {
      const left = (children.get(parent) ?? 0) - 1;
      children.set(parent, left);
      const commit = commits.get(parent);
      if (left > 0 || !commit) continue;
      let at = ready.length;
      while (at > 0 && ready[at - 1]![1].at > commit.at) at--;
      ready.splice(at, 0, [parent, commit]);
    }
  }
}

async function shallowBoundary({ fs, gitDir }: HistorySource): Promise<ReadonlySet<Oid>> {
  const text = (await unlessMissing(fs.readFile(`${gitDir}/shallow`)))?.toString("latin1") ?? "";
  return new Set(text.split("\n").filter(Boolean));
}
