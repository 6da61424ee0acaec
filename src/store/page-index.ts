/**
 * Look-ups over all pages. They hang on the tables of a snapshot and are forgotten with them; a write of a few pages does
 * not build them anew but lays those pages over the look-ups there were.
 */
import type { Instant } from "../model/instant.ts";
import type { Lang } from "../model/locale.ts";
import type { Id, Page } from "../model/page.ts";
import type { Reader } from "./kind.ts";
import { ARTICLES, PAGES } from "./kinds/pages.ts";
import { PAGE_KINDS } from "./page-kinds.ts";
import { stepTo } from "./snapshot.ts";

export interface PageIndex {
  /** The page with this permalink; of two that claim it, the older. */
  byPermalink(lang: Lang, permalink: string): Page | undefined;
  /** The page that used to have this permalink. */
  byAlias(lang: Lang, permalink: string): Page | undefined;
  /** Of one page, by ordering, then newest first. */
  children(id: Id): readonly Page[];
  /** Pages with any draft that is scheduled. */
  readonly scheduled: readonly Page[];
  /** The first moment after the given one at which a page changes by time alone. */
  nextMoment(after: Instant): Instant | undefined;
  /** Unique within a page model. */
  byIdentifier(model: string, identifier: string): Page | undefined;
}

type Changes = ReadonlyMap<Id, Page | null>;

/** Look-ups of one table: those that were built, and the pages that changed since. */
interface Layered {
  readonly index: PageIndex;
  readonly built: PageIndex;
  readonly changes: Changes;
}

/** Above so many changed pages building anew costs less than asking them one by one. */
const CHANGES_MAX = 64;

const LAYERED = new WeakMap<readonly Page[], Layered>();
const COMBINED = new WeakMap<readonly Page[], { readonly articles: readonly Page[]; readonly index: PageIndex }>();

/** The look-ups of what a reader sees. Cheap when asked again before any page changes, and inside a transaction. */
export function pageIndex(reader: Reader): PageIndex {
  const deltas = PAGE_KINDS.flatMap((kind) => reader.delta?.(kind) ?? []);
  if (deltas.length > 0) {
    const changes = new Map(deltas.flatMap((delta) => [...delta.changes]));
    const below = pageIndex(deltas[0]!.base);
    return changes.size === 0 ? below : overlay(below, changes);
  }
  const pages = reader.all(PAGES);
  const articles = reader.all(ARTICLES);
  if (articles.length === 0) return layered(pages).index;
  const known = COMBINED.get(pages);
  if (known?.articles === articles) return known.index;
  const index = combine(layered(pages).index, layered(articles).index);
  COMBINED.set(pages, { articles, index });
  return index;
}

/** Orders siblings, and lists of pages: by `ordering`, then newest id first (contract.md 5). */
export const byOrdering = (a: Page, b: Page): number => a.ordering - b.ordering || b.id - a.id;

function layered(pages: readonly Page[]): Layered {
  const known = LAYERED.get(pages);
  if (known) return known;
  const made = onTop(pages) ?? fresh(build(pages));
  LAYERED.set(pages, made);
  return made;
}

const fresh = (built: PageIndex): Layered => ({ index: built, built, changes: new Map() });

/** The look-ups of an earlier table with what changed since laid over; undefined when none is near. */
function onTop(pages: readonly Page[]): Layered | undefined {
  const changes = new Map<Id, Page | null>();
  for (let step = stepTo(pages); step; step = stepTo(step.from)) {
    // The newest word on a page is the one that counts.
    for (const [id, page] of step.changes) if (!changes.has(id)) changes.set(id, page as Page | null);
    const below = LAYERED.get(step.from as readonly Page[]);
    const all = below && new Map([...below.changes, ...changes]);
    if ((all ?? changes).size > CHANGES_MAX) return undefined;
    if (below && all) return { index: overlay(below.built, all), built: below.built, changes: all };
  }
  return undefined;
}

