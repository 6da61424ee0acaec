/**
 * The worker processes of one build.
 *
 * Processes, not threads: threads share the allocator's heap and wait for each other whenever it grows.
 */
import { fork, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { Worker } from "./pool.ts";
import type { Channel, WorkerCommand } from "./protocol.ts";
import type { OutputFormats } from "../page-files.ts";
import type { Instant } from "../../model/time/instant.ts";
import { isRunning } from "../../store/git/locks/owner.ts";
import { stateDirOf } from "../../store/private/private-state.ts";
import type { Sharing } from "../../store/content/shared-reads.ts";
import { ARTICLES, PAGES } from "../../store/records/pages.ts";

export interface WorkerPool {
  /** Starts the workers before their pages are known, so that they open the site at the same time as this process. */
  begin(order: WorkerOrder): void;
  /** For reading the content together with the workers that `begin` started. */
  readonly sharing: Sharing | undefined;
  /** Workers for a number of pages: those that `begin` started with the same order, then new ones. */
  workersFor(pages: number, order: WorkerOrder): readonly Worker[];
  close(): void;
}

/** What a worker opens and renders; `now` is the same in all processes of a build. */
export interface WorkerOrder extends OutputFormats {
  readonly out: string;
  readonly now: Instant;
}

/** Fewer pages are rendered by this process before a worker has opened the content. */
const PAGES_MIN = 1_000;
/** More workers would wait for the disk. */
const WORKERS_MAX = 7;
/** Rendering makes short-lived objects: a large young generation is collected seldom, and one thread is enough for it. */
const HEAP = ["--max-semi-space-size=64", "--single-threaded-gc"];

/**
 * @param jobs the number of processes, this one included; undefined for one a processor
 * @param script the compiled worker; no process is started when it is missing, as when the program runs from source
 */
export function openWorkerPool(root: string, jobs: number | undefined, script: URL): WorkerPool {
  const started: ChildProcess[] = [];
  let together: Together | undefined;
  const others = !existsSync(script) ? 0 : Math.min(WORKERS_MAX, (jobs ?? availableParallelism()) - 1);
  const start: Start = (share = []) => {
    try {
      const child = fork(fileURLToPath(script), [root, ...share], {
        serialization: "advanced",
        execArgv: HEAP,
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      // A process that cannot be started emits no "exit".
      child.on("error", () => child.emit("exit", null, null));
      started.push(child);
      return child;
    } catch {
      return undefined; // the system has no more processes
    }
  };
  return {
    begin(order) {
      if (others > 0) together = startTogether(freshFolder(root), order, others, start);
    },
    get sharing() {
      return together?.sharing;
    },
    workersFor(pages, order) {
      const wanted = jobs === undefined && pages < PAGES_MIN ? 0 : others;
      const ready = together && isDeepStrictEqual(together.order, order) ? together.workers.splice(0, wanted) : [];
      const fresh = Array.from({ length: wanted - ready.length }, () => start());
      return [...ready, ...fresh.flatMap((child) => (child ? [{ ...workerOf(child), order }] : []))];
    },
    close() {
      for (const child of started.splice(0)) child.kill("SIGKILL");
      together?.removeShares();
    },
  };
}

/** Starts a worker; undefined when that fails. @param share number, number of processes and file of its share */
type Start = (share?: readonly string[]) => ChildProcess | undefined;

const workerOf = (child: ChildProcess): Worker => ({
  channel: channelTo(child),
  // Without waiting for its end: freeing its memory takes time.
  stop: () => void child.kill("SIGKILL"),
});

/** Workers that open the site with an order, and share the reading of its files. */
interface Together {
  readonly order: WorkerOrder;
  readonly workers: Worker[];
  readonly sharing: Sharing;
  removeShares(): void;
}

/** @param folder for the shares */
function startTogether(folder: string, order: WorkerOrder, others: number, start: Start): Together {
  const fileOf = (number: number): string => join(folder, String(number));
  const of = others + 1;
  const children = Array.from({ length: others }, (_, at) =>
    start([String(at + 1), String(of), fileOf(at + 1)]),
  ).filter((child) => child !== undefined);
  const removeShares = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  /** Workers that have neither opened the site nor ended. */
  const opening = new Set(children);
  const workers = children.map((child) => {
    const worker = workerOf(child);
    worker.channel.postMessage({ open: order } satisfies WorkerCommand);
    const opened = (message: unknown): void => {
      if (!isShare(message) && opening.delete(child) && opening.size === 0) removeShares();
    };
    child.on("message", opened);
    child.on("exit", opened);
    return worker;
  });
  const shares = children.map(shareOf);
  return {
    order,
    workers,
    removeShares,
    sharing: {
      number: 0,
      of,
      async exchange(mine, isWaiting) {
        if (opening.size === 0) return []; // every worker has ended
        // A process that gets no shared file reads the tree itself.
        const isWritten = await writeFile(fileOf(0), mine).then(
          () => true,
          () => false,
        );
        const given = isWaiting ? (await Promise.all(shares)).filter((share) => share !== undefined) : [];
        const message: Given = { given: [...(isWritten ? [fileOf(0)] : []), ...given] };
        for (const child of children) child.send(message, () => undefined); // it may have ended
        // When the last worker ends meanwhile, the folder is removed: then the tree is read.
        const read = await Promise.all(given.map((file) => readFile(file).catch(() => undefined)));
        return read.filter((share) => share !== undefined);
      },
    },
  };
}

/** The number of files from which workers start at once. */
const LARGE = 1_000;

/** Whether the site has so many pages that workers should start at once. */
export function isLarge(root: string): boolean {
  let left = LARGE;
  const count = (dir: string): void => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (left <= 0) return;
      if (entry.isDirectory()) count(join(dir, entry.name));
      else left--;
    }
  };
  for (const { dir } of [PAGES, ARTICLES]) if (existsSync(join(root, dir))) count(join(root, dir));
  return left <= 0;
}

/** Creates a folder for this process in the private state, and removes those of killed builds. */
function freshFolder(root: string): string {
  const shares = join(stateDirOf(root), "shares");
  for (const pid of existsSync(shares) ? readdirSync(shares) : []) {
    if (!isRunning(Number(pid))) rmSync(join(shares, pid), { recursive: true, force: true });
  }
  const own = join(shares, String(process.pid));
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return own;
}

/** The file with the records that one worker has parsed. */
export interface Share {
  readonly share: string;
}

/** The files of all processes. */
export interface Given {
  readonly given: readonly string[];
}

/** undefined when the process ends first. */
const shareOf = (child: ChildProcess): Promise<string | undefined> =>
  new Promise((resolve) => {
    child.on("message", (message: unknown) => isShare(message) && resolve(message.share));
    child.once("exit", () => resolve(undefined));
  });

/** Messages that arrive before there is a listener are kept for the first one, unless the process has ended by then. */
export function channelTo(
  child: Pick<ChildProcess, "send" | "on" | "off" | "connected" | "exitCode" | "signalCode">,
): Channel {
  let early: unknown[] = [];
  const keep = (message: unknown): void => void early.push(message);
  child.on("message", keep);
  return {
    postMessage: (message) => void child.send(message as object, () => undefined), // "exit" reports a process that has ended
    on(event, listener) {
      // Shared files are not part of the protocol: `exchange` waits for them.
      const hear = (message: unknown): void => void (isShare(message) || listener(message));
      child.on(event, hear);
      if (event !== "message") return;
      child.off("message", keep);
      const kept = child.connected && child.exitCode === null && child.signalCode === null ? early : [];
      early = [];
      for (const message of kept) hear(message);
    },
  };
}

const isShare = (message: unknown): message is Share =>
  typeof message === "object" && message !== null && "share" in message;
