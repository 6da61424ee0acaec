/** What may stay as it is: the pages of an earlier build for which nothing has changed that had a say in them. */
import { storedDependencies, type StoredDependencies } from "./state/dependency-columns.ts";
import { RECORD, TABLE, type Dependencies } from "./dependencies.ts";
import type { Source } from "./sources/source.ts";
import { everyAt, isEmptyAt, pageAt, type BuiltPage, type Listing, type State } from "./state/state.ts";
import type { TemplateUse } from "./template-use.ts";

export interface PlanContext {
  readonly source: Source;
  readonly dependencies: Dependencies;
  readonly use: TemplateUse;
}

export interface Plan {
  /** What the site has, in the order of the source. */
  readonly pages: readonly Listing[];
  /** Of each page its folder; undefined of those that have none. */
  readonly folders: readonly (string | undefined)[];
  /** Of each page its place in the state before; -1 for those to be made. Questions keep the numbers they had. */
  readonly kept: Int32Array;
  /** Of those that are kept the ones of which something else is other than it was. */
  readonly altered: ReadonlyMap<number, BuiltPage>;
  /** Numbers of the sets of templates as they are now; undefined for those that are none any more. */
  readonly sets: readonly (number | undefined)[];
}

const NONE = -1;

/** Everything is made. @param folders by the place in the source's list */
export const renderEverything = ({ pages }: Source, folders: readonly (string | undefined)[]): Plan => ({
  pages,
  folders,
  kept: new Int32Array(pages.length).fill(NONE),
  altered: new Map(),
  sets: [],
});

/** Whether an answer is as it was, by the number of its question. */
type Same = (number: number) => boolean;

/**
 * Keeps the pages all of whose dependencies have the same digests; `whereIntact` drops those whose files have changed.
 *
 * @param folders of the source's pages, by their place
 */
export async function keepable(
  before: State,
  context: PlanContext,
  folders: readonly (string | undefined)[],
): Promise<Plan> {
  const { source, dependencies, use } = context;
  const { pages } = source;
  const stored = storedDependencies(before.dependencies);
  await source.prepare?.(Array.from({ length: stored.count }, (_, number) => stored.asked(number)));
  dependencies.adopt(stored.count);
  const sets = before.templates.map((set) => use.known(set));
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
      const anew = await madeAnew(page, before, at, context);
      if (anew) {
        kept[place] = at;
        altered.set(place, anew);
      }
    }
  }
  keepRendered(before, { kept, altered, sets }, (at) => !everyAt(before.pages.renderDeps, at, same));
  return { pages, folders, kept, altered, sets };
}

/** A plan that keeps nothing which does not lie there as it was left. @param isIntact by the place in the state before */
export function whereIntact(plan: Plan, isIntact: (at: number) => boolean): Plan {
  const kept = plan.kept.map((at) => (at !== NONE && isIntact(at) ? at : NONE));
  return { ...plan, kept, altered: new Map([...plan.altered].filter(([place]) => kept[place] !== NONE)) };
}

/** Leaves out the pages whose templates are others now, or asked what has another answer. @param isOther by the place in the state */
function keepRendered(
  { pages }: State,
  { kept, altered, sets }: Pick<Plan, "kept" | "sets"> & { readonly altered: Map<number, BuiltPage> },
  isOther: (at: number) => boolean,
): void {
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
const isMadeOf = ({ pages: { payloadDeps } }: State, at: number, same: Same): boolean =>
  !isEmptyAt(payloadDeps, at) && everyAt(payloadDeps, at, same);

/**
 * The page with what its payload is made of today; undefined when that is another payload.
 *
 * A page with other dependencies may have the same payload; its new dependencies are stored.
 */
async function madeAnew(
  page: Listing,
  { pages }: State,
  at: number,
  { source, dependencies }: PlanContext,
): Promise<BuiltPage | undefined> {
  if (isEmptyAt(pages.payloadDeps, at))
    return (await source.hash(page)) === pages.hash[at] ? pageAt(pages, at) : undefined;
  const { value, noted } = await dependencies.gather(() => source.make(page));
  // What its model adds to its context by now may look anywhere.
  if (value.hash !== pages.hash[at] || source.shown(page, value).inject !== null) return undefined;
  return { ...pageAt(pages, at), payloadDeps: noted };
}

/**
 * Whether a question of an earlier build has the same answer today.
 *
 * Where every table it was answered from is as it was, it need not be asked.
 */
function sameAnswers({ dependencies, tables, tablesOf }: State, stored: StoredDependencies, source: Source): Same {
  const standing = new Map<string, boolean>();
  const stands = (kind: string): boolean => {
    const known = standing.get(kind) ?? (Boolean(tables[kind]) && source.digest([TABLE, "", kind]) === tables[kind]);
    standing.set(kind, known);
    return known;
  };
  const settled = dependencies.map(({ name }) => name !== RECORD && (tablesOf[name]?.every(stands) ?? false));
  return remembered(
    stored.count,
    (number) => settled[stored.groupOf(number)]! || hasAnswer(dependencies, stored, source, number),
  );
}

function hasAnswer(
  dependencies: State["dependencies"],
  { asked, groupOf, within }: StoredDependencies,
  source: Source,
  number: number,
): boolean {
  return source.digest(asked(number)) === dependencies[groupOf(number)]!.digests[within(number)];
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
