/**
 * One sync of a replica: it follows the remote's branch, and pushes nothing.
 *
 * It has no commits of its own, so it follows a branch that was rewritten, too.
 */
import { CmsError, unavailable } from "../../errors.ts";
import type { BatchResult, Merge, Oid } from "../repo.ts";
import type { SyncContext } from "./merge-plan.ts";
import type { Remote } from "./remote.ts";
import { refuseBrokenSettings, refuseDeletions } from "./fetched-tree.ts";
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
  if (theirs === null) throw unavailable(`${name} does not exist.`, "repair");
  const { head, blocked } = await repo.state();
  if (blocked) throw unavailable(blocked, "repair");
  if (head === null) throw new CmsError("conflict", "The branch has no commit: clone the remote, and serve the clone.");
  const report = { remote: name, commit: theirs, pushed: 0, conflicts: [] };
  if (head === theirs) return { ...report, outcome: "unchanged", pulled: 0, isRewritten: false };
  const { ahead, behind } = await remote.distance(head, theirs);
  const isRewritten = ahead > 0;
  if (isRewritten && !(await wasThere(remote, before, head))) {
    throw new CmsError("conflict", `This clone has commits that ${name} never had: a replica must not be written to.`);
  }
  const { changes } = await forwardPlan(context, head, theirs);
  await refuseBrokenSettings(context, head, changes);
  if (!options.acceptsDeletions) await refuseDeletions(context, head, changes);
  await fetchLfsFiles(context, remote, theirs, changes, false);
  const result = await options.merge({ base: head, other: theirs, commit: null, changes });
  if (!result.made) throw unavailable("The branch changed meanwhile.", "restart");
  return { ...report, outcome: "forwarded", pulled: behind, isRewritten };
}

/**
 * Whether the remote's branch had a commit. `before` alone does not tell: a fetch replaces it, and what follows the fetch may fail,
 * or be held until a person decides.
 */
async function wasThere(remote: Remote, before: Oid | null, commit: Oid): Promise<boolean> {
  if (before !== null && (await remote.distance(commit, before)).ahead === 0) return true;
  return remote.wasFetched(commit);
}
