/** Publishes scheduled drafts and releases at their moment while a server runs, without a request. */
import type { Timers } from "../../env.ts";
import { messageOf } from "../../errors.ts";
import { msOf, type Instant } from "../../model/time/instant.ts";
import { scheduleAt } from "../../store/content/indexes/page-index.ts";
import { dueReleaseCount, releaseMomentAfter } from "../../store/content/indexes/releases.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { SERVICE, type Context } from "../context.ts";
import { sweepDue } from "./sweep.ts";

/**
 * The longest wait, in milliseconds. Timers do not follow a clock that is set or a machine that was suspended, so a
 * draft is late by this at most.
 */
const LONGEST_WAIT = 60_000;

/** In milliseconds, after a sweep that could not write. */
const RETRY = 5_000;

/**
 * Starts publishing: at once what is due already, then each draft and release at its moment.
 *
 * What fails stays scheduled. It is tried again with other content, at most once a minute.
 *
 * @returns the way to stop, which waits for a sweep that runs
 */
export function publishOnTime(ctx: Context, timers: Timers): () => Promise<void> {
  /** The content after the last sweep, and how many due drafts and releases failed in it. */
  let swept: { readonly content: Snapshot; readonly failed: number } | undefined;
  let sweeping: Promise<void> | undefined;
  let cancel = (): void => undefined;
  let refusal = "";
  let isStopped = false;

  const startTimer = (atLeast = 0): void => {
    cancel();
    if (isStopped || sweeping) return;
    const now = ctx.env.now();
    const { due, next } = momentsAt(ctx.store.current, now);
    const untilNext = next === undefined ? LONGEST_WAIT : Math.min(LONGEST_WAIT, msOf(next) - msOf(now));
    const wait = Math.max(due > (swept?.failed ?? 0) ? 0 : untilNext, atLeast);
    cancel = timers.start(() => void wake(), wait);
  };
  const wake = async (): Promise<void> => {
    const { due } = momentsAt(ctx.store.current, ctx.env.now());
    if (due === 0 || (due === swept?.failed && ctx.store.current === swept.content)) return startTimer();
    let hasFailed = false;
    sweeping = sweep().catch((error: unknown) => {
      hasFailed = true;
      const message = messageOf(error);
      if (message !== refusal) ctx.env.log.error(`Scheduled drafts and releases cannot be published: ${message}`);
      refusal = message;
    });
    await sweeping;
    sweeping = undefined;
    startTimer(hasFailed ? RETRY : 0);
  };
  const sweep = async (): Promise<void> => {
    await sweepDue(ctx, SERVICE, "Scheduled publish");
    refusal = "";
    const content = ctx.store.current;
    swept = { content, failed: momentsAt(content, ctx.env.now()).due };
  };

  const stopListening = ctx.store.onChange(() => startTimer());
  startTimer();
  return async () => {
    isStopped = true;
    cancel();
    stopListening();
    await sweeping;
  };
}

/** How many drafts and releases are due, and the next moment of any. */
function momentsAt(content: Snapshot, now: Instant): { readonly due: number; readonly next: Instant | undefined } {
  const drafts = scheduleAt(content, now);
  const next = [drafts.next, releaseMomentAfter(content, now)].filter((at) => at !== undefined).sort()[0];
  return { due: drafts.due + dueReleaseCount(content, now).due, next };
}
