/** Passes commits to the listeners of plugins. No write waits for them. */
import type { Log } from "../env.ts";
import { messageOf } from "../errors.ts";
import type { Batch, Repo } from "../store/repo.ts";
import type { AnyPlugin, PluginCommit, PluginSite } from "./plugin.ts";

/** Commits that may wait for one listener. */
const WAITING_MAX = 1000;

/** In milliseconds: how long closing the site waits for listeners. */
const CLOSE_TIMEOUT = 5_000;

interface CommitListeners {
  /** The repository, which passes each commit it makes to the listeners. */
  readonly repo: Repo;
  /** Waits until the listeners have received every commit, for at most 5 s. */
  settle(): Promise<void>;
}

/** @param site called with each commit, when the site is open */
export function listenToCommits(
  repo: Repo,
  plugins: readonly AnyPlugin[] | undefined,
  log: Log,
  site: () => PluginSite<unknown>,
): CommitListeners {
  const queues = (plugins ?? []).flatMap((plugin) => (plugin.afterCommit ? [openQueue(plugin, log, site)] : []));
  if (queues.length === 0) return { repo, settle: async () => undefined };
  return {
    repo: {
      ...repo,
      async commit(batch) {
        const result = await repo.commit(batch);
        if (result.made)
          for (const commit of commitsOf(batch, result.commits)) for (const each of queues) each.add(commit);
        return result;
      },
      // Commits that another line brings are those of other clones, whose plugins were told.
      async merge(merge) {
        const result = await repo.merge(merge);
        const plan = merge.other === null && result.made ? merge.commit : null;
        const [id] = result.made ? result.commits : [];
        if (plan && id !== undefined)
          for (const each of queues) each.add({ id, ...plan, paths: [...merge.changes.keys()] });
        return result;
      },
    },
    async settle() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT)));
      await Promise.race([Promise.all(queues.map((queue) => queue.done())), timeout]);
      clearTimeout(timer);
    },
  };
}

const commitsOf = ({ commits }: Batch, ids: readonly string[]): PluginCommit[] =>
  ids.flatMap((id, at) => {
    const plan = commits[at];
    return plan
      ? [{ id, author: plan.author, at: plan.at, message: plan.message, paths: [...plan.changes.keys()] }]
      : [];
  });

/** One listener's commits, in order and one at a time. */
function openQueue(plugin: AnyPlugin, log: Log, site: () => PluginSite<unknown>) {
  let waiting = 0;
  let tail: Promise<void> = Promise.resolve();
  const notify = async (commit: PluginCommit): Promise<void> => {
    // A listener that computes for long must not delay the answer to the write.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await plugin.afterCommit?.(commit, site());
    } catch (error) {
      const failed = `The plugin "${plugin.name}" failed in afterCommit of ${commit.id.slice(0, 10)}`;
      log.error(`${failed}: ${messageOf(error)}`, error);
    } finally {
      waiting--;
    }
  };
  return {
    add(commit: PluginCommit): void {
      if (waiting >= WAITING_MAX) {
        log.error(`The plugin "${plugin.name}" is too slow: afterCommit is left out for ${commit.id.slice(0, 10)}.`);
        return;
      }
      waiting++;
      tail = tail.then(() => notify(commit));
    },
    done: () => tail,
  };
}
