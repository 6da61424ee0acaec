/** The conflicts of all syncs in the history of HEAD, from the trailers of their merge commits. */
import type { Json } from "../../model/json.ts";
import type { History } from "../history/history.ts";
import type { Oid, Repo } from "../repo.ts";
import { pathProblem } from "./fetched-tree.ts";
import { readMergeMessage, resolvedBy, type RecordedConflict } from "./merge-message.ts";

/** A conflict with the commits that have its values. */
export interface PastConflict extends RecordedConflict {
  /** The first 12 digits of the merge commit, and the conflict's number in it. */
  readonly id: string;
  readonly merge: Oid;
  readonly base: Oid;
  readonly ours: Oid;
  readonly theirs: Oid;
}

interface Found {
  readonly head: Oid;
  readonly conflicts: readonly PastConflict[];
  readonly resolved: readonly string[];
}

/** @returns those that no commit has resolved by name, the newest first */
export async function unresolvedConflicts(repo: Repo, history: History): Promise<PastConflict[]> {
  const { head } = await repo.state();
  if (head === null) return [];
  const text = await history.derived("sync-conflicts", async (last) =>
    JSON.stringify(await extend(repo, head, parseFound(last))),
  );
  const { conflicts, resolved } = parseFound(text) ?? { conflicts: [], resolved: [] };
  const done = new Set(resolved);
  return conflicts.filter(({ id }) => !done.has(id));
}

/** Walks the commits that are new since the last time, or all if the history was rewritten. */
async function extend(repo: Repo, head: Oid, last: Found | undefined): Promise<Found> {
  const isKept = last !== undefined && (await isAncestor(repo, last.head, head));
  const conflicts: PastConflict[] = [];
  const resolved: string[] = [];
  for await (const { id: merge, parents, message } of repo.log(head, isKept ? last.head : null, [])) {
    resolved.push(...resolvedBy(message));
    const [ours, theirs] = parents;
    const note = ours !== undefined && theirs !== undefined ? readMergeMessage(message) : undefined;
    if (!note || ours === undefined || theirs === undefined) continue;
    // Anyone can write a message: a base that is no commit, or no path in the site, would make the whole list fail.
    if ((await repo.resolveCommit(note.base)) === undefined) continue;
    for (const [number, conflict] of note.conflicts.entries()) {
      const paths = [conflict.path, ...Object.values(conflict.from ?? {})];
      if (paths.some((path) => pathProblem(path) !== undefined)) continue;
      conflicts.push({ ...conflict, id: `${merge.slice(0, 12)}-${number + 1}`, merge, base: note.base, ours, theirs });
    }
  }
  if (!isKept) return { head, conflicts, resolved };
  return { head, conflicts: [...conflicts, ...last.conflicts], resolved: [...resolved, ...last.resolved] };
}

async function isAncestor(repo: Repo, commit: Oid, of: Oid): Promise<boolean> {
  try {
    const { done } = await repo.log(commit, of, [])[Symbol.asyncIterator]().next();
    return done === true;
  } catch {
    return false; // it is not stored any more
  }
}

/** @param text written by this version of the program, as `derived` ensures */
const parseFound = (text: Json | undefined): Found | undefined =>
  typeof text === "string" ? (JSON.parse(text) as Found) : undefined;
