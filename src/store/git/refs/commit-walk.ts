/** The commits between two points of the history, and the files that each of them changed. */
import type { LogEntry, Oid, Path } from "../../repo.ts";
import { readCommit, type Commit } from "../objects/commits.ts";
import { unlessMissing, type Fs } from "../fs.ts";
import type { Objects } from "../objects/objects.ts";
import { pace } from "../../../time-slices.ts";
import { openTreeDiff } from "./tree-diff.ts";

export interface HistorySource {
  readonly fs: Fs;
  readonly gitDir: string;
  readonly objects: Objects;
}

/** Commits reachable from `from` and not from `until`, children first, with their changes under some folders. */
export async function* walkCommits(
  source: HistorySource,
  from: Oid,
  until: Oid | null,
  under: readonly Path[],
): AsyncGenerator<LogEntry> {
  const commits = await commitsBetween(source, from, until);
  const diff = openTreeDiff(source.objects);
  const treeOf = async (id: Oid) => (commits.get(id) ?? (await readCommit(source.objects, id))).tree;
  for (const [id, { tree, parents, author, at, message }] of childrenFirst(commits)) {
    const first = parents[0];
    const changed = await diff(first ? await treeOf(first) : null, tree, under);
    yield { id, parents, author, at, message, changed };
    await pace();
  }
}

/** In no particular order. The commits beyond the boundary of a shallow clone are left out. */
async function commitsBetween(source: HistorySource, from: Oid, until: Oid | null): Promise<Map<Oid, Commit>> {
  const boundary = await shallowBoundary(source);
  const read = async (id: Oid): Promise<Commit> => {
    const commit = await readCommit(source.objects, id);
    return boundary.has(id) ? { ...commit, parents: [] } : commit;
  };
  const wanted = new Map<Oid, Commit>();
  const excluded = new Map<Oid, Commit>();
  const queue = new CommitQueue();
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

/** Inserts an item before those with a later time. Cheap at the end of the list, where nearly all items belong. */
function insertByTime<T>(items: T[], item: T, timeOf: (item: T) => string): void {
  const time = timeOf(item);
  const index = items.findLastIndex((other) => timeOf(other) <= time) + 1;
  items.splice(index, 0, item);
}

interface QueuedCommit {
  readonly id: Oid;
  readonly commit: Commit;
  /** Whether it was reached from `from`; otherwise from `until`. */
  readonly isWanted: boolean;
}

/** A priority queue, newest commit first. It is short, because histories are mostly linear, so a sorted list will do. */
class CommitQueue {
  /** The newest last. */
  readonly #commits: QueuedCommit[] = [];
  #wantedCount = 0;
  #oldestWanted = "\uffff";

  add(item: QueuedCommit): void {
    insertByTime(this.#commits, item, ({ commit }) => commit.at);
    if (!item.isWanted) return;
    this.#wantedCount++;
    if (item.commit.at < this.#oldestWanted) this.#oldestWanted = item.commit.at;
  }

  take(): QueuedCommit | undefined {
    const item = this.#commits.pop();
    if (item?.isWanted) this.#wantedCount--;
    return item;
  }

  /** Whether no more commits can be wanted or excluded: all queued ones are older than the wanted ones. */
  isDone(wanted: ReadonlyMap<Oid, Commit>): boolean {
    if (this.#wantedCount > 0) return false;
    const newest = this.#commits.at(-1);
    return !newest || wanted.size === 0 || newest.commit.at < this.#oldestWanted;
  }
}

/** Topological order: each commit before its parents, and otherwise the newer one first. */
function* childrenFirst(commits: ReadonlyMap<Oid, Commit>): Generator<[Oid, Commit]> {
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
      if (left === 0 && commit) insertByTime<[Oid, Commit]>(ready, [parent, commit], ([, { at }]) => at);
    }
  }
}

/** The commits of a shallow clone whose parents it does not have. */
export async function shallowBoundary({ fs, gitDir }: HistorySource): Promise<ReadonlySet<Oid>> {
  const text = (await unlessMissing(fs.readFile(`${gitDir}/shallow`)))?.toString("latin1") ?? "";
  return new Set(text.split("\n").filter(Boolean));
}
