/** With workers that fail, end or have other content the outcome is that of one process. */
import { EventEmitter } from "node:events";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { renderInPool, type Worker } from "../../src/static-site/workers/pool.ts";
import type { Channel, Job, JobEnd } from "../../src/static-site/workers/protocol.ts";
import { serveWorker, type WorkerContext } from "../../src/static-site/workers/worker.ts";
import type { Dependency, BuiltPage } from "../../src/static-site/state/state.ts";
import type { TemplateSet } from "../../src/static-site/template-use.ts";

const JOBS: readonly Job[] = Array.from({ length: 300 }, (_, at) => [at, `p${at}`]);

const pageOf = (at: number, payloadDeps: readonly number[], templates: number): BuiltPage => ({
  id: at,
  updated: "",
  path: `/p${at}/`,
  permalink: `/p${at}`,
  language_code: "en",
  place: "",
  hash: String(at),
  payloadDeps,
  renderDeps: payloadDeps,
  templates,
  sizes: [],
});

/** Makes pages that ask about themselves and about the home page; each thread counts its questions as they come. */
function bench(contentId: string, name: string, made: string[] = []): WorkerContext {
  const dependencies: Dependency[] = [];
  const sets: TemplateSet[] = [[], [[`${name}.html`, "1"]]];
  const number = (asked: Dependency): number => {
    const at = dependencies.findIndex((each) => each[2] === asked[2]);
    return at >= 0 ? at : dependencies.push(asked) - 1;
  };
  return {
    contentId,
    dependencies,
    sets,
    make: async (jobs) =>
      jobs.map(([at]) => {
        made.push(name);
        const payloadDeps = [number(["record", "", at]), number(["record", "", "home"])];
        return at % 50 === 7
          ? { at, written: 0, failure: { path: `/p${at}/`, language: "en", template: null, line: null, message: "no" } }
          : { at, written: 1, page: pageOf(at, payloadDeps, 1) };
      }),
  };
}

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

/** The workers that were stopped. */
const dismissed: string[] = [];
beforeEach(() => void dismissed.splice(0));

/** A worker on the other end of a channel, in this thread. */
function lent(open: () => Promise<WorkerContext>): Worker {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  serveWorker(port2, open);
  return { channel: port1, order: "here", stop: () => void dismissed.push("lent") };
}

/** @param pause between the pages made here, so that others have the time to make some */
async function together(
  workers: readonly Worker[],
  made: string[] = [],
  pause = true,
): Promise<{ outcomes: JobEnd[]; dependencies: readonly Dependency[]; sets: TemplateSet[] }> {
  const own = bench("all", "own", made);
  const sets: TemplateSet[] = [[], [["own.html", "1"]]];
  const dependencies = own.dependencies as Dependency[];
  const outcomes: JobEnd[] = [];
  await renderInPool({
    jobs: JOBS,
    contentId: "all",
    workers,
    async make(job) {
      if (pause) await new Promise((resolve) => setImmediate(resolve));
      return own.make(job);
    },
    numberOf: (asked) => {
      const at = dependencies.findIndex((each) => each[2] === asked[2]);
      return at >= 0 ? at : dependencies.push(asked) - 1;
    },
    setOf: (set) => {
      const at = sets.findIndex((each) => JSON.stringify(each) === JSON.stringify(set));
      return at >= 0 ? at : sets.push(set) - 1;
    },
    done: (outcome) => void outcomes.push(outcome),
  });
  return { outcomes, dependencies, sets };
}

/** Every page once, each with its own questions, whoever made it. */
function expectAll({ outcomes, dependencies, sets }: Awaited<ReturnType<typeof together>>): void {
  expect(outcomes.map(({ at }) => at).sort((a, b) => a - b)).toEqual(JOBS.map(([at]) => at));
  for (const { at, page, failure } of outcomes) {
    expect(failure !== undefined).toBe(at % 50 === 7);
    if (page) expect(page.payloadDeps.map((number) => dependencies[number]![2])).toEqual([at, "home"]);
    if (page) expect(sets[page.templates]).toHaveLength(1);
  }
}

describe("renderInPool", () => {
  it("renders every page without workers", async () => expectAll(await together([])));

  it.each([1, 3])("distributes the pages among %i workers", async (count) => {
    const made: string[] = [];
    expectAll(
      await together(
        Array.from({ length: count }, (_, at) => lent(async () => bench("all", `worker${at}`, made))),
        made,
      ),
    );
    expect(new Set(made).size).toBe(count + 1);
  });

  it("does not use a worker that opened other content", async () => {
    const made: string[] = [];
    expectAll(await together([lent(async () => bench("other", "stranger", made))], made));
    expect(new Set(made)).toEqual(new Set(["own"]));
  });

  it("renders the pages of a worker that ended", async () => {
    const line = new EventEmitter() as EventEmitter & { told: unknown[]; postMessage(message: unknown): void };
    line.told = [];
    line.postMessage = (message) => {
      line.told.push(message);
      if (line.told.length === 1) setImmediate(() => line.emit("message", { contentId: "all" }));
      else if (line.told.length === 3) setImmediate(() => line.emit("exit", 1));
    };
    expectAll(await together([{ channel: line as Channel, order: "here", stop: () => undefined }]));
    expect(line.told.length).toBe(3);
  });

  it("waits for the last pages of a worker", async () => {
    const slow = bench("all", "slow");
    const worker = lent(async () => ({
      ...slow,
      make: async (job) => (
        await new Promise((resolve) => setImmediate(resolve)),
        expect(dismissed).toEqual([]),
        slow.make(job)
      ),
    }));
    expectAll(await together([worker]));
    expect(dismissed).toEqual(["lent"]);
  });
});
