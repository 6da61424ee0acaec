/**
 * Runs image jobs one at a time, in a child process, with a deadline.
 *
 * The process starts with the first job and ends when it has been idle for a while. A job that exceeds the deadline is
 * killed with its process; after that, or after a crash, the next job gets a new process.
 */
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openQueue } from "../queue.ts";
import { ImageError, type ImageJob, type ImageResult, type Images } from "../model/media/image-results.ts";
import type { AnswerMessage } from "./encoder-process.ts";

export interface EncoderOptions {
  /** For one job, from its start. */
  readonly deadlineMs?: number;
  /** How long an idle process is kept. */
  readonly idleMs?: number;
}

const DEADLINE_MS = 60_000;
const IDLE_MS = 30_000;

const isSource = import.meta.url.endsWith(".ts");

export function openImages({ deadlineMs = DEADLINE_MS, idleMs = IDLE_MS }: EncoderOptions = {}): Images {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  const runInTurn = openQueue();
  let isClosed = false;

  function start(): ChildProcess {
    clearTimeout(idle);
    if (!child?.connected) child = startProcess();
    return child;
  }

  function stop(): void {
    clearTimeout(idle);
    child?.kill("SIGKILL");
    child = undefined;
  }

  async function run(job: ImageJob): Promise<ImageResult> {
    const at = start();
    setKeepAlive(at, true);
    try {
      return await runJob(at, job, deadlineMs);
    } catch (error) {
      if (!(error instanceof ImageError) || error.message === TOO_SLOW) stop();
      throw error;
    } finally {
      setKeepAlive(at, false);
      idle = setTimeout(stop, idleMs);
      idle.unref();
    }
  }

  return {
    async probe(bytes) {
      const { probeImage } = await import("./decode.ts");
      return (await probeImage(bytes)).image;
    },
    make: (job) =>
      runInTurn(async () => {
        if (isClosed) throw new Error("The encoder is closed");
        // When run from source (in tests), jobs run in this process: Node 20 cannot start a TypeScript file.
        return isSource ? (await import("./make-images.ts")).makeImages(job) : run(job);
      }),
    async close() {
      isClosed = true;
      await runInTurn(stop);
    },
  };
}

function startProcess(): ChildProcess {
  const child = fork(fileURLToPath(new URL("./encoder-process.js", import.meta.url)), [], {
    serialization: "advanced",
    execArgv: ["--expose-gc"],
    // By default glibc keeps a heap per thread, which takes several times the memory.
    env: { ...process.env, MALLOC_ARENA_MAX: "2" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.on("error", () => undefined); // handled by "exit", or by the failure to send the job
  return child;
}

const TOO_SLOW = "This image takes too long to process: make it smaller, or send it in another format.";

function runJob(child: ChildProcess, job: ImageJob, deadlineMs: number): Promise<ImageResult> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit);
      act();
    };
    const onMessage = (message: AnswerMessage): void =>
      settle(() => {
        if ("result" in message) resolve(message.result);
        else reject("refused" in message ? new ImageError(message.refused) : new Error(message.failed));
      });
    const onExit = (code: number | null, signal: string | null): void =>
      settle(() =>
        reject(
          new ImageError(
            `The image brought down the encoder (${signal ?? code}): ` +
              "it is damaged, or too large for this machine's memory.",
          ),
        ),
      );
    const timer = setTimeout(() => settle(() => reject(new ImageError(TOO_SLOW))), deadlineMs);
    child.on("message", onMessage).on("exit", onExit);
    child.send({ job }, (error) => error && settle(() => reject(error)));
  });
}

/** Sets whether the child process keeps the program running. */
function setKeepAlive(child: ChildProcess, keepAlive: boolean): void {
  const which = keepAlive ? "ref" : "unref";
  child[which]();
  child.channel?.[which]();
}
