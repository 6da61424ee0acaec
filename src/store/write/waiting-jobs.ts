/**
 * Transactions that wait to be written together.
 *
 * Editors who were answered together send their next writes together. Those that come within some milliseconds share the
 * syncs of one batch, instead of waiting for a batch of the first few.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";

export interface WaitingJobs<T> {
  add(job: T): void;
  /** Removes and returns those that wait; waits for more if the batch before had more and was answered just now. */
  take(): Promise<readonly T[]>;
  /** Says that a batch of this many was answered. */
  noteAnswered(jobs: number): void;
}

/** A small part of the time in which the disk confirms a batch. */
const GATHER_MS = 5;

export function openWaitingJobs<T>(): WaitingJobs<T> {
  let waiting: T[] = [];
  let last = { at: Number.NEGATIVE_INFINITY, jobs: 0 };
  return {
    add: (job) => void waiting.push(job),
    async take() {
      while (waiting.length > 0 && waiting.length < last.jobs && performance.now() < last.at + GATHER_MS)
        await pause(1);
      const taken = waiting;
      waiting = [];
      return taken;
    },
    noteAnswered(jobs) {
      last = { at: performance.now(), jobs };
    },
  };
}
