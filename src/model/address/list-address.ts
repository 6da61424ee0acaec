/**
 * Addresses of the further pages of a list, and of the groups that it is divided into: `/journal/page/2`, `/journal/tag/clay`,
 * `/journal/tag/clay/page/2`, `/journal/2026`, with the words of the language.
 */
import { LIST_WORDS, type Lang, type ListWords, type Locales } from "../language/locale.ts";
import type { ListGroups } from "../page/paginate.ts";
import { freeNumber } from "./free-number.ts";
import { isDeviceName } from "./possible-names.ts";
import { SEGMENT_BYTES_MAX, shortenSlug, slugify } from "./slug.ts";

const wordsOf = ({ listWords }: Pick<Locales, "listWords">, lang: Lang): ListWords => listWords?.[lang] ?? LIST_WORDS;

/** Which page of a list an address has. */
export interface ListPlace {
  /** From 1. */
  readonly number: number;
  /** The key of the group whose page it is; absent for a page of the whole list. */
  readonly group?: number;
}

/** A place as a text, for keys and files. */
export const placeText = ({ number, group }: ListPlace): string =>
  group === undefined ? `${number}` : `${group} ${number}`;

/** The place of a text of `placeText`; "" is the first. */
export function placeOfText(text: string): ListPlace {
  const parts = text.split(" ").map(Number);
  const [number, group] = parts.reverse();
  return { number: number || 1, ...(group !== undefined && { group }) };
}

/** Whether it is at the address of the list itself. */
export const isFirstPlace = ({ number, group }: ListPlace): boolean => number === 1 && group === undefined;

/**
 * The slug of each group, by its key. Of groups whose titles have one slug, such as C and C#, that with the least key has it, and the
 * others have a number, too.
 */
export function groupSlugs(
  groups: readonly { readonly key: number; readonly title: string }[],
): ReadonlyMap<number, string> {
  const slugs = new Map<number, string>();
  const given = new Set<string>();
  for (const { key, title } of [...groups].sort((a, b) => a.key - b.key)) {
    const plain = shortenSlug(slugify(title) || String(key), Infinity, SEGMENT_BYTES_MAX);
    const numbered = (number: number): string => (number === 1 ? plain : `${plain}-${number}`);
    const isGiven = (number: number): boolean => given.has(numbered(number)) || isDeviceName(numbered(number));
    const slug = isGiven(1) ? numbered(freeNumber(isGiven)) : plain;
    given.add(slug);
    slugs.set(key, slug);
  }
  return slugs;
}

/** What distinguishes the address of a group. */
export interface GroupAddress {
  readonly each: ListGroups;
  readonly slug: string;
}

/** The permalink of a numbered page of a list or of a group of it; the first page of the list is at that of the list itself. */
export function listPermalink(
  locales: Locales,
  lang: Lang,
  permalink: string,
  { number, group }: Omit<NamedPlace, "list">,
): string {
  const words = wordsOf(locales, lang);
  const word = group && wordOf(words, group.each);
  const above = group ? [word, group.slug].filter((part) => part !== undefined) : [];
  const parts = [...above, ...(number === 1 ? [] : [words.page, number])];
  return parts.length === 0 ? permalink : [permalink === "/" ? "" : permalink, ...parts].join("/");
}

/** A year needs none. */
const wordOf = (words: ListWords, each: ListGroups): string | undefined =>
  each === "tags" ? words.tag : each === "authors" ? words.author : undefined;

/** A place as addresses name it. */
export interface NamedPlace {
  /** The permalink of the list. */
  readonly list: string;
  readonly number: number;
  readonly group?: GroupAddress | undefined;
}

/** What a permalink may stand for, if there is such a list. */
export function listPlaces(locales: Locales, lang: Lang, permalink: string): readonly NamedPlace[] {
  const words = wordsOf(locales, lang);
  const [, above = "", word, digits] = /^(.*)\/([^/]+)\/([1-9]\d{0,8})$/.exec(permalink) ?? [];
  const isNumbered = word === words.page;
  const number = isNumbered ? Number(digits) : 1;
  const [, parents = "", slug = ""] = /^(.*)\/([^/]+)$/.exec(isNumbered ? above : permalink) ?? [];
  const [, list = "", groupWord] = /^(.*)\/([^/]+)$/.exec(parents) ?? [];
  const each = groupWord === undefined ? undefined : ofWord(words, groupWord);
  return [
    ...(isNumbered ? [{ list: above || "/", number }] : []),
    ...(each ? [{ list: list || "/", number, group: { each, slug } }] : []),
    ...(/^\d{4}$/.test(slug) ? [{ list: parents || "/", number, group: { each: "year" as const, slug } }] : []),
  ];
}

const ofWord = (words: ListWords, word: string): ListGroups | undefined =>
  word === words.tag ? "tags" : word === words.author ? "authors" : undefined;
