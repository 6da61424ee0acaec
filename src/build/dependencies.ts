/**
 * What is noted while a page is made: everything the content was asked, so that the next build can ask again.
 *
 * A page may be kept when every question it asked has the same answer as then. Questions are kept once each; pages
 * hold their numbers.
 */
import type { Lang } from "../model/locale.ts";
import type { Id } from "../model/page.ts";
import type { Entity, Kind, Reader } from "../store/content/record-type.ts";
import type { Asked, Word } from "./state/state.ts";

export interface Questions {
  /** The number of a question. */
  number(asked: Asked): number;
  /** Notes a question for what is being made, if anything is. @returns its number */
  note(question: string, lang: Lang, ...args: Word[]): number;
  /** Runs the work and gathers what was noted meanwhile. One at a time. */
  gather<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly noted: readonly number[] }>;
  /** Runs work whose own questions do not count: another one stands for them. */
  aside<T>(work: () => T): T;
  /** Those that are not of an earlier build, in the order of their numbers, which go on from there. */
  readonly all: readonly Asked[];
  /**
   * Leaves the first numbers to the questions of an earlier build. Before anything is noted.
   *
   * They are not looked up: a page made anew may ask under a new number what an old one had.
   */
  adopt(count: number): void;
}

/** One record. */
export const RECORD = "record";
/** Every record of a kind. */
export const TABLE = "table";

/** What was asked so far, word by word: a question already known is found without putting its words together. */
interface Words {
  /** -1 where no question ends. */
  number: number;
  next?: Map<Word, Words>;
}

export function openQuestions(): Questions {
  const all: Asked[] = [];
  const first: Words = { number: -1 };
  let noted: Set<number> | undefined;
  let before = 0;
  const number = (asked: Asked): number => {
    let at = first;
    for (const word of asked) at = follow(at, word);
    if (at.number < 0) at.number = before + all.push(asked) - 1;
    return at.number;
  };
  return {
    all,
    number,
    adopt: (count) => void (before = count),
    note(...asked) {
      const at = number(asked);
      noted?.add(at);
      return at;
    },
    async gather(work) {
      const mine = (noted = new Set());
      try {
        return { value: await work(), noted: [...mine] };
      } finally {
        noted = undefined;
      }
    },
    aside(work) {
      const outer = noted;
      noted = undefined;
      try {
        return work();
      } finally {
        noted = outer;
      }
    },
  };
}

function follow(from: Words, word: Word): Words {
  from.next ??= new Map();
  let to = from.next.get(word);
  if (!to) from.next.set(word, (to = { number: -1 }));
  return to;
}

/** The content, with a note of everything read from it. */
export const notingReader = (content: Reader, questions: Questions): Reader =>
  watched(
    content,
    (kind, id) => void (id === undefined ? questions.note(TABLE, "", kind) : questions.note(RECORD, "", kind, id)),
  );

/** The content, with the names of the kinds anything is read of. */
export const tracingReader = (content: Reader, kinds: Set<string>): Reader =>
  watched(content, (kind) => void kinds.add(kind));

/** @param sees told what is read, before it is: one record, or (without an id) all of a kind */
const watched = (content: Reader, sees: (kind: string, id?: Id) => void): Reader => ({
  find(kind, id) {
    sees(kind.name, id);
    return content.find(kind, id);
  },
  get(kind, id) {
    sees(kind.name, id);
    return content.get(kind, id);
  },
  all(kind) {
    sees(kind.name);
    return content.all(kind);
  },
  summaries(kind) {
    sees(kind.name);
    return content.summaries?.(kind) ?? content.all(kind as Kind<Entity>);
  },
  get owners() {
    return content.owners;
  },
});
