/**
 * What is noted while a page is made: everything the content was asked, so that the next build can ask again.
 *
 * A page may be kept when every question it asked has the same answer as then. Questions are kept once each; pages
 * hold their numbers.
 */
import type { Json } from "../model/json.ts";
import type { Lang } from "../model/locale.ts";
import type { Entity, Kind, Reader } from "../store/kind.ts";
import type { Asked } from "./state.ts";

export interface Questions {
  /** The number of a question. */
  number(asked: Asked): number;
  /** Notes a question for what is being made, if anything is. */
  note(question: string, lang: Lang, ...args: Json[]): void;
  /** Runs the work and gathers what was noted meanwhile. One at a time. */
  gather<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly noted: readonly number[] }>;
  /** Runs work whose own questions do not count: another one stands for them. */
  aside<T>(work: () => T): T;
  readonly all: readonly Asked[];
  /** Takes up the questions of an earlier build under their numbers. Before anything is noted. */
  adopt(before: readonly Asked[]): void;
  /** Remembers the answer's digest of a question, by its number. */
  answered(number: number, digest: string): void;
  known(number: number): string | undefined;
}

/** One record. */
export const RECORD = "record";
/** Every record of a kind. */
export const TABLE = "table";

export function openQuestions(): Questions {
  const all: Asked[] = [];
  const numbers = new Map<string, number>();
  let noted: Set<number> | undefined;
  const number = (asked: Asked): number => {
    const key = keyOf(asked);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, all.length);
    return all.push(asked) - 1;
  };
  const digests: (string | undefined)[] = [];
  return {
    all,
    number,
    // They are not looked up again: a page made anew may ask under a new number what an old one had.
    adopt(before) {
      for (const asked of before) all.push(asked);
    },
    answered: (at, digest) => void (digests[at] = digest),
    known: (at) => digests[at],
    note: (...asked) => void noted?.add(number(asked)),
    async gather(work) {
      const mine = (noted = new Set());
      try {
        return { value: await work(), noted: [...mine] };
      } finally {
        noted = undefined;
      }
    },
    aside(work) {
      const before = noted;
      noted = undefined;
      try {
        return work();
      } finally {
        noted = before;
      }
    },
  };
}

/** Nearly all questions have one argument, or a kind and an id; those spare the making of JSON. */
export function keyOf(asked: Asked): string {
  const [question, lang, one, two] = asked;
  if (asked.length === 4 && question === RECORD) return `${String(one)}\t${String(two)}`;
  if (asked.length === 2) return `${question}\n${lang}`;
  if (asked.length === 3 && typeof one === "number") return `${question}\n${lang}\n${one}`;
  return JSON.stringify(asked);
}

/** The content, with a note of everything read from it. */
export function notingReader(content: Reader, questions: Questions): Reader {
  const seen = <T extends Entity>(kind: Kind<T>, id: number): void => questions.note(RECORD, "", kind.name, id);
  return {
    find(kind, id) {
      seen(kind, id);
      return content.find(kind, id);
    },
    get(kind, id) {
      seen(kind, id);
      return content.get(kind, id);
    },
    all(kind) {
      questions.note(TABLE, "", kind.name);
      return content.all(kind);
    },
  };
}
