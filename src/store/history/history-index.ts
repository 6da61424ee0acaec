/** The history index: built by walking commits, cached as one JSON file. */
import { readFile } from "node:fs/promises";
import type { Instant } from "../../model/instant.ts";
import type { FileCodec } from "../codec/file-codec.ts";
import { isObject, own } from "../../model/json.ts";
import { replaceFile } from "../private/replace-file.ts";
import type { LogEntry, Oid, Path, Repo } from "../repo.ts";

/** Where former versions of files are read. */
export interface FileSource {
  readonly repo: Repo;
  readonly codec: FileCodec;
}

export interface Commit {
  readonly id: Oid;
  readonly at: Instant;
  readonly name: string;
  readonly email: string;
  readonly message: string;
  /** See `Arrival`. */
  readonly line: number;
}

/** `commit` is an index into the commits, oldest first. */
export type Change = readonly [commit: number, before: Oid | null, after: Oid | null, movedFrom?: Path];

export interface HistoryIndex {
  readonly head: Oid | null;
  /** The number of commits on HEAD's first-parent line. */
  readonly length: number;
  /** Oldest first; appended to by `extendIndex`. */
  readonly commits: Commit[];
  /** By path, oldest first. */
  readonly changes: Map<Path, Change[]>;
}

const VERSION = 2;
const DRAFT = /\.draft\.[A-Za-z0-9-]+\.ya?ml$/;

export const emptyIndex = (): HistoryIndex => ({ head: null, length: 0, commits: [], changes: new Map() });

/** @returns the index for the present HEAD, and how many commits were walked */
export async function extendIndex(
  source: FileSource,
  known: HistoryIndex,
  under: readonly Path[],
): Promise<{ index: HistoryIndex; walked: number }> {
  const { repo } = source;
  const { head } = await repo.state();
  if (head === known.head) return { index: known, walked: 0 };
  if (head === null) return { index: emptyIndex(), walked: 0 };
  // The indexed commit is gone after a rewrite and gc, or if the index came from another clone.
  const isKnown = known.head === null || (await repo.resolveCommit(known.head)) !== undefined;
  const start = isKnown ? known : emptyIndex();
  const added = await logEntries(repo, head, start.head, under);
  const isExtension = start.head === null || isLinear(start, start.head, added);
  const base = isExtension ? start : emptyIndex();
  const entries = isExtension ? added : await logEntries(repo, head, null, under);
  const lines = lineNumbers(entries, head, base.length);
  for (const entry of entries.toReversed()) await addCommit(source, base, entry, lines.get(entry.id) ?? base.length);
  return { index: { ...base, head, length: lines.get(head) ?? base.length }, walked: entries.length };
}

/**
 * Whether the new commits follow the indexed ones in one line. After a merge, or with older dates, everything is walked
 * again: the order of commits must not depend on when the index was last extended.
 */
function isLinear({ commits }: HistoryIndex, head: Oid, added: readonly LogEntry[]): boolean {
  const last = commits.at(-1)?.at;
  const isLine = added.every((entry) => entry.parents.length === 1 && (last === undefined || entry.at >= last));
  return isLine && added.some((entry) => entry.parents.includes(head));
}

/**
 * For each commit, the number of the earliest commit on HEAD's first-parent line from which it can be reached.
 *
 * @param entries each before its parents
 * @param before the number of the last commit before the entries
 */
function lineNumbers(entries: readonly LogEntry[], head: Oid, before: number): Map<Oid, number> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const line: LogEntry[] = [];
  for (let entry = byId.get(head); entry; entry = byId.get(entry.parents[0] ?? "")) line.push(entry);
  const numbers = new Map<Oid, number>();
  for (const [at, { id }] of line.reverse().entries()) {
    const open = [id];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const entry = byId.get(next);
      if (!entry || numbers.has(next)) continue;
      numbers.set(next, before + at + 1);
      open.push(...entry.parents);
    }
  }
  return numbers;
}

