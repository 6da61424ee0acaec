/**
 * Distributes the pages of a build among this process and workers.
 *
 * Each worker opens the content itself and replies with its id; a worker with other content is not used. Chunks of pages are
 * queued at each worker, and remembered here until their outcomes arrive: when a worker ends, others render its pages.
 */
import type { Dependency } from "../state/state.ts";
import type { TemplateSet } from "../template-use.ts";
import { batchesOf, type Channel, type Job, type JobEnd, type WorkerCommand, type WorkerReply } from "./protocol.ts";

export interface Worker {
  readonly channel: Channel;
  /** The order to open the site; absent for a worker that has it already. */
  readonly order?: unknown;
  stop(): void;
}

/** Pages sent to a worker at a time. */
const CHUNK_MAX = 64;
const CHUNK_MIN = 4;
/** Chunks queued at a worker, so that it never waits for the next. */
const QUEUED_MIN = 2;
/** Pages queued at a worker at most: it may render that many while this process renders a chunk. */
const QUEUED_MAX = 1_024;

export interface Work {
  readonly jobs: readonly Job[];
  /** The id of this process's content. */
  readonly contentId: string;
  readonly workers: readonly Worker[];
  /** Other work of this process, done once the workers have pages to render. */
  readonly aside?: (() => Promise<void>) | undefined;
  /** Renders a few pages in this process; one outcome each, in their order. */
  make(jobs: readonly Job[]): Promise<readonly JobEnd[]>;
  /** The numbers in this process of dependencies and template sets that a worker numbered itself. */
  numberOf(dependency: Dependency): number;
  setOf(set: TemplateSet): number;
  done(outcome: JobEnd): void;
}

/** Renders all pages, in this process and in the workers. */
export async function renderInPool({
  jobs,
  contentId,
  workers,
  aside,
  make,
  numberOf,
  setOf,
  done,
}: Work): Promise<void> {
  const pending: Job[] = [...jobs].reverse();
  let outstanding = 0;
  let wake = (): void => undefined;
  const take = (): Job[] => {
    const share = Math.ceil(pending.length / (4 * (workers.length + 1)));
    return pending.splice(-Math.min(CHUNK_MAX, Math.max(CHUNK_MIN, share))).reverse();
  };
  const serve = ({ channel, order }: Worker): void => {
    const dependencies: number[] = [];
    const sets: number[] = [];
    let queued: Job[][] = [];
    let isActive = true;
    /** Near the end less is queued, so that a slow worker does not keep the build waiting. */
    const isShort = (): boolean =>
      queued.length < QUEUED_MIN ||
      queued.flat().length < Math.min(QUEUED_MAX, pending.length / (2 * (workers.length + 1)));
    const give = (): void => {
      while (isActive && pending.length > 0 && isShort()) {
        const chunk = take();
        queued.push(chunk);
        outstanding++;
        channel.postMessage({ make: chunk } satisfies WorkerCommand);
      }
    };
    const release = (): void => {
      isActive = false;
      for (const chunk of queued) pending.push(...chunk.reverse());
      outstanding -= queued.length;
      queued = [];
      wake();
    };
    channel.on("exit", release);
    channel.on("message", (reply: WorkerReply) => {
      if (!isActive) return;
      if ("contentId" in reply) {
        if (reply.contentId === contentId) return give();
        return release();
      }
      dependencies.push(...reply.dependencies.map(numberOf));
      sets.push(...reply.sets.map(setOf));
      for (const outcome of reply.outcomes) done(renumbered(outcome, dependencies, sets));
      queued.shift();
      outstanding--;
      give();
      wake();
    });
    if (order !== undefined) channel.postMessage({ open: order } satisfies WorkerCommand);
  };
  for (const worker of workers) serve(worker);
  await aside?.();
  while (pending.length > 0 || outstanding > 0) {
    const chunk = take();
    for (const batch of batchesOf(chunk)) for (const outcome of await make(batch)) done(outcome);
    if (chunk.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    // Replies that arrived meanwhile are handled before the next chunk.
    else if (workers.length > 0) await new Promise((resolve) => setImmediate(resolve));
  }
  for (const worker of workers) worker.stop();
}

const renumbered = (outcome: JobEnd, dependencies: readonly number[], sets: readonly number[]): JobEnd =>
  outcome.page
    ? {
        ...outcome,
        page: {
          ...outcome.page,
          payloadDeps: outcome.page.payloadDeps.map((at) => dependencies[at]!),
          renderDeps: outcome.page.renderDeps.map((at) => dependencies[at]!),
          templates: outcome.page.templates < 0 ? -1 : sets[outcome.page.templates]!,
        },
      }
    : outcome;
