/** Timers that fire when a test says so. */
import type { Timers } from "../../src/env.ts";

export interface ManualTimers extends Timers {
  /** Milliseconds of the waiting timers, in the order they were started. */
  waits(): readonly number[];
  /** Fires the waiting timer that was started last; resolves when another one was started. @throws without one */
  fire(): Promise<void>;
  /** Fires all waiting timers; resolves when the first other one was started. */
  fireAll(): Promise<void>;
}

interface Timer {
  readonly work: () => void;
  readonly ms: number;
}

export function manualTimers(): ManualTimers {
  const waiting = new Set<Timer>();
  let started = (): void => undefined;
  const fireThese = (timers: readonly Timer[]): Promise<void> => {
    for (const each of timers) waiting.delete(each);
    return new Promise((resolve) => {
      started = () => resolve();
      for (const { work } of timers) work();
    });
  };
  return {
    start(work, ms) {
      const timer = { work, ms };
      waiting.add(timer);
      started();
      return () => void waiting.delete(timer);
    },
    waits: () => [...waiting].map(({ ms }) => ms),
    fire() {
      const last = [...waiting].at(-1);
      if (!last) throw new Error("No timer is waiting.");
      return fireThese([last]);
    },
    fireAll: () => fireThese([...waiting]),
  };
}
