/** Every write that was tried, and those that were acknowledged. */
import { valueOf } from "./written-values.mjs";

export function openLedger() {
  const writes = new Map();
  const acknowledged = new Set();
  let count = 0;
  let lastMoment = 0;

  return {
    /** By value: see `fatesIn`. */
    writes,
    acknowledged,
    /** A text that no other write has. */
    nextValue: () => valueOf(++count),
    /** Before the write: a server that is killed may have committed it without an answer. */
    noteTried: (page, language, field, value) =>
      void writes.set(value, { page, field: `${page} ${language} ${field}` }),
    noteScheduled: (moment) => void (lastMoment = Math.max(lastMoment, moment)),
    /** After it no scheduled draft becomes due any more, in milliseconds since 1970. */
    lastMoment: () => lastMoment,
    noteAcknowledged: (value) => void acknowledged.add(value),
  };
}
