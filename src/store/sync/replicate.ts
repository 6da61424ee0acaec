/**
 * One sync of a replica: it follows the remote's branch, and pushes nothing.
 *
 * It has no commits of its own, so it follows a branch that was rewritten, too.
 */
import { CmsError } from "../../errors.ts";
import type { BatchResult, Merge } from "../repo.ts";
import type { SyncContext } from "./merge-plan.ts";
import type { Remote } from "./remote.ts";
import { refuseDeletions } from "./fetched-tree.ts";
import { fetchLfsFiles, forwardPlan, type SyncReport } from "./synchronise.ts";

export interface ReplicaOptions {
  readonly acceptsDeletions: boolean;
  merge(merge: Merge): Promise<BatchResult>;
}

/**
 * @throws CmsError `conflict` if the clone has commits that were never on the remote, and as `synchronise`
 */
export async function replicate(context: SyncContext, remote: Remote, options: ReplicaOptions): Promise<SyncReport> {
  const { repo } = context;
  const name = `${remote.name}/${remote.branch}`;
  const { before, now: theirs } = await remote.fetch();
  if (theirs === null) throw new CmsError("unavailable", `${name} does not exist.`, { retryAfter: 30 });
  const { head, blocked } = await repo.state();
  if (blocked) throw new CmsError("unavailable", blocked, { retryAfter: 30 });
  if (head === null) throw new CmsError("conflict", "The branch has no commit: clone the remote, and serve the clone.");
  const report = { remote: name, commit: theirs, pushed: 0, conflicts: [] };
  if (head === theirs) return { ...report, outcome: "unchanged", pulled: 0, isRewritten: false };
  const { ahead, behind } = await remote.distance(head, theirs);
  const isRewritten = ahead > 0;
  if (isRewritten && (before === null || (await remote.distance(head, before)).ahead > 0)) {
    throw new CmsError("conflict", `This clone has commits that ${name} never had: a replica must not be written to.`);
  }
  const { changes } = await forwardPlan(context, head, theirs);
  if (!options.acceptsDeletions) await refuseDeletions(context, head, changes);
  await fetchLfsFiles(context, remote, theirs, changes, false);
  const result = await options.merge({ base: head, other: theirs, commit: null, changes });
  if (!result.made) throw new CmsError("unavailable", "The branch changed meanwhile.", { retryAfter: 5 });
  return { ...report, outcome: "forwarded", pulled: behind, isRewritten };
}
