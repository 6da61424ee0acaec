/** Which pages of the last build are kept: those whose dependencies and templates have the same digests. */
import { RECORD, TABLE, type Dependencies } from "./dependencies.ts";
import type { Source } from "./sources/source.ts";
import type { BuiltPage, Listing, State } from "./state/state.ts";
import type { TemplateUse } from "./template-use.ts";

export interface PlanContext {
  readonly source: Source;
  readonly dependencies: Dependencies;
  readonly use: TemplateUse;
}

export interface Plan {
  /** The pages of the site, in the order of the source. */
  readonly pages: readonly Listing[];
  /** The folder of each page; undefined for pages that cannot have one. */
  readonly folders: readonly (string | undefined)[];
  /** The position of each page in the last state; -1 for pages to render. Kept pages keep the numbers of their dependencies. */
  readonly kept: Int32Array;
  /** Kept pages whose row in the state file changes, by position: the dependencies are others, with the same payload. */
  readonly altered: ReadonlyMap<number, BuiltPage>;
  /** The numbers of the last state's template sets in this build; undefined for sets with a changed template. */
  readonly sets: readonly (number | undefined)[];
}

const NONE = -1;

/** Renders every page. @param folders by position in the source's list */
export const planAll = ({ pages }: Source, folders: Plan["folders"]): Plan => ({
  pages,
  folders,
  kept: new Int32Array(pages.length).fill(NONE),
  altered: new Map(),
  sets: [],
});

/** Whether the dependency with a number has the digest it had. */
type IsSame = (number: number) => boolean;

/**
 * Keeps the pages all of whose dependencies have the same digests. `keepIntact` then drops those whose files have changed.
 *
 * @param folders by position in the source's list
 */
export async function planChanged(before: State, context: PlanContext, folders: Plan["folders"]): Promise<Plan> {
  const { source, dependencies, use } = context;
  const { pages } = source;
  const { all } = before.dependencies;
  await source.prepare?.(all);
  dependencies.adopt(all.length);
  const sets = before.templates.map((set) => use.known(set));
  const isSame = sameDigests(before, source);
  const positionOf = positionsIn(before.pages);
  const kept = new Int32Array(pages.length).fill(NONE);
  const altered = new Map<number, BuiltPage>();
  // Payloads come before templates: the digest of a list of pages, which templates depend on, is made of payload hashes.
  for (const [position, page] of pages.entries()) {
    const at = positionOf(page.path) ?? NONE;
    const last = before.pages[at];
    if (!last || !isOfPage(last, page) || folders[position] === undefined) continue;
    // Does not wait for the pages with unchanged dependencies, which are nearly all.
    if (hasSamePayload(last, isSame)) {
      source.trust(page, last.hash);
      kept[position] = at;
    } else {
      const row = await rowWithSamePayload(page, last, context);
      if (row) {
        kept[position] = at;
        altered.set(position, row);
      }
    }
  }
  keepRendered(before, { kept, altered, sets }, (at) => before.pages[at]!.renderDeps.every(isSame));
  return { pages, folders, kept, altered, sets };
}

/** The plan without the kept pages whose files were changed or removed. @param isIntact by position in the last state */
export function keepIntact(plan: Plan, isIntact: (at: number) => boolean): Plan {
  const kept = plan.kept.map((at) => (at !== NONE && isIntact(at) ? at : NONE));
  return { ...plan, kept, altered: new Map([...plan.altered].filter(([position]) => kept[position] !== NONE)) };
}

/** Drops pages with a changed template, or with a changed dependency of the HTML. @param isSame by position in the last state */
function keepRendered(
  { pages }: State,
  { kept, altered, sets }: Pick<Plan, "kept" | "sets"> & { readonly altered: Map<number, BuiltPage> },
  isSame: (at: number) => boolean,
): void {
  for (const [position, at] of kept.entries()) {
    if (at === NONE) continue;
    const templates = sets[pages[at]!.templates];
    const row = altered.get(position);
    if (templates === undefined || !isSame(at)) {
      kept[position] = NONE;
      altered.delete(position);
    } else if (row) altered.set(position, { ...row, templates });
  }
}

/** Finds the position of a path in a list; fast for paths that are asked for in the list's order. */
function positionsIn(pages: readonly BuiltPage[]): (path: string) => number | undefined {
  let next = 0;
  let positions: ReadonlyMap<string, number> | undefined;
  return (path) => {
    if (pages[next]?.path === path) return next++;
    positions ??= new Map(pages.map((each, at) => [each.path, at]));
    const at = positions.get(path);
    if (at !== undefined) next = at + 1;
    return at;
  };
}

/** Another page may have the path now. */
const isOfPage = (last: BuiltPage, page: Listing): boolean =>
  last.id === page.id && last.permalink === page.permalink && last.language_code === page.language_code;

/** Whether all dependencies of the payload are unchanged; false where they are unknown. */
const hasSamePayload = ({ payloadDeps }: BuiltPage, isSame: IsSame): boolean =>
  payloadDeps.length > 0 && payloadDeps.every(isSame);

/** The page's row with the dependencies that its payload has now; undefined when the payload is another one. */
async function rowWithSamePayload(
  page: Listing,
  last: BuiltPage,
  { source, dependencies }: PlanContext,
): Promise<BuiltPage | undefined> {
  if (last.payloadDeps.length === 0) return (await source.hash(page)) === last.hash ? last : undefined;
  const { value, noted } = await dependencies.gather(() => source.make(page));
  // A function that adds to the context of the page's model may use anything.
  if (value.hash !== last.hash || source.shown(page, value).inject !== null) return undefined;
  return { ...last, payloadDeps: noted };
}

/** A dependency whose digest is computed from unchanged tables alone is the same without computing it. */
function sameDigests({ dependencies: { all, digests }, tables, tablesOf }: State, source: Source): IsSame {
  const known = new Map<string, boolean>();
  const once = (key: string, isSame: () => boolean): boolean => {
    const same = known.get(key) ?? isSame();
    known.set(key, same);
    return same;
  };
  const isSameTable = (kind: string): boolean =>
    once(`table ${kind}`, () => Boolean(tables[kind]) && source.digest([TABLE, "", kind]) === tables[kind]);
  const isSameQuery = (name: string): boolean =>
    once(`query ${name}`, () => name !== RECORD && (tablesOf[name]?.every(isSameTable) ?? false));
  return remembered(all.length, (number) => {
    const dependency = all[number]!;
    return isSameQuery(dependency[0]) || source.digest(dependency) === digests[number];
  });
}

/** Calls the function once for each number. */
function remembered(count: number, isSame: (number: number) => boolean): IsSame {
  const [yes, no] = [1, 2];
  const known = new Uint8Array(count);
  return (number) => (known[number] ||= isSame(number) ? yes : no) === yes;
}
