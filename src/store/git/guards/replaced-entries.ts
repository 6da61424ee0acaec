/**
 * Remembers the index entries that our commits replaced, to recognise them when another process writes them back.
 *
 * A git command reads the index, takes `index.lock` a moment later, and writes the index it had read. A commit of ours
 * in between is lost from the index, and the next `git commit` would take our files out of the branch. Git writes the
 * old entries as it read them, stat data included, which no deliberate command does: this distinguishes them from what
 * a person has staged.
 */
import { pace } from "../../../time-slices.ts";
import type { Oid, Path } from "../../repo.ts";
import { bytewise } from "../objects/tree-format.ts";
import {
  createEntry,
  indexEntryKey,
  entryOid,
  hasStat,
  stageOf,
  type IndexEntry,
  type IndexUpdate,
} from "../index/index-entry.ts";
import { entriesOf, type IndexFile } from "../index/index-format.ts";
import type { JournalPath } from "../journal.ts";

/** The latest commit of ours for one path. */
export interface ReplacedEntry {
  /** Full name of the branch it was made on. */
  readonly ref: string;
  /** Blob id in the commit; null for a removed file. */
  readonly after: Oid | null;
  /** Time of the commit in milliseconds since 1970. */
  readonly at: number;
  /** The `entryKey` of every entry the path had before; `ABSENT` for none. */
  readonly earlier: ReadonlySet<string>;
  /** The entry written by the commit, with the stat data of the checkout; undefined before that. */
  readonly written: IndexUpdate | null | undefined;
}

export interface ReplacedEntries {
  isEmpty(): boolean;
  [Symbol.iterator](): Iterator<[Path, ReplacedEntry]>;
  /** Records the entries that a commit replaces, while the index is locked. @param index before the commit */
  recordReplaced(
    index: IndexFile,
    commit: { readonly ref: string; readonly commits: readonly Oid[] },
    paths: readonly JournalPath[],
  ): Promise<void>;
  /** Records the entries that the commit has written, with the stat data of the checkout. */
  recordWritten(updates: ReadonlyMap<Path, IndexUpdate | null>): void;
  /** The last commit of this process; undefined if it has made none. */
  lastCommit(): Oid | undefined;
}

const ABSENT = "";
const REMEMBERED_MS = 60 * 60 * 1000;
const PATHS_MAX = 10_000;
const EARLIER_MAX = 100;
/**
 * An entry without stat data, or no entry, may be intended (`git rm --cached`). It counts as written back only if the
 * index was written within this time after our commit.
 */
export const RACE_WINDOW_MS = 60 * 1000;

const keyOf = (entry: IndexEntry | undefined): string => (entry ? indexEntryKey(entry) : ABSENT);

/** The `entryKey` of the entry written by a commit, without stat data and with it. Few are ever asked for. */
function keysOf(path: Path, written: ReplacedEntry["written"]): readonly string[] {
  if (written === undefined) return [];
  if (written === null) return [ABSENT];
  return [{ ...written, stat: undefined }, written].map((entry) => keyOf(createEntry(bytewise(path), entry)));
}

/** The state of the thousands of files that an import adds: none had an entry. */
const ONLY_ABSENT: ReadonlySet<string> = new Set([ABSENT]);

/** @param current the key of the entry that is replaced; none of one that a person had staged */
function earlierKeys(
  path: Path,
  previous: ReplacedEntry | undefined,
  current: readonly string[],
): ReplacedEntry["earlier"] {
  if (!previous) return current[0] === ABSENT ? ONLY_ABSENT : new Set(current);
  // A git command that had read an entry without stat data may have added it before writing it back.
  return new Set([...previous.earlier, ...keysOf(path, previous.written), ...current].slice(-EARLIER_MAX));
}

export function openReplacedEntries(now: () => number = Date.now): ReplacedEntries {
  /** The oldest first. */
  const byPath = new Map<Path, ReplacedEntry>();
  let last: Oid | undefined;

  function forgetOld(): void {
    for (const [path, { at }] of byPath) {
      if (byPath.size <= PATHS_MAX && now() - at <= REMEMBERED_MS) break;
      byPath.delete(path);
    }
  }

  return {
    isEmpty: () => byPath.size === 0,
    [Symbol.iterator]: () => byPath[Symbol.iterator](),
    lastCommit: () => last,
    async recordReplaced(index, { ref, commits }, paths) {
      last = commits.at(-1) ?? last;
      const at = now();
      for (const { path, base, before, after } of paths) {
        const turn = pace();
        if (turn) await turn;
        const previous = byPath.get(path);
        const entry = entriesOf(index, path)[0];
        const oid = entry ? entryOid(entry) : null;
        // What a person had staged must not be removed if it is staged again.
        const isOurs = oid === base || oid === before || oid === after || oid === previous?.after;
        const earlier = earlierKeys(path, previous, isOurs ? [keyOf(entry)] : []);
        byPath.delete(path);
        byPath.set(path, { ref, after, at, earlier, written: undefined });
      }
      forgetOld();
    },
    recordWritten(updates) {
      for (const [path, update] of updates) {
        const replaced = byPath.get(path);
        if (replaced) byPath.set(path, { ...replaced, written: update });
      }
    },
  };
}

/** The current state of a path in the index and in HEAD. */
export interface PathState {
  /** The entries of the index, with all stages. */
  readonly entries: readonly IndexEntry[];
  /** Blob id in HEAD's commit; null for none. */
  readonly head: Oid | null;
  /** When the index was written, in milliseconds since 1970. */
  readonly indexAt: number;
}

/**
 * Whether the index has an entry that our commit replaced, while HEAD has our commit's content.
 *
 * The caller must check that the working file still has the content `after`; otherwise a person has changed it since.
 */
export function isReverted(replaced: ReplacedEntry, { entries, head, indexAt }: PathState): boolean {
  const [entry, ...more] = entries;
  if (more.length > 0 || (entry && stageOf(entry) !== 0)) return false;
  const isBehind = head === replaced.after && (entry ? entryOid(entry) : null) !== replaced.after;
  if (!isBehind || !replaced.earlier.has(keyOf(entry))) return false;
  return (entry !== undefined && hasStat(entry)) || indexAt - replaced.at <= RACE_WINDOW_MS;
}

/**
 * Whether `git switch`, having read HEAD before our commit, has carried our file over to another branch as if it were an
 * uncommitted change. A removed file is not restored: a person may have removed it there (`git merge --squash`).
 *
 * @param ref the branch that HEAD is on now
 */
export function isCarriedOver(
  path: Path,
  replaced: ReplacedEntry,
  ref: string,
  { entries, head, indexAt }: PathState,
): boolean {
  if (ref === replaced.ref || replaced.after === null || head === replaced.after) return false;
  if (entries.length > 1 || indexAt - replaced.at > RACE_WINDOW_MS) return false;
  return keysOf(path, replaced.written).includes(keyOf(entries[0]));
}
