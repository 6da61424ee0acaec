/**
 * Which commits changed which files: what revisions and the epoch are read from.
 *
 * Walking a long history takes seconds, so what was walked is kept in memory and, now and then, in the private state;
 * only commits since then are looked at. History that was rewritten is walked again from its beginning.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Instant } from "../../model/instant.ts";
import { isObject, own, type Json } from "../../model/json.ts";
import { PROGRAM } from "../../version.ts";
import { INLINE_CODEC, type FileCodec } from "../codec/file-codec.ts";
import { replaceFile } from "../private/replace-file.ts";
import type { LogEntry, Oid, Path, Repo } from "../repo.ts";

/** A commit that changed a file. */
export interface FileChange {
  readonly commit: Oid;
  readonly at: Instant;
  readonly author: { readonly name: string; readonly email: string };
  readonly message: string;
  /** Where the file was at that commit. */
  readonly path: Path;
  /** Blob id after the commit; null where it removed the file. */
  readonly after: Oid | null;
  /** When the change came to HEAD; see `compareArrivals`. */
  readonly arrival: Arrival;
}

/** The commit on HEAD's line of first parents that brought a change, then the order of the walk. */
export type Arrival = readonly [line: number, order: number];

/** What came to HEAD first comes first: what a merge brought came with the merge, however old its commits are. */
export const compareArrivals = ([lineA, a]: Arrival, [lineB, b]: Arrival): number => lineA - lineB || a - b;

export interface History {
  /** The commits that changed a file, newest first, through its moves to other names (up to 0 entries for a new file). */
  changesOf(path: Path): Promise<readonly FileChange[]>;
  /**
   * What follows from the history alone, worked out once for each head, also between starts.
   *
   * @param name of what it is
   * @param work is given what was worked out last, of whichever head
   */
  derived(name: string, work: (last: Json | undefined) => Promise<Json>): Promise<Json>;
  /** Remembers what was walked for the next start. */
  save(): Promise<void>;
}

interface Commit {
  readonly id: Oid;
  readonly at: Instant;
  readonly name: string;
  readonly email: string;
  readonly message: string;
  /** See `Arrival`. */
  readonly line: number;
}

/** `[commit, before, after, moved from]`; the commit as an index, oldest 0. */
type Change = readonly [commit: number, before: Oid | null, after: Oid | null, from?: Path];

interface Index {
  head: Oid | null;
  /** How many commits HEAD's line of first parents has. */
  length: number;
  readonly commits: Commit[];
  /** By path, oldest first. */
  readonly changes: Map<Path, Change[]>;
}

/** What was derived of a history. */
interface Derived {
  /** Of which, and by which program. */
  readonly of: string;
  readonly values: { readonly [name: string]: Json };
}

const VERSION = 2;
/** Walking fewer commits than this costs less than writing the index. */
const WORTH_SAVING = 50;
const DRAFT = /\.draft\.[A-Za-z0-9-]+\.ya?ml$/;

const emptyIndex = (): Index => ({ head: null, length: 0, commits: [], changes: new Map() });

/** Where the past of files is read. */
export interface Files {
  readonly repo: Repo;
  readonly codec: FileCodec;
}

