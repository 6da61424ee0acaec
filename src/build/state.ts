/**
 * What a build leaves beside its files, so that the next one knows what it may keep.
 *
 * It is the change manifest of that moment with, for each page, what its payload and its HTML were made of. It is
 * written last; a state that cannot be read is none, and everything is built again. Pages and questions are kept in
 * columns, a list for each fact, and are looked at in place: to read tens of thousands of objects back would take longer
 * than to build what changed.
 */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Lang } from "../model/locale.ts";
import type { Manifest } from "../views/manifest.ts";
import { firstWhere } from "../model/bisect.ts";
import { isObject, type Json } from "../model/json.ts";
import type { TemplateSet } from "./template-use.ts";

export const STATE_FILE = ".cms-manifest.json";
const VERSION = 3;

/** Something the content was asked while a page was made: a name, the language it was asked in, the arguments. */
export type Asked = readonly [question: string, lang: Lang, ...args: Word[]];

/** Names the content a build was made of, in JSON, so that a later one can tell what has changed since. */
export type Mark = Json;

/** What questions ask about is named by keys and ids. */
export type Word = string | number | null;

/** What of a page is needed beyond its payload's hash: for sitemaps, and to tell who its relatives are. */
export interface Facts {
  readonly id: number;
  readonly updated: string;
}

export interface BuiltPage extends Facts {
  readonly path: string;
  readonly permalink: string;
  readonly language_code: Lang;
  readonly hash: string;
  /** Numbers of questions: what the payload was made of. */
  readonly reads: readonly number[];
  /** Numbers of questions: what its templates asked. */
  readonly asks: readonly number[];
  /** Index into `templates`; -1 when something outside the content had a say, so that the page is always rendered. */
  readonly templates: number;
  /** In bytes, of each file a page of this build has, in their order: what a look at the folder is compared with. */
  readonly sizes: readonly number[];
}

/** Lists of numbers, one after the other, and where each ends. */
interface Lists {
  readonly numbers: readonly number[];
  readonly ends: readonly number[];
}

/** A page in a language, as the change manifest lists it. */
export interface Listing {
  readonly id: number;
  readonly path: string;
  readonly permalink: string;
  readonly language_code: Lang;
}

/** Listings by their place. */
export type Listings = Pick<readonly Listing[], "length" | "at">;

export type PageColumns = { readonly [Name in Exclude<keyof BuiltPage, "reads" | "asks" | "sizes">]: readonly BuiltPage[Name][] } & { readonly reads: Lists; readonly asks: Lists; readonly sizes: Lists };

/** Questions of one name, in one language, with as many arguments. They are numbered through all groups. */
export interface QuestionColumns {
  readonly name: string;
  readonly lang: Lang;
  /** A list for each argument. */
  readonly args: readonly (readonly Word[])[];
  readonly digests: readonly string[];
}

export interface State {
  /** Of everything that all pages depend on: program, settings, options. */
  readonly fingerprint: string;
  /** Of the files each page has, as `sizes` has them. */
  readonly names: readonly string[];
  readonly server_time: string;
  readonly epoch: string | null;
  /** What the source has said of the content; null where it could not, or pages are missing. */
  readonly mark: Mark | null;
  readonly pages: PageColumns;
  readonly redirects: Manifest["redirects"];
  readonly questions: readonly QuestionColumns[];
  /** Digests of the tables that questions were answered from, by kind; and which those are, by the questions' names. */
  readonly tables: Readonly<Record<string, string>>;
  readonly basis: Readonly<Record<string, readonly string[]>>;
  /** Sets of templates used together: name to digest of the file. */
  readonly templates: readonly TemplateSet[];
  /** Files that belong to no page, by path: size in bytes and, of media, what the source was. */
  readonly files: Readonly<Record<string, readonly [size: number, source?: string]>>;
}

/** @returns undefined when the folder holds no state, or none of this version that can be read */
export async function readState(out: string): Promise<State | undefined> {
  try {
    const stored: unknown = JSON.parse(await readFile(join(out, STATE_FILE), "utf8"));
    // We wrote it ourselves, whole or not at all; the version says how.
    return isObject(stored) && stored.version === VERSION ? (stored as unknown as State) : undefined;
  } catch {
    return undefined; // absent or damaged: the same as never built
  }
}

/** All of it or nothing. */
export async function writeState(out: string, state: State): Promise<void> {
  const partial = join(out, `${STATE_FILE}.part`);
  await rm(partial, { force: true }); // also a link
  await writeFile(partial, JSON.stringify({ version: VERSION, ...state }), { flag: "wx" });
  await rename(partial, join(out, STATE_FILE));
}

