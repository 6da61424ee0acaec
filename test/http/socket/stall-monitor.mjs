/**
 * Loaded into a server under test (`node --import`): measures how long its event loop is held at a time.
 *
 * A hold counts as the time it took or the processor time it used, whichever is less, so that a busy machine that lets
 * the process wait does not look like a stall. On Linux that is the time of the main thread alone: other threads work
 * meanwhile. On SIGUSR2 the longest since the last one, and the processor time used since then, are written
 * to the file STALL_FILE, in milliseconds.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** Its first number is the processor time of the main thread, in nanoseconds. */
const MAIN_THREAD = `/proc/self/task/${process.pid}/schedstat`;
const hasMainThread = existsSync(MAIN_THREAD);

if (isMainThread && process.argv.includes("serve")) {
  let [time, cpu, longest, told] = [performance.now(), used(), 0, used()];
  setInterval(() => {
    const [now, usedNow] = [performance.now(), used()];
    longest = Math.max(longest, Math.min(now - time, usedNow - cpu));
    [time, cpu] = [now, usedNow];
  }, 1).unref();
  process.on("SIGUSR2", () => {
    writeFileSync(process.env.STALL_FILE, `${longest} ${used() - told}\n`);
    [longest, told] = [0, used()];
  });
}

/** In milliseconds. */
function used() {
  if (hasMainThread) return Number.parseInt(readFileSync(MAIN_THREAD, "latin1"), 10) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