/** The look-ups with a few pages changed: those are searched one by one, the rest is asked of the index below. */
function overlay(below: PageIndex, changes: Changes): PageIndex {
  const changed = [...changes.values()].filter((page) => page !== null);
  const untouched = (page: Page | undefined): Page | undefined => (page && changes.has(page.id) ? undefined : page);
  return {
    byPermalink: (lang, permalink) =>
      older(changed.filter((page) => page.translations[lang]?.permalink === permalink), untouched(below.byPermalink(lang, permalink))),
    byAlias: (lang, permalink) =>
      older(changed.filter((page) => hasAlias(page, lang, permalink)), untouched(below.byAlias(lang, permalink))),
    byIdentifier: (model, identifier) =>
      changed.find((page) => page.model === model && page.identifier === identifier) ?? untouched(below.byIdentifier(model, identifier)),
    children: (id) =>
      [...below.children(id).filter((page) => !changes.has(page.id)), ...changed.filter((page) => page.parent_page === id)].sort(byOrdering),
    get scheduled() {
      return [...below.scheduled.filter((page) => !changes.has(page.id)), ...changed.filter(isScheduled)];
    },
    // Moments of pages as they were may be among those below: an answer kept too briefly does no harm.
    nextMoment: (after) => earliest([below.nextMoment(after), ...changed.flatMap(momentsOf).filter((moment) => moment > after)]),
  };
}

function combine(a: PageIndex, b: PageIndex): PageIndex {
  return {
    byPermalink: (lang, permalink) => older([a.byPermalink(lang, permalink)], b.byPermalink(lang, permalink)),
    byAlias: (lang, permalink) => older([a.byAlias(lang, permalink)], b.byAlias(lang, permalink)),
    byIdentifier: (model, identifier) => a.byIdentifier(model, identifier) ?? b.byIdentifier(model, identifier),
    children: (id) => [...a.children(id), ...b.children(id)],
    get scheduled() {
      return [...a.scheduled, ...b.scheduled];
    },
    nextMoment: (after) => earliest([a.nextMoment(after), b.nextMoment(after)]),
  };
}

function build(pages: readonly Page[]): PageIndex {
  const permalinks = new Map<Lang, Map<string, Page>>();
  const aliases = new Map<Lang, Map<string, Page>>();
  const identifiers = new Map<string, Page>();
  const children = new Map<Id, Page[]>();
  const claim = (map: Map<Lang, Map<string, Page>>, lang: Lang, path: string, page: Page): void => {
    const paths = map.get(lang) ?? new Map<string, Page>();
    paths.set(path, older([page], paths.get(path))!);
    map.set(lang, paths);
  };
  for (const page of pages) {
    for (const [lang, text] of Object.entries(page.translations)) if (text.permalink !== null) claim(permalinks, lang, text.permalink, page);
    for (const { language, from } of page.aliases) claim(aliases, language, from, page);
    if (page.identifier !== null) identifiers.set(`${page.model} ${page.identifier}`, page);
    if (page.parent_page === null) continue;
    const siblings = children.get(page.parent_page);
    if (siblings) siblings.push(page);
    else children.set(page.parent_page, [page]);
  }
  for (const siblings of children.values()) siblings.sort(byOrdering);
  let moments: readonly Instant[] | undefined;
  return {
    byPermalink: (lang, permalink) => permalinks.get(lang)?.get(permalink),
    byAlias: (lang, permalink) => aliases.get(lang)?.get(permalink),
    byIdentifier: (model, identifier) => identifiers.get(`${model} ${identifier}`),
    children: (id) => children.get(id) ?? [],
    scheduled: pages.filter(isScheduled),
    nextMoment(after) {
      moments ??= [...new Set(pages.flatMap(momentsOf))].sort();
      return firstAfter(moments, after);
    },
  };
}

const hasAlias = (page: Page, lang: Lang, from: string): boolean => page.aliases.some((alias) => alias.language === lang && alias.from === from);

const isScheduled = (page: Page): boolean => Object.values(page.drafts).some((draft) => draft.scheduled_for !== null);

const momentsOf = (page: Page): Instant[] => [
  ...Object.values(page.translations).flatMap((text) => text.published_at ?? []),
  ...Object.values(page.drafts).flatMap((draft) => draft.scheduled_for ?? []),
];

const earliest = (moments: readonly (Instant | undefined)[]): Instant | undefined =>
  moments.filter((moment) => moment !== undefined).sort()[0];

/** Of pages that claim the same, the oldest. */
function older(pages: readonly (Page | undefined)[], rival: Page | undefined): Page | undefined {
  let oldest = rival;
  for (const page of pages) if (page && (!oldest || page.date_created < oldest.date_created)) oldest = page;
  return oldest;
}

/** By halves, since there may be a moment for every language of every page. */
function firstAfter(sorted: readonly Instant[], after: Instant): Instant | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > after) high = middle;
    else low = middle + 1;
  }
  return sorted[low];
}