const startAt = ({ ends }: Lists, at: number): number => (at === 0 ? 0 : ends[at - 1]!);

export const isEmptyAt = (lists: Lists, at: number): boolean => startAt(lists, at) === lists.ends[at];

const listAt = (lists: Lists, at: number): readonly number[] => lists.numbers.slice(startAt(lists, at), lists.ends[at]);

/** Whether a test holds for each number of a list, which is not taken out for it. */
export function everyAt(lists: Lists, at: number, test: (number: number) => boolean): boolean {
  for (let next = startAt(lists, at); next < lists.ends[at]!; next++) if (!test(lists.numbers[next]!)) return false;
  return true;
}

export function pageAt({ path, permalink, language_code, id, updated, hash, templates, reads, asks, sizes }: PageColumns, at: number): BuiltPage {
  return {
    path: path[at]!, permalink: permalink[at]!, language_code: language_code[at]!, id: id[at]!, updated: updated[at]!, hash: hash[at]!,
    templates: templates[at]!, reads: listAt(reads, at), asks: listAt(asks, at), sizes: listAt(sizes, at),
  };
}

/** The pages of a state, one by one when somebody asks. */
export const listed = ({ id, path, permalink, language_code }: PageColumns): Listings => ({
  length: path.length,
  at: (place) => (place < path.length ? { id: id[place]!, path: path[place]!, permalink: permalink[place]!, language_code: language_code[place]! } : undefined),
});

/** The hash of a page in a language; undefined of those that are none, or excepted by their place. Pages stand by language, then by id. */
export function hashesOf({ id, language_code, hash }: PageColumns, except: ReadonlySet<number>): (lang: Lang, id: number) => string | undefined {
  const ranges = new Map<Lang, readonly [number, number]>();
  return (lang, of) => {
    const range = ranges.get(lang) ?? [language_code.indexOf(lang), language_code.lastIndexOf(lang)];
    ranges.set(lang, range);
    const [first, last] = range;
    const at = first + firstWhere(last - first + 1, (place) => id[first + place]! >= of);
    return first >= 0 && at <= last && id[at] === of && !except.has(at) ? hash[at] : undefined;
  };
}

/** The question with a number. */
export interface StoredQuestions {
  readonly count: number;
  asked(number: number): Asked;
  /** The place of its group, and its own in that. */
  groupOf(number: number): number;
  within(number: number): number;
}

export function storedQuestions(groups: readonly QuestionColumns[]): StoredQuestions {
  const count = groups.reduce((sum, { digests }) => sum + digests.length, 0);
  const groupAt = new Uint32Array(count);
  const firsts: number[] = [];
  let first = 0;
  for (const [at, { digests }] of groups.entries()) {
    firsts.push(first);
    groupAt.fill(at, first, (first += digests.length));
  }
  const within = (number: number): number => number - firsts[groupAt[number]!]!;
  return {
    count,
    asked(number) {
      const { name, lang, args } = groups[groupAt[number]!]!;
      return [name, lang, ...args.map((column) => column[within(number)]!)];
    },
    groupOf: (number) => groupAt[number]!,
    within,
  };
}

/** The next state's questions, and the numbers they have in it. */
export interface NextQuestions {
  readonly groups: readonly QuestionColumns[];
  renumber(number: number): number;
}

/**
 * Puts the next state's questions together: of those there were the ones that pages still have, then new ones.
 *
 * @param used by number; new ones are numbered after those there were
 * @param fresh all new ones, used or not
 */
export function nextQuestions(stored: readonly QuestionColumns[], used: Uint8Array, fresh: readonly Asked[], digest: (asked: Asked) => string): NextQuestions {
  const numbers = new Uint32Array(used.length);
  const groups: Group[] = [];
  let first = 0;
  for (const { name, lang, args, digests } of stored) {
    const kept = Array.from(digests.keys()).filter((at) => used[first + at]);
    const of = <T>(column: readonly T[]): T[] => kept.map((at) => column[at]!);
    const known = args.map(of);
    groups.push({ name, lang, known, args: known.map((column) => [...column]), digests: of(digests), numbers: kept.map((at) => first + at) });
    first += digests.length;
  }
  /** New questions that a kept page has too: such a page has the old number. */
  const same: [number: number, old: Group, at: number][] = [];
  for (const [at, asked] of fresh.entries()) {
    const number = first + at;
    if (!used[number]) continue;
    const [name, lang, ...args] = asked;
    let group = groups.find((each) => each.name === name && each.lang === lang && each.args.length === args.length);
    if (!group) groups.push((group = { name, lang, known: args.map(() => []), args: args.map(() => []), digests: [], numbers: [] }));
    const known = placeOf(group, args);
    if (known >= 0) same.push([number, group, known]);
    else {
      for (const [column, arg] of args.entries()) group.args[column]!.push(arg);
      group.digests.push(digest(asked));
      group.numbers.push(number);
    }
  }
  let next = 0;
  for (const group of groups) for (const number of group.numbers) numbers[number] = next++;
  for (const [number, group, at] of same) numbers[number] = numbers[group.numbers[at]!]!;
  return { groups: groups.filter(({ digests }) => digests.length > 0).map(({ name, lang, args, digests }) => ({ name, lang, args, digests })), renumber: (number) => numbers[number]! };
}

