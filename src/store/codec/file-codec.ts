/**
 * Parsing and writing content files without blocking the event loop: large files are handled in a worker thread.
 *
 * A file at the limits (1.5 MB, 25,000 keys) takes up to a second to edit and a third of that to parse.
 */
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Env } from "../../env.ts";
import type { FileContent, KeyPath } from "./codec.ts";
import type { TaskRequest, TaskResponse } from "./codec-thread.ts";
import type { Position } from "./file-error.ts";
import type { Rewrite, Rewritten } from "./yaml/rewrite.ts";
import { fromClonedError, runTask, type TaskArgs, type TaskName, type TaskResult } from "./tasks.ts";

export interface FileCodec {
  /** As `decodeFile`. @throws FileError */
  decode(path: string, bytes: Uint8Array): Promise<FileContent>;
  /** As `rewriteFile`. @throws FileError, CmsError `invalid` */
  rewrite(job: Rewrite): Promise<Rewritten>;
  /** As `locate`, for each of the paths in the text of these bytes. */
  locate(bytes: Uint8Array, paths: readonly KeyPath[]): Promise<readonly (Position | undefined)[]>;
  /** Ends the thread. Later calls run in the caller's thread. */
  close(): Promise<void>;
}

/** Runs everything in the caller's thread, for programs that answer no requests meanwhile. */
export const INLINE_CODEC: FileCodec = {
  decode: async (...args) => runTask("decode", args),
  rewrite: async (...args) => runTask("rewrite", args),
  locate: async (...args) => runTask("locate", args),
  close: async () => undefined,
};

export interface FileCodecOptions {
  readonly log: Env["log"];
  /** How long the thread is kept after its last task. */
  readonly idleMs?: number;
  /** The program of the thread. */
  readonly thread?: URL;
  /** Larger files are sent to the thread: in bytes, or as `sizeOf` counts. */
  readonly inlineMax?: number;
}

/** Takes 10 to 30 ms to edit. */
const INLINE_MAX = 32 * 1024;
/** The size of a key or list item beside its characters: parsing and printing one costs as much as that many. */
const NODE_SIZE = 64;
const IDLE_MS = 30_000;

const isSource = import.meta.url.endsWith(".ts");

/** Runs inline from the sources (in tests), since Node 20 cannot start a thread from TypeScript. */
export function openFileCodec({ inlineMax = INLINE_MAX, ...options }: FileCodecOptions): FileCodec {
  if (isSource && !options.thread) return INLINE_CODEC;
  const thread = new CodecThread(options);
  return {
    decode: async (path, bytes) =>
      bytes.length <= inlineMax
        ? runTask("decode", [path, bytes])
        : thread.run("decode", [path, bytes], [path, unshared(bytes)]),
    async rewrite(job) {
      const isSmall = (job.previous?.length ?? 0) <= inlineMax && sizeOf(job.content, inlineMax) <= inlineMax;
      return isSmall
        ? runTask("rewrite", [job])
        : thread.run("rewrite", [job], [{ ...job, previous: job.previous && unshared(job.previous) }]);
    },
    locate: async (bytes, paths) =>
      bytes.length <= inlineMax
        ? runTask("locate", [bytes, paths])
        : thread.run("locate", [bytes, paths], [unshared(bytes), paths]),
    close: () => thread.close(),
  };
}

interface Pending {
  settle(response: TaskResponse): void;
  /** Runs the task in the caller's thread. */
  runInline(): void;
}

/** A worker that starts with the first task, ends when idle, and never keeps the process alive while idle. */
class CodecThread {
  readonly #log: Env["log"];
  readonly #idleMs: number;
  readonly #program: URL;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #lastId = 0;

  constructor({ log, idleMs = IDLE_MS, thread = new URL("./codec-thread.js", import.meta.url) }: FileCodecOptions) {
    this.#log = log;
    this.#idleMs = idleMs;
    this.#program = thread;
  }

  /** @param sent the arguments as they are cloned */
  async run<K extends TaskName>(name: K, args: TaskArgs[K], sent: TaskArgs[K]): Promise<TaskResult[K]> {
    if (this.#isClosed) return runTask(name, args);
    // Cloning a large value takes milliseconds, and so does the work before and after it: yield between them.
    await setImmediate();
    try {
      return await this.#send(name, args, sent);
    } finally {
      await setImmediate();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop();
  }

  #send<K extends TaskName>(name: K, args: TaskArgs[K], sent: TaskArgs[K]): Promise<TaskResult[K]> {
    return new Promise((resolve, reject) => {
      const runInline = (): void => {
        try {
          resolve(runTask(name, args));
        } catch (error) {
          reject(error);
        }
      };
      if (this.#isClosed) return runInline();
      const settle = (response: TaskResponse): void =>
        "error" in response ? reject(fromClonedError(response.error)) : resolve(response.result as TaskResult[K]);
      const worker = this.#start();
      const id = ++this.#lastId;
      this.#pending.set(id, { settle, runInline });
      worker.ref();
      worker.postMessage({ id, name, args: sent } satisfies TaskRequest);
    });
  }

  #start(): Worker {
    clearTimeout(this.#idleTimer);
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#program);
    worker.on("message", (response: TaskResponse) => {
      const task = this.#pending.get(response.id);
      this.#pending.delete(response.id);
      if (this.#pending.size === 0) this.#endWhenIdle(worker);
      task?.settle(response);
    });
    worker.on("error", (error) =>
      this.#log.warn(`The thread for large files failed (${error.message}): the main thread does its work.`),
    );
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      const tasks = [...this.#pending.values()];
      this.#pending.clear();
      for (const task of tasks) task.runInline();
    });
    this.#worker = worker;
    return worker;
  }

  #endWhenIdle(worker: Worker): void {
    worker.unref();
    this.#idleTimer = setTimeout(() => void this.#stop(), this.#idleMs);
    this.#idleTimer.unref();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** Cloning a view of part of a larger buffer would copy the whole buffer. */
const unshared = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);

/** The approximate size of a value; counting stops beyond `max`. */
function sizeOf(value: unknown, max: number): number {
  let size = 0;
  const open: object[] = [];
  const add = (each: unknown): void => {
    size += NODE_SIZE;
    if (typeof each === "string") size += each.length;
    else if (typeof each === "object" && each !== null) open.push(each);
  };
  add(value);
  for (let next = open.pop(); next && size <= max; next = open.pop()) {
    if (Array.isArray(next)) {
      if (next.length * NODE_SIZE > max) return next.length * NODE_SIZE;
      for (const each of next) add(each);
      continue;
    }
    const keys = Object.keys(next);
    if (keys.length * NODE_SIZE > max) return keys.length * NODE_SIZE;
    for (const key of keys) {
      size += key.length;
      add((next as { readonly [key: string]: unknown })[key]);
    }
  }
  return size;
}
