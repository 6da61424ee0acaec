/**
 * Syncs of a server: on a timer, on request, and soon after a write.
 *
 * One at a time. Reads never wait for a sync; writes wait only while a merge is made.
 */
import { CmsError, messageOf, unavailable } from "../../errors.ts";
import type { Env, Timers } from "../../env.ts";
import { openQueue } from "../../queue.ts";
import { msOf, type Instant } from "../../model/time/instant.ts";
import type { Oid } from "../repo.ts";
import type { Remote } from "./remote.ts";
import { nextSyncIn } from "./sync-timing.ts";
import type { SyncReport } from "./synchronise.ts";

export interface SyncStatus {
  /** `remote/branch`; null until the first sync has begun. */
  readonly remote: string | null;
  readonly is_running: boolean;
  /** Commits that the remote lacks, and that this branch lacks, as of the last fetch; null if that is not known. */
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly last_success: Instant | null;
  readonly last_error: SyncFailure | null;
  /** Since when every sync has failed, and for how many seconds. */
  readonly failing_since: Instant | null;
  readonly failing_seconds: number;
}

export interface SyncFailure {
  readonly at: Instant;
  /** What happened, and what to do. */
  readonly message: string;
  /** Whether a person has to decide before a sync can go on. */
  readonly is_held: boolean;
}

export interface SyncService {
  status(): Promise<SyncStatus>;
  /** Syncs now, after one that is running; calls made before that sync begins share it. @throws as `synchronise` */
  sync(acceptsDeletions: boolean): Promise<SyncReport>;
  /** Syncs soon. Requests made before that sync begins are one. */
  request(): void;
  /** To be called when the branch has a new commit: it is pushed soon. */
  noteCommit(commit: Oid | null): void;
  /** Ends a sync that is running, and begins no other. */
  stop(): Promise<void>;
}

export interface StartedSync extends SyncService {
  /**
   * After `stop` and the last write: pushes what was committed since the last sync, unless that failed. What cannot be pushed,
   * such as where another push came first, is left for the next start.
   */
  pushRest(): Promise<void>;
}

export interface SyncServiceOptions {
  readonly env: Env;
  readonly timers: Timers;
  /** From 0 up to 1. */
  random(): number;
  /** Milliseconds between two syncs. */
  readonly every: number;
  openRemote(): Promise<Remote>;
  run(remote: Remote, acceptsDeletions: boolean): Promise<SyncReport>;
  /** The branch's commit. */
  head(): Promise<Oid | null>;
  /** Pushes a commit as it is, in a few seconds or not at all; absent for a service that pushes nothing. */
  pushOnce?(commit: Oid): Promise<void>;
}

/** Writes within this time are pushed together. */
const COLLECT_MS = 1_000;

export function startSync(options: SyncServiceOptions): StartedSync {
  const { env, timers, every } = options;
  let remote: Remote | undefined;
  let isRunning = false;
  let isStopped = false;
  /** Whether syncs worked when the service was stopped: the stop itself makes one fail. */
  let hasWorked = false;
  let failures = 0;
  let lastSuccess: Instant | null = null;
  let lastError: SyncFailure | null = null;
  let failingSince: Instant | null = null;
  /** The branch's commit after the last sync. */
  let synced: Oid | null | undefined;
  const runInTurn = openQueue();
  let cancel = (): void => undefined;
  let nextAt = Infinity;
  /** Syncs that have not begun, by whether they accept deletions: all who ask meanwhile share one. */
  const waiting = new Map<boolean, Promise<SyncReport>>();

  /** Keeps a sync that is to come earlier. */
  function schedule(ms: number): void {
    const at = msOf(env.now()) + ms;
    if (isStopped || at >= nextAt) return;
    cancel();
    nextAt = at;
    cancel = timers.start(() => {
      nextAt = Infinity;
      enqueue(false).catch(() => undefined); // it is in the status, and logged
    }, ms);
  }

  async function attempt(acceptsDeletions: boolean): Promise<SyncReport> {
    isRunning = true;
    try {
      remote ??= await options.openRemote();
      const report = await options.run(remote, acceptsDeletions);
      if (failures > 0) env.log.info(`Sync with ${report.remote} works again.`);
      [failures, failingSince, lastError, synced] = [0, null, null, report.commit];
      lastSuccess = env.now();
      logReport(env, report);
      return report;
    } catch (error) {
      failures++;
      const message = messageOf(error);
      failingSince ??= env.now();
      // The same failure every half minute would fill the log.
      if (message !== lastError?.message && !isStopped) env.log.warn(`Sync: ${message}`);
      lastError = { at: env.now(), message, is_held: error instanceof CmsError && error.code === "conflict" };
      throw error;
    } finally {
      isRunning = false;
      schedule(nextSyncIn({ every, failures, random: options.random() }));
    }
  }

  function enqueue(acceptsDeletions: boolean): Promise<SyncReport> {
    const shared = waiting.get(acceptsDeletions);
    if (shared) return shared;
    const done = runInTurn(() => {
      // Before the fetch begins: what is pushed during one may be missing in it.
      waiting.delete(acceptsDeletions);
      if (isStopped) throw unavailable("The service is stopping.", "restart");
      return attempt(acceptsDeletions);
    });
    waiting.set(acceptsDeletions, done);
    return done;
  }

  schedule(0);
  return {
    async status() {
      const distance = remote && (await distanceOf(remote, await options.head()));
      const sinceMs = failingSince === null ? 0 : msOf(env.now()) - msOf(failingSince);
      return {
        remote: remote ? `${remote.name}/${remote.branch}` : null,
        is_running: isRunning,
        ahead: distance?.ahead ?? null,
        behind: distance?.behind ?? null,
        last_success: lastSuccess,
        last_error: lastError,
        failing_since: failingSince,
        failing_seconds: Math.round(sinceMs / 1000),
      };
    },
    sync: (acceptsDeletions) => enqueue(acceptsDeletions),
    request() {
      enqueue(false).catch(() => undefined); // it is in the status, and logged
    },
    noteCommit(commit) {
      if (commit !== synced && failures === 0) schedule(COLLECT_MS);
    },
    async stop() {
      if (!isStopped) hasWorked = lastSuccess !== null && failures === 0;
      isStopped = true;
      cancel();
      await runInTurn(() => undefined);
    },
    async pushRest() {
      const head = hasWorked && options.pushOnce ? await options.head() : null;
      if (head === null || head === synced) return;
      try {
        await options.pushOnce?.(head);
        synced = head;
        env.log.info("Sync: the last commits were pushed.");
      } catch (error) {
        env.log.warn(`Sync: the last commits will be pushed at the next start: ${messageOf(error)}`);
      }
    },
  };
}

async function distanceOf(remote: Remote, head: Oid | null) {
  const there = await remote.fetchedCommit();
  if (head === null || there === null) return undefined;
  return head === there ? { ahead: 0, behind: 0 } : remote.distance(head, there).catch(() => undefined);
}

function logReport({ log }: Env, { remote, pulled, pushed, conflicts, isRewritten }: SyncReport): void {
  if (isRewritten) log.warn(`Sync: ${remote} was rewritten (a forced push).`);
  if (pulled > 0 || pushed > 0) log.info(`Sync with ${remote}: commits taken over: ${pulled}, pushed: ${pushed}.`);
  if (conflicts.length > 0) log.warn(`Sync: both sides changed ${conflicts.map(({ path }) => path).join(", ")}.`);
}
