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
import type { BuildOptions } from "../input.ts";
import type { Instant } from "../../model/instant.ts";
import { isRunning } from "../../store/git/locks/owner.ts";
import { stateDirOf } from "../../store/private/private-state.ts";
import type { Sharing } from "../../store/cache/shared-reads.ts";

export interface WorkerPool {
  /** Starts the workers before it is known which pages they will render, so that they open the site at the same time as this process. */
  begin(order: WorkerOrder): void;
  /** Reading the content together with the workers that `begin` started. */
  readonly sharing: Sharing | undefined;
  /** The workers for a number of pages: those that `begin` started with the same order, then new ones. */
  workersFor(pages: number, order: WorkerOrder): readonly Worker[];
  close(): void;
}

/** What a worker opens and renders. All processes of a build use the same moment. */
export interface WorkerOrder {
  readonly out: string;
  readonly wanted: Pick<BuildOptions, "html" | "json" | "nginx">;
  readonly now: Instant;
}

/** This process renders fewer pages before a worker has opened the content. */
const PAGES_MIN = 1_000;
/** More workers would wait for the disk. */
const WORKERS_MAX = 7;
/** Rendering makes short-lived objects: with a large young generation few of them are copied, and one thread is enough for that. */
const HEAP = ["--max-semi-space-size=64", "--single-threaded-gc"];

/**
 * @param jobs processes in all; undefined for as many as there are processors
 * @param script the compiled worker. Node 20 runs no TypeScript, so from source there is none and no process is started.
 */
export function openWorkerPool(root: string, jobs: number | undefined, script: URL): WorkerPool {
  const started: ChildProcess[] = [];
  let begun:
    | { readonly order: WorkerOrder; readonly ready: Omit<Worker, "order">[]; readonly sharing: Sharing }
    | undefined;
  const folders: string[] = [];
  const others = !existsSync(script) ? 0 : Math.min(WORKERS_MAX, (jobs ?? availableParallelism()) - 1);
  const start = (share: readonly string[] = []): ChildProcess | undefined => {
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
  const workerOf = (child: ChildProcess): Omit<Worker, "order"> => ({
    channel: channelTo(child),
    // Not waited for: it takes a while to give its memory back.
    stop: () => void child.kill("SIGKILL"),
  });
  /** Once every worker has opened the site or ended, the shared files are no longer needed. */
  const tidy = (): void => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  return {
    begin(order) {
      if (others === 0) return;
      const ready: Omit<Worker, "order">[] = [];
      const of = others + 1;
      const folder = freshFolder(root);
      folders.push(folder);
      let opening = 0;
      const shares = Array.from({ length: others }, (_, at) => {
        const child = start([String(at + 1), String(of), join(folder, String(at + 1))]);
        if (!child) return undefined;
        const worker = workerOf(child);
        ready.push(worker);
        worker.channel.postMessage({ open: order } satisfies WorkerCommand);
        opening++;
        let isOpen = false;
        const opened = (message: unknown): void => {
          if (isOpen || isShare(message)) return;
          isOpen = true;
          if (--opening === 0) tidy();
        };
        child.on("message", opened);
        child.on("exit", opened);
        return shareOf(child);
      });
      const sharing: Sharing = {
        number: 0,
        of,
        async exchange(mine, isWaiting) {
          if (opening === 0) return []; // every worker has ended
          const own = join(folder, "0");
          // A process that gets no shared file reads the tree itself.
          const isWritten = await writeFile(own, mine).then(
            () => true,
            () => false,
          );
          const given = isWaiting ? (await Promise.all(shares)).filter((share) => share !== undefined) : [];
          for (const child of started)
            child.send({ given: [...(isWritten ? [own] : []), ...given] } satisfies Given, () => undefined); // it may have ended
          // When the last worker ends meanwhile, the folder is removed: then the tree is read.
          return (await Promise.all(given.map((file) => readFile(file).catch(() => undefined)))).filter(
            (share) => share !== undefined,
          );
        },
      };
      begun = { order, ready, sharing };
    },
    get sharing() {
      return begun?.sharing;
    },
    workersFor(pages, order) {
      const wanted = jobs === undefined && pages < PAGES_MIN ? 0 : others;
      const ready = begun && isDeepStrictEqual(begun.order, order) ? begun.ready.splice(0, wanted) : [];
      const fresh = Array.from({ length: wanted - ready.length }, () => start());
      return [
        ...ready.map((worker) => ({ ...worker, order: undefined })),
        ...fresh.flatMap((child) => (child ? [{ ...workerOf(child), order }] : [])),
      ];
    },
    close() {
      for (const child of started.splice(0)) child.kill("SIGKILL");
      tidy();
    },
  };
}

/** A number of files. */
const LARGE = 1_000;

/** Whether the site has so many pages that workers should start at once. */
export function isLarge(root: string): boolean {
  let left = LARGE;
  const look = (dir: string): void => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (left <= 0) return;
      if (entry.isDirectory()) look(join(dir, entry.name));
      else left--;
    }
  };
  for (const folder of ["content/pages", "content/articles"])
    if (existsSync(join(root, folder))) look(join(root, folder));
  return left <= 0;
}

/** A folder of this process in the private state. Removes those that killed builds have left. */
function freshFolder(root: string): string {
  const shares = join(stateDirOf(root), "shares");
  for (const pid of existsSync(shares) ? readdirSync(shares) : []) {
    if (!isRunning(Number(pid))) rmSync(join(shares, pid), { recursive: true, force: true });
  }
  const own = join(shares, String(process.pid));
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return own;
}

/** The file with the records that a worker has read for all processes. */
export interface Share {
  readonly share: string;
}

/** Those files of all processes. */
export interface Given {
  readonly given: readonly string[];
}

/** undefined when the process ends before. */
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
    postMessage: (message) => void child.send(message as object, () => undefined), // the end of a process is told by "exit"
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
