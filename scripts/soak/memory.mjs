/**
 * Loaded into the soaked server (`node --import`): on SIGUSR2 it collects all garbage and writes what is left, in
 * megabytes, to the file SOAK_MEMORY; on SIGPROF it writes what it waits for to `resources.json` beside it.
 *
 * Resident memory alone says little: V8 collects when it must, so the same live data fill 90 or 200 MB of heap.
 */
import { renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

const MB = 1024 * 1024;

if (isMainThread && process.argv.includes("serve")) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  process.on("SIGUSR2", () => {
    // What a first collection finalizes, a second one frees.
    collect();
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    write(process.env.SOAK_MEMORY, JSON.stringify({ heap: (heapUsed + external) / MB, rss: rss / MB }));
  });
  process.on("SIGPROF", () => {
    const resources = join(dirname(process.env.SOAK_MEMORY), "resources.json");
    write(resources, `${new Date().toISOString()} ${process.getActiveResourcesInfo().join(" ")}`);
  });
}

/** While the disk is full there is no measurement: an exception here would end the server that is measured. */
function write(file, text) {
  try {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  } catch (error) {
    if (error.code !== "ENOSPC") throw error;
  }
}
