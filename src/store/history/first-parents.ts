/** HEAD's line of first parents: what each of its commits changed against the one before, merges as a whole. */
import { msOf } from "../../model/instant.ts";
import { contentPaths } from "../content/load.ts";
import type { LogEntry, Oid, Repo } from "../repo.ts";
import type { Store } from "../write/store.ts";

/** A commit on HEAD's line of first parents. */
export interface LineCommit {
  readonly id: Oid;
  readonly parent: Oid | null;
  /** Seconds since 1970, never less than its parent's. */
  readonly second: number;
}

/** How far an earlier look has come. */
export interface Looked {
  readonly head: Oid | null;
  /** Of that commit, see `LineCommit`. */
  readonly second: number;
}

/** HEAD's line of first parents, newest first, down to an earlier ledger's commit; undefined when that is not on it. */
export async function firstParentLine(
  repo: Repo,
  head: Oid,
  last: Looked | undefined,
): Promise<readonly LineCommit[] | undefined> {
  const until = last?.head ?? null;
  if (until !== null && (await repo.resolveCommit(until)) === undefined) return undefined;
  const entries = new Map<Oid, LogEntry>();
  for await (const entry of repo.log(head, until, [])) entries.set(entry.id, entry);
  const found: LogEntry[] = [];
  let next: Oid | undefined = head;
  for (let entry = entries.get(head); entry; entry = next === undefined ? undefined : entries.get(next)) {
    found.push(entry);
    [next] = entry.parents;
  }
  if (until !== null && next !== until) return undefined;
  let second = last?.second ?? 0;
  const line = found.reverse().map(({ id, parents, at }): LineCommit => {
    second = Math.max(second, Math.floor(msOf(at) / 1000));
    return { id, parent: parents[0] ?? null, second };
  });
  return line.reverse();
}

export interface CommitChanges {
  of(commit: Oid): Promise<LogEntry["changed"]>;
  close(): Promise<unknown>;
}

/** What commits changed, worked out only as far back as it is asked for. */
export function openCommitChanges(
  { repo, kinds }: Pick<Store, "repo" | "kinds">,
  head: Oid,
  until: Oid | null,
): CommitChanges {
  const log = repo.log(head, until, contentPaths(kinds))[Symbol.asyncIterator]();
  const seen = new Map<Oid, LogEntry["changed"]>();
  return {
    async of(commit) {
      while (!seen.has(commit)) {
        const next = await log.next();
        if (next.done) throw new Error(`The history ends before ${commit}.`);
        seen.set(next.value.id, next.value.changed);
      }
      return seen.get(commit)!;
    },
    close: async () => log.return?.(),
  };
}
