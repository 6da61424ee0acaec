/** With which remote and branch a site is synchronised, by its settings. */
import type { Config } from "../config.ts";
import type { RemoteOptions } from "../store/sync/remote.ts";

/**
 * A flag wins over its setting. A branch that is named by a flag is pushed to as well, whatever `SYNC.PUSH_BRANCH` says.
 *
 * @param flags of the command
 */
export function remoteOptions(
  { SYNC: { REMOTE, BRANCH, PUSH_BRANCH } }: Pick<Config, "SYNC">,
  flags: Pick<RemoteOptions, "remote" | "branch"> = {},
): RemoteOptions {
  return {
    remote: flags.remote ?? REMOTE ?? undefined,
    branch: flags.branch ?? BRANCH ?? undefined,
    pushBranch: flags.branch ?? PUSH_BRANCH ?? undefined,
  };
}
