/**
 * The commits between two points, and what each of them changed.
 *
 * Two trees are compared only where their ids differ, and a tree is read once a walk.
 */
import type { LogEntry, Oid, Path } from "../repo.ts";
import type { Commit } from "./commits.ts";
import { unlessMissing, type Fs } from "./fs.ts";
import type { Objects } from "./objects.ts";
import { readCommit } from "./site.ts";
import { bytewise, findEntry, fromBytewise, isFile, isFolder, type Tree, type TreeEntry, type Trees } from "./trees.ts";

export interface Past {
  readonly fs: Fs;
  readonly gitDir: string;
  readonly objects: Objects;
  readonly trees: Trees;
}

type Change = { readonly before: Oid | null; readonly after: Oid | null };

/** Commits reachable from `from` and not from `until`, each before its parents, with their changes under some folders. */
export async function* walk(past: Past, from: Oid, until: Oid | null, under: readonly Path[]): AsyncGenerator<LogEntry> {
  const commits = await between(past, from, until);
  const treeOf = async (id: Oid) => (commits.get(id) ?? (await readCommit(past.objects, id))).tree;
  for (const [id, commit] of parentsLast(commits)) {
    const first = commit.parents[0];
    const changed = await compare(past.trees, first ? await treeOf(first) : null, commit.tree, under);
    yield { id, parents: commit.parents, author: commit.author, at: commit.at, message: commit.message, changed };
  }
}

/** Paths at which two trees have different files, with the blob ids. */
export async function compare(
  trees: Trees,
  before: Oid | null,
  after: Oid | null,
  under: readonly Path[],
): Promise<Map<Path, Change>> {
  const changed = new Map<Path, Change>();
  if (before === after) return changed;
  for (const path of under) {
    const [old, now] = await Promise.all([findEntry(trees, before, path), findEntry(trees, after, path)]);
    await compareEntries(trees, old, now, bytewise(path), changed);
  }
  return changed;
}

async function compareEntries(
  trees: Trees,
  before: TreeEntry | undefined,
  after: TreeEntry | undefined,
  at: string,
  changed: Map<Path, Change>,
): Promise<void> {
  if (before?.oid === after?.oid && before?.mode === after?.mode) return;
  const change = { before: fileOid(before), after: fileOid(after) };
  if (change.before !== change.after) changed.set(fromBytewise(at), change);
  if (!isTree(before) && !isTree(after)) return;
  const old: Tree = isTree(before) ? await trees.get(before.oid) : new Map();
  const now: Tree = isTree(after) ? await trees.get(after.oid) : new Map();
  const below = (name: string) => (at ? `${at}/${name}` : name);
  for (const [name, entry] of old) {
    const other = now.get(name);
    if (entry.oid !== other?.oid || entry.mode !== other.mode) await compareEntries(trees, entry, other, below(name), changed);
  }
  for (const [name, entry] of now) {
    if (!old.has(name)) await compareEntries(trees, undefined, entry, below(name), changed);
  }
}

const isTree = (entry: TreeEntry | undefined): entry is TreeEntry => entry !== undefined && isFolder(entry);
const fileOid = (entry: TreeEntry | undefined): Oid | null => (entry && isFile(entry) ? entry.oid : null);

/** The commits wanted, in no order to rely on. Those beyond a shallow clone's boundary count as not there. */
async function between(past: Past, from: Oid, until: Oid | null): Promise<Map<Oid, Commit>> {
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

async function shallowBoundary({ fs, gitDir }: Past): Promise<ReadonlySet<Oid>> {
  const text = (await unlessMissing(fs.readFile(`${gitDir}/shallow`)))?.toString("latin1") ?? "";
  return new Set(text.split("\n").filter(Boolean));
}
