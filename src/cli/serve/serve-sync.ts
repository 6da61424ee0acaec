/** The sync of `cms serve --sync`. */
import type { Cms } from "../../cms.ts";
import { settingsFiles } from "../../config.ts";
import { readSecret } from "../../config/secrets.ts";
import { systemTimers } from "../../env.ts";
import { KINDS } from "../../store/records/kinds.ts";
import { openGitRepo } from "../../store/git/repo.ts";
import type { Oid } from "../../store/repo.ts";
import { openRemote } from "../../store/sync/remote.ts";
import { replicate } from "../../store/sync/replicate.ts";
import { startSync, type StartedSync, type SyncServiceOptions } from "../../store/sync/sync-service.ts";
import { synchronise } from "../../store/sync/synchronise.ts";
import { remoteOptions } from "../sync-options.ts";

/** The secret of webhooks, if the settings name one. @throws CmsError `setup` when it is missing */
export function withSyncSecret({ config, root }: Cms): Pick<Cms, "syncSecret"> {
  const { SECRET } = config.SYNC;
  return SECRET === null ? {} : { syncSecret: readSecret(SECRET, "SYNC.SECRET", root) };
}

/** Milliseconds that the last push of a server that stops may take. Supervisors kill it after ten seconds or more. */
const LAST_PUSH_MS = 5_000;

/** @param seconds between two syncs; those of the settings by default */
export function serveSync(cms: Cms, seconds?: number): StartedSync {
  const { store, env, locales, config } = cms;
  const { EVERY, PUSH } = config.SYNC;
  const every = (seconds ?? EVERY) * 1000;
  const stopped = new AbortController();
  const openNamed = async (signal: AbortSignal) =>
    openRemote(cms.root, (await store.repo.state()).branch ?? "", { ...remoteOptions(config), signal });
  const pushOnce = async (commit: Oid): Promise<void> => {
    const remote = await openNamed(AbortSignal.timeout(LAST_PUSH_MS));
    const outrun = await remote.push(commit);
    if (outrun) throw outrun;
  };
  const context = { repo: store.repo, kinds: KINDS, locales, env, settings: settingsFiles };
  const run: SyncServiceOptions["run"] = store.isReadOnly
    ? (remote, acceptsDeletions) => runReplica(cms, remote, acceptsDeletions)
    : (remote, acceptsDeletions) => {
        const { merge, inTurn } = store;
        const options = { pushes: PUSH, acceptsDeletions, isDryRun: false, needsLfsFiles: false, merge, inTurn };
        return synchronise(context, remote, options);
      };
  const service = startSync({
    ...{ env, timers: systemTimers, random: Math.random, every, run },
    openRemote: () => openNamed(stopped.signal),
    head: async () => (await store.repo.state()).head,
    ...(PUSH && !store.isReadOnly && { pushOnce }),
  });
  const stopListening = store.isReadOnly ? undefined : store.onChange(({ commit }) => service.noteCommit(commit));
  return {
    ...service,
    async stop() {
      stopListening?.();
      stopped.abort();
      await service.stop();
    },
  };
}

/** A replica holds no lock between syncs: the repository is open for writing only while its branch moves. */
async function runReplica(
  { root, store, env, locales }: Cms,
  ...[remote, acceptsDeletions]: Parameters<SyncServiceOptions["run"]>
) {
  const repo = await openGitRepo(root, { env, stateDir: store.repo.stateDir });
  try {
    const context = { repo, kinds: KINDS, locales, env, settings: settingsFiles };
    const report = await replicate(context, remote, { acceptsDeletions, merge: (merge) => repo.merge(merge) });
    if (report.outcome !== "unchanged") await store.refresh();
    return report;
  } finally {
    await repo.close();
  }
}
