/**
 * Look-ups over all pages. They hang on the tables of a snapshot and are forgotten with them; a write of a few pages does
 * not build them anew but lays those pages over the look-ups there were. Inside a transaction each page is laid over as
 * it is put, so that moving a page with thousands below it asks of each only once.
 */
import { compareCreated, type Instant } from "../model/instant.ts";
import type { Lang } from "../model/locale.ts";
import type { Id, Page, PageOutline } from "../model/page.ts";
import type { Reader } from "./kind.ts";
import { ARTICLES, PAGES } from "./kinds/pages.ts";
import { outlinesOf, PAGE_KINDS, pageOf } from "./page-kinds.ts";
import { stepTo } from "./snapshot.ts";

export interface PageIndex {
  /** The page with this permalink; of several that claim it, the oldest. */
  byPermalink(lang: Lang, permalink: string): Page | undefined;
  /** Its outline, which costs less. */
  outlineByPermalink(lang: Lang, permalink: string): PageOutline | undefined;
  /** The page that used to have this permalink. */
  byAlias(lang: Lang, permalink: string): Page | undefined;
  /** Of one page, by ordering, then newest first. */
  children(id: Id): readonly Page[];
  childOutlines(id: Id): readonly PageOutline[];
  /** Whether there is a page with this id. */
  has(id: Id): boolean;
  /** Pages with any draft that is scheduled. */
  readonly scheduled: readonly Page[];
  /** The first moment after the given one at which a page changes by time alone; perhaps one of a page as it was. */
  nextMoment(after: Instant): Instant | undefined;
  /** Unique within a page model. */
  byIdentifier(model: string, identifier: string): Page | undefined;
}

/** The outlines behind the look-ups: all that claim a key, so that one leaving does not hide the others. */
interface Claims {
  claimants(key: string): readonly PageOutline[];
  has(id: Id): boolean;
  readonly scheduled: readonly PageOutline[];
  nextMoment(after: Instant): Instant | undefined;
}

type Changes = ReadonlyMap<Id, PageOutline | null>;

/** Claims of one table: those that were built, and the pages that changed since. */
interface Layered {
  readonly claims: Claims;
  readonly built: Claims;
  readonly changes: Changes;
}

/** Above so many changed pages building anew costs less than laying them over. */
const CHANGES_MAX = 64;

const LAYERED = new WeakMap<readonly PageOutline[], Layered>();
const INDEXES = new WeakMap<readonly PageOutline[], { readonly articles: readonly PageOutline[]; readonly index: PageIndex }>();
const TRANSACTIONS = new WeakMap<Reader, { readonly overlay: Overlay; readonly index: PageIndex; readonly seen: number[] }>();

/** The look-ups of what a reader sees. Cheap when asked again, also between the changes of a transaction. */
export function pageIndex(reader: Reader): PageIndex {
  return reader.delta ? transactionIndex(reader) : snapshotIndex(reader);
}

/** Orders siblings, and lists of pages: by `ordering`, then newest id first (contract.md 5). */
export const byOrdering = (a: PageOutline, b: PageOutline): number => a.ordering - b.ordering || b.id - a.id;

function snapshotIndex(reader: Reader): PageIndex {
  const pages = outlinesOf(reader, PAGES);
  const articles = outlinesOf(reader, ARTICLES);
  const known = INDEXES.get(pages);
  if (known?.articles === articles) return known.index;
  const index = indexOver(snapshotClaims(reader));
  INDEXES.set(pages, { articles, index });
  return index;
}

const snapshotClaims = (reader: Reader): readonly Claims[] =>
  PAGE_KINDS.map((kind) => outlinesOf(reader, kind)).filter((all) => all.length > 0).map((all) => layered(all).claims);

/** Brings the transaction's overlay up to what was put since it was last asked. */
function transactionIndex(reader: Reader): PageIndex {
  const deltas = PAGE_KINDS.map((kind) => reader.delta!(kind));
  let known = TRANSACTIONS.get(reader);
  if (!known) {
    const overlay = openOverlay(snapshotClaims(deltas[0]!.base));
    known = { overlay, index: indexOver([overlay]), seen: deltas.map(() => 0) };
    TRANSACTIONS.set(reader, known);
  }
  for (const [at, { changes, log }] of deltas.entries()) {
    for (const id of log.slice(known.seen[at])) known.overlay.lay(id, changes.get(id));
    known.seen[at] = log.length;
  }
  return known.index;
}

function indexOver(claims: readonly Claims[]): PageIndex {
  const [only] = claims;
  const all = claims.length === 1 ? (key: string): readonly PageOutline[] => only!.claimants(key) : (key: string): readonly PageOutline[] => claims.flatMap((each) => each.claimants(key));
  const first = (key: string): Page | undefined => pageOf(oldest(all(key)));
  const childOutlines = (id: Id): readonly PageOutline[] => {
    const found = all(childKey(id));
    return found.length < 2 ? found : [...found].sort(byOrdering);
  };
  return {
    byPermalink: (lang, permalink) => first(permalinkKey(lang, permalink)),
    outlineByPermalink: (lang, permalink) => oldest(all(permalinkKey(lang, permalink))),
    byAlias: (lang, permalink) => first(aliasKey(lang, permalink)),
    byIdentifier: (model, identifier) => first(identifierKey(model, identifier)),
    children: (id) => childOutlines(id).map((outline) => pageOf(outline)),
    childOutlines,
    has: (id) => claims.some((each) => each.has(id)),
    get scheduled() {
      return claims.flatMap((each) => each.scheduled).map((outline) => pageOf(outline));
    },
    nextMoment: (after) => earliest(claims.map((each) => each.nextMoment(after))),
  };
}

