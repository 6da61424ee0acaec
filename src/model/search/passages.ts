/** The passages of a text in which the words of a search stand, with the places to be marked. */
import { tokensOf, type Token } from "./words.ts";

export interface Passage {
  readonly text: string;
  /** In UTF-16 units of `text`: the words that were found, in their order. Data, so that nothing has to be escaped twice. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** In characters. */
const LENGTH = 160;
const BEFORE = 40;

interface Hits {
  readonly passage: Passage;
  /** How many different words it has. */
  readonly words: number;
}

/** The passage with the most different words. @param isFound of a folded word @returns undefined for a text without any of them */
export function passageOf(text: string, isFound: (word: string) => boolean): Hits | undefined {
  const hits = [...tokensOf(text)].filter(({ word }) => isFound(word));
  let best: readonly Token[] = [];
  let most = 0;
  for (let from = 0, to = 0; from < hits.length; from++) {
    while (to < hits.length && hits[to]!.end - hits[from]!.start <= LENGTH - BEFORE) to++;
    const within = hits.slice(from, Math.max(to, from + 1));
    const different = new Set(within.map(({ word }) => word)).size;
    if (different > most) [best, most] = [within, different];
    if (hits.length > HITS_MAX && from > HITS_MAX) break;
  }
  const [first] = best;
  return first && { passage: cut(text, first.start, best), words: most };
}

/** A text with more hits has them everywhere. */
const HITS_MAX = 200;

function cut(text: string, at: number, hits: readonly Token[]): Passage {
  const [from, to] = [wordEnd(text, at - BEFORE, -1), wordEnd(text, at - BEFORE + LENGTH, 1)];
  const [before, after] = [from > 0 ? "… " : "", to < text.length ? " …" : ""];
  const moved = before.length - from;
  return {
    text: before + text.slice(from, to).trimEnd() + after,
    marks: hits.map(({ start, end }) => [start + moved, end + moved] as const),
  };
}

/** The nearest end of a word from a place on; in a text without spaces, the place itself. */
function wordEnd(text: string, at: number, step: 1 | -1): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  for (let place = at; Math.abs(place - at) < BEFORE / 2; place += step) {
    if (text[place] === " ") return step < 0 ? place + 1 : place;
    if (place <= 0 || place >= text.length) return place <= 0 ? 0 : text.length;
  }
  // Not between the halves of a character.
  return /[\uDC00-\uDFFF]/.test(text[at]!) ? at + step : at;
}

/** The beginning of a text, for a result whose words stand in its title alone. */
export const beginningOf = (text: string): Passage => cut(text, 0, []);
