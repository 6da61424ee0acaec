/** HEAD's first-parent line, and the changes of its commits relative to their first parents. */
import { msOf } from "../../model/time/instant.ts";
import { contentPaths } from "../content/load.ts";
import type { LogEntry, Oid, Repo } from "../repo.ts";
import type { Store } from "../write/store.ts";

/** A commit on HEAD's first-parent line. */
export interface LineCommit {
  readonly id: Oid;
  readonly parent: Oid | null;
  /** Seconds since 1970, never less than its parent's. */
  readonly second: number;
}

/** Newest first. */
export type Line = readonly [LineCommit, ...LineCommit[]];

/**
 * HEAD's first-parent line, newest first.
 *
 * @param last where an earlier walk ended, another commit than HEAD: only newer commits are returned
 * @returns undefined when `last` is not on the line
 */
export async function firstParentLine(
  repo: Repo,
  head: Oid,
  last: { readonly head: Oid | null; readonly second: number } | undefined,
): Promise<Line | undefined> {
  const until = last?.head ?? null;
  if (until !== null && (await repo.resolveCommit(until)) === undefined) return undefined;
  const entries = new Map<Oid, LogEntry>();
  for await (const entry of repo.log(head, until, [])) entries.set(entry.id, entry);
  const newestFirst: LogEntry[] = [];
  for (let entry = entries.get(head); entry; entry = entries.get(entry.parents[0] ?? "")) newestFirst.push(entry);
  if (until !== null && (newestFirst.length === 0 ? head : newestFirst.at(-1)?.parents[0]) !== until) return undefined;
  let second = last?.second ?? 0;
  const line = newestFirst.reverse().map(({ id, parents, at }): LineCommit => {
    second = Math.max(second, Math.floor(msOf(at) / 1000));
    return { id, parent: parents[0] ?? null, second };
  });
  const [newest, ...older] = line.reverse();
  return newest && [newest, ...older];
}

export interface CommitChanges {
  of(commit: Oid): Promise<LogEntry["changed"]>;
  close(): Promise<unknown>;
}

/** The changes of commits, walked only as far back as they are requested. */
export function openCommitChanges(
  { repo, kinds }: Pick<Store, "repo" | "kinds">,
  head: Oid,
  until: Oid | null,
): CommitChanges {
  const log = repo.log(head, until, contentPaths(kinds))[Symbol.asyncIterator]();
  const known = new Map<Oid, LogEntry["changed"]>();
  return {
    async of(commit) {
      for (;;) {
        const changed = known.get(commit);
        if (changed) return changed;
        const next = await log.next();
        if (next.done) throw new Error(`The history ends before ${commit}.`);
        known.set(next.value.id, next.value.changed);
      }
    },
    close: async () => log.return?.(),
  };
}
