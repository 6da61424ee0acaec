/** What a store has written since it was opened. */
export interface WriteCounts {
  /** Writes that were acknowledged, those without a difference included. */
  readonly writes: number;
  /** Writes that wait or are being made. */
  readonly waiting: number;
  /** How many batches had how many commits. */
  readonly batches: ReadonlyMap<number, number>;
  /** How long the repository took to make the commits of a batch durable. */
  readonly commitTimes: Times;
}

/** Durations, counted by upper bound. */
export interface Times {
  /** One more than `TIME_BOUNDS`: the last is of longer ones. */
  readonly counts: readonly number[];
  /** In seconds. */
  readonly sum: number;
}

/** In seconds. */
export const TIME_BOUNDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface WriteCounter {
  readonly counts: WriteCounts;
  /** Counts a write as waiting until its promise is settled. */
  addWaiting(write: Promise<unknown>): void;
  addWrite(): void;
  /** @param ms how long the repository took */
  addBatch(commits: number, ms: number): void;
}

export function openWriteCounter(): WriteCounter {
  const batches = new Map<number, number>();
  const times = { counts: Array.from({ length: TIME_BOUNDS.length + 1 }, () => 0), sum: 0 };
  const counts = { writes: 0, waiting: 0, batches, commitTimes: times };
  const done = (): void => void counts.waiting--;
  return {
    counts,
    addWaiting(write) {
      counts.waiting++;
      write.then(done, done);
    },
    addWrite: () => void counts.writes++,
    addBatch(commits, ms) {
      batches.set(commits, (batches.get(commits) ?? 0) + 1);
      const seconds = ms / 1000;
      const at = TIME_BOUNDS.findIndex((bound) => seconds <= bound);
      times.counts[at === -1 ? TIME_BOUNDS.length : at]!++;
      times.sum += seconds;
    },
  };
}
