/**
 * What a build leaves beside its files, so that the next one knows what it may keep.
 *
 * It is the change manifest of that moment and the dependencies of each page. It is
 * written last; a state that cannot be read is none, and everything is built again. Pages and questions are kept in
 * columns, a list for each fact, and are looked at in place: to read tens of thousands of objects back would take longer
 * than to build what changed.
 */
import type { Lang } from "../../model/locale.ts";
import type { Manifest } from "../../views/manifest.ts";
import type { TemplateSet } from "../template-use.ts";

/** Something the content was asked while a page was made: a name, the language it was asked in, the arguments. */
export type Dependency = readonly [question: string, lang: Lang, ...args: Word[]];

/** Keys and ids. */
export type Word = string | number | null;

/** What of a page is needed beyond its payload's hash: for sitemaps, and to tell who its relatives are. */
export interface Facts {
  readonly id: number;
  /** The date that sitemaps show; "" for a page that sitemaps leave out. */
  readonly updated: string;
}

export interface BuiltPage extends Facts {
  readonly path: string;
  readonly permalink: string;
  readonly language_code: Lang;
  readonly hash: string;
  /** Numbers of the dependencies of the payload. */
  readonly payloadDeps: readonly number[];
  /** Numbers of the dependencies of the HTML. */
  readonly renderDeps: readonly number[];
  /** Index into `templates`; -1 when something outside the content had a say, so that the page is always rendered. */
  readonly templates: number;
  /** In bytes, of each file a page of this build has, in their order: what a look at the folder is compared with. */
  readonly sizes: readonly number[];
}

/** Lists of numbers, one after the other, and where each ends. */
export interface Lists {
  readonly numbers: Int32Array;
  readonly ends: Int32Array;
}

/** A page in a language, as the change manifest lists it. */
export interface Listing {
  readonly id: number;
  readonly path: string;
  readonly permalink: string;
  readonly language_code: Lang;
}

type Texts = { readonly [Name in "path" | "permalink" | "language_code" | "updated" | "hash"]: readonly string[] };

export interface PageColumns extends Texts {
  readonly id: Float64Array;
  readonly templates: Int32Array;
  readonly payloadDeps: Lists;
  readonly renderDeps: Lists;
  readonly sizes: Lists;
}

/** Questions of one name, in one language, with as many arguments. They are numbered through all groups. */
export interface DependencyColumns {
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
  readonly pages: PageColumns;
  readonly redirects: Manifest["redirects"];
  readonly dependencies: readonly DependencyColumns[];
  /** Digests of tables by kind, and the kinds that answers depend on, by the names of the dependencies. */
  readonly tables: Readonly<Record<string, string>>;
  readonly tablesOf: Readonly<Record<string, readonly string[]>>;
  /** Sets of templates used together: name to digest of the file. */
  readonly templates: readonly TemplateSet[];
  /** The last look into the output (`Look`), before anything was written; of folders that were written into since nothing is known. */
  readonly lastScan: { readonly began: number; readonly unchangedDirs: Float64Array };
  /** Files that belong to no page, by path: size in bytes and, of media, what the source was. */
  readonly files: Readonly<Record<string, readonly [size: number, source?: string]>>;
}

const startAt = ({ ends }: Lists, at: number): number => (at === 0 ? 0 : ends[at - 1]!);

export const isEmptyAt = (lists: Lists, at: number): boolean => startAt(lists, at) === lists.ends[at];

export const listAt = (lists: Lists, at: number): readonly number[] => [
  ...lists.numbers.subarray(startAt(lists, at), lists.ends[at]),
];

/** Whether a test holds for each number of a list, which is not taken out for it. */
export function everyAt(lists: Lists, at: number, test: (number: number) => boolean): boolean {
  for (let next = startAt(lists, at); next < lists.ends[at]!; next++) if (!test(lists.numbers[next]!)) return false;
  return true;
}

/** Flags each number of the lists. */
export function flagAll({ numbers }: Lists, flags: Uint8Array): void {
  for (let at = 0; at < numbers.length; at++) flags[numbers[at]!] = 1;
}

/** The lists with other numbers. @param now by the number it was */
export function renumbered({ numbers, ends }: Lists, now: Uint32Array): Lists {
  const others = new Int32Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) others[at] = now[numbers[at]!]!;
  return { numbers: others, ends };
}

export function pageAt(
  { path, permalink, language_code, id, updated, hash, templates, payloadDeps, renderDeps, sizes }: PageColumns,
  at: number,
): BuiltPage {
  return {
    path: path[at]!,
    permalink: permalink[at]!,
    language_code: language_code[at]!,
    id: id[at]!,
    updated: updated[at]!,
    hash: hash[at]!,
    templates: templates[at]!,
    payloadDeps: listAt(payloadDeps, at),
    renderDeps: listAt(renderDeps, at),
    sizes: listAt(sizes, at),
  };
}

/** Pages of the next state, put into columns one by one. */
export interface NextPages {
  columns(): PageColumns;
  add(page: BuiltPage): void;
  /** One of an earlier state as it is. @param templates the number its set of templates has now */
  keep(from: PageColumns, at: number, templates: number): void;
}

export function nextPages(): NextPages {
  const lists = (): { numbers: number[]; ends: number[] } => ({ numbers: [], ends: [] });
  const columns = {
    path: [] as string[],
    permalink: [] as string[],
    language_code: [] as Lang[],
    updated: [] as string[],
    hash: [] as string[],
    id: [] as number[],
    templates: [] as number[],
    payloadDeps: lists(),
    renderDeps: lists(),
    sizes: lists(),
  };
  return {
    columns() {
      const { path, permalink, language_code, updated, hash, id, templates, ...rest } = columns;
      const [payloadDeps, renderDeps, sizes] = LISTS.map((name): Lists => ({
        numbers: Int32Array.from(rest[name].numbers),
        ends: Int32Array.from(rest[name].ends),
      }));
      return {
        path,
        permalink,
        language_code,
        updated,
        hash,
        id: Float64Array.from(id),
        templates: Int32Array.from(templates),
        payloadDeps: payloadDeps!,
        renderDeps: renderDeps!,
        sizes: sizes!,
      };
    },
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
        const { numbers, ends } = from[name];
        for (let next = startAt(from[name], at); next < ends[at]!; next++) columns[name].numbers.push(numbers[next]!);
        columns[name].ends.push(columns[name].numbers.length);
      }
    },
  };
}

export const TEXTS = ["path", "permalink", "language_code", "updated", "hash"] as const;
export const LISTS = ["payloadDeps", "renderDeps", "sizes"] as const;
