/**
 * Searches a built site in the browser, by the files that `views/search/site-pieces.ts` makes: a list of pieces, and of these
 * the few that a query needs. What was loaded is kept, and a small site is loaded as a whole with the first query, so that
 * searching goes on without a connection.
 */
import { beginningOf, passageOf, type Passage } from "../model/search/passages.ts";
import { readSearchQuery } from "../model/search/query.ts";
import { mayMean } from "../model/search/words.ts";

export interface FoundPage extends Passage {
  /** With the path that the site is below. */
  readonly url: string;
  readonly title: string;
}

export interface FoundPages {
  readonly total: number;
  /** The best first; `text` and `marks` are the words around what was found, and where these words are in it. */
  readonly items: readonly FoundPage[];
}

export interface SearchSettings {
  /** A language of the site; by default that of the document. */
  readonly language?: string;
  /** The address of the folder `search/`; by default that of this script. */
  readonly base?: string | URL;
  /** How many results are shown; 10 by default. */
  readonly items?: number;
}

/** `search/<language>/pieces.json` */
interface Index {
  readonly pages: number;
  /** How large all pieces are together. */
  readonly bytes: number;
  /** The first word of each piece of words and the name of its file, in the order of the words, separated by spaces. */
  readonly words: string;
  /** The names of the files that have the names of those with texts, one after the other. */
  readonly texts: string;
  /** How many bits of the number of a page do not tell the file of its text, and how many above them tell its name in such a file. */
  readonly shift: number;
  readonly nameBits: number;
}

interface Word {
  readonly word: string;
  /** Those with the same stem. */
  readonly family: readonly Word[];
  readonly postings: string;
}

const NAME = 8;
/** A site with less is loaded as a whole. */
const WHOLE = 256 * 1024;
const [STEM, PREFIX, TYPO] = [0.8, 0.5, 0.4];
/** Pieces that one unfinished or mistyped word may need. */
const PIECES_MAX = 6;
const HERE = new URL("./", import.meta.url);

const loaded = new Map<string, Promise<unknown>>();

function load<T>(url: URL, read: (answer: Response) => Promise<T>, cache?: RequestCache): Promise<T> {
  let known = loaded.get(url.href) as Promise<T> | undefined;
  if (!known) {
    known = fetch(url, cache && { cache }).then((answer) => {
      if (!answer.ok) throw new Error(`${url.href} answers ${answer.status}`);
      return read(answer);
    });
    // The site may have been built anew: all is loaded again.
    known.catch(() => loaded.clear());
    loaded.set(url.href, known);
  }
  return known;
}

/**
 * The pages with all words of a query, which is read as by the API: the last word may be unfinished, `-word` must not be
 * there. Words of a phrase must all be there.
 */
