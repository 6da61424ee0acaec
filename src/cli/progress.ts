/**
 * Progress of work that may take more than a second: a bar or the present step on a terminal, a line every few seconds
 * elsewhere, nothing with --quiet or --json.
 */
import { systemTimers, type Timers } from "../env.ts";
import type { SiteOptions } from "./command.ts";
import { say, type Io } from "./terminal.ts";

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
  return io.stderr.isTTY === true ? bar(io, total) : lineProgress((line) => say(io, {}, line), what, total, now);
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

/**
 * A line every few seconds; none for work that takes less than a second.
 *
 * @param write takes one line, without its end
 */
export function lineProgress(
  write: (line: string) => void,
  what: string,
  total: number,
  now = () => performance.now(),
): Progress {
  let next = now() + FIRST_LINE;
  return {
    show(done) {
      if (now() < next || done >= total) return;
      next = now() + NEXT_LINE;
      write(`${what}: ${done} of ${total}`);
    },
    clear: () => undefined,
  };
}

export interface Steps {
  /** Begins a step, such as "Reading the content", and ends the one before. */
  begin(step: string): void;
  /** To be called before other output; also where no step is shown. */
  end(): void;
}

/** Steps of work whose length is not known: on a terminal the present one, elsewhere a line for each of over a second. */
export function openSteps(io: Io, options: ProgressOptions, timers: Timers = systemTimers): Steps {
  if (options.quiet || options.json) return { begin: () => undefined, end: () => undefined };
  if (io.stderr.isTTY === true) {
    let isShown = false;
    return {
      begin(step) {
        // The cursor goes back, so that a line of the log takes the place of the step.
        io.stderr.write(`\u001b[K${step} ...\r`);
        isShown = true;
      },
      end() {
        if (isShown) io.stderr.write("\u001b[K");
        isShown = false;
      },
    };
  }
  let cancel = (): void => undefined;
  return {
    begin(step) {
      cancel();
      cancel = timers.start(() => say(io, options, `${step} ...`), FIRST_LINE);
    },
    end: () => cancel(),
  };
}