/** @param file where the index is kept; null keeps it in memory only */
export function openHistory(
  repo: Repo,
  under: readonly Path[],
  file: string | null,
  codec: FileCodec = INLINE_CODEC,
): History {
  let index: Index | undefined;
  let unsaved = 0;
  let turn: Promise<unknown> = Promise.resolve();

  const update = async (): Promise<Index> => {
    index ??= file === null ? emptyIndex() : await readIndex(file);
    const { head } = await repo.state();
    if (head === index.head) return index;
    if (head === null) return (index = emptyIndex());
    // Rewritten and collected since, or the index came from another clone.
    if (index.head !== null && (await repo.resolveCommit(index.head)) === undefined) index = emptyIndex();
    const news = await collect(repo, head, index.head, under);
    const follows = index.head === null || continues(index, news);
    const entries = follows ? news : await collect(repo, head, null, under);
    if (!follows) index = emptyIndex();
    const lines = linesOf(entries, head, index.length);
    for (const entry of entries.reverse()) await add({ repo, codec }, index, entry, lines.get(entry.id)!);
    index.length = lines.get(head) ?? index.length;
    index.head = head;
    unsaved += entries.length;
    if (unsaved >= WORTH_SAVING) await save();
    return index;
  };
  const current = (): Promise<Index> => {
    const next = turn.then(update);
    turn = next.catch(() => undefined); // the caller has the error; the next one tries again
    return next;
  };
  const save = async (): Promise<void> => {
    if (file === null || !index || unsaved === 0) return;
    unsaved = 0;
    await replaceFile(
      file,
      JSON.stringify({
        version: VERSION,
        head: index.head,
        length: index.length,
        commits: index.commits,
        changes: [...index.changes],
      }),
    );
  };
  let known: Derived | undefined;
  let isNew = false;

  return {
    async changesOf(path) {
      const { commits, changes } = await current();
      const found: FileChange[] = [];
      let at: Path | undefined = path;
      let before = Infinity;
      const seen = new Set<Path>();
      while (at !== undefined && !seen.has(at)) {
        seen.add(at);
        const rows: readonly Change[] = (changes.get(at) ?? []).filter(([commit]) => commit < before);
        let movedFrom: Path | undefined;
        for (const row of [...rows].reverse()) {
          found.push(show(commits, at, row));
          if (row[3] === undefined) continue;
          // Older rows under this name belong to another file that had it before.
          [before, , , movedFrom] = row;
          break;
        }
        at = movedFrom;
      }
      return found;
    },
    async derived(name, work) {
      const historyNow = async (): Promise<string> =>
        `${PROGRAM.version} ${(await repo.state()).head} ${await repo.isShallow()}`;
      const of = await historyNow();
      known ??= file === null ? NOTHING : await readDerived(derivedFile(file));
      const value = known.of === of ? own(known.values, name) : undefined;
      if (value !== undefined) return value;
      const isOfUs = known.of.startsWith(`${PROGRAM.version} `) && known.of.endsWith(String(await repo.isShallow()));
      const made = await work(isOfUs ? own(known.values, name) : undefined);
      // A commit may have come meanwhile: then this is of neither.
      if ((await historyNow()) !== of) return made;
      known = { of, values: { ...(known.of === of ? known.values : {}), [name]: made } };
      isNew = true;
      return made;
    },
    save: async () => {
      await turn;
      await save();
      if (file === null || !isNew) return;
      isNew = false;
      await replaceFile(derivedFile(file), JSON.stringify({ version: VERSION, ...known! }));
    },
  };
}

const NOTHING: Derived = { of: "", values: {} };

/** Small, beside the index, which need not be read for it. */
const derivedFile = (file: string): string => file.replace(/(\.json)?$/, ".derived.json");

async function readDerived(file: string): Promise<Derived> {
  try {
    const stored: unknown = JSON.parse(await readFile(file, "utf8"));
    return isObject(stored) && stored.version === VERSION ? (stored as unknown as Derived) : NOTHING;
  } catch {
    return NOTHING; // absent or damaged: worked out again
  }
}

/** The index's file in the private state. */
export const historyFile = (stateDir: string): string => join(stateDir, "history.json");

/**
 * Whether new commits stand in a line after those indexed. Where a merge brought in others, or older ones, all is walked
 * again: the order of commits must not depend on when somebody looked.
 */
function continues({ head, commits }: Index, news: readonly LogEntry[]): boolean {
  const last = commits.at(-1)?.at;
  const inLine = news.every((entry) => entry.parents.length === 1 && (last === undefined || entry.at >= last));
  return inLine && news.some((entry) => entry.parents.includes(head!));
}

/**
 * For each commit, the place on HEAD's line of first parents of the one that brought it: the earliest that it can be
 * reached from. The line's oldest commit has the place after `before`.
 *
 * @param entries each before its parents
 */
