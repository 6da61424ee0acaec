/** What a store has written since it was opened. */
export interface WriteCounts {
  /** Writes that were acknowledged, those without a difference included. */
  readonly writes: number;
  /** How many batches had how many commits. */
  readonly batches: ReadonlyMap<number, number>;
}

export interface WriteCounter {
  readonly counts: WriteCounts;
  addWrite(): void;
  addBatch(commits: number): void;
}

export function openWriteCounter(): WriteCounter {
  const batches = new Map<number, number>();
  const counts = { writes: 0, batches };
  return {
    counts,
    addWrite: () => void counts.writes++,
    addBatch: (commits) => void batches.set(commits, (batches.get(commits) ?? 0) + 1),
  };
}
