/** A server whose event loop is watched: how long requests hold it. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { processorTimer } from "../../support/processor-time.ts";
import { serve, site, tokenFor, type Server } from "../../cli/process.ts";

/** 50 ms on a quiet machine, and three times that here, since other processes use the machine; more on a slower one. */
const BOUND_MS = 150 * slowness();

export interface Monitored {
  readonly server: Server;
  readonly dir: string;
  /** In milliseconds, since the last call. */
  longest(): Promise<number>;
  /** The processor time that the server used between the last two calls of `longest`, in milliseconds. */
  readonly worked: number;
  /** Starts the server again: what it has read of the site is no longer in its memory. */
  restart(): Promise<void>;
}

/**
 * How many times slower than the machine of the bound this one is, at least 1: by the processor time of a fixed piece of
 * work, which took 150 ms there.
 */
function slowness(): number {
  const text = JSON.stringify(
    Array.from({ length: 20_000 }, (_, n) => ({ id: n, title: `Page ${n}`, tags: [n, n + 1] })),
  );
  const runs = Array.from({ length: 5 }, () => {
    const used = processorTimer();
    for (let round = 0; round < 10; round++) {
      const pages = JSON.parse(text) as { id: number }[];
      JSON.stringify([...new Map(pages.map((page) => [page.id, page])).values()]);
    }
    return used();
  });
  return Math.max(1, runs.sort((a, b) => a - b)[2]! / 150);
}

export async function monitored(fill: (root: string) => void = () => {}): Promise<Monitored> {
  const { dir } = site();
  fill(dir);
  const file = join(dir, ".git/stall");
  const token = await tokenFor(dir);
  const start = (): Promise<Server> =>
    serve(dir, [], {
      token,
      env: { NODE_OPTIONS: `--import ${new URL("stall-monitor.mjs", import.meta.url).href}`, STALL_FILE: file },
    });
  let server = await start();
  let worked = 0;
  return {
    get server() {
      return server;
    },
    get worked() {
      return worked;
    },
    dir,
    async longest() {
      rmSync(file, { force: true });
      process.kill(server.pid, "SIGUSR2");
      while (!existsSync(file) || !readFileSync(file, "utf8").endsWith("\n")) await pause(5);
      const [hold = 0, used = 0] = readFileSync(file, "utf8").split(" ").map(Number);
      worked = used;
      return hold;
    },
    async restart() {
      await server.stop();
      server = await start();
    },
  };
}

export interface Measuring {
  /** Sends a request that must succeed, and notes the longest hold meanwhile. @returns the body of the answer */
  measure(what: string, method: string, path: string, body?: unknown): Promise<any>;
  /** In milliseconds, by request. */
  readonly found: Record<string, number>;
}

export function measuring(server: Server, longest: Monitored["longest"]): Measuring {
  const found: Record<string, number> = {};
  const measure: Measuring["measure"] = async (what, method, path, body) => {
    await longest();
    const answer = await server.ask(method, path, body);
    expect([what, answer.status, answer.status < 300 ? "" : answer.body]).toEqual([what, answer.status, ""]);
    found[what] = Math.round(await longest());
    return answer.body;
  };
  return { measure, found };
}

/** The holds beyond the bound. With STALL_SHOW in the environment, all are printed. */
export function tooLong(found: Readonly<Record<string, number>>): [string, number][] {
  if (process.env.STALL_SHOW) console.log(found);
  return Object.entries(found).filter(([, ms]) => ms > BOUND_MS);
}
