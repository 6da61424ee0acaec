/** What the build process and its workers send each other. */
import type { Failure } from "../report.ts";
import type { BuiltPage, Dependency } from "../state/state.ts";
import type { TemplateSet } from "../template-use.ts";

/** A page to render: its position in the source's list, and its output folder. */
export type Job = readonly [at: number, folder: string];

/** What became of the page at a position: what the next build must know of it, or why it failed. */
export interface Outcome {
  readonly at: number;
  readonly page?: BuiltPage;
  /** How many of its files changed. */
  readonly written: number;
  readonly failure?: Failure;
}

/** One end of the connection between two processes. */
export interface Channel {
  postMessage(message: unknown): void;
  /** Events are `message` and, where the other process can end, `exit`. */
  // oxlint-disable-next-line typescript/no-explicit-any
  on(event: string, listener: (message: any) => void): unknown;
}

/** First what to open, then any number of times which pages to render. */
export type WorkerCommand = { readonly open: unknown } | { readonly make: readonly Job[] };

/** First the id of the content the worker opened, then the outcomes of each `make`. */
export type WorkerReply =
  | { readonly contentId: string }
  | {
      /** Those first seen since the last reply. Pages name them by their position among all the worker has sent. */
      readonly dependencies: readonly Dependency[];
      readonly sets: readonly TemplateSet[];
      readonly outcomes: readonly Outcome[];
    };

/** Pages rendered together, step by step (`buildPages`). */
const BATCH = 16;

export const batchesOf = (jobs: readonly Job[]): readonly (readonly Job[])[] =>
  Array.from({ length: Math.ceil(jobs.length / BATCH) }, (_, at) => jobs.slice(at * BATCH, (at + 1) * BATCH));
