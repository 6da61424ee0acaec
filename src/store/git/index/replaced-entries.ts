/**
 * The index entries that commits of ours replaced, so that they are known when they come back.
 *
 * A git command reads the index, takes `index.lock` a moment later, and writes the index it had read. A commit of ours
 * in between is undone in the index that way, and the next `git commit` would take our files out of the branch. Git
 * writes the older entries as it read them, stat data included, which no deliberate command does: that tells them from
 * what a person has staged.
 */
import type { Oid, Path } from "../../repo.ts";
import { entriesOf, entryKey, entryOid, hasStat, stageOf, type IndexEntry, type IndexFile } from "./index-format.ts";
import type { JournalPath } from "../journal.ts";

/** A path of a commit of ours. */
export interface ReplacedEntry {
  /** Full name of the branch it was committed on. */
  readonly ref: string;
  readonly after: Oid | null;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** Every entry that stood for the path before, as `entryKey` has it; `ABSENT` for none. */
  readonly earlier: ReadonlySet<string>;
  /** The entry written last. */
  readonly written: string;
}

export interface Made {
  /** Full name of the branch. */
  readonly ref: string;
  readonly commits: readonly Oid[];
}

export interface ReplacedEntries {
  readonly size: number;
  [Symbol.iterator](): Iterator<[Path, ReplacedEntry]>;
  /** Notes, before the index is written for a commit, what is in it for the commit's paths. */
  replacing(index: IndexFile, made: Made, paths: readonly JournalPath[]): void;
  /** Notes, after that, what was written. */
  wrote(index: IndexFile, paths: readonly JournalPath[]): void;
  /** undefined when it has made none. */
  lastCommit(): Oid | undefined;
}

export const ABSENT = "";
const KEPT_MS = 60 * 60 * 1000;
const MOST_PATHS = 10_000;
const MOST_EARLIER = 100;
/**
 * An entry without stat data, or no entry at all, may be a person's doing (`git rm --cached`). It counts as brought back
 * only when the index was written this soon after our commit.
 */
export const RACE_WINDOW_MS = 60 * 1000;

const keyOf = (entry: IndexEntry | undefined): string => (entry ? entryKey(entry) : ABSENT);

export function openReplacedEntries(now: () => number = Date.now): ReplacedEntries {
  const own = new Map<Path, ReplacedEntry>();
  let last: Oid | undefined;

  function forgetOld(): void {
    for (const [path, { at }] of own) {
      if (own.size <= MOST_PATHS && now() - at <= KEPT_MS) break;
      own.delete(path);
    }
  }

  return {
    get size() {
      return own.size;
    },
    [Symbol.iterator]: () => own[Symbol.iterator](),
    lastCommit: () => last,
    replacing(index, { ref, commits }, paths) {
      last = commits.at(-1) ?? last;
      for (const { path, base, before, after } of paths) {
        const known = own.get(path);
        const entry = entriesOf(index, path)[0];
        const oid = entry ? entryOid(entry) : null;
        // What a person had staged is not ours to take away, should it come back.
        const isKnown = oid === base || oid === before || oid === after || oid === known?.after;
        const earlier = new Set([...(known?.earlier ?? []), ...(isKnown ? [keyOf(entry)] : [])].slice(-MOST_EARLIER));
        own.delete(path);
        own.set(path, { ref, after, at: now(), earlier, written: ABSENT });
      }
      forgetOld();
    },
    wrote(index, paths) {
      for (const { path } of paths) {
        const known = own.get(path);
        if (known) own.set(path, { ...known, written: keyOf(entriesOf(index, path)[0]) });
      }
    },
  };
}

/** What is known of a path at one moment. */
export interface PathState {
  readonly entries: readonly IndexEntry[];
  /** Blob id in HEAD's commit; null for none. */
  readonly head: Oid | null;
  /** When the index was written, in milliseconds since 1970. */
  readonly indexAt: number;
}

/**
 * Whether the index has, for a path, what our commit replaced, while HEAD has our commit's content.
 *
 * The caller still has to see that the working file is `after`: else a person has changed it since.
 */
export function isReverted(own: ReplacedEntry, { entries, head, indexAt }: PathState): boolean {
  const [entry, ...more] = entries;
  if (more.length > 0 || (entry && stageOf(entry) !== 0)) return false;
  const isBehind = head === own.after && (entry ? entryOid(entry) : null) !== own.after;
  if (!isBehind || !own.earlier.has(keyOf(entry))) return false;
  return (entry !== undefined && hasStat(entry)) || indexAt - own.at <= RACE_WINDOW_MS;
}

/**
 * Whether `git switch`, which had read HEAD before our commit, has taken our file along to another branch as if it were
 * a change of the person's. A file that is gone may as well have been removed there (`git merge --squash`): it stays gone.
 *
 * @param ref the branch that HEAD is on now
 */
export function isCarriedOver(own: ReplacedEntry, ref: string, { entries, head, indexAt }: PathState): boolean {
  if (
    ref === own.ref ||
    own.after === null ||
    head === own.after ||
    entries.length > 1 ||
    indexAt - own.at > RACE_WINDOW_MS
  )
    return false;
  return own.written === keyOf(entries[0]);
}
