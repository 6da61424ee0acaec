/**
 * The commits that changed each file: the source of revisions and of the manifest's epoch.
 *
 * Walking a long history takes seconds, so the index is kept in memory, cached in the private state, and extended by new
 * commits only. A rewritten history is walked again from where it left the indexed one. A long walk is saved on the way,
 * so that a process that ends before it is complete has not walked in vain.
 */
import { join } from "node:path";
import type { Instant } from "../../model/time/instant.ts";
import type { Json } from "../../model/input/json.ts";
import { openQueue } from "../../queue.ts";
import { INLINE_CODEC, type FileCodec } from "../codec/file-codec.ts";
import type { Oid, Path, Repo } from "../repo.ts";
import { openDerivedValues } from "./derived-values.ts";
import {
  emptyIndex,
  extendIndex,
  readHistoryIndex,
  writeIndex,
  type Change,
  type IndexedCommit,
  type HistoryIndex,
} from "./history-index.ts";

/** A commit that changed a file. */
export interface FileChange {
  readonly commit: Oid;
  readonly at: Instant;
  readonly author: { readonly name: string; readonly email: string };
  readonly message: string;
  /** The file's path in that commit. */
  readonly path: Path;
  /** Blob id after the commit; null if the commit removed the file. */
  readonly after: Oid | null;
  readonly arrival: Arrival;
}

/**
 * When a change arrived at HEAD: the number of the commit on HEAD's first-parent line that brought it, then the order of the
 * walk. Changes of a merged branch arrive with the merge, whatever their dates.
 */
export type Arrival = readonly [line: number, order: number];

export const compareArrivals = ([lineA, a]: Arrival, [lineB, b]: Arrival): number => lineA - lineB || a - b;

export interface History {
  /** The commits that changed a file, newest first, across renames; empty for a file that was never committed. */
  changesOf(path: Path): Promise<readonly FileChange[]>;
  /** `changesOf` for many files, of the history as it is now. */
  read(): Promise<(path: Path) => readonly FileChange[]>;
  /**
   * Whether a commit that HEAD's first-parent line gained after this one changed a file, or no commit has the file now;
   * undefined for a commit that is not on the line.
   */
  changedSince(commit: Oid): Promise<((path: Path) => boolean) | undefined>;
  /**
   * A value computed from the history alone, cached for the present HEAD, also across starts.
   *
   * @param compute gets the last value, computed for any HEAD by this version of the program
   */
  derived(name: string, compute: (last: Json | undefined) => Promise<Json>): Promise<Json>;
  /** The last value that `derived` computed, for any HEAD. */
  lastDerived(name: string): Promise<Json | undefined>;
  /** Writes the caches for the next start. */
  save(): Promise<void>;
}

/** Walking fewer commits than this is faster than writing the index. */
const WORTH_SAVING = 50;

/** The index's file in the private state. */
export const historyFile = (stateDir: string): string => join(stateDir, "history.json");

/**
 * @param under the folders whose files are indexed
 * @param file of the cached index; null keeps it in memory only
 * @param origin of the repository that this one was forked from
 */
export function openHistory(
  repo: Repo,
  under: readonly Path[],
  file: string | null,
  codec: FileCodec = INLINE_CODEC,
  origin?: History,
): History {
  let index: HistoryIndex | undefined;
  let unsaved = 0;
  const runInTurn = openQueue();
  const derivedValues = openDerivedValues(repo, file, origin && { last: (name) => origin.lastDerived(name) });
  const saveAs = file === null ? undefined : (partial: HistoryIndex) => writeIndex(file, partial);

  const update = async (): Promise<HistoryIndex> => {
    const known = index ?? (file === null ? emptyIndex() : await readHistoryIndex(file));
    index = undefined; // a failed extension leaves it incomplete
    const extended = await extendIndex({ repo, codec }, known, under, saveAs);
    index = extended.index;
    unsaved += extended.walked;
    if (unsaved >= WORTH_SAVING) await save();
    return index;
  };
  const current = (): Promise<HistoryIndex> => runInTurn(update);
  const save = async (): Promise<void> => {
    if (file === null || !index || unsaved === 0) return;
    unsaved = 0;
    await writeIndex(file, index);
  };

  return {
    changesOf: async (path) => changesIn(await current(), path),
    async read() {
      const now = await current();
      return (path) => changesIn(now, path);
    },
    async changedSince(commit) {
      const { walked, line, commits, changes } = await current();
      const number = walked.get(commit)?.[0];
      if (number === undefined || line[number - 1] !== commit) return undefined;
      return (path) => {
        const last = changes.get(path)?.at(-1);
        return last === undefined || last[2] === null || commitAt(commits, last[0]).line > number;
      };
    },
    derived: derivedValues.get,
    lastDerived: derivedValues.last,
    save: async () => {
      await runInTurn(save);
      await derivedValues.save();
    },
  };
}

/** In the order of their dates, as people expect of revisions; `Arrival` has that of the first-parent line. */
function changesIn({ commits, changes }: HistoryIndex, path: Path): FileChange[] {
  const found: FileChange[] = [];
  const seen = new Set<Path>();
  const newestFirst = (a: number, b: number): number =>
    commitAt(commits, b).second - commitAt(commits, a).second || b - a;
  let before: number | undefined;
  let next: Path | undefined = path;
  while (next !== undefined && !seen.has(next)) {
    const at: Path = next;
    const newer = before;
    seen.add(at);
    next = undefined;
    const older = (changes.get(at) ?? []).filter(([commit]) => newer === undefined || newestFirst(newer, commit) < 0);
    for (const change of older.sort(([a], [b]) => newestFirst(a, b))) {
      found.push(fileChange(commits, at, change));
      const [commit, , , movedFrom] = change;
      if (movedFrom === undefined) continue;
      // Older changes under this name belong to another file that had it before.
      [before, next] = [commit, movedFrom];
      break;
    }
  }
  return found;
}

function fileChange(commits: readonly IndexedCommit[], path: Path, [order, , after]: Change): FileChange {
  const { id, name, email, message, line, at } = commitAt(commits, order);
  return { commit: id, at, author: { name, email }, message, path, after, arrival: [line, order] };
}

function commitAt(commits: readonly IndexedCommit[], order: number): IndexedCommit {
  const commit = commits[order];
  if (!commit) throw new Error(`The history index has no commit ${order}.`);
  return commit;
}
