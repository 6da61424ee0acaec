/**
 * Loaded into a server under test (`node --import`): measures how long its event loop is held at a time.
 *
 * A hold counts as the time it took or the processor time the process used, whichever is less, so that a busy machine
 * that lets the process wait does not look like a stall. On SIGUSR2 the longest since the last one is written to
 * the file STALL_FILE, in milliseconds.
 */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread && process.argv.includes("serve")) {
  let [time, cpu, longest] = [performance.now(), used(), 0];
  setInterval(() => {
    const [now, usedNow] = [performance.now(), used()];
    longest = Math.max(longest, Math.min(now - time, usedNow - cpu));
    [time, cpu] = [now, usedNow];
  }, 1).unref();
  process.on("SIGUSR2", () => {
    writeFileSync(process.env.STALL_FILE, `${longest}\n`);
    longest = 0;
  });
}

function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