export async function search(
  query: string,
  { language = document.documentElement.lang, base = HERE, items = 10 }: SearchSettings = {},
): Promise<FoundPages> {
  const folder = new URL(`${language}/`, new URL(base, document.baseURI));
  const index = await load(new URL("pieces.json", folder), (answer) => answer.json() as Promise<Index>, "no-cache");
  const piece = (name: string) => load(new URL(`${name}.json`, folder), (answer) => answer.json());
  const starts = index.words.split(" ");
  const textsOf = async (group: number): Promise<unknown> => {
    const names = await piece(nameAt(index.texts, group >> index.nameBits));
    const name = nameAt(names as string, group % 2 ** index.nameBits);
    return name.trim() === "" ? {} : piece(name);
  };
  if (index.bytes < WHOLE) {
    const groups = (index.texts.length / NAME) << index.nameBits;
    await Promise.all([
      ...starts.flatMap((name, at) => (at % 2 === 1 ? [piece(name)] : [])),
      ...Array.from({ length: groups }, (_, group) => textsOf(group)),
    ]);
  }

  /** The words of the pieces in which words that begin so are, up to one of them. */
  const wordsNear = async (prefix: string, last = `${prefix}\uFFFF`): Promise<Word[]> => {
    const names: string[] = [];
    for (let at = 0; at + 1 < starts.length; at += 2) {
      const [first = "", after] = [starts[at], starts[at + 2]];
      if ((after === undefined || after > prefix) && first <= last) names.push(starts[at + 1]!);
    }
    return (await Promise.all(names.slice(0, PIECES_MAX).map(piece))).flatMap((text) => readWords(text as string));
  };

  /** The words that were found. */
  const marked = new Set<string>();

  /** What each page has of a word; undefined for all pages, where it stands in most of them. */
  const weightsOf = async (word: string, isPrefix: boolean, mayDiffer = true) => {
    const weights = new Map<number, number>();
    let isEverywhere = false;
    let near = await (isPrefix && word.length > 1 ? wordsNear(word) : wordsNear(word, word));
    // It may be in the line of a shorter word, or one with another end.
    if (!near.some((each) => each.word === word)) near = await wordsNear(word.slice(0, 4));
    const add = (each: Word, factor: number): void => {
      if (mayDiffer || factor === 1) marked.add(each.word);
      isEverywhere ||= factor > PREFIX && each.postings.startsWith("*");
      for (const [page, weight] of readPostings(each.postings))
        weights.set(page, Math.max(weights.get(page) ?? 0, weight * factor));
    };
    for (const each of near) {
      if (each.word === word) for (const other of each.family) add(other, other === each ? 1 : STEM);
      else if (isPrefix && word.length > 1 && each.word.startsWith(word)) add(each, PREFIX);
    }
    if (weights.size === 0 && mayDiffer)
      for (const each of await wordsNear(word.slice(0, 2))) if (mayMean(word, each.word)) add(each, TYPO);
    const rarity = Math.log(1 + (index.pages - weights.size + 0.5) / (weights.size + 0.5));
    for (const [page, weight] of weights) weights.set(page, weight * rarity);
    return { weights, isEverywhere };
  };

  const { wanted, unwanted } = readSearchQuery(query);
  const parts = await Promise.all(
    wanted.flatMap(({ words, isPrefix }) => words.map((word) => weightsOf(word, isPrefix, words.length === 1))),
  );
  const deciding = parts.some(({ isEverywhere }) => !isEverywhere) ? parts.filter((part) => !part.isEverywhere) : parts;
  const [first, ...others] = deciding.map(({ weights }) => weights);
  const ranked: [page: number, rank: number][] = [];
  for (const [page, weight] of first ?? [])
    if (others.every((each) => each.has(page)))
      ranked.push([page, others.reduce((sum, each) => sum + each.get(page)!, weight)]);
  const excluded = await Promise.all(unwanted.flatMap((words) => words.map((word) => weightsOf(word, false, false))));
  const found = ranked.filter(([page]) => !excluded.some(({ weights }) => weights.has(page)));
  found.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const shown = found.slice(0, items).map(async ([page]): Promise<FoundPage> => {
    const near = await textsOf(page >> index.shift);
    const [url, title, text] = (near as Readonly<Record<number, readonly [string, string, string]>>)[page]!;
    // Addresses are below the folder that `search/` is in.
    return {
      url: new URL(`../..${url}`, folder).href,
      title,
      ...(passageOf(text, (word) => marked.has(word))?.passage ?? beginningOf(text)),
    };
  });
  return { total: found.length, items: await Promise.all(shown) };
}

const nameAt = (names: string, at: number): string => names.slice(at * NAME, (at + 1) * NAME);

/** Lines of words with one stem: `bakery=1fB2kA bakeries=3C`. */
function readWords(piece: string): Word[] {
  return piece.split("\n").flatMap((line) => {
    const family: Word[] = [];
    for (const each of line.split(" ")) {
      const [word = "", postings = ""] = each.split("=");
      family.push({ word, family, postings });
    }
    return family;
  });
}

/** `1fB2kA`: differences of numbers in base 36, each before a letter that is the weight. */
function* readPostings(postings: string): Generator<readonly [page: number, weight: number]> {
  let page = 0;
  for (const part of postings.match(/[0-9a-z]+|[A-Z]/g) ?? []) {
    if (part >= "A" && part <= "Z") yield [page, part.charCodeAt(0) - 64];
    else page += Number.parseInt(part, 36);
  }
}
