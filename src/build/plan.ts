/** What may stay as it is: the pages of an earlier build for which nothing has changed that had a say in them. */
import type { Output } from "./output.ts";
import { RECORD, TABLE, type Questions } from "./questions.ts";
import type { Listing, Source } from "./source.ts";
import { everyAt, isEmptyAt, pageAt, storedQuestions, type BuiltPage, type State, type StoredQuestions } from "./state.ts";
import type { TemplateUse } from "./template-use.ts";

export interface Ground {
  readonly source: Source;
  readonly questions: Questions;
  readonly output: Output;
  readonly use: TemplateUse;
  /** Folders of pages, by their place in the source's list; undefined for those that have none. */
  readonly places: readonly (string | undefined)[];
}

/** A page as the state before has it, by its place there; itself where something is other than it was. */
export type Kept = number | BuiltPage;

export interface Plan {
  /** By the place in the source's list; undefined for those to be made. Questions keep the numbers they had. */
  readonly kept: readonly (Kept | undefined)[];
  /** Numbers of the sets of templates as they are now; undefined for those that are none any more. */
  readonly sets: readonly (number | undefined)[];
}

export async function keepable(before: State, ground: Ground): Promise<Plan> {
  const { source, questions, output, use, places } = ground;
  const stored = storedQuestions(before.questions);
  await source.prepare?.(Array.from({ length: stored.count }, (_, number) => stored.asked(number)));
  questions.adopt(stored.count);
  const same = sameAnswers(before, stored, source);
  const sets = before.templates.map((set) => use.known(set));
  const placeBefore = placesIn(before.pages.path);
  // First every hash, since what templates asked is often a list of pages.
  const kept: (Kept | undefined)[] = [];
  for (const [place, page] of source.pages.entries()) {
    const at = placeBefore(page.path);
    if (at === undefined || !isThatPage(before, at, page) || places[place] === undefined || !output.isIntact(at)) continue;
    // Nearly all pages are kept, and none of them has anything to wait for.
    if (isMadeOf(before, at, same)) {
      source.trust(page, before.pages.id[at]!, before.pages.hash[at]!);
      kept[place] = at;
    } else kept[place] = await madeAnew(page, before, at, ground);
  }
  for (const [place, each] of kept.entries()) {
    if (each === undefined) continue;
    const isSame = typeof each === "number" ? everyAt(before.pages.asks, each, same) : each.asks.every(same);
    const templates = sets[typeof each === "number" ? before.pages.templates[each]! : each.templates];
    if (!isSame || templates === undefined) kept[place] = undefined;
    else if (typeof each !== "number") kept[place] = { ...each, templates };
  }
  return { kept, sets };
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
const isMadeOf = ({ pages: { reads } }: State, at: number, same: (number: number) => boolean): boolean => !isEmptyAt(reads, at) && everyAt(reads, at, same);

/**
 * The page with what its payload is made of today; undefined when that is another payload.
 *
 * One that reads other records than then may come out the same, and must be known by those from here on.
 */
async function madeAnew(page: Listing, { pages }: State, at: number, { source, questions }: Ground): Promise<Kept | undefined> {
  if (isEmptyAt(pages.reads, at)) return (await source.hash(page)) === pages.hash[at] ? at : undefined;
  const { value, noted } = await questions.gather(() => source.make(page));
  // What its model adds to its context by now may look anywhere.
  if (value.hash !== pages.hash[at] || source.shown(page, value).inject !== null) return undefined;
  return { ...pageAt(pages, at), reads: noted };
}

/**
 * Whether a question of an earlier build, by its number, has the same answer today.
 *
 * Where every table it was answered from is as it was, it need not be asked.
 */
function sameAnswers({ questions, tables, basis }: State, { groupOf, within }: StoredQuestions, source: Source): (number: number) => boolean {
  const standing = new Map<string, boolean>();
  const stands = (kind: string): boolean => {
    const known = standing.get(kind) ?? (Boolean(tables[kind]) && source.digest([TABLE, "", kind]) === tables[kind]);
    standing.set(kind, known);
    return known;
  };
  const settled = questions.map(({ name }) => name !== RECORD && (basis[name]?.every(stands) ?? false));
  const known: (boolean | undefined)[] = [];
  return (number) => {
    const before = known[number];
    if (before !== undefined) return before;
    const group = groupOf(number);
    if (settled[group]) return (known[number] = true);
    const { name, lang, args: columns, digests } = questions[group]!;
    const at = within(number);
    return (known[number] = source.digest([name, lang, ...columns.map((column) => column[at]!)]) === digests[at]);
  };
}
