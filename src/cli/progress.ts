/** Progress: a bar on a terminal, a line every few seconds elsewhere, nothing with --quiet or --json. */
import type { SiteOptions } from "./command.ts";
import type { Io } from "./terminal.ts";

export interface Progress {
  /** @param done of the total @param label the last item */
  show(done: number, label: string): void;
  /** Removes the bar; to be called before other output. */
  clear(): void;
}

export interface ProgressOptions extends SiteOptions {
  readonly json?: boolean | undefined;
}

const BAR_WIDTH = 24;

/** Milliseconds before the first line, and between two lines. */
const FIRST_LINE = 1000;
const NEXT_LINE = 5000;

/**
 * @param what the work, as it is shown: "Making renditions"
 * @param now a clock in milliseconds
 */
export function openProgress(
  io: Io,
  options: ProgressOptions,
  what: string,
  total: number,
  now = () => performance.now(),
): Progress {
  if (options.quiet || options.json) return { show: () => undefined, clear: () => undefined };
  return io.stderr.isTTY === true ? bar(io, total) : lines(io, what, total, now);
}

/** Milliseconds between two drawings of a bar. */
const REDRAW = 80;

/** Progress of work whose total is known only when it begins. */
export function openBar(
  io: Io,
  options: ProgressOptions,
  what: string,
): { step(done: number, of: number, label?: string): void; end(): void } {
  let progress: Progress | undefined;
  let shownAt = -REDRAW;
  return {
    step(done, of, label = "pages") {
      progress ??= openProgress(io, options, what, of);
      const now = performance.now();
      if (now - shownAt < REDRAW && done < of) return;
      shownAt = now;
      progress.show(done, label);
    },
    end() {
      progress?.clear();
      progress = undefined;
    },
  };
}

function bar(io: Io, total: number): Progress {
  return {
    show(done, label) {
      const filled = total === 0 ? BAR_WIDTH : Math.round((done / total) * BAR_WIDTH);
      const drawn = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
      const shown = label.replace(/\p{Cc}/gu, "?").slice(0, 40);
      io.stderr.write(`\r\u001b[K${drawn} ${done}/${total} ${shown}`);
    },
    clear: () => void io.stderr.write("\r\u001b[K"),
  };
}

/** Work that takes less than a second prints no line. */
function lines(io: Io, what: string, total: number, now: () => number): Progress {
  let next = now() + FIRST_LINE;
  return {
    show(done) {
      if (now() < next || done >= total) return;
      next = now() + NEXT_LINE;
      io.stderr.write(`${what}: ${done} of ${total}\n`);
    },
    clear: () => undefined,
  };
}
