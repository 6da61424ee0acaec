/**
 * Pages made by several processes at a time.
 *
 * Each hand has opened the same content by itself and says what it saw, so that one that saw something else is sent away.
 * It is given stretches of the list of pages and answers with what the next build must know of them; what it was asked
 * stays with it, to be done here, until the answer is in.
 */
import type { Failure } from "./report.ts";
import type { Asked, BuiltPage } from "./state/state.ts";
import type { TemplateSet } from "./template-use.ts";

/** A page to make: its place in the source's list, and the folder it goes to. */
export type Job = readonly [at: number, folder: string];

/** Of a page by its place: what was made, or why it was not. */
export interface Outcome {
  readonly at: number;
  readonly page?: BuiltPage;
  /** Files that are other ones now. */
  readonly written: number;
  readonly failure?: Failure;
}

/** One end of the line between two processes. */
export interface Line {
  postMessage(message: unknown): void;
  /** `message`; where the other end can be lost, `exit` too. */
  // oxlint-disable-next-line typescript/no-explicit-any
  on(event: string, listener: (message: any) => void): unknown;
}

/** A process that can be given work. */
export interface Hand {
  readonly line: Line;
  /** What it needs to open the content, whatever that is; undefined for one that has been told. */
  readonly order: unknown;
  /** There is nothing more to do for it. */
  dismiss(): void;
}

/** What a hand is told, in this order: what to open, then again and again what to make. */
export type Told = { readonly open: unknown } | { readonly make: readonly Job[] };

/** What a hand says: first what it sees, then the outcomes of each stretch. */
export type Said =
  | { readonly sees: string }
  | {
      /** Those nobody was told of yet; pages name them by their number. */
      readonly questions: readonly Asked[];
      readonly sets: readonly TemplateSet[];
      readonly outcomes: readonly Outcome[];
    };

const STRETCH_MAX = 64;
const STRETCH_MIN = 4;
/** Pages made together, step by step. */
const BATCH = 16;
/** Stretches a hand has before it at least, so that it never waits for the next. */
const AHEAD = 2;
/** Pages it has before it at most: enough for as long as nobody here has time to hear it. */
const AHEAD_MAX = 1_024;

export interface Work {
  readonly jobs: readonly Job[];
  /** What a hand must see to be of use. */
  readonly sees: string;
  readonly hands: readonly Hand[];
  /** What is to be done here once the others are at work. */
  readonly aside?: (() => Promise<void>) | undefined;
  /** Makes a few pages here; one outcome each, in their order. */
  make(jobs: readonly Job[]): Promise<readonly Outcome[]>;
  /** Numbers of a hand's questions and sets of templates as they are here. */
  numberOf(asked: Asked): number;
  setOf(set: TemplateSet): number;
  done(outcome: Outcome): void;
}

/** Makes all pages, here and by whoever helps. */
export async function makeTogether({ jobs, sees, hands, aside, make, numberOf, setOf, done }: Work): Promise<void> {
  const open: Job[] = [...jobs].reverse();
  let outstanding = 0;
  let wake = (): void => undefined;
  const take = (): Job[] => {
    const share = Math.ceil(open.length / (4 * (hands.length + 1)));
    return open.splice(-Math.min(STRETCH_MAX, Math.max(STRETCH_MIN, share))).reverse();
  };
  const hire = ({ line, order }: Hand): void => {
    const questions: number[] = [];
    const sets: number[] = [];
    let given: Job[][] = [];
    let isIn = true;
    /** The less there is left, the less is promised to one who may turn out the slower. */
    const isShort = (): boolean =>
      given.length < AHEAD || given.flat().length < Math.min(AHEAD_MAX, open.length / (2 * (hands.length + 1)));
    const give = (): void => {
      while (isIn && open.length > 0 && isShort()) {
        const stretch = take();
        given.push(stretch);
        outstanding++;
        line.postMessage({ make: stretch } satisfies Told);
      }
    };
    const leave = (): void => {
      isIn = false;
      for (const stretch of given) open.push(...stretch.reverse());
      outstanding -= given.length;
      given = [];
      wake();
    };
    line.on("exit", leave);
    line.on("message", (said: Said) => {
      if (!isIn) return;
      if ("sees" in said) {
        if (said.sees === sees) return give();
        return leave();
      }
      questions.push(...said.questions.map(numberOf));
      sets.push(...said.sets.map(setOf));
      for (const outcome of said.outcomes) done(renumbered(outcome, questions, sets));
      given.shift();
      outstanding--;
      give();
      wake();
    });
    if (order !== undefined) line.postMessage({ open: order } satisfies Told);
  };
  for (const hand of hands) hire(hand);
  await aside?.();
  while (open.length > 0 || outstanding > 0) {
    const mine = take();
    for (const batch of batchesOf(mine)) for (const outcome of await make(batch)) done(outcome);
    if (mine.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    // Whatever the hands have said meanwhile is heard before the next stretch.
    else if (hands.length > 0) await new Promise((resolve) => setImmediate(resolve));
  }
  for (const hand of hands) hand.dismiss();
}

const batchesOf = (jobs: readonly Job[]): readonly (readonly Job[])[] =>
  Array.from({ length: Math.ceil(jobs.length / BATCH) }, (_, at) => jobs.slice(at * BATCH, (at + 1) * BATCH));

const renumbered = (outcome: Outcome, questions: readonly number[], sets: readonly number[]): Outcome =>
  outcome.page
    ? {
        ...outcome,
        page: {
          ...outcome.page,
          reads: outcome.page.reads.map((at) => questions[at]!),
          asks: outcome.page.asks.map((at) => questions[at]!),
          templates: outcome.page.templates < 0 ? -1 : sets[outcome.page.templates]!,
        },
      }
    : outcome;

/** What a hand works with, once it has opened the content. */
export interface Bench {
  readonly sees: string;
  /** Grow as pages are made. */
  readonly questions: readonly Asked[];
  readonly sets: readonly TemplateSet[];
  make(jobs: readonly Job[]): Promise<readonly Outcome[]>;
}

/** The other end: does what it is told. @param open what opens the content an order speaks of */
export function lendHand(line: Line, open: (order: never) => Promise<Bench>): void {
  let bench: Promise<Bench> | undefined;
  let [questions, sets] = [0, 0];
  let last: Promise<void> = Promise.resolve();
  const handle = async (told: Told): Promise<void> => {
    if ("open" in told) {
      bench = open(told.open as never);
      return line.postMessage({ sees: (await bench).sees } satisfies Said);
    }
    const mine = await bench!;
    const outcomes: Outcome[] = [];
    for (const batch of batchesOf(told.make)) outcomes.push(...(await mine.make(batch)));
    line.postMessage({
      questions: mine.questions.slice(questions),
      sets: mine.sets.slice(sets),
      outcomes,
    } satisfies Said);
    [questions, sets] = [mine.questions.length, mine.sets.length];
  };
  // One after the other. What fails here ends the process, and then the builder makes its pages.
  line.on("message", (told: Told) => void (last = last.then(() => handle(told))));
}
