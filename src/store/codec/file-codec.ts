/**
 * Parsing and writing content files without blocking the event loop: large files are handled in a worker thread.
 *
 * A file at the limits (1.5 MB, 25,000 keys) takes up to a second to edit and a third of that to parse.
 */
import { setImmediate } from "node:timers/promises";
import type { Env } from "../../env.ts";
import type { FileContent, KeyPath } from "./codec.ts";
import type { Position } from "./file-error.ts";
import type { Rewrite, Rewritten } from "./yaml/rewrite.ts";
import { Thread, THREAD_PROGRAM, ThreadEnded } from "../thread.ts";
import { runTask, type TaskArgs, type TaskName, type TaskResult } from "./tasks.ts";

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

export function openFileCodec(options: FileCodecOptions): FileCodec {
  const { log, idleMs = IDLE_MS, thread: program = THREAD_PROGRAM, inlineMax = INLINE_MAX } = options;
  if (!program) return INLINE_CODEC;
  const thread = new Thread({ log, purpose: "for large files", idleMs, program });
  let isClosed = false;
  /** @param sent the arguments as they are cloned */
  const run = async <K extends TaskName>(name: K, args: TaskArgs[K], sent: TaskArgs[K]): Promise<TaskResult[K]> => {
    if (isClosed) return runTask(name, args);
    // Cloning a large value takes milliseconds, and so does the work before and after it: yield between them.
    await setImmediate();
    try {
      return isClosed ? runTask(name, args) : ((await thread.run(name, sent)) as TaskResult[K]);
    } catch (error) {
      if (error instanceof ThreadEnded) return runTask(name, args);
      throw error;
    } finally {
      await setImmediate();
    }
  };
  return {
    decode: async (path, bytes) =>
      bytes.length <= inlineMax
        ? runTask("decode", [path, bytes])
        : run("decode", [path, bytes], [path, unshared(bytes)]),
    async rewrite(job) {
      const isSmall = (job.previous?.length ?? 0) <= inlineMax && sizeOf(job.content, inlineMax) <= inlineMax;
      return isSmall
        ? runTask("rewrite", [job])
        : run("rewrite", [job], [{ ...job, previous: job.previous && unshared(job.previous) }]);
    },
    locate: async (bytes, paths) =>
      bytes.length <= inlineMax
        ? runTask("locate", [bytes, paths])
        : run("locate", [bytes, paths], [unshared(bytes), paths]),
    close() {
      isClosed = true;
      return thread.stop();
    },
  };
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
