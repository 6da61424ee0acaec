/** Fetches the files of Git LFS of which a clone has only the pointers, while a server runs. */
import type { Cms } from "../../cms.ts";
import type { Timers } from "../../env.ts";
import { messageOf } from "../../errors.ts";
import { pullLfs } from "../../store/git/lfs/lfs-command.ts";
import type { Path } from "../../store/repo.ts";
import { POINTER_PROBLEM } from "../../store/records/media/media.ts";

/** Large files over a slow line take their time; git ends by itself when the connection is lost. */
const TIMEOUT = 60 * 60_000;
const RETRY_MS = 5 * 60_000;

/**
 * Pulls them at once and whenever content with other pointers comes, such as by a merge. The files it writes are
 * noticed as any change in the working tree. A failure is logged, and it tries again after five minutes.
 *
 * @returns the way to stop, which waits for a pull that runs
 */
export function fetchLfsFiles({ store, env }: Cms, timers: Timers): () => Promise<void> {
  const stopping = new AbortController();
  let tried = "";
  let said = "";
  let cancel = (): void => undefined;
  let pulling: Promise<void> | undefined;
  const look = (): void => {
    const pointers = store.current.problems.filter(({ message }) => message === POINTER_PROBLEM);
    const wanted = pointers.map(({ path }) => path).join("\n");
    if (wanted === tried || wanted === "" || pulling || stopping.signal.aborted) return;
    tried = wanted;
    pulling = pull(pointers.map(({ path }) => path)).finally(() => {
      pulling = undefined;
      look();
    });
  };
  const pull = async (paths: readonly Path[]): Promise<void> => {
    try {
      await pullLfs(store.repo, paths, { timeoutMs: TIMEOUT, signal: stopping.signal });
      said = "";
    } catch (error) {
      if (stopping.signal.aborted) return;
      if (messageOf(error) !== said) env.log.warn((said = messageOf(error)));
      cancel = timers.start(() => {
        tried = "";
        look();
      }, RETRY_MS);
    }
  };
  const stopListening = store.onChange(look);
  look();
  return async () => {
    stopping.abort();
    cancel();
    stopListening();
    await pulling;
  };
}
