/** The messages between the build process and its workers. */
import type { Failure } from "../report.ts";
import type { BuiltPage, Dependency } from "../state/state.ts";
import type { TemplateSet } from "../template-use.ts";

/** A page to render: its position in the source's list, and its output folder. */
export type Job = readonly [at: number, folder: string];

/** The outcome for the page at a position: its row of the state file, or the failure. */
export interface JobEnd {
  readonly at: number;
  readonly page?: BuiltPage;
  /** How many of its files changed. */
  readonly written: number;
  readonly failure?: Failure;
  /** Errors that were logged while it was made, such as failures of plugins; absent where there were none. */
  readonly errors?: readonly string[];
}

/** One end of the connection between two processes. */
export interface Channel {
  postMessage(message: unknown): void;
  /** Events are `message` and, where the other process can end, `exit`. */
  // oxlint-disable-next-line typescript/no-explicit-any
  on(event: string, listener: (message: any) => void): unknown;
}

/** First the order to open the site, then any number of times the pages to render. */
export type WorkerCommand<Order = unknown> = { readonly open: Order } | { readonly make: readonly Job[] };

/** First the id of the content the worker opened, then the outcomes of each `make`. */
export type WorkerReply =
  | { readonly contentId: string }
  | {
      /** New since the last reply. Pages refer to them by their position among all that the worker has sent. */
      readonly dependencies: readonly Dependency[];
      readonly sets: readonly TemplateSet[];
      readonly outcomes: readonly JobEnd[];
    };

/** How many pages `buildPages` makes together, step by step. */
const BATCH = 16;

export const batchesOf = (jobs: readonly Job[]): readonly (readonly Job[])[] =>
  Array.from({ length: Math.ceil(jobs.length / BATCH) }, (_, at) => jobs.slice(at * BATCH, (at + 1) * BATCH));
