/**
 * Look-ups over all pages, built once for each state of the table and forgotten with it.
 */
import type { Instant } from "../model/instant.ts";
import type { Lang } from "../model/locale.ts";
import type { Id, Page } from "../model/page.ts";
import type { Reader } from "./kind.ts";
import { allPages, PAGE_KINDS } from "./page-kinds.ts";

export interface PageIndex {
  /** The page with this permalink; of two that claim it, the older. */
  byPermalink(lang: Lang, permalink: string): Page | undefined;
  /** The page that used to have this permalink. */
  byAlias(lang: Lang, permalink: string): Page | undefined;
  /** Of one page, by ordering, then newest first. */
  children(id: Id): readonly Page[];
  /** Pages with any draft that is scheduled. */
  readonly scheduled: readonly Page[];
  /** Every future or past moment at which a page changes by time alone, ascending. */
  readonly moments: readonly Instant[];
  /** Unique within a page model. */
  byIdentifier(model: string, identifier: string): Page | undefined;
}

const INDEXES = new WeakMap<readonly Page[], PageIndex>();

/** The look-ups of what a reader sees. Cheap when asked again before any page changes, and inside a transaction. */
export function pageIndex(reader: Reader): PageIndex {
  const deltas = PAGE_KINDS.flatMap((kind) => reader.delta?.(kind) ?? []);
  if (deltas.length > 0) {
    const changes = new Map(deltas.flatMap((delta) => [...delta.changes]));
    const below = pageIndex(deltas[0]!.base);
    return changes.size === 0 ? below : overlay(below, changes);
  }
  const pages = allPages(reader);
  const known = INDEXES.get(pages);
  if (known) return known;
  const index = build(pages);
  INDEXES.set(pages, index);
  return index;
}

/** The look-ups with a few pages changed: those are searched one by one, the rest is asked of the index below. */
function overlay(below: PageIndex, changes: ReadonlyMap<Id, Page | null>): PageIndex {
  const changed = [...changes.values()].filter((page) => page !== null);
  const untouched = (page: Page | undefined): Page | undefined => (page && changes.has(page.id) ? undefined : page);
  return {
    byPermalink: (lang, permalink) =>
      changed.find((page) => page.translations[lang]?.permalink === permalink) ?? untouched(below.byPermalink(lang, permalink)),
    byAlias: (lang, permalink) =>
      changed.find((page) => page.aliases.some((alias) => alias.language === lang && alias.from === permalink)) ??
      untouched(below.byAlias(lang, permalink)),
    byIdentifier: (model, identifier) =>
      changed.find((page) => page.model === model && page.identifier === identifier) ?? untouched(below.byIdentifier(model, identifier)),
    children: (id) =>
      [...below.children(id).filter((page) => !changes.has(page.id)), ...changed.filter((page) => page.parent_page === id)].sort(byOrdering),
    scheduled: below.scheduled,
    moments: below.moments,
  };
}

/** Orders siblings, and lists of pages: by `ordering`, then newest id first (contract.md 5). */
export const byOrdering = (a: Page, b: Page): number => a.ordering - b.ordering || b.id - a.id;

function build(pages: readonly Page[]): PageIndex {
  const permalinks = new Map<Lang, Map<string, Page>>();
  const aliases = new Map<Lang, Map<string, Page>>();
  const identifiers = new Map<string, Page>();
  const children = new Map<Id, Page[]>();
  const scheduled: Page[] = [];
  const moments = new Set<Instant>();
  const claim = (map: Map<Lang, Map<string, Page>>, lang: Lang, path: string, page: Page): void => {
    const paths = map.get(lang) ?? new Map<string, Page>();
    const rival = paths.get(path);
    if (!rival || page.date_created < rival.date_created) paths.set(path, page);
    map.set(lang, paths);
  };
  for (const page of pages) {
    for (const [lang, text] of Object.entries(page.translations)) {
      if (text.permalink !== null) claim(permalinks, lang, text.permalink, page);
      if (text.published_at !== null) moments.add(text.published_at);
    }
    for (const { language, from } of page.aliases) claim(aliases, language, from, page);
    if (page.identifier !== null) identifiers.set(`${page.model} ${page.identifier}`, page);
    if (page.parent_page !== null) children.set(page.parent_page, [...(children.get(page.parent_page) ?? []), page]);
    const drafts = Object.values(page.drafts).filter((draft) => draft.scheduled_for !== null);
    for (const draft of drafts) moments.add(draft.scheduled_for!);
    if (drafts.length > 0) scheduled.push(page);
  }
  for (const siblings of children.values()) siblings.sort(byOrdering);
  return {
    byPermalink: (lang, permalink) => permalinks.get(lang)?.get(permalink),
    byAlias: (lang, permalink) => aliases.get(lang)?.get(permalink),
    byIdentifier: (model, identifier) => identifiers.get(`${model} ${identifier}`),
    children: (id) => children.get(id) ?? [],
    scheduled,
    moments: [...moments].sort(),
  };
}
