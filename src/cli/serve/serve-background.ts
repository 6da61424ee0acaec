/** What a server that writes does beside answering requests. */
import { publishOnTime } from "../../actions/pages/due-timer.ts";
import { ensureMissingDerivatives, makeForAdded } from "../../actions/media/regenerate.ts";
import type { Cms } from "../../cms.ts";
import { systemTimers } from "../../env.ts";
import { lineProgress, type Progress } from "../progress.ts";
import type { StartHook } from "../../hooks/hook.ts";
import { removeKilledUploads, uploadFolder } from "../../store/private/uploads.ts";

/**
 * Publishes scheduled drafts, tells the hooks, makes missing renditions also of pictures added by hand, removes what killed uploads have left.
 *
 * @returns the way to stop all of it
 */
export function startBackground(
  cms: Cms,
  startHooks: StartHook,
  { quiet }: { readonly quiet: boolean },
): () => Promise<void> {
  const renditions = new AbortController();
  const stopPublishing = publishOnTime(cms, systemTimers);
  const stopHooks = startHooks({ timers: systemTimers, random: Math.random });
  void makeRenditions(cms, renditions.signal, quiet);
  void removeKilledUploads(uploadFolder(cms.store.repo.stateDir)).catch(() => undefined); // the next upload tries again
  return async () => {
    renditions.abort();
    await stopPublishing();
    await stopHooks();
  };
}

/** Logs lines, in a terminal too, since a bar would be broken by the lines of requests. */
async function makeRenditions(cms: Cms, signal: AbortSignal, quiet: boolean): Promise<void> {
  let progress: Progress | undefined;
  let lines = 0;
  const write = (line: string): void => {
    lines++;
    cms.env.log.info(line);
  };
  await ensureMissingDerivatives(cms, signal, (done, of) => {
    if (quiet) return;
    progress ??= lineProgress(write, "Making renditions", of);
    progress.show(done, "");
    if (done === of && lines > 0) cms.env.log.info(`Made ${of} renditions.`);
  });
  await makeForAdded(cms, signal, ({ file, outcome, reason }) => {
    if (outcome === "failed") cms.env.log.warn(`media/${file} gets no renditions: ${reason}`);
    else if (outcome === "made" && !quiet) cms.env.log.info(`Made the renditions of media/${file}.`);
  });
}