function layered(pages: readonly PageOutline[]): Layered {
  const known = LAYERED.get(pages);
  if (known) return known;
  const made = onTop(pages) ?? fresh(build(pages));
  LAYERED.set(pages, made);
  return made;
}

const fresh = (built: Claims): Layered => ({ claims: built, built, changes: new Map() });

/** The claims of an earlier table with what changed since laid over; undefined when none is near. */
function onTop(pages: readonly PageOutline[]): Layered | undefined {
  const changes = new Map<Id, PageOutline | null>();
  for (let step = stepTo(pages); step; step = stepTo(step.from)) {
    // The newest word on a page is the one that counts.
    for (const [id, page] of step.changes) if (!changes.has(id)) changes.set(id, page as PageOutline | null);
    const below = LAYERED.get(step.from as readonly PageOutline[]);
    const all = below && new Map([...below.changes, ...changes]);
    if ((all ?? changes).size > CHANGES_MAX) return undefined;
    if (!below || !all) continue;
    const overlay = openOverlay([below.built]);
    for (const [id, page] of all) overlay.lay(id, page);
    return { claims: overlay, built: below.built, changes: all };
  }
  return undefined;
}

interface Overlay extends Claims {
  /** Puts a page over what is below: null hides it, undefined uncovers it again. */
  lay(id: Id, page: PageOutline | null | undefined): void;
}

function openOverlay(below: readonly Claims[]): Overlay {
  const changed = new Map<Id, PageOutline | null>();
  const own = new Map<string, Set<PageOutline>>();
  return {
    lay(id, page) {
      const before = changed.get(id);
      for (const key of before ? keysOf(before) : []) own.get(key)?.delete(before!);
      if (page === undefined) changed.delete(id);
      else changed.set(id, page);
      for (const key of page ? keysOf(page) : []) own.set(key, (own.get(key) ?? new Set()).add(page!));
    },
    claimants: (key) => [...below.flatMap((each) => each.claimants(key)).filter((page) => !changed.has(page.id)), ...(own.get(key) ?? [])],
    has: (id) => (changed.has(id) ? changed.get(id) !== null : below.some((each) => each.has(id))),
    get scheduled() {
      const kept = below.flatMap((each) => each.scheduled).filter((page) => !changed.has(page.id));
      return [...kept, ...[...changed.values()].filter((page) => page !== null).filter(isScheduled)];
    },
    nextMoment(after) {
      const moments = [...changed.values()].flatMap((page) => (page ? momentsOf(page) : []));
      return earliest([...below.map((each) => each.nextMoment(after)), ...moments.filter((moment) => moment > after)]);
    },
  };
}

function build(pages: readonly PageOutline[]): Claims {
  const claims = new Map<string, PageOutline[]>();
  for (const page of pages) {
    eachKey(page, (key) => {
      const claimants = claims.get(key);
      if (!claimants) claims.set(key, [page]);
      else if (claimants.at(-1) !== page) claimants.push(page);
    });
  }
  let moments: readonly Instant[] | undefined;
  let ids: ReadonlySet<Id> | undefined;
  return {
    has: (id) => (ids ??= new Set(pages.map((page) => page.id))).has(id),
    claimants: (key) => claims.get(key) ?? NONE,
    scheduled: pages.filter(isScheduled),
    nextMoment(after) {
      moments ??= [...new Set(pages.flatMap(momentsOf))].sort();
      return firstAfter(moments, after);
    },
  };
}

const permalinkKey = (lang: Lang, permalink: string): string => `permalink ${lang} ${permalink}`;
const aliasKey = (lang: Lang, from: string): string => `alias ${lang} ${from}`;
const identifierKey = (model: string, identifier: string): string => `identifier ${model} ${identifier}`;
const childKey = (parent: Id): string => `child ${parent}`;

const NONE: readonly PageOutline[] = [];

/** Everything a page can be found by; the same may come again. */
function eachKey(page: PageOutline, take: (key: string) => void): void {
  for (const lang in page.translations) {
    const { permalink } = page.translations[lang]!;
    if (permalink !== null) take(permalinkKey(lang, permalink));
  }
  for (const { language, from } of page.aliases) take(aliasKey(language, from));
  if (page.identifier !== null) take(identifierKey(page.model, page.identifier));
  if (page.parent_page !== null) take(childKey(page.parent_page));
}

/** Each once. */
function keysOf(page: PageOutline): Set<string> {
  const keys = new Set<string>();
  eachKey(page, (key) => keys.add(key));
  return keys;
}

const isScheduled = (page: PageOutline): boolean => Object.values(page.drafts).some((draft) => draft.scheduled_for !== null);

const momentsOf = (page: PageOutline): Instant[] => [
  ...Object.values(page.translations).flatMap((text) => text.published_at ?? []),
  ...Object.values(page.drafts).flatMap((draft) => draft.scheduled_for ?? []),
];

const earliest = (moments: readonly (Instant | undefined)[]): Instant | undefined =>
  moments.filter((moment) => moment !== undefined).sort()[0];

/** The same in every clone, and whichever way the look-ups came to be. */
const oldest = (pages: readonly PageOutline[]): PageOutline | undefined =>
  pages.length < 2 ? pages[0] : [...pages].sort((a, b) => compareCreated(a.date_created, b.date_created) || a.id - b.id)[0];

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
