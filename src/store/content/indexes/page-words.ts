/** The keys of pages, such as permalinks, each with the ids of all pages that claim it. */
import type { Id, PageSummary } from "../../../model/page.ts";
import { wordKey, type Space, type Word } from "../record-type.ts";
import { eachKey } from "../records/page-keys.ts";
import { SharedMap, type MapIndex } from "../shared-map.ts";
import { summaryOf, type Entry } from "../snapshot.ts";

/** Nearly every key is claimed by one page. */
type Claimants = Id | readonly Id[];

const NONE: readonly Id[] = [];

export class PageWords {
  readonly #spaces: Map<Space, SharedMap<Word, Claimants>>;

  constructor(spaces: Map<Space, SharedMap<Word, Claimants>> = new Map()) {
    this.#spaces = spaces;
  }

  /** In no order. */
  claimants(space: Space, word: Word): readonly Id[] {
    const found = this.#spaces.get(space)?.get(word);
    return found === undefined ? NONE : typeof found === "number" ? [found] : found;
  }

  spaces(): Iterable<Space> {
    return this.#spaces.keys();
  }

  has(space: Space): boolean {
    return this.#spaces.has(space);
  }

  /** The words of a space that several claim, here or in others. */
  contested(space: Space, others: readonly PageWords[]): readonly Word[] {
    const found: Word[] = [];
    for (const [word, claimants] of this.#spaces.get(space)?.entries() ?? [])
      if (typeof claimants !== "number" || others.some((each) => each.claimants(space, word).length > 0))
        found.push(word);
    return found;
  }

  copy(): PageWords {
    return new PageWords(new Map(Array.from(this.#spaces, ([space, words]) => [space, words.copy()])));
  }

  /** Only for the code that created this copy, before others see it. @param before the page as it was added */
  replace(id: Id, before: PageSummary | undefined, after: PageSummary | undefined): void {
    const [old, next] = [wordsOf(before), wordsOf(after)];
    for (const [key, [space, word]] of old) if (!next.has(key)) this.#remove(space, word, id);
    for (const [key, [space, word]] of next) if (!old.has(key)) this.#add(space, word, id);
  }

  #add(space: Space, word: Word, id: Id): void {
    const words = this.#spaces.get(space) ?? new SharedMap<Word, Claimants>();
    this.#spaces.set(space, words);
    const known = words.get(word);
    words.set(word, known === undefined ? id : typeof known === "number" ? [known, id] : [...known, id]);
  }

  #remove(space: Space, word: Word, id: Id): void {
    const words = this.#spaces.get(space);
    const left = this.claimants(space, word).filter((each) => each !== id);
    if (left.length === 0) words?.delete(word);
    else words?.set(word, left.length === 1 ? left[0]! : left);
  }
}

function wordsOf(page: PageSummary | undefined): Map<string, readonly [Space, Word]> {
  const words = new Map<string, readonly [Space, Word]>();
  if (page) eachKey(page, (space, word) => void words.set(wordKey(space, word), [space, word]));
  return words;
}

/** The summary of a page's entry. */
export function pageIn(entry: Entry): PageSummary;
export function pageIn(entry: Entry | undefined): PageSummary | undefined;
export function pageIn(entry: Entry | undefined): PageSummary | undefined {
  return entry && (summaryOf(entry) as PageSummary);
}

export const PAGE_WORDS: MapIndex<Id, Entry, PageWords> = {
  build(entries) {
    // In two steps, since joining both parts of the key for every page would take longer than everything else.
    const spaces = new Map<Space, Map<Word, Id | Id[]>>();
    let id: Id;
    const claim = (space: Space, word: Word): void => {
      let words = spaces.get(space);
      if (!words) spaces.set(space, (words = new Map()));
      const known = words.get(word);
      if (known === undefined) words.set(word, id);
      else if (typeof known !== "number") {
        if (known.at(-1) !== id) known.push(id);
      } else if (known !== id) words.set(word, [known, id]);
    };
    for (const entry of entries.values()) {
      const page = pageIn(entry);
      ({ id } = page);
      eachKey(page, claim);
    }
    return new PageWords(new Map(Array.from(spaces, ([space, words]) => [space, new SharedMap(words)])));
  },
  advance(words, changes) {
    const next = words.copy();
    for (const { key, before, after } of changes) next.replace(key, pageIn(before), pageIn(after));
    return next;
  },
};
