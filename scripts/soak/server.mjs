/** `cms serve` under supervision: started, killed, paused and watched; every end that was not ordered is counted. */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { COMMAND, ENVIRONMENT } from "./process.mjs";
import { pause } from "./random.mjs";

const START_MS = 60_000;
/** Without caches the whole history is read: half a millisecond of processor time a commit, of which an hour makes 25,000. */
const COLD_START_MS = 240_000;
const STOP_MS = 30_000;
const START_TRIES = 8;
const MEASURE_MS = 10_000;
/** Bounds the garbage that V8 leaves uncollected. The live data of this site take a quarter of it. */
const HEAP_MB = 256;
const MEMORY_MONITOR = new URL("memory.mjs", import.meta.url).href;
const TAKEN = /serves this site already/;

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  return port;
}

/** @param report counts: `deaths` and `stuck` are raised here */
export async function superviseServer(root, report) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child;
  let isOrdered = true;
  let log = "";
  let startedAt = 0;
  /** Of the process that is running. */
  let life = 0;
  const memoryFile = join(root, "../memory.json");

  async function isUp() {
    try {
      return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
    } catch {
      return false;
    }
  }

  /**
   * Starts it, and again while the process before, killed under its tracer, has not quite ended.
   *
   * @param {{ wrapper?: string[], withinMs?: number }} how `wrapper`: a program with its arguments that runs the server
   *   as its child, such as strace
   */
  async function start({ wrapper = [], withinMs = START_MS } = {}) {
    for (let tries = 1; tries < START_TRIES; tries++) {
      const outcome = await startOnce(wrapper, withinMs, true);
      if (outcome !== "taken") return outcome === "up";
      await pause(300);
    }
    return (await startOnce(wrapper, withinMs, false)) === "up";
  }

  async function startOnce(wrapper, withinMs, mayBeTaken) {
    const args = [...wrapper, process.execPath, COMMAND, "serve", "--root", root, "--port", String(port)];
    isOrdered = false;
    log = "";
    const started = spawn(args[0], args.slice(1), {
      env: {
        ...ENVIRONMENT,
        NODE_OPTIONS: `--max-old-space-size=${HEAP_MB} --import ${MEMORY_MONITOR}`,
        SOAK_MEMORY: memoryFile,
      },
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    });
    child = started;
    started.stderr.on("data", (chunk) => (log = (log + chunk).slice(-100_000)));
    started.on("close", (code, signal) => {
      if (isOrdered || child !== started || (mayBeTaken && TAKEN.test(log))) return;
      report.deaths.push(`ended with ${code ?? signal}: ${log.slice(-2_000)}`);
    });
    const deadline = Date.now() + withinMs;
    while (!(await isUp())) {
      if (started.exitCode !== null || started.signalCode !== null) return TAKEN.test(log) ? "taken" : "ended";
      if (Date.now() > deadline) {
        report.stuck.push(`The server did not answer within ${withinMs / 1000} s of its start: ${log.slice(-2_000)}`);
        return "stuck";
      }
      await pause(50);
    }
    startedAt = Date.now();
    life++;
    return "up";
  }

  const signal = (name) => {
    try {
      process.kill(-child.pid, name);
    } catch {
      // It has ended in the meantime, which its close event reports.
    }
  };

  async function end(name) {
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    isOrdered = true;
    const closed = once(child, "close");
    signal(name);
    const patience = setTimeout(() => {
      report.stuck.push(`The server did not end within ${STOP_MS / 1000} s of ${name}: ${log.slice(-2_000)}`);
      signal("SIGKILL");
    }, STOP_MS);
    const [code] = await closed;
    clearTimeout(patience);
    return code;
  }

  return {
    url,
    start,
    /** Where no caches are. */
    startCold: () => start({ withinMs: COLD_START_MS }),
    signal,
    kill: () => end("SIGKILL"),
    /** Stops it as a supervisor would. An exit code other than 0 counts as a death. */
    async stop() {
      const code = await end("SIGTERM");
      if (code !== 0) report.deaths.push(`ended with ${code} on SIGTERM: ${log.slice(-2_000)}`);
    },
    /** Starts it again when it has ended by itself, which was counted when it did. */
    async ensureUp() {
      if (child && child.exitCode === null && child.signalCode === null && (await isUp())) return;
      await end("SIGKILL");
      await start();
    },
    log: () => log,
    /** The processes of the server and those of git at its site, git's locks with their ages, and the end of the log. */
    describe() {
      const print = (program, ...args) => spawnSync(program, args, { encoding: "utf8" }).stdout?.trim() ?? "";
      const processes = print("ps", "-eo", "pid,ppid,stat,etimes,times,wchan:24,args")
        .split("\n")
        .filter((line) => line.split(/\s+/, 3).includes(String(child.pid)) || /\bgit /.test(line));
      const locks = print("find", join(root, ".git"), "-name", "*.lock", "-printf", "%P %T+\n");
      const resources = readFileOf(memoryFile.replace(/memory\.json$/, "resources.json"), child.pid);
      return [new Date().toISOString(), ...processes, locks, resources, log.slice(-1_500)].join("\n    ");
    },
    /**
     * What is left after a collection of all garbage, in megabytes, and the open descriptors.
     *
     * @returns undefined when the server is not running, or this system has no /proc
     */
    async measure() {
      rmSync(memoryFile, { force: true });
      const { pid } = child;
      const seconds = (Date.now() - startedAt) / 1000;
      try {
        process.kill(pid, "SIGUSR2");
        const memory = await readWhenWritten(memoryFile);
        return memory && { ...memory, life, seconds, descriptors: readdirSync(`/proc/${pid}/fd`).length };
      } catch {
        return undefined;
      }
    },
  };
}

/** What a process waits for, which it writes when it is sent SIGPROF; what it wrote the last time, if it cannot now. */
function readFileOf(file, pid) {
  try {
    if (!readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("node")) return ""; // SIGPROF ends strace
    process.kill(pid, "SIGPROF");
    spawnSync("sleep", ["1"]);
    return readFileSync(file, "utf8");
  } catch (error) {
    return String(error);
  }
}

async function readWhenWritten(file) {
  for (const deadline = Date.now() + MEASURE_MS; Date.now() < deadline; await pause(20)) {
    try {
      return JSON.parse(readFileSync(file, "utf8"));
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
  return undefined;
}
