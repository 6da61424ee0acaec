/** What may stay as it is: the pages of an earlier build for which nothing has changed that had a say in them. */
import type { Output } from "./output.ts";
import { fileIn } from "./place.ts";
import { RECORD, TABLE, type Questions } from "./questions.ts";
import type { Listing, Source } from "./source.ts";
import { everyAt, pageAt, storedQuestions, type BuiltPage, type State, type StoredQuestions } from "./state.ts";
import type { TemplateUse } from "./template-use.ts";

export interface Ground {
  readonly source: Source;
  readonly questions: Questions;
  readonly output: Output;
  readonly use: TemplateUse;
  /** Folders of pages, by their place in the source's list; undefined for those that have none. */
  readonly places: readonly (string | undefined)[];
  /** Names of the files each page has. */
  readonly names: readonly string[];
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
  const { source, questions, use } = ground;
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
    if (at !== undefined && isThatPage(before, at, page) && isIntact(before, at, place, ground)) kept[place] = await asItIs(page, before, at, same, ground);
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

const isThatPage = ({ pages }: State, at: number, page: Listing): boolean => pages.permalink[at] === page.permalink && pages.language_code[at] === page.language_code;

/**
 * The page with what its payload is made of today; undefined when that is another payload.
 *
 * One that reads other records than then may come out the same, and must be known by those from here on.
 */
async function asItIs(page: Listing, { pages }: State, at: number, same: (number: number) => boolean, { source, questions }: Ground): Promise<Kept | undefined> {
  const isOfNothing = pages.reads.ends[at] === (at === 0 ? 0 : pages.reads.ends[at - 1]);
  if (isOfNothing) return (await source.hash(page)) === pages.hash[at] ? at : undefined;
  if (everyAt(pages.reads, at, same)) {
    source.trust(page, pages.id[at]!, pages.hash[at]!);
    return at;
  }
  const { value, noted } = await questions.gather(() => source.make(page));
  return value.hash === pages.hash[at] ? { ...pageAt(pages, at), reads: noted } : undefined;
}

/**
 * Whether a question of an earlier build, by its number, has the same answer today.
 *
 * Where every table it was answered from is as it was, it need not be asked.
 */
function sameAnswers({ tables, basis }: State, { asked, digest, group }: StoredQuestions, source: Source): (number: number) => boolean {
  const standing = new Map<string, boolean>();
  const stands = (kind: string): boolean => {
    const known = standing.get(kind) ?? (Boolean(tables[kind]) && source.digest([TABLE, "", kind]) === tables[kind]);
    standing.set(kind, known);
    return known;
  };
  const settled = new Map<unknown, boolean>();
  const isSettled = (number: number): boolean => {
    const of = group(number);
    const known = settled.get(of) ?? (of.name !== RECORD && (basis[of.name]?.every(stands) ?? false));
    settled.set(of, known);
    return known;
  };
  const known: (boolean | undefined)[] = [];
  return (number) => (known[number] ??= isSettled(number) || source.digest(asked(number)) === digest(number));
}

/** The page's files lie there as they were left, as far as a look at the folder tells. */
function isIntact({ pages: { sizes } }: State, at: number, place: number, { output: { found, unsure }, places, names }: Ground): boolean {
  const folder = places[place];
  if (folder === undefined) return false;
  let name = 0;
  return everyAt(sizes, at, (size) => {
    const path = fileIn(folder, names[name++]!);
    return found.get(path) === size && !unsure.has(path);
  });
}
