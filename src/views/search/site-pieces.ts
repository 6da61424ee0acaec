/**
 * The files by which browsers search a built site in one language (`site-search/search.ts` reads them): a list of pieces,
 * pieces with words and the pages that have them, and pieces with the texts of results.
 *
 * Their names are hashes of their bytes, and an edit changes few of them. Where one piece ends and the next begins follows from
 * the words, and the number of a page from its id: neither moves when another page is changed.
 */
import { keptBy } from "../../memo.ts";
import { plainText } from "../../model/search/plain-text.ts";
import type { Stem } from "../../model/search/stemmer.ts";
import { wordsOf } from "../../model/search/words.ts";
import { pace } from "../../time-slices.ts";
import { textHash } from "../manifest/json-digest.ts";
import type { SearchedText } from "./searched-texts.ts";

export interface SearchedPage {
  readonly id: number;
  /** Root-relative. */
  readonly url: string;
  readonly title: string;
  readonly texts: readonly SearchedText[];
}

/** In characters. Names are in lower case, since some hosts do not tell it apart. */
const NAME = 8;
const NO_PIECE = " ".repeat(NAME);
/** In characters, of a piece with words: about so many, and at most, but for a single word. */
const PIECE = 8000;
const PIECE_MAX = 14_000;
/** Pages whose texts share a piece. */
const TOGETHER = 12;
/** In characters: as much of a text is in its piece. A small site has more, so that passages show what was found. */
const SHOWN = 240;
const SHOWN_OF_FEW = 1500;
const FEW = 200;
/** So many pages have room for a number each. */
const NUMBERS_PER_PAGE = 64;
/** A word in more than half of so many pages tells nothing; it names these alone, the best. */
const MANY = 64;
const BEST = 50;

type Store = (value: unknown) => string;

/** @param stem of the language @returns texts by name: `pieces.json`, `4f0a1c2z.json` */
export async function sitePieces(pages: readonly SearchedPage[], stem: Stem): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const store: Store = (value) => {
    const text = JSON.stringify(value);
    const name = BigInt(`0x${textHash(text)}`)
      .toString(36)
      .slice(-NAME);
    files.set(`${name}.json`, text);
    return name;
  };
  const bits = Math.ceil(Math.log2(Math.max(1, pages.length) * NUMBERS_PER_PAGE));
  const groupBits = Math.max(0, Math.ceil(Math.log2(Math.max(1, pages.length) / TOGETHER)));
  const nameBits = Math.ceil(groupBits / 2);
  const numbered = withNumbers(pages, bits);
  const texts = await textPieces(numbered, bits - groupBits, groupBits, store);
  // The names of the pieces with texts are in pieces of their own, of which a result needs one.
  const chunks = Array.from({ length: 2 ** (groupBits - nameBits) }, (_, at) =>
    store(texts.slice(at << nameBits, (at + 1) << nameBits).join("")),
  );
  const words = wordPieces(await wordLines(numbered, stem)).flatMap(([first, lines]) => [
    first,
    store(lines.join("\n")),
  ]);
  const index = {
    pages: pages.length,
    bytes: [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    ...{ shift: bits - groupBits, nameBits, words: words.join(" "), texts: chunks.join("") },
  };
  return new Map([["pieces.json", JSON.stringify(index)], ...files]);
}

/** The names of all files, by those of `pieces.json` and of the pieces that it needs. @param read a file */
export async function namedPieces(read: (name: string) => Promise<string>): Promise<readonly string[]> {
  const { words, texts } = JSON.parse(await read("pieces.json")) as { readonly words: string; readonly texts: string };
  const names = await Promise.all(
    namesIn(texts).map(async (name) => namesIn(JSON.parse(await read(`${name}.json`)) as string)),
  );
  return [...words.split(" ").filter((_, at) => at % 2 === 1), ...names.flat()].map((name) => `${name}.json`);
}

const namesIn = (joined: string): readonly string[] =>
  Array.from({ length: joined.length / NAME }, (_, at) => joined.slice(at * NAME, (at + 1) * NAME)).filter(
    (name) => name !== NO_PIECE,
  );

type Numbered = readonly (readonly [number: number, page: SearchedPage])[];

