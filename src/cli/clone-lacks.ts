/** What `git clone` does not bring: accounts, files of Git LFS, older commits, a remote to push to. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "../store/git/command.ts";
import { ACCOUNTS_FILE } from "../store/private/accounts.ts";
import { stateDirOf } from "../store/private/private-state.ts";
import { POINTER_PROBLEM } from "../store/records/media/media.ts";
import { readSite } from "./command.ts";

/** Sentences for a person, each with what to do; none where the clone is complete. */
export async function cloneLacks(root: string): Promise<string[]> {
  const pointers = await readSite({ root }, ({ store }) =>
    store.current.problems.flatMap(({ message, path }) => (message === POINTER_PROBLEM ? [path] : [])),
  );
  const git = async (...args: string[]): Promise<string> =>
    (await runGit(root, args, { timeoutMs: 10_000 })).stdout.trim();
  return [
    ...(existsSync(join(stateDirOf(root), ACCOUNTS_FILE))
      ? []
      : ["Accounts: restore the private state from its backup, or add accounts with `cms user add`."]),
    ...(pointers.length > 0
      ? [
          `Files of Git LFS: ${pointers.length} ${pointers.length === 1 ? "is" : "are"} missing, such as ${pointers[0]}: run \`git lfs pull\`.`,
        ]
      : []),
    ...((await git("rev-parse", "--is-shallow-repository")) === "true"
      ? ["Older commits, and with them revisions: run `git fetch --unshallow`."]
      : []),
    ...((await git("remote")) === ""
      ? ["A remote: nothing leaves this machine until `git remote add` names one."]
      : []),
  ];
}