function linesOf(entries: readonly LogEntry[], head: Oid, before: number): Map<Oid, number> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const main: LogEntry[] = [];
  for (
    let entry = byId.get(head);
    entry;
    entry = entry.parents[0] === undefined ? undefined : byId.get(entry.parents[0])
  )
    main.push(entry);
  const lines = new Map<Oid, number>();
  for (const [at, { id }] of main.reverse().entries()) {
    const waiting = [id];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const entry = byId.get(next);
      if (!entry || lines.has(next)) continue;
      lines.set(next, before + at + 1);
      waiting.push(...entry.parents);
    }
  }
  return lines;
}

const show = (commits: readonly Commit[], path: Path, [at, , after]: Change): FileChange => {
  const { id, name, email, message, line, at: moment } = commits[at]!;
  return { commit: id, at: moment, author: { name, email }, message, path, after, arrival: [line, at] };
};

async function collect(repo: Repo, from: Oid, until: Oid | null, under: readonly Path[]): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const entry of repo.log(from, until, under)) entries.push(entry);
  return entries;
}

async function add(files: Files, index: Index, entry: LogEntry, line: number): Promise<void> {
  const { id, at, author, message, parents } = entry;
  const changed = await ownChanges(files.repo, entry, parents.slice(1));
  if (changed.size === 0) return;
  const commit = index.commits.push({ id, at, name: author.name, email: author.email, message, line }) - 1;
  const moves = await movesIn(files, changed);
  for (const [path, { before, after }] of changed) {
    const rows = index.changes.get(path) ?? [];
    const from = moves.get(path);
    rows.push(from === undefined ? [commit, before, after] : [commit, before, after, from]);
    index.changes.set(path, rows);
  }
}

/** What a merge took over as it was from another parent was changed there, not by the merge. */
async function ownChanges(repo: Repo, { changed }: LogEntry, others: readonly Oid[]): Promise<LogEntry["changed"]> {
  const kept = new Map([...changed].filter(([path]) => !DRAFT.test(path)));
  for (const parent of others) {
    const there = await repo.committed(parent, [...kept.keys()]);
    for (const [path, { after }] of kept) if (there.get(path) === after) kept.delete(path);
  }
  return kept;
}

/** New path by old one: a file that appears in the commit in which one with the same bytes or the same id goes. */
async function movesIn(files: Files, changed: LogEntry["changed"]): Promise<Map<Path, Path>> {
  const gone = [...changed].filter(([, { after }]) => after === null);
  const come = [...changed].filter(([, { before }]) => before === null);
  const moves = new Map<Path, Path>();
  if (gone.length === 0 || come.length === 0) return moves;
  const byOid = new Map(gone.map(([path, { before }]) => [before, path]));
  const byId = new Map<number, Path>();
  const rest = come.filter(([path, { after }]) => {
    const from = byOid.get(after);
    if (from !== undefined) moves.set(path, from);
    return from === undefined;
  });
  if (rest.length === 0) return moves;
  for (const [path, { before }] of gone) {
    const id = await idIn(files, path, before!);
    if (id !== undefined) byId.set(id, path);
  }
  for (const [path, { after }] of rest) {
    const id = await idIn(files, path, after!);
    const from = id === undefined ? undefined : byId.get(id);
    if (from !== undefined) moves.set(path, from);
  }
  return moves;
}

async function idIn({ repo, codec }: Files, path: Path, oid: Oid): Promise<number | undefined> {
  if (!/\.(ya?ml|md)$/.test(path)) return undefined;
  try {
    const id = own((await codec.decode(path, await repo.blob(oid))).data, "id");
    return typeof id === "number" ? id : undefined;
  } catch {
    return undefined; // a version that never loaded tells nothing of where it came from
  }
}

async function readIndex(file: string): Promise<Index> {
  try {
    const stored: unknown = JSON.parse(await readFile(file, "utf8"));
    if (!isObject(stored) || stored.version !== VERSION) return emptyIndex();
    const { head, length, commits, changes } = stored as unknown as {
      head: Oid;
      length: number;
      commits: Commit[];
      changes: [Path, Change[]][];
    };
    return { head, length, commits, changes: new Map(changes) };
  } catch {
    return emptyIndex(); // absent or half-written: walked again
  }
}
