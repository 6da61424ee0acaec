/** What a server that writes does beside answering requests. */
import { publishOnTime } from "../actions/due-timer.ts";
import { ensureMissingDerivatives } from "../actions/media/regenerate.ts";
import type { Cms } from "../cms.ts";
import { systemTimers } from "../env.ts";
import { startHooks } from "../hooks/hooks.ts";
import type { KeyedHook } from "../hooks/send.ts";

/** Publishes scheduled drafts, tells the hooks, makes missing renditions. @returns the way to stop all of it */
export function startBackground(cms: Cms, hooks: readonly KeyedHook[]): () => Promise<void> {
  const renditions = new AbortController();
  const stopPublishing = publishOnTime(cms, systemTimers);
  const stopHooks = startHooks(cms, hooks, { timers: systemTimers, random: Math.random });
  void ensureMissingDerivatives(cms, renditions.signal);
  return async () => {
    renditions.abort();
    await stopPublishing();
    await stopHooks();
  };
}
