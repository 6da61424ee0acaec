/** What may stay as it is: the pages of an earlier build for which nothing has changed that had a say in them. */
import { builtFolder } from "./place.ts";
import { countOf, storedQuestions, type StoredQuestions } from "./question-columns.ts";
import { RECORD, TABLE, type Questions } from "./questions.ts";
import type { Since, Source } from "./source.ts";
import { everyAt, hashesOf, isEmptyAt, listed, pageAt, placesWith, type BuiltPage, type Listing, type Listings, type QuestionColumns, type State, type Word } from "./state.ts";
import type { TemplateUse } from "./template-use.ts";

export interface Ground {
  readonly source: Source;
  readonly questions: Questions;
  readonly use: TemplateUse;
}

export interface Plan {
  /** What the site has, in the order of the source. */
  readonly pages: Listings;
  /** Folders of pages; undefined of those that have none. */
  folderAt(place: number): string | undefined;
  /** Of each page its place in the state before; -1 for those to be made. Questions keep the numbers they had. */
  readonly kept: Int32Array;
  /** Of those that are kept the ones of which something else is other than it was. */
  readonly altered: ReadonlyMap<number, BuiltPage>;
  /** Numbers of the sets of templates as they are now; undefined for those that are none any more. */
  readonly sets: readonly (number | undefined)[];
  /** What has changed, where that could be told; then each page has the place it had. */
  readonly since?: Since;
}

const NONE = -1;

/** Everything is made. @param folders by the place in the source's list */
export const everything = ({ pages }: Source, folders: readonly (string | undefined)[]): Plan => ({
  pages, folderAt: (place) => folders[place], kept: new Int32Array(pages.length).fill(NONE), altered: new Map(), sets: [],
});

/** Whether an answer is as it was, by the number of its question. */
type Same = (number: number) => boolean;

/**
 * What the content says; `whereIntact` is what the output says to it.
 *
 * @param foldersOf the folders of the source's pages, by their place
 */
export async function keepable(before: State, ground: Ground, foldersOf: () => readonly (string | undefined)[]): Promise<Plan> {
  const { source, questions, use } = ground;
  const stored = storedQuestions(before.questions);
  const since = before.mark === null ? undefined : source.since?.(before.mark);
  if (!since) await source.prepare?.(Array.from({ length: stored.count }, (_, number) => stored.asked(number)));
  questions.adopt(stored.count);
  const sets = before.templates.map((set) => use.known(set));
  return since ? keepSince(before, since, { ...ground, stored, sets }) : keepAll(before, { ...ground, stored, sets }, foldersOf());
}

/** A plan that keeps nothing which does not lie there as it was left. @param isIntact by the place in the state before */
export function whereIntact(plan: Plan, isIntact: (at: number) => boolean): Plan {
  const kept = plan.kept.map((at) => (at !== NONE && isIntact(at) ? at : NONE));
  return { ...plan, kept, altered: new Map([...plan.altered].filter(([place]) => kept[place] !== NONE)) };
}

interface Stored extends Ground {
  readonly stored: StoredQuestions;
  readonly sets: Plan["sets"];
}

/** By asking every question again. */
async function keepAll(before: State, ground: Stored, folders: readonly (string | undefined)[]): Promise<Plan> {
  const { source, stored, sets } = ground;
  const { pages } = source;
  const same = sameAnswers(before, stored, source);
  const placeBefore = placesIn(before.pages.path);
  const kept = new Int32Array(pages.length).fill(NONE);
  const altered = new Map<number, BuiltPage>();
  // First every hash, since what templates asked is often a list of pages.
  for (const [place, page] of pages.entries()) {
    const at = placeBefore(page.path);
    if (at === undefined || !isThatPage(before, at, page) || folders[place] === undefined) continue;
    // Nearly all pages are kept, and none of them has anything to wait for.
    if (isMadeOf(before, at, same)) {
      source.trust(page, before.pages.id[at]!, before.pages.hash[at]!);
      kept[place] = at;
    } else {
      const anew = await madeAnew(page, before, at, ground);
      if (anew) {
        kept[place] = at;
        altered.set(place, anew);
      }
    }
  }
  keepRendered(before, { kept, altered, sets }, (at) => !everyAt(before.pages.asks, at, same));
  return { pages, folderAt: (place) => folders[place], kept, altered, sets };
}

/** By asking only what a change of some pages may have answered otherwise. */
async function keepSince(before: State, since: Since, ground: Stored): Promise<Plan> {
  const { source, stored, sets } = ground;
  const pages = listed(before.pages);
  const kept = new Int32Array(pages.length).map((_, at) => at);
  const altered = new Map<number, BuiltPage>();
  const { reads, asks } = before.pages;
  const uncertain = placesWith(reads, flagged(before, (group) => changedRecords(group, since) ?? ALL));
  for (let place = 0; place < kept.length; place++) if (isEmptyAt(reads, place)) uncertain.add(place);
  source.trustAll?.(hashesOf(before.pages, uncertain));
  const moved = new Set(since.pages);
  for (const place of uncertain) {
    const page = pages.at(place)!;
    const anew = await madeAnew(page, before, place, ground);
    if (anew) altered.set(place, anew);
    else {
      moved.add(page.id);
      kept[place] = NONE;
    }
  }
  const asked = placesWith(asks, flagged(before, answersChanged(before, stored, source, since, moved)));
  keepRendered(before, { kept, altered, sets }, (at) => asked.has(at));
  return { pages, folderAt: (place) => builtFolder(before.pages.path[place]!), kept, altered, sets, since };
}

