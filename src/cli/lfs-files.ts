/** Fetches the files of Git LFS of which a clone has only the pointers, while a server runs. */
import type { Cms } from "../cms.ts";
import { messageOf } from "../errors.ts";
import { runGit } from "../store/git/command.ts";
import { POINTER_PROBLEM } from "../store/content/records/media.ts";

/** Large files over a slow line take their time; git ends by itself when the connection is lost. */
const TIMEOUT = 60 * 60_000;

/**
 * Runs `git lfs pull` at once and whenever content with other pointers comes, such as by a merge. The files it writes are
 * noticed as any change in the working tree. What it says when it fails is logged.
 *
 * @returns the way to stop, which waits for a pull that runs
 */
export function fetchLfsFiles({ store, env, root }: Cms): () => Promise<void> {
  const stopping = new AbortController();
  let tried = "";
  let pulling: Promise<void> | undefined;
  const look = (): void => {
    const pointers = store.current.problems.filter(({ message }) => message === POINTER_PROBLEM);
    const wanted = pointers.map(({ path }) => path).join("\n");
    if (wanted === tried || wanted === "" || pulling || stopping.signal.aborted) return;
    tried = wanted;
    pulling = pull().finally(() => {
      pulling = undefined;
      look();
    });
  };
  const pull = async (): Promise<void> => {
    try {
      const options = { timeoutMs: TIMEOUT, signal: stopping.signal };
      const { code, stderr } = await runGit(root, ["lfs", "pull"], options);
      if (code !== 0) throw new Error(stderr.trim());
    } catch (error) {
      if (!stopping.signal.aborted) env.log.warn(`\`git lfs pull\` failed: ${messageOf(error)}`);
    }
  };
  const stopListening = store.onChange(look);
  look();
  return async () => {
    stopping.abort();
    stopListening();
    await pulling;
  };
}