interface Group {
  readonly name: string;
  readonly lang: Lang;
  /** The arguments of those there were; `args` has all. New ones are no two the same. */
  readonly known: readonly (readonly Word[])[];
  readonly args: Word[][];
  readonly digests: string[];
  readonly numbers: number[];
}

/** -1 when no question there was has these arguments. */
function placeOf({ known: columns, digests }: Group, args: readonly Word[]): number {
  const [first] = columns;
  // One without arguments is the only one of its group.
  if (!first) return digests.length - 1;
  for (let at = first.indexOf(args[0]!); at >= 0; at = first.indexOf(args[0]!, at + 1)) {
    if (columns.every((column, each) => column[at] === args[each])) return at;
  }
  return -1;
}

/** Pages of the next state, put into columns one by one. */
export interface NextPages {
  readonly columns: PageColumns;
  add(page: BuiltPage): void;
  /** One of an earlier state as it is. @param templates the number its set of templates has now */
  keep(from: PageColumns, at: number, templates: number): void;
}

/**
 * The pages of an earlier state with a few that are others, in the same places: no other is looked at.
 *
 * @param sets numbers that sets of templates have now
 */
export function patchedPages(before: PageColumns, changes: ReadonlyMap<number, BuiltPage>, sets: readonly (number | undefined)[]): PageColumns {
  const single = Object.fromEntries(SINGLE.map((name) => [name, [...before[name]]])) as { [Name in (typeof SINGLE)[number]]: BuiltPage[Name][] };
  single.templates = before.templates.map((set) => sets[set] ?? -1);
  for (const [at, page] of changes) for (const name of SINGLE) (single[name] as unknown[])[at] = page[name];
  const [reads, asks, sizes] = LISTS.map((name) => patchedLists(before[name], changes, name));
  return { ...single, reads: reads!, asks: asks!, sizes: sizes! };
}

function patchedLists(before: Lists, changes: ReadonlyMap<number, BuiltPage>, name: (typeof LISTS)[number]): Lists {
  const numbers = [...before.numbers];
  const ends = [...before.ends];
  // From the last on, so that what is still to come stands where it stood.
  for (const [at, page] of [...changes].sort(([a], [b]) => b - a)) {
    const start = startAt(before, at);
    const length = before.ends[at]! - start;
    numbers.splice(start, length, ...page[name]);
    const more = page[name].length - length;
    if (more !== 0) for (let next = at; next < ends.length; next++) ends[next]! += more;
  }
  return { numbers, ends };
}

export function nextPages(): NextPages {
  const lists = (): { numbers: number[]; ends: number[] } => ({ numbers: [], ends: [] });
  const columns = {
    path: [] as string[], permalink: [] as string[], language_code: [] as Lang[], id: [] as number[], updated: [] as string[], hash: [] as string[],
    templates: [] as number[], reads: lists(), asks: lists(), sizes: lists(),
  };
  return {
    columns,
    add(page) {
      for (const name of SINGLE) (columns[name] as unknown[]).push(page[name]);
      for (const name of LISTS) {
        for (const number of page[name]) columns[name].numbers.push(number);
        columns[name].ends.push(columns[name].numbers.length);
      }
    },
    keep(from, at, templates) {
      for (const name of SINGLE) (columns[name] as unknown[]).push(name === "templates" ? templates : from[name][at]);
      for (const name of LISTS) {
        const { numbers, ends } = from[name];
        for (let next = startAt(from[name], at); next < ends[at]!; next++) columns[name].numbers.push(numbers[next]!);
        columns[name].ends.push(columns[name].numbers.length);
      }
    },
  };
}

const SINGLE = ["path", "permalink", "language_code", "id", "updated", "hash", "templates"] as const;
const LISTS = ["reads", "asks", "sizes"] as const;
