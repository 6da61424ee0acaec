/** The worker's side of the protocol. */
import type { Dependency } from "../state/state.ts";
import type { TemplateSet } from "../template-use.ts";
import { batchesOf, type Channel, type Job, type JobEnd, type WorkerCommand, type WorkerReply } from "./protocol.ts";

/** The context of a worker that has opened the content. */
export interface WorkerContext {
  readonly contentId: string;
  /** The worker adds to these as it makes pages. */
  readonly dependencies: readonly Dependency[];
  readonly sets: readonly TemplateSet[];
  make(jobs: readonly Job[]): Promise<readonly JobEnd[]>;
}

/** Executes commands one after the other. An error ends the worker, and its pages are rendered by the others. */
export function serveWorker<Order>(channel: Channel, open: (order: Order) => Promise<WorkerContext>): void {
  let context: Promise<WorkerContext> | undefined;
  let [dependencies, sets] = [0, 0];
  let last: Promise<void> = Promise.resolve();
  const handle = async (command: WorkerCommand<Order>): Promise<void> => {
    if ("open" in command) {
      context = open(command.open);
      return channel.postMessage({ contentId: (await context).contentId } satisfies WorkerReply);
    }
    if (!context) throw new Error("A worker got pages before the order to open the site.");
    const opened = await context;
    const outcomes: JobEnd[] = [];
    for (const batch of batchesOf(command.make)) outcomes.push(...(await opened.make(batch)));
    channel.postMessage({
      dependencies: opened.dependencies.slice(dependencies),
      sets: opened.sets.slice(sets),
      outcomes,
    } satisfies WorkerReply);
    [dependencies, sets] = [opened.dependencies.length, opened.sets.length];
  };
  channel.on("message", (command: WorkerCommand<Order>) => void (last = last.then(() => handle(command))));
}
