/**
 * Working files of a large batch, such as an import, that a thread writes under temporary names during the planning.
 *
 * Nothing refers to them before the batch is committed, and those that it does not use are removed. A file that the
 * thread has not begun when the batch is staged, or could not write, is written by the main thread.
 */
import type { BigIntStats } from "node:fs";
import { Worker } from "node:worker_threads";
import { messageOf } from "../../../errors.ts";
import type { Env } from "../../../env.ts";
import type { Path } from "../../repo.ts";
import { randomSuffix, removeIfExists, type Fs } from "../fs.ts";
import type { Scratch } from "../locks/scratch.ts";
import { noteCompressed, SYNC_BYTES } from "../objects/compressed.ts";
import type { WriteRequest, WriteResponse } from "./file-thread.ts";

/** A file written and synced under a temporary name. */
export interface StagedContent {
  readonly temporary: string;
  readonly stat: Pick<BigIntStats, "ino" | "mtimeNs" | "size">;
}

export interface FilesAhead {
  /** Begins to write a regular file. Its content must not be changed any more. */
  add(path: Path, content: Uint8Array): void;
  /**
   * The file, if it was begun with this very array and could be written: from now on it is the caller's.
   *
   * The last ones that were added are to be taken first, since the thread writes the first ones meanwhile.
   */
  take(path: Path, content: Uint8Array): Promise<StagedContent | undefined>;
  /** Waits until every file is written or taken. */
  settled(): Promise<void>;
  /** Removes the files that were not taken, and ends the thread. */
  discard(): Promise<void>;
}

/** Where no thread can be used: every file is written when the batch is staged. */
export const NOTHING_AHEAD: FilesAhead = {
  add: () => undefined,
  take: async () => undefined,
  settled: async () => undefined,
  discard: async () => undefined,
};

export interface FilesAheadOptions {
  readonly fs: Fs;
  readonly scratch: Scratch;
  readonly log: Env["log"];
  /** The program of the thread. */
  readonly thread?: URL;
}

interface AddedFile {
  readonly path: Path;
  readonly content: Uint8Array;
}

interface BegunFile extends AddedFile {
  readonly temporary: string;
}

interface Begun {
  readonly content: Uint8Array;
  readonly written: Promise<StagedContent | undefined>;
}

/** So many files go to the thread with each message. */
const CHUNK_FILES = 128;
/** The thread has the next chunk by the time it has written one. */
const CHUNKS_AT_ONCE = 3;

const isSource = import.meta.url.endsWith(".ts");

/** Uses no thread from the sources (in tests), since Node 20 cannot start one from TypeScript. */
export function openFilesAhead({ fs, scratch, log, thread }: FilesAheadOptions): FilesAhead {
  if (isSource && !thread) return NOTHING_AHEAD;
  const writer = openWriter(thread ?? new URL("./file-thread.js", import.meta.url), (reason) => {
    waiting.clear();
    log.warn(`The thread for new files failed (${reason}): the main thread does its work.`);
  });
  /** In the order in which they were added. */
  const waiting = new Map<Path, AddedFile>();
  const begun = new Map<Path, Begun>();
  const running = new Set<Promise<unknown>>();
  /** Temporary files that `take` has not returned: `discard` removes them. */
  const untaken = new Set<string>();

  /** @param min how many files a message has at least */
  function send(min: number): void {
    while (running.size < CHUNKS_AT_ONCE && waiting.size >= min) {
      const files: AddedFile[] = [];
      for (const file of waiting.values()) if (files.push(file) === CHUNK_FILES) break;
      const response = write(files);
      running.add(response);
      void response.then(() => {
        running.delete(response);
        send(min);
      });
      for (const [at, { path, content }] of files.entries()) {
        waiting.delete(path);
        begun.set(path, { content, written: response.then((staged) => staged[at]) });
      }
    }
  }

  async function write(files: readonly AddedFile[]): Promise<readonly (StagedContent | undefined)[]> {
    try {
      const { dir } = await scratch.folder();
      const named = files.map((file) => ({ ...file, temporary: `${dir}/new-${randomSuffix()}` }));
      for (const { temporary } of named) untaken.add(temporary);
      return (await writer.write(named)) ?? [];
    } catch {
      // Without a scratch folder the batch cannot be staged either, which reports it.
      return [];
    }
  }

  return {
    add(path, content) {
      if (writer.hasFailed() || content.length > SYNC_BYTES) return;
      waiting.set(path, { path, content });
      send(CHUNK_FILES);
    },

    async take(path, content) {
      waiting.delete(path);
      const file = begun.get(path);
      if (file?.content !== content) return undefined;
      begun.delete(path);
      const staged = await file.written;
      if (staged) untaken.delete(staged.temporary);
      return staged;
    },

    async settled() {
      for (send(1); running.size > 0; send(1)) await Promise.race(running);
    },

    async discard() {
      waiting.clear();
      while (running.size > 0) await Promise.all(running);
      begun.clear();
      for (const temporary of untaken) await removeIfExists(fs, temporary).catch(() => undefined);
      untaken.clear();
      await writer.close();
    },
  };
}

interface Writer {
  /** undefined where the thread has failed. */
  write(files: readonly BegunFile[]): Promise<(StagedContent | undefined)[] | undefined>;
  hasFailed(): boolean;
  /** Ends the thread. A later call starts another. */
  close(): Promise<void>;
}

function openWriter(program: URL, onFailure: (reason: string) => void): Writer {
  const pending = new Map<number, (response: WriteResponse | undefined) => void>();
  let worker: Worker | undefined;
  let lastId = 0;
  let hasFailed = false;

  function start(): Worker {
    const started = new Worker(program);
    const fail = (reason: string): void => {
      if (worker !== started) return;
      worker = undefined;
      hasFailed = true;
      onFailure(reason);
      for (const settle of pending.values()) settle(undefined);
      pending.clear();
    };
    started.on("message", (response: WriteResponse) => {
      pending.get(response.id)?.(response);
      pending.delete(response.id);
    });
    started.on("error", (error) => fail(messageOf(error)));
    started.on("exit", () => fail("it ended"));
    return started;
  }

  return {
    hasFailed: () => hasFailed,

    async write(files) {
      if (hasFailed) return undefined;
      worker ??= start();
      const id = ++lastId;
      const bytes = new Uint8Array(files.reduce((sum, { content }) => sum + content.length, 0));
      let end = 0;
      for (const { content } of files) {
        bytes.set(content, end);
        end += content.length;
      }
      const paths = files.map(({ temporary }) => temporary);
      const lengths = files.map(({ content }) => content.length);
      const response = await new Promise<WriteResponse | undefined>((resolve) => {
        pending.set(id, resolve);
        worker?.postMessage({ id, paths, lengths, bytes } satisfies WriteRequest, [bytes.buffer]);
      });
      return response && resultsOf(files, response);
    },

    async close() {
      const ended = worker;
      worker = undefined;
      await ended?.terminate();
    },
  };
}

/** Keeps the compressed contents for the pack. */
function resultsOf(files: readonly BegunFile[], response: WriteResponse): (StagedContent | undefined)[] {
  const { stats, compressed, compressedLengths } = response;
  let end = 0;
  return files.map(({ content, temporary }, at) => {
    const length = compressedLengths[at] ?? 0;
    noteCompressed(content, compressed.subarray(end, end + length));
    end += length;
    const [ino = 0n, mtimeNs = 0n] = stats.subarray(2 * at, 2 * at + 2);
    return ino === 0n ? undefined : { temporary, stat: { ino, mtimeNs, size: BigInt(content.length) } };
  });
}