/** Pages by number, ascending. A number that is taken goes to the page with the smaller id. */
function withNumbers(pages: readonly SearchedPage[], bits: number): Numbered {
  const taken = new Map<number, SearchedPage>();
  for (const page of [...pages].sort((a, b) => a.id - b.id)) {
    let number = digestOf(String(page.id)) >>> (32 - bits);
    while (taken.has(number)) number = (number + 1) % 2 ** bits;
    taken.set(number, page);
  }
  return [...taken].sort(([a], [b]) => a - b);
}

/** FNV-1a, with its bits mixed once more: those of short texts are alike. */
function digestOf(text: string): number {
  let digest = 2166136261;
  for (let at = 0; at < text.length; at++) digest = Math.imul(digest ^ text.charCodeAt(at), 16777619);
  digest = Math.imul(digest ^ (digest >>> 15), 2246822507);
  return (digest ^ (digest >>> 13)) >>> 0;
}

/** The names of the pieces with texts, by the highest bits of the numbers of their pages. */
async function textPieces(numbered: Numbered, shift: number, bits: number, store: Store): Promise<readonly string[]> {
  const most = numbered.length <= FEW ? SHOWN_OF_FEW : SHOWN;
  const groups = Array.from({ length: 2 ** bits }, (): Record<number, readonly string[]> => ({}));
  for (const [number, { url, title, texts }] of numbered) {
    const shown = texts.flatMap(({ path, text }) =>
      path === "title" || path === "permalink" ? [] : [plainText(text)],
    );
    groups[number >> shift]![number] = [url, title, cut([...new Set(shown)].join(" "), most)];
    const rest = pace();
    if (rest) await rest;
  }
  return groups.map((group) => (Object.keys(group).length === 0 ? NO_PIECE : store(group)));
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, Math.max(text.lastIndexOf(" ", most), most / 2));

/** Lines of words with one stem, by the first of them: `bakeries=3C bakery=1fB2kA`. */
async function wordLines(numbered: Numbered, stem: Stem): Promise<ReadonlyMap<string, string>> {
  const postings = new Map<string, [number: number, weight: number][]>();
  for (const [number, { texts }] of numbered) {
    const weights = new Map<string, number>();
    for (const { text, weight } of texts)
      for (const word of wordsOf(text)) weights.set(word, (weights.get(word) ?? 0) + weight);
    // From 10 to 22. How long the text is does not count: it would change every word of a page with each edit.
    for (const [word, weight] of weights)
      keptBy(postings, word, () => []).push([number, Math.round((22 * weight) / (weight + 1.2))]);
    const rest = pace();
    if (rest) await rest;
  }
  const families = new Map<string, string[]>();
  for (const word of [...postings.keys()].sort())
    keptBy(families, `${startOf(word)} ${stem(word)}`, () => []).push(word);
  const lines = [...families.values()].map((words): [string, string] => [
    words[0]!,
    words.map((word) => `${word}=${written(postings.get(word)!, numbered.length)}`).join(" "),
  ]);
  return new Map(lines);
}

function written(postings: readonly (readonly [number: number, weight: number])[], pages: number): string {
  const isEverywhere = pages >= MANY && postings.length > pages / 2;
  const best = (): typeof postings =>
    [...postings]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, BEST)
      .sort((a, b) => a[0] - b[0]);
  let last = 0;
  const parts = (isEverywhere ? best() : postings).map(([number, weight]) => {
    const difference = number - last;
    last = number;
    return `${difference.toString(36)}${String.fromCharCode(64 + weight)}`;
  });
  return `${isEverywhere ? "*" : ""}${parts.join("")}`;
}

/** The lines of each piece. It ends where the digest of a word's first four letters says so, or where it would be too long. */
function wordPieces(
  byFirst: ReadonlyMap<string, string>,
): readonly (readonly [first: string, lines: readonly string[]])[] {
  const starts = new Set(Array.from(byFirst.keys(), startOf));
  const all = [...byFirst.values()].reduce((sum, line) => sum + line.length + 1, 0);
  const startsOfPiece = 2 ** Math.max(0, Math.round(Math.log2((PIECE * starts.size) / Math.max(1, all))));
  const pieces: [first: string, lines: string[]][] = [];
  let size = Infinity;
  let before = "";
  for (const [word, line] of byFirst) {
    const start = startOf(word);
    if ((start !== before && digestOf(start) % startsOfPiece === 0) || size + line.length > PIECE_MAX) {
      pieces.push([word, []]);
      size = 0;
    }
    before = start;
    size += line.length + 1;
    pieces.at(-1)![1].push(line);
  }
  return pieces;
}

const startOf = (word: string): string => word.slice(0, 4);
