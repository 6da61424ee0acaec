/**
 * Processes that make pages beside the one that builds, for as long as a build takes.
 *
 * Not threads: those share one heap of the system's, and wait for each other whenever it grows.
 */
import { fork, type ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Hand, Line } from "../build/crew.ts";
import type { HandOrder } from "./build-hand.ts";

export interface Crew {
  /** Starts the processes before it is known what they will make, so that they open the site while this one does. */
  begin(): void;
  /** As many as so many pages are worth. */
  hire(pages: number, order: HandOrder): readonly Hand[];
  close(): void;
}

/** Fewer pages are made before another process has opened the content. */
const WORTH_HIRING = 1_000;
/** More would wait for each other at the disk. */
const HANDS_MAX = 7;
/** Pages are short-lived objects: with room for many, few are left to be looked after, and one thread does that. */
const HEAP = ["--max-semi-space-size=64", "--single-threaded-gc"];

/** From the sources (in tests) there is nothing to start: Node runs no TypeScript. */
const isSource = import.meta.url.endsWith(".ts");

/** @param jobs processes in all; undefined for as many as there are processors */
export function openCrew(root: string, jobs: number | undefined): Crew {
  const started: ChildProcess[] = [];
  const idle: ChildProcess[] = [];
  const others = isSource ? 0 : Math.min(HANDS_MAX, (jobs ?? availableParallelism()) - 1);
  const start = (): ChildProcess => {
    const child = fork(fileURLToPath(new URL("./build-hand.js", import.meta.url)), [root], { serialization: "advanced", execArgv: HEAP, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child.on("error", () => undefined); // "exit" follows, or the message fails to be sent
    started.push(child);
    return child;
  };
  return {
    begin() {
      idle.push(...Array.from({ length: others }, start));
    },
    hire(pages, order) {
      const wanted = jobs === undefined && pages < WORTH_HIRING ? 0 : others;
      return Array.from({ length: wanted }, () => ({ line: lineTo(idle.pop() ?? start()), order }));
    },
    close() {
      for (const child of started.splice(0)) child.kill("SIGKILL");
    },
  };
}

const lineTo = (child: ChildProcess): Line => ({
  postMessage: (message) => void child.send(message as object, () => undefined), // one that is gone has said so by "exit"
  on: (event, listener) => child.on(event, listener),
});
