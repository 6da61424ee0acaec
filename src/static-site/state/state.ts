/**
 * The state of a build, by which the next one decides which pages it keeps: the change manifest and the dependencies of each
 * page. It is written last. Without a readable state every page is rendered.
 *
 * Pages are columns, one list for each field: reading tens of thousands of objects would take longer than building what
 * changed.
 */
import type { Instant } from "../../model/time/instant.ts";
import type { ListPlace } from "../../model/address/list-address.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Manifest } from "../../views/manifest/manifest.ts";
import type { TemplateSet } from "../template-use.ts";

/** A record, a table or a template query that a page was made from: its name, the language, the arguments. */
export type Dependency = readonly [name: string, lang: Lang, ...args: Argument[]];

/** Keys and ids. */
export type Argument = string | number | null;

/** A page in a language, as the change manifest lists it. */
export interface Listing {
  readonly id: number;
  readonly path: string;
  readonly permalink: string;
  readonly language_code: Lang;
  /** For a page with a list: which page of the list it is. */
  readonly place?: ListPlace;
}

export interface BuiltPage extends Omit<Listing, "place"> {
  /** As `placeText`; "" for a page without a list. */
  readonly place: string;
  /** The date in sitemaps; "" for a page that is not in them. */
  readonly updated: string;
  readonly hash: string;
  /** Numbers of the dependencies of the payload. */
  readonly payloadDeps: readonly number[];
  /** Numbers of the dependencies of the HTML. */
  readonly renderDeps: readonly number[];
  /** Index into `templates`; -1 for a page that depends on more than content, so that it is always rendered. */
  readonly templates: number;
  /** In bytes, of its files in the order of `names`. */
  readonly sizes: readonly number[];
}

/** Lists of numbers, one after the other, and the end of each. */
export interface Lists {
  readonly numbers: Int32Array;
  readonly ends: Int32Array;
}

type Texts = {
  readonly [Name in "path" | "permalink" | "language_code" | "place" | "updated" | "hash"]: readonly string[];
};

export interface PageColumns extends Texts {
  readonly id: Float64Array;
  readonly templates: Int32Array;
  readonly payloadDeps: Lists;
  readonly renderDeps: Lists;
  readonly sizes: Lists;
}

/** The dependencies of all pages, each once, by their numbers. */
export interface StoredDependencies {
  readonly all: readonly Dependency[];
  readonly digests: readonly string[];
}

/** When time alone changes pages, and how many. */
export interface NextChange {
  readonly at: Instant;
  readonly pages: number;
}

export interface State {
  /** Digest of all that every page depends on: program, settings, options. */
  readonly fingerprint: string;
  /** Names of the files of each page, in the order of `sizes`. */
  readonly names: readonly string[];
  readonly server_time: string;
  readonly epoch: string | null;
  /** null while only an edit changes pages. */
  readonly next_change: NextChange | null;
  readonly pages: PageColumns;
  readonly redirects: Manifest["redirects"];
  readonly dependencies: StoredDependencies;
  /** Digests of tables by kind, and the kinds that template queries read, by the name of the query. */
  readonly tables: Readonly<Record<string, string>>;
  readonly tablesOf: Readonly<Record<string, readonly string[]>>;
  /** Sets of templates that pages were rendered with. */
  readonly templates: readonly TemplateSet[];
  /** From the scan of the output before anything was written; zeros for folders that were written to since. */
  readonly lastScan: { readonly began: number; readonly unchangedDirs: Float64Array };
  /** Files that belong to no page, by path: size in bytes and, for media, the version of the source. */
  readonly files: Readonly<Record<string, readonly [size: number, version?: string]>>;
}

const startAt = ({ ends }: Lists, at: number): number => (at === 0 ? 0 : ends[at - 1]!);

export const isEmptyAt = (lists: Lists, at: number): boolean => startAt(lists, at) === lists.ends[at];

/** The numbers of a list, which are not copied. */
export const numbersAt = (lists: Lists, at: number): Int32Array =>
  lists.numbers.subarray(startAt(lists, at), lists.ends[at]);

/** Whether a test holds for each number of a list; makes no copy of the list. */
export function everyAt(lists: Lists, at: number, test: (number: number) => boolean): boolean {
  for (let next = startAt(lists, at); next < lists.ends[at]!; next++) if (!test(lists.numbers[next]!)) return false;
  return true;
}

/** Flags each number of the lists. */
export function flagAll({ numbers }: Lists, flags: Uint8Array): void {
  for (let at = 0; at < numbers.length; at++) flags[numbers[at]!] = 1;
}

/** The lists with other numbers. @param next by the present number */
export const renumbered = ({ numbers, ends }: Lists, next: Uint32Array): Lists => ({
  numbers: numbers.map((number) => next[number]!),
  ends,
});

export function builtPageAt(
  { path, permalink, language_code, place, id, updated, hash, templates, payloadDeps, renderDeps, sizes }: PageColumns,
  at: number,
): BuiltPage {
  return {
    path: path[at]!,
    permalink: permalink[at]!,
    language_code: language_code[at]!,
    place: place[at]!,
    id: id[at]!,
    updated: updated[at]!,
    hash: hash[at]!,
    templates: templates[at]!,
    payloadDeps: [...numbersAt(payloadDeps, at)],
    renderDeps: [...numbersAt(renderDeps, at)],
    sizes: [...numbersAt(sizes, at)],
  };
}

/** The pages of the next state, added one by one. */
export interface NextPages {
  columns(): PageColumns;
  add(page: BuiltPage): void;
  /** Adds an unchanged page of the last state. @param templates the number of its template set in this build */
  keep(from: PageColumns, at: number, templates: number): void;
}

export function nextPages(): NextPages {
  const lists = (): { numbers: number[]; ends: number[] } => ({ numbers: [], ends: [] });
  const columns = {
    path: [] as string[],
    permalink: [] as string[],
    language_code: [] as Lang[],
    place: [] as string[],
    updated: [] as string[],
    hash: [] as string[],
    id: [] as number[],
    templates: [] as number[],
    payloadDeps: lists(),
    renderDeps: lists(),
    sizes: lists(),
  };
  const packed = ({ numbers, ends }: ReturnType<typeof lists>): Lists => ({
    numbers: Int32Array.from(numbers),
    ends: Int32Array.from(ends),
  });
  return {
    columns: () => ({
      ...columns,
      id: Float64Array.from(columns.id),
      templates: Int32Array.from(columns.templates),
      payloadDeps: packed(columns.payloadDeps),
      renderDeps: packed(columns.renderDeps),
      sizes: packed(columns.sizes),
    }),
    add(page) {
      for (const name of TEXTS) columns[name].push(page[name]);
      columns.id.push(page.id);
      columns.templates.push(page.templates);
      for (const name of LISTS) {
        for (const number of page[name]) columns[name].numbers.push(number);
        columns[name].ends.push(columns[name].numbers.length);
      }
    },
    keep(from, at, templates) {
      for (const name of TEXTS) columns[name].push(from[name][at]!);
      columns.id.push(from.id[at]!);
      columns.templates.push(templates);
      for (const name of LISTS) {
        for (const number of numbersAt(from[name], at)) columns[name].numbers.push(number);
        columns[name].ends.push(columns[name].numbers.length);
      }
    },
  };
}

const TEXTS = ["path", "permalink", "language_code", "place", "updated", "hash"] as const;
const LISTS = ["payloadDeps", "renderDeps", "sizes"] as const;
