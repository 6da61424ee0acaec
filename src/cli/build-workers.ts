/**
 * Processes that make pages beside the one that builds, for as long as a build takes.
 *
 * Not threads: those share one heap of the system's, and wait for each other whenever it grows.
 */
import { fork, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { Hand, Line, Told } from "../build/render-pool.ts";
import type { BuildOptions } from "../build/build.ts";
import type { Instant } from "../model/instant.ts";
import { isRunning } from "../store/git/locks/owner.ts";
import { stateDirOf } from "../store/private/private-state.ts";
import type { Sharing } from "../store/cache/shared-reads.ts";

export interface Crew {
  /** Starts the processes before it is known which pages they will make, so that they open the site together with this one. */
  begin(order: HandOrder): void;
  /** With those that have begun. */
  readonly sharing: Sharing | undefined;
  /** As many as so many pages are worth. Those that have begun with the same order are the first. */
  hire(pages: number, order: HandOrder): readonly Hand[];
  close(): void;
}

/** What there is to build, and when: the same moment for all. */
export interface HandOrder {
  readonly out: string;
  readonly wanted: Pick<BuildOptions, "html" | "json" | "nginx">;
  readonly now: Instant;
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
  let begun:
    | { readonly order: HandOrder; readonly ready: Omit<Hand, "order">[]; readonly sharing: Sharing }
    | undefined;
  const folders: string[] = [];
  const others = isSource ? 0 : Math.min(HANDS_MAX, (jobs ?? availableParallelism()) - 1);
  const start = (share: readonly string[] = []): ChildProcess | undefined => {
    try {
      const child = fork(fileURLToPath(new URL("./build-worker.js", import.meta.url)), [root, ...share], {
        serialization: "advanced",
        execArgv: HEAP,
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      // One that cannot be started has no end either.
      child.on("error", () => child.emit("exit", null, null));
      started.push(child);
      return child;
    } catch {
      return undefined; // no more processes are to be had
    }
  };
  const handOf = (child: ChildProcess): Omit<Hand, "order"> => ({
    line: lineTo(child),
    // It takes a while to be gone, with all it holds; meanwhile there is something else to do here.
    dismiss: () => void child.kill("SIGKILL"),
  });
  /** Once everybody has opened the site, or is gone, nobody needs what was shared. */
  const tidy = (): void => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  return {
    begin(order) {
      if (others === 0) return;
      const ready: Omit<Hand, "order">[] = [];
      const of = others + 1;
      const folder = freshFolder(root);
      folders.push(folder);
      let opening = 0;
      const shares = Array.from({ length: others }, (_, at) => {
        const child = start([String(at + 1), String(of), join(folder, String(at + 1))]);
        if (!child) return undefined;
        const hand = handOf(child);
        ready.push(hand);
        hand.line.postMessage({ open: order } satisfies Told);
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
          if (opening === 0) return []; // all are gone
          const own = join(folder, "0");
          // They look for themselves where they get nothing, as this one does.
          const isWritten = await writeFile(own, mine).then(
            () => true,
            () => false,
          );
          const given = isWaiting ? (await Promise.all(shares)).filter((share) => share !== undefined) : [];
          for (const child of started)
            child.send({ given: [...(isWritten ? [own] : []), ...given] } satisfies Given, () => undefined); // one that is gone needs none
          // The last of them may go, and the folder with it, while one of its files is read: then it is read from the tree.
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
    hire(pages, order) {
      const wanted = jobs === undefined && pages < WORTH_HIRING ? 0 : others;
      const ready = begun && isDeepStrictEqual(begun.order, order) ? begun.ready.splice(0, wanted) : [];
      const fresh = Array.from({ length: wanted - ready.length }, () => start());
      return [
        ...ready.map((hand) => ({ ...hand, order: undefined })),
        ...fresh.flatMap((child) => (child ? [{ ...handOf(child), order }] : [])),
      ];
    },
    close() {
      for (const child of started.splice(0)) child.kill("SIGKILL");
      tidy();
    },
  };
}

/** In files. */
const LARGE = 1_000;

/** Whether there are so many pages that others had better open the site at once. */
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

/** A folder of this process in the private state, where what builds that were killed have left is removed. */
function freshFolder(root: string): string {
  const shares = join(stateDirOf(root), "shares");
  for (const pid of existsSync(shares) ? readdirSync(shares) : []) {
    if (!isRunning(Number(pid))) rmSync(join(shares, pid), { recursive: true, force: true });
  }
  const own = join(shares, String(process.pid));
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return own;
}

/** The file with what a process has read for all. */
export interface Share {
  readonly share: string;
}

/** Such files of all. */
export interface Given {
  readonly given: readonly string[];
}

/** undefined when the process ends before. */
const shareOf = (child: ChildProcess): Promise<string | undefined> =>
  new Promise((resolve) => {
    child.on("message", (message: unknown) => isShare(message) && resolve(message.share));
    child.once("exit", () => resolve(undefined));
  });

/** What comes before anybody listens is kept for the first that does; of a process that has gone meanwhile it says nothing. */
export function lineTo(
  child: Pick<ChildProcess, "send" | "on" | "off" | "connected" | "exitCode" | "signalCode">,
): Line {
  let early: unknown[] = [];
  const keep = (message: unknown): void => void early.push(message);
  child.on("message", keep);
  return {
    postMessage: (message) => void child.send(message as object, () => undefined), // one that is gone has said so by "exit"
    on(event, listener) {
      // A share that nobody waits for any more may come at any time.
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
