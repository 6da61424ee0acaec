/** A line that shows how far a piece of work has come, where somebody is looking. */
import type { Io, SiteOptions } from "./command.ts";

export interface Progress {
  /** @param done of the total @param label what was worked on last */
  show(done: number, label: string): void;
  /** Takes the line away, before anything else is written. */
  clear(): void;
}

const BAR_WIDTH = 24;

/** Draws only on a terminal; elsewhere, and when asked for quiet, it does nothing. */
export function openProgress(io: Io, options: SiteOptions, total: number): Progress {
  const isShown = io.stderr.isTTY === true && !options.quiet;
  return {
    show(done, label) {
      if (!isShown) return;
      const filled = total === 0 ? BAR_WIDTH : Math.round((done / total) * BAR_WIDTH);
      const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
      io.stderr.write(`\r\u001b[K${bar} ${done}/${total} ${label.replace(/\p{Cc}/gu, "?").slice(0, 40)}`);
    },
    clear() {
      if (isShown) io.stderr.write("\r\u001b[K");
    },
  };
}