/** Leaves out the pages whose templates are others now, or asked what has another answer. @param isOther by the place in the state */
function keepRendered({ pages }: State, { kept, altered, sets }: Pick<Plan, "kept" | "sets"> & { readonly altered: Map<number, BuiltPage> }, isOther: (at: number) => boolean): void {
  for (let place = 0; place < kept.length; place++) {
    const at = kept[place]!;
    if (at === NONE) continue;
    const templates = sets[pages.templates[at]!];
    const other = altered.get(place);
    if (templates === undefined || isOther(at)) {
      kept[place] = NONE;
      altered.delete(place);
    } else if (other) altered.set(place, { ...other, templates });
  }
}

/** Where a path is in a list. Asked mostly in its order. */
function placesIn(paths: readonly string[]): (path: string) => number | undefined {
  let next = 0;
  let places: ReadonlyMap<string, number> | undefined;
  return (path) => {
    if (paths[next] === path) return next++;
    places ??= new Map(paths.map((each, at) => [each, at]));
    const at = places.get(path);
    if (at !== undefined) next = at + 1;
    return at;
  };
}

/** Another page may have come to stand at its path. */
const isThatPage = ({ pages }: State, at: number, page: Listing): boolean =>
  pages.id[at] === page.id && pages.permalink[at] === page.permalink && pages.language_code[at] === page.language_code;

/** Whether all its payload was made of is as it was; false where that is not known. */
const isMadeOf = ({ pages: { reads } }: State, at: number, same: Same): boolean => !isEmptyAt(reads, at) && everyAt(reads, at, same);

/**
 * The page with what its payload is made of today; undefined when that is another payload.
 *
 * One that reads other records than then may come out the same, and must be known by those from here on.
 */
async function madeAnew(page: Listing, { pages }: State, at: number, { source, questions }: Ground): Promise<BuiltPage | undefined> {
  if (isEmptyAt(pages.reads, at)) return (await source.hash(page)) === pages.hash[at] ? pageAt(pages, at) : undefined;
  const { value, noted } = await questions.gather(() => source.make(page));
  // What its model adds to its context by now may look anywhere.
  if (value.hash !== pages.hash[at] || source.shown(page, value).inject !== null) return undefined;
  return { ...pageAt(pages, at), reads: noted };
}

/**
 * Whether a question of an earlier build has the same answer today.
 *
 * Where every table it was answered from is as it was, it need not be asked.
 */
function sameAnswers({ questions, tables, basis }: State, stored: StoredQuestions, source: Source): Same {
  const standing = new Map<string, boolean>();
  const stands = (kind: string): boolean => {
    const known = standing.get(kind) ?? (Boolean(tables[kind]) && source.digest([TABLE, "", kind]) === tables[kind]);
    standing.set(kind, known);
    return known;
  };
  const settled = questions.map(({ name }) => name !== RECORD && (basis[name]?.every(stands) ?? false));
  return remembered(stored.count, (number) => settled[stored.groupOf(number)]! || hasAnswer(questions, stored, source, number));
}

const ALL = "all";

/** Places in a group of questions, the first of which has a number. */
type PlacesIn = (group: QuestionColumns, first: number) => readonly number[] | typeof ALL;

/** Flags the questions at some places of each group, by their numbers. */
function flagged({ questions }: State, placesIn: PlacesIn): Uint8Array {
  const flags = new Uint8Array(countOf(questions));
  let first = 0;
  for (const group of questions) {
    const end = first + group.digests.length;
    const places = placesIn(group, first);
    if (places === ALL) flags.fill(1, first, end);
    else for (const at of places) flags[first + at] = 1;
    first = end;
  }
  return flags;
}

/** Where a group asks of records, or tables, that are others; undefined where it asks something else. */
function changedRecords({ name, args }: QuestionColumns, { changed }: Since): readonly number[] | undefined {
  if (name === TABLE) return placesOf(args[0]!, changed.keys());
  return name === RECORD ? [...changed].flatMap(([kind, ids]) => placesOf(args[1]!, ids).filter((at) => args[0]![at] === kind)) : undefined;
}

function placesOf(column: readonly Word[], words: Iterable<Word>): number[] {
  const places: number[] = [];
  for (const word of words) for (let at = column.indexOf(word); at >= 0; at = column.indexOf(word, at + 1)) places.push(at);
  return places;
}

/** As `sameAnswers` where it is known which records are others: the questions that have another answer. @param moved ids of pages with another payload */
function answersChanged({ questions, basis }: State, stored: StoredQuestions, source: Source, since: Since, moved: ReadonlySet<number>): PlacesIn {
  const listed = since.lists(moved);
  const placesToAsk = (group: QuestionColumns): readonly number[] => {
    if (basis[group.name]?.every((kind) => !since.changed.has(kind))) return [];
    const of = listed(group.name);
    return of ? placesOf(group.args[0]!, of) : [...group.digests.keys()];
  };
  return (group, first) => changedRecords(group, since) ?? placesToAsk(group).filter((at) => !hasAnswer(questions, stored, source, first + at));
}

function hasAnswer(questions: State["questions"], { asked, groupOf, within }: StoredQuestions, source: Source, number: number): boolean {
  return source.digest(asked(number)) === questions[groupOf(number)]!.digests[within(number)];
}

/** Asks once a number. */
function remembered(count: number, same: Same): Same {
  const known = new Uint8Array(count);
  return (number) => {
    known[number] ||= same(number) ? YES : NO;
    return known[number] === YES;
  };
}

const [YES, NO] = [1, 2];
