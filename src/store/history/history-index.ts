/** The history index: built by walking commits, cached as one JSON file. */
import { readFile } from "node:fs/promises";
import { msOf, type Instant } from "../../model/time/instant.ts";
import type { FileCodec } from "../codec/file-codec.ts";
import { isObject, own } from "../../model/input/json.ts";
import { diskFs, replaceCache } from "../git/fs.ts";
import type { LogEntry, Oid, Path, Repo } from "../repo.ts";

/** Where former versions of files are read. */
export interface FileSource {
  readonly repo: Repo;
  readonly codec: FileCodec;
}

export interface IndexedCommit {
  readonly id: Oid;
  readonly at: Instant;
  readonly name: string;
  readonly email: string;
  readonly message: string;
  /** See `Arrival`. */
  readonly line: number;
  /** See `Walked`. */
  readonly second: number;
}

/** `commit` is an index into the commits, oldest first. */
export type Change = readonly [commit: number, before: Oid | null, after: Oid | null, movedFrom?: Path];

/**
 * Where a commit is in the order of the walk.
 *
 * `line` is the number of the earliest commit on HEAD's first-parent line from which it can be reached. `second` is its
 * time in seconds since 1970, or that of its newest ancestor if a clock was wrong: no commit is older than its parents.
 */
type Walked = readonly [line: number, second: number];

/**
 * The commits reachable from HEAD in groups, one for each commit of HEAD's first-parent line: those that arrived with it.
 *
 * A group depends on the commits below it alone. An index of an older commit on the line is therefore the beginning of
 * every later one, merges included, and no commit's place depends on when the index was extended.
 */
export interface HistoryIndex {
  /** HEAD's first-parent line, oldest first: the commit with number n is at n - 1. */
  readonly line: Oid[];
  /** All commits, also those that changed no indexed file; group by group. */
  readonly walked: Map<Oid, Walked>;
  /** Those with changes, oldest first. */
  readonly commits: IndexedCommit[];
  /** By path, oldest first. */
  readonly changes: Map<Path, Change[]>;
}

const VERSION = 3;
const DRAFT = /\.draft\.[A-Za-z0-9-]+\.ya?ml$/;

/** A walk is saved each time it has added this many commits, and this part of those before: saving costs what they all cost. */
const SAVED_COMMITS = 2_000;
const SAVED_PART = 1 / 8;

export const emptyIndex = (): HistoryIndex => ({ line: [], walked: new Map(), commits: [], changes: new Map() });

/**
 * @param known is changed, and of no use after an error
 * @param save is called during a long walk with an index of an older commit, from which a later call can go on
 * @returns the index for the present HEAD, and how many commits were walked
 */
export async function extendIndex(
  source: FileSource,
  known: HistoryIndex,
  under: readonly Path[],
  save?: (index: HistoryIndex) => Promise<void>,
): Promise<{ index: HistoryIndex; walked: number }> {
  const { repo } = source;
  const { head } = await repo.state();
  if (head === (known.line.at(-1) ?? null)) return { index: known, walked: 0 };
  if (head === null) return { index: emptyIndex(), walked: 0 };
  const { base, line, missing } = await missingCommits(repo, head, known);
  const ordered = inOrder(base, line, missing);
  for (let next = 0; next < ordered.length;) {
    const portion = Math.max(SAVED_COMMITS, base.walked.size * SAVED_PART);
    const end = endOfGroup(ordered, Math.min(next + Math.floor(portion), ordered.length));
    const to = ordered[end - 1]!.id;
    const entries = await logEntries(repo, to, base.line.at(-1) ?? null, under);
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    for (const { id, place } of ordered.slice(next, end)) await addCommit(source, base, byId.get(id)!, place);
    base.line.push(...line.slice(base.line.length, base.walked.get(to)![0]));
    next = end;
    if (next < ordered.length) await save?.(base);
  }
  return { index: base, walked: ordered.length };
}

interface MissingCommits {
  /** The part of the known index that belongs to the new line, too. */
  readonly base: HistoryIndex;
  /** The whole new line, oldest first. */
  readonly line: readonly Oid[];
  /** Without changes, each before its parents. */
  readonly missing: readonly LogEntry[];
}

async function missingCommits(repo: Repo, head: Oid, known: HistoryIndex): Promise<MissingCommits> {
  const numberOf = (id: Oid): number => known.line.lastIndexOf(id) + 1;
  const rewound = numberOf(head);
  if (rewound > 0) return { base: truncate(known, rewound), line: known.line.slice(0, rewound), missing: [] };
  const last = known.line.at(-1);
  // The indexed commit is gone after a rewrite and gc, or if the index came from another clone.
  let until = last !== undefined && (await repo.resolveCommit(last)) !== undefined ? last : null;
  for (;;) {
    const entries = await logEntries(repo, head, until, []);
    const { line, below } = firstParents(entries, head);
    if (below !== until) {
      // The known line was left, at an older commit or at none: HEAD was moved, or is a merge of what was HEAD before.
      until = below !== null && numberOf(below) > 0 ? below : null;
      continue;
    }
    const length = until === null ? commonLength(known.line, line) : numberOf(until);
    const whole = until === null ? line : [...known.line.slice(0, length), ...line];
    const base = truncate(known, length);
    // Where clocks were wrong, a walk may include ancestors of its end.
    return { base, line: whole, missing: entries.filter(({ id }) => !base.walked.has(id)) };
  }
}