async function logEntries(repo: Repo, from: Oid, until: Oid | null, under: readonly Path[]): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const entry of repo.log(from, until, under)) entries.push(entry);
  return entries;
}

async function addCommit(source: FileSource, index: HistoryIndex, entry: LogEntry, line: number): Promise<void> {
  const { id, at, author, message } = entry;
  const changed = await changedIn(source.repo, entry);
  if (changed.size === 0) return;
  const commit = index.commits.push({ id, at, name: author.name, email: author.email, message, line }) - 1;
  const moves = await movesIn(source, changed);
  for (const [path, { before, after }] of changed) {
    const changes = index.changes.get(path) ?? [];
    const from = moves.get(path);
    changes.push(from === undefined ? [commit, before, after] : [commit, before, after, from]);
    index.changes.set(path, changes);
  }
}

/** The changes of a commit without drafts, and without files a merge took unchanged from another parent. */
async function changedIn(repo: Repo, { changed, parents }: LogEntry): Promise<LogEntry["changed"]> {
  const own = new Map([...changed].filter(([path]) => !DRAFT.test(path)));
  for (const parent of parents.slice(1)) {
    const committed = await repo.committed(parent, [...own.keys()]);
    for (const [path, { after }] of own) if (committed.get(path) === after) own.delete(path);
  }
  return own;
}

/** Old path by new path: of files added in the commit that removes one with the same bytes or the same id. */
async function movesIn(source: FileSource, changed: LogEntry["changed"]): Promise<Map<Path, Path>> {
  const removed: [Path, Oid][] = [];
  const added: [Path, Oid][] = [];
  for (const [path, { before, after }] of changed) {
    if (after === null && before !== null) removed.push([path, before]);
    if (before === null && after !== null) added.push([path, after]);
  }
  const moves = new Map<Path, Path>();
  if (removed.length === 0 || added.length === 0) return moves;
  const byBlob = new Map(removed.map(([path, blob]) => [blob, path]));
  const edited = added.filter(([path, blob]) => {
    const from = byBlob.get(blob);
    if (from !== undefined) moves.set(path, from);
    return from === undefined;
  });
  if (edited.length === 0) return moves;
  const byId = new Map<number, Path>();
  for (const [path, blob] of removed) {
    const id = await idIn(source, path, blob);
    if (id !== undefined) byId.set(id, path);
  }
  for (const [path, blob] of edited) {
    const id = await idIn(source, path, blob);
    const from = id === undefined ? undefined : byId.get(id);
    if (from !== undefined) moves.set(path, from);
  }
  return moves;
}

async function idIn({ repo, codec }: FileSource, path: Path, blob: Oid): Promise<number | undefined> {
  if (!/\.(ya?ml|md)$/.test(path)) return undefined;
  try {
    const id = own((await codec.decode(path, await repo.blob(blob))).data, "id");
    return typeof id === "number" ? id : undefined;
  } catch {
    return undefined; // the id of a version that does not load is unknown
  }
}

export const writeIndex = (file: string, { head, length, commits, changes }: HistoryIndex): Promise<void> =>
  replaceFile(file, JSON.stringify({ version: VERSION, head, length, commits, changes: [...changes] }));

export async function readIndex(file: string): Promise<HistoryIndex> {
  try {
    const stored: unknown = JSON.parse(await readFile(file, "utf8"));
    if (!isObject(stored) || stored.version !== VERSION) return emptyIndex();
    // The cast is safe for a file of this version: only `writeIndex` writes it, and whole or not at all.
    const { changes, ...index } = stored as unknown as Omit<HistoryIndex, "changes"> & { changes: [Path, Change[]][] };
    const { head, length, commits } = index;
    return { head, length, commits, changes: new Map(changes) };
  } catch {
    return emptyIndex(); // missing or damaged: walked again
  }
}
