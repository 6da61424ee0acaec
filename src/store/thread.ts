/** A thread for work that would hold up the event loop: it starts with the first task, and ends once it has had none for a while. */
import { Worker } from "node:worker_threads";
import type { Env } from "../env.ts";
import { fromClonedError, type ClonedError } from "./codec/cloned-error.ts";

/** A task of `worker.ts`, by its name. */
export interface ThreadRequest {
  readonly id: number;
  readonly task: string;
  readonly args: readonly unknown[];
}

export type ThreadReply = { readonly id: number } & (
  | { readonly progress: unknown }
  | { readonly result: unknown }
  | { readonly error: ClonedError }
);

/** The thread ended, or was stopped, before it had done a task. */
export class ThreadEnded extends Error {}

export interface ThreadOptions {
  readonly log: Env["log"];
  /** For the log: what "the thread" is for. */
  readonly purpose: string;
  /** In milliseconds. */
  readonly idleMs: number;
  /** The program of the thread. */
  readonly program?: URL | undefined;
}

/** None from the sources (in tests), since Node 20 cannot start a thread from TypeScript. */
export const THREAD_PROGRAM = import.meta.url.endsWith(".ts") ? null : new URL("./worker.js", import.meta.url);

interface Pending {
  readonly worker: Worker;
  readonly onProgress: (value: unknown) => void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** It never keeps the process alive while it has no task. */
export class Thread {
  readonly #options: ThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** @throws what the task throws; ThreadEnded */
  run(
    task: string,
    args: readonly unknown[],
    onProgress: (value: unknown) => void = () => undefined,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const worker = this.#start();
      const id = ++this.#lastId;
      this.#pending.set(id, { worker, onProgress, resolve, reject });
      worker.ref();
      worker.postMessage({ id, task, args } satisfies ThreadRequest);
    });
  }

  /** The next task starts it again. */
  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    clearTimeout(this.#idleTimer);
    if (this.#worker) return this.#worker;
    const { log, purpose, program = THREAD_PROGRAM! } = this.#options;
    const worker = new Worker(program);
    let reason = "it ended";
    worker.on("message", (reply: ThreadReply) => this.#receive(reply));
    worker.on("error", (error) => (reason = error.message));
    worker.on("exit", () => {
      // The next thread may have tasks already, which are not lost with this one.
      const lost = [...this.#pending].filter(([, task]) => task.worker === worker);
      const wasStopped = this.#worker !== worker;
      if (!wasStopped) this.#worker = undefined;
      if (!wasStopped && lost.length > 0)
        log.warn(`The thread ${purpose} failed (${reason}): the main thread does its work.`);
      for (const [id, { reject }] of lost) {
        this.#pending.delete(id);
        reject(new ThreadEnded(reason));
      }
    });
    this.#worker = worker;
    return worker;
  }

  #receive(reply: ThreadReply): void {
    const task = this.#pending.get(reply.id);
    if ("progress" in reply) return task?.onProgress(reply.progress);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#endWhenIdle();
    if ("error" in reply) task?.reject(fromClonedError(reply.error));
    else task?.resolve(reply.result);
  }

  #endWhenIdle(): void {
    this.#worker?.unref();
    this.#idleTimer = setTimeout(() => void this.stop(), this.#options.idleMs);
    this.#idleTimer.unref();
  }
}