/** The first-parent line among the entries, oldest first, and the commit below it. */
function firstParents(entries: readonly LogEntry[], head: Oid): { line: Oid[]; below: Oid | null } {
  const parents = new Map(entries.map((entry) => [entry.id, entry.parents[0] ?? null]));
  const line: Oid[] = [];
  let below: Oid | null = head;
  for (let next: Oid | null | undefined = head; next && parents.has(next); next = parents.get(next)) {
    line.push(next);
    below = parents.get(next) ?? null;
  }
  return { line: line.reverse(), below };
}

function commonLength(a: readonly Oid[], b: readonly Oid[]): number {
  const differs = a.findIndex((id, at) => id !== b[at]);
  return differs === -1 ? a.length : differs;
}

/** The index of the commit with number `length` on the line. */
function truncate(index: HistoryIndex, length: number): HistoryIndex {
  if (length === index.line.length) return index;
  const commits = index.commits.filter(({ line }) => line <= length);
  const changes = new Map<Path, Change[]>();
  for (const [path, all] of index.changes) {
    const kept = all.filter(([commit]) => commit < commits.length);
    if (kept.length > 0) changes.set(path, kept);
  }
  const walked = new Map([...index.walked].filter(([, [line]]) => line <= length));
  return { line: index.line.slice(0, length), walked, commits, changes };
}

interface Placed {
  readonly id: Oid;
  readonly place: Walked;
}

/**
 * The entries group by group, and in each group from old to new, parents first.
 *
 * @param line the whole line, oldest first
 * @param entries those that `base` does not have, each before its parents
 */
function inOrder(base: HistoryIndex, line: readonly Oid[], entries: readonly LogEntry[]): Placed[] {
  const lines = lineNumbers(base, line, entries);
  const placed = new Map<Oid, Placed & { readonly depth: number }>();
  for (const { id, at, parents } of entries.toReversed()) {
    const number = lines.get(id)!;
    let second = Math.floor(msOf(at) / 1000);
    let depth = 0;
    for (const parent of parents) {
      const before = placed.get(parent);
      second = Math.max(second, (before?.place ?? base.walked.get(parent))?.[1] ?? 0);
      if (before?.place[0] === number) depth = Math.max(depth, before.depth + 1);
    }
    placed.set(id, { id, place: [number, second], depth });
  }
  return [...placed.values()].sort(
    (a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1] || a.depth - b.depth || (a.id < b.id ? -1 : 1),
  );
}

/** For each entry, the number of the earliest commit on the line from which it can be reached. */
function lineNumbers(base: HistoryIndex, line: readonly Oid[], entries: readonly LogEntry[]): Map<Oid, number> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const numbers = new Map<Oid, number>();
  for (let at = base.line.length; at < line.length; at++) {
    const open = [line[at]!];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const entry = byId.get(next);
      if (!entry || numbers.has(next)) continue;
      numbers.set(next, at + 1);
      open.push(...entry.parents);
    }
  }
  return numbers;
}

/** The end of the group to which the commit before `end` belongs. */
function endOfGroup(ordered: readonly Placed[], end: number): number {
  const [line] = ordered[end - 1]!.place;
  let next = end;
  while (ordered[next]?.place[0] === line) next++;
  return next;
}

async function logEntries(repo: Repo, from: Oid, until: Oid | null, under: readonly Path[]): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const entry of repo.log(from, until, under)) entries.push(entry);
  return entries;
}

async function addCommit(source: FileSource, index: HistoryIndex, entry: LogEntry, place: Walked): Promise<void> {
  const { id, at, author, message } = entry;
  const changed = await changedIn(source.repo, entry);
  index.walked.set(id, place);
  if (changed.size === 0) return;
  const [line, second] = place;
  const commit = index.commits.push({ id, at, name: author.name, email: author.email, message, line, second }) - 1;
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

export function writeIndex(file: string, { walked, commits, changes }: HistoryIndex): Promise<void> {
  const stored = { version: VERSION, walked: [...walked], commits, changes: [...changes] };
  return replaceCache(diskFs, file, Buffer.from(JSON.stringify(stored)));
}

export async function readHistoryIndex(file: string): Promise<HistoryIndex> {
  try {
    const stored: unknown = JSON.parse(await readFile(file, "utf8"));
    if (!isObject(stored) || stored.version !== VERSION) return emptyIndex();
    // The cast is safe for a file of this version: only `writeIndex` writes it, and whole or not at all.
    const { walked, commits, changes } = stored as unknown as Stored;
    const line: Oid[] = [];
    // A group ends in its commit on the line, from which the others can be reached.
    for (const [id, [number]] of walked) line[number - 1] = id;
    return { line, walked: new Map(walked), commits, changes: new Map(changes) };
  } catch {
    return emptyIndex(); // missing or damaged: walked again
  }
}

interface Stored {
  readonly walked: [Oid, Walked][];
  readonly commits: IndexedCommit[];
  readonly changes: [Path, Change[]][];
}
