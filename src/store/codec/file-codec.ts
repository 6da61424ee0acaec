/**
 * Reading and writing content files without holding the event loop: small ones here, large ones in a thread.
 *
 * A file at the limits (1.5 MB, 25,000 keys) takes up to a second to edit, a third of that to read. The thread starts with
 * the first large file and ends when there has been none for a while. It never keeps the program up by itself.
 */
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Env } from "../../env.ts";
import type { FileContent } from "./codec.ts";
import type { WorkAnswer, WorkOrder } from "./codec-thread.ts";
import type { Position } from "./file-error.ts";
import type { Rewrite, Rewritten } from "./rewrite.ts";
import { perform, uncarried, type Work, type WorkArgs, type WorkResult } from "./work.ts";

export interface FileCodec {
  /** As `decodeFile`. @throws FileError */
  decode(path: string, bytes: Uint8Array): Promise<FileContent>;
  /** As `rewriteFile`. @throws FileError, CmsError `invalid` */
  rewrite(job: Rewrite): Promise<Rewritten>;
  /** As `locate`, in the text of these bytes, for each of the paths. */
  places(
    bytes: Uint8Array,
    paths: readonly (readonly (string | number)[])[],
  ): Promise<readonly (Position | undefined)[]>;
  /** Ends the thread. What is asked for afterwards is done here. */
  close(): Promise<void>;
}

/** Everything in the caller's thread, for programs that have nobody to answer meanwhile. */
export const CODEC_HERE: FileCodec = {
  decode: async (...args) => perform("decode", args),
  rewrite: async (...args) => perform("rewrite", args),
  places: async (...args) => perform("places", args),
  close: async () => undefined,
};

export interface FileCodecOptions {
  readonly log: Env["log"];
  /** How long the thread outlives its last work. */
  readonly idleMs?: number;
  /** The program of the thread. */
  readonly thread?: URL;
  /** What is larger goes to the thread: in bytes of a file, or as `weighs` counts. */
  readonly largest?: number;
}

/** Takes 10 to 30 ms to edit. */
const LARGEST_HERE = 32 * 1024;
/** What a key or item counts beside its characters: reading and printing one takes as long as so many of them. */
const NODE = 64;
const IDLE_MS = 30_000;

const isSource = import.meta.url.endsWith(".ts");

/** From the sources (in tests) there is nothing to start: Node runs no TypeScript. */
export const openFileCodec = (options: FileCodecOptions): FileCodec =>
  isSource && !options.thread ? CODEC_HERE : threadedCodec(options);

interface Pending {
  settle(answer: WorkAnswer): void;
  /** Does it in this thread. */
  redo(): void;
}

function threadedCodec({
  log,
  idleMs = IDLE_MS,
  thread = new URL("./codec-thread.js", import.meta.url),
  largest = LARGEST_HERE,
}: FileCodecOptions): FileCodec {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;
  let last = 0;
  const pending = new Map<number, Pending>();

  const start = (): Worker => {
    clearTimeout(idle);
    if (worker) return worker;
    const started = new Worker(thread);
    started.on("message", (answer: WorkAnswer) => {
      const job = pending.get(answer.id);
      pending.delete(answer.id);
      if (pending.size === 0) rest(started);
      job?.settle(answer);
    });
    started.on("error", (error) =>
      log.warn(`The thread for large files failed (${error.message}): its work is done in the main one.`),
    );
    started.on("exit", () => {
      if (worker === started) worker = undefined;
      const left = [...pending.values()];
      pending.clear();
      for (const job of left) job.redo();
    });
    return (worker = started);
  };

  const rest = (started: Worker): void => {
    started.unref();
    // An idle thread is memory for nothing.
    idle = setTimeout(stop, idleMs);
    idle.unref();
  };

  const stop = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };

  const apart = async <K extends Work>(name: K, args: WorkArgs[K], sent: WorkArgs[K]): Promise<WorkResult[K]> => {
    // Cloning a large value takes milliseconds, and so does what comes before and after: each has a turn of its own.
    await setImmediate();
    try {
      return await asked(name, args, sent);
    } finally {
      await setImmediate();
    }
  };

  const asked = <K extends Work>(name: K, args: WorkArgs[K], sent: WorkArgs[K]): Promise<WorkResult[K]> =>
    new Promise((resolve, reject) => {
      if (isClosed) return resolve(perform(name, args));
      const id = ++last;
      const redo = (): void => {
        try {
          resolve(perform(name, args));
        } catch (error) {
          reject(error);
        }
      };
      const settle = (answer: WorkAnswer): void =>
        "thrown" in answer ? reject(uncarried(answer.thrown)) : resolve(answer.result as WorkResult[K]);
      const at = start();
      pending.set(id, { settle, redo });
      at.ref();
      at.postMessage({ id, name, args: sent } satisfies WorkOrder);
    });

  return {
    decode: async (path, bytes) =>
      isClosed || bytes.length <= largest
        ? perform("decode", [path, bytes])
        : apart("decode", [path, bytes], [path, copied(bytes)]),
    rewrite: async (job) => {
      const isSmall = (job.previous?.length ?? 0) <= largest && weighs(job.content, largest) <= largest;
      if (isClosed || isSmall) return perform("rewrite", [job]);
      return apart("rewrite", [job], [{ ...job, previous: job.previous && copied(job.previous) }]);
    },
    places: async (bytes, paths) =>
      isClosed || bytes.length <= largest
        ? perform("places", [bytes, paths])
        : apart("places", [bytes, paths], [copied(bytes), paths]),
    async close() {
      isClosed = true;
      await stop();
    },
  };
}

/** A view of part of a larger buffer would be sent with all of it. */
const copied = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);

/** How large a value is, or something beyond `most`: it stops counting there. */
function weighs(value: unknown, most: number): number {
  let weight = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && weight <= most) {
    const next = open.pop();
    weight += NODE;
    if (typeof next === "string") weight += next.length;
    else if (Array.isArray(next)) {
      if (next.length * NODE > most) return next.length * NODE;
      open.push(...next);
    } else if (typeof next === "object" && next !== null) {
      const entries = Object.entries(next);
      if (entries.length * NODE > most) return entries.length * NODE;
      for (const [key, child] of entries) {
        weight += key.length;
        open.push(child);
      }
    }
  }
  return weight;
}
