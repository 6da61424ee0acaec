/** Pushes the commits by which `cms build --publish-due` published drafts, so that the clone does not diverge. */
import type { Config } from "../../config.ts";
import { messageOf } from "../../errors.ts";
import type { Repo } from "../../store/repo.ts";
import { openRemote } from "../../store/sync/remote.ts";
import { remoteOptions } from "../sync-options.ts";

interface PublishedSite {
  readonly config: Pick<Config, "SYNC">;
  readonly store: { readonly repo: Repo };
}

/**
 * Pushes the branch to that of the settings, else to the one it follows, else to that of its name at `origin`.
 *
 * Commits of a person are never pushed: only a branch that was as the remote's before is.
 *
 * @param before the commit before the drafts were published
 * @returns a sentence where the commits stay in this clone; null when they were pushed
 */
export async function pushPublished(
  { config, store: { repo } }: PublishedSite,
  before: string | null,
): Promise<string | null> {
  const { branch, head } = await repo.state();
  const stays = "The commits of this build stay in this clone";
  if (branch === null || head === null) return `${stays}, which is on no branch.`;
  try {
    const remote = await openRemote(repo.root, branch, remoteOptions(config));
    const name = `${remote.name}/${remote.pushBranch}`;
    if ((await remote.pushedCommit()) !== before) return `${stays}, which was not as ${name} before: run \`cms sync\`.`;
    if ((await remote.push(head)) === undefined) return null;
    return `${stays}: ${name} has newer commits. Run \`cms sync\`.`;
  } catch (error) {
    return `${stays}: ${messageOf(error)}`;
  }
}
