/**
 * Look-ups over all pages. They hang on the tables of a snapshot and are forgotten with them; a write of a few pages does
 * not build them anew but lays those pages over the look-ups there were. Inside a transaction each page is laid over as
 * it is put, so that moving a page with thousands below it asks of each only once.
 */
import { firstWhere } from "../../../model/bisect.ts";
import { compareCreated, type Instant } from "../../../model/instant.ts";
import type { Lang } from "../../../model/locale.ts";
import { byOrdering } from "../../../model/ordering.ts";
import type { Id, Page, PageSummary } from "../../../model/page.ts";
import { wordKey, type Owners, type Reader, type Space, type Word } from "../record-type.ts";
import { aliasesOf, CHILDREN, eachKey, identifiersOf, permalinksOf } from "../records/page-keys.ts";
import { ARTICLES, PAGES } from "../records/pages.ts";
import { summariesOf, PAGE_KINDS, pageOf } from "./page-models.ts";
import { stepTo } from "../snapshot.ts";

export interface PageIndex {
  /** The page with this permalink; of several that claim it, the one that owns it (ownership.ts). */
  byPermalink(lang: Lang, permalink: string): Page | undefined;
  /** Its summary, which costs less. */
  summaryByPermalink(lang: Lang, permalink: string): PageSummary | undefined;
  /** The page that used to have this permalink. */
  byAlias(lang: Lang, permalink: string): Page | undefined;
  /** Of one page, by ordering, then newest first. */
  children(id: Id): readonly Page[];
  childSummaries(id: Id): readonly PageSummary[];
  /** Whether there is a page with this id. */
  has(id: Id): boolean;
  /** Pages with any draft that is scheduled. */
  readonly scheduled: readonly Page[];
  /** The first moment after the given one at which a page changes by time alone; perhaps one of a page as it was. */
  nextMoment(after: Instant): Instant | undefined;
  /** Unique within a page model. */
  byIdentifier(model: string, identifier: string): Page | undefined;
  /** All that claim a word. */
  claimants(space: Space, word: Word): readonly PageSummary[];
}

/** The summaries behind the look-ups: all that claim a key, so that one leaving does not hide the others. */
interface Claims {
  /** Every word that any page claims; one that comes again may be left out. */
  words(): Iterable<readonly [Space, Word]>;
  /** Those that several of these pages claim. */
  contested(): Iterable<readonly [Space, Word]>;
  claimants(space: Space, word: Word): readonly PageSummary[];
  has(id: Id): boolean;
  readonly scheduled: readonly PageSummary[];
  nextMoment(after: Instant): Instant | undefined;
}

type Changes = ReadonlyMap<Id, PageSummary | null>;

/** Claims of one table: those that were built, and the pages that changed since. */
interface Layered {
  readonly claims: Claims;
  readonly built: Claims;
  readonly changes: Changes;
}

/** Above so many changed pages building anew costs less than laying them over. */
const CHANGES_MAX = 64;

const LAYERED = new WeakMap<readonly PageSummary[], Layered>();
const INDEXES = new WeakMap<
  readonly PageSummary[],
  { readonly articles: readonly PageSummary[]; readonly owners: Owners | undefined; readonly index: PageIndex }
>();
const TRANSACTIONS = new WeakMap<
  Reader,
  { readonly overlay: Overlay; readonly index: PageIndex; readonly seen: number[] }
>();

/** The look-ups of what a reader sees. Cheap when asked again, also between the changes of a transaction. */
export function pageIndex(reader: Reader): PageIndex {
  return reader.delta ? transactionIndex(reader) : snapshotIndex(reader);
}

/** The words that are for one page alone and that several claim, of whichever model. Looks at all pages. */
export function contestedWords(reader: Reader): (readonly [Space, Word])[] {
  const isUnique = ([space]: readonly [Space, Word]): boolean => PAGES.summaries!.isUnique(space);
  const parts = snapshotClaims(reader);
  const found = new Map<string, readonly [Space, Word]>();
  for (const part of parts) for (const key of part.contested()) found.set(wordKey(...key), key);
  const [first, ...others] = parts;
  for (const other of others)
    for (const key of other.words()) if (first!.claimants(...key).length > 0) found.set(wordKey(...key), key);
  return [...found.values()].filter(isUnique);
}

function snapshotIndex(reader: Reader): PageIndex {
  const pages = summariesOf(reader, PAGES);
  const articles = summariesOf(reader, ARTICLES);
  const known = INDEXES.get(pages);
  const { owners } = reader;
  if (known?.articles === articles && known.owners === owners) return known.index;
  const index = indexOver(snapshotClaims(reader), owners);
  INDEXES.set(pages, { articles, owners, index });
  return index;
}

const snapshotClaims = (reader: Reader): readonly Claims[] =>
  PAGE_KINDS.map((kind) => summariesOf(reader, kind))
    .filter((all) => all.length > 0)
    .map((all) => layered(all).claims);

/** Brings the transaction's overlay up to what was put since it was last asked. */
function transactionIndex(reader: Reader): PageIndex {
  const deltas = PAGE_KINDS.map((kind) => reader.delta!(kind));
  let known = TRANSACTIONS.get(reader);
  if (!known) {
    const overlay = openOverlay(snapshotClaims(deltas[0]!.base));
    known = { overlay, index: indexOver([overlay], deltas[0]!.base.owners), seen: deltas.map(() => 0) };
    TRANSACTIONS.set(reader, known);
  }
  for (const [at, { changes, log }] of deltas.entries()) {
    for (let next = known.seen[at]!; next < log.length; next++) known.overlay.lay(log[next]!, changes.get(log[next]!));
    known.seen[at] = log.length;
  }
  return known.index;
}

function indexOver(claims: readonly Claims[], owners: Owners | undefined): PageIndex {
  const [only] = claims;
  const all = (space: Space, word: Word): readonly PageSummary[] =>
    claims.length === 1 ? only!.claimants(space, word) : claims.flatMap((each) => each.claimants(space, word));
  const find = (space: Space, word: Word): PageSummary | undefined => {
    const found = all(space, word);
    if (found.length < 2) return found[0];
    const owner = owners?.get(wordKey(space, word));
    return found.find(({ id }) => id === owner) ?? oldest(found);
  };
  const summaryByPermalink = (lang: Lang, permalink: string): PageSummary | undefined =>
    find(permalinksOf(lang), permalink);
  const childSummaries = (id: Id): readonly PageSummary[] => {
    const found = all(CHILDREN, id);
    return found.length < 2 ? found : [...found].sort(byOrdering);
  };
  return {
    byPermalink: (lang, permalink) => pageOf(summaryByPermalink(lang, permalink)),
    summaryByPermalink,
    byAlias: (lang, permalink) => pageOf(find(aliasesOf(lang), permalink)),
    byIdentifier: (model, identifier) => pageOf(find(identifiersOf(model), identifier)),
    children: (id) => childSummaries(id).map((summary) => pageOf(summary)),
    childSummaries,
    claimants: all,
    has: (id) => claims.some((each) => each.has(id)),
    get scheduled() {
      return claims.flatMap((each) => each.scheduled).map((summary) => pageOf(summary));
    },
    nextMoment: (after) => earliest(claims.map((each) => each.nextMoment(after))),
  };
}

function layered(pages: readonly PageSummary[]): Layered {
  const known = LAYERED.get(pages);
  if (known) return known;
  const made = onTop(pages) ?? fresh(build(pages));
  LAYERED.set(pages, made);
  return made;
}

const fresh = (built: Claims): Layered => ({ claims: built, built, changes: new Map() });

/** The claims of an earlier table with what changed since laid over; undefined when none is near. */
function onTop(pages: readonly PageSummary[]): Layered | undefined {
  const changes = new Map<Id, PageSummary | null>();
  for (let step = stepTo(pages); step; step = stepTo(step.from)) {
    // The newest word on a page is the one that counts.
    for (const [id, page] of step.changes) if (!changes.has(id)) changes.set(id, page as PageSummary | null);
    const below = LAYERED.get(step.from as readonly PageSummary[]);
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
  lay(id: Id, page: PageSummary | null | undefined): void;
}

function openOverlay(below: readonly Claims[]): Overlay {
  const changed = new Map<Id, PageSummary | null>();
  const own = new Map<Space, Map<Word, Set<PageSummary>>>();
  const ownAt = (space: Space, word: Word): Set<PageSummary> => {
    const words = own.get(space) ?? new Map<Word, Set<PageSummary>>();
    own.set(space, words);
    const pages = words.get(word) ?? new Set<PageSummary>();
    words.set(word, pages);
    return pages;
  };
  // A page that moves asks this several times for each page below it: no list is made that is thrown away at once.
  const claimants = (space: Space, word: Word): readonly PageSummary[] => {
    const found: PageSummary[] = [];
    for (const each of below)
      for (const page of each.claimants(space, word)) if (!changed.has(page.id)) found.push(page);
    for (const page of own.get(space)?.get(word) ?? NONE) found.push(page);
    return found;
  };
  const ownWords = (): (readonly [Space, Word])[] =>
    [...own].flatMap(([space, words]) => Array.from(words.keys(), (word) => [space, word] as const));
  return {
    *words() {
      for (const each of below) yield* each.words();
      yield* ownWords();
    },
    *contested() {
      for (const each of below) for (const key of each.contested()) if (claimants(...key).length > 1) yield key;
      for (const key of ownWords()) if (claimants(...key).length > 1) yield key;
    },
    lay(id, page) {
      const before = changed.get(id);
      if (before) eachKey(before, (space, word) => void own.get(space)?.get(word)?.delete(before));
      if (page === undefined) changed.delete(id);
      else changed.set(id, page);
      if (page) eachKey(page, (space, word) => ownAt(space, word).add(page));
    },
    claimants,
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

function build(pages: readonly PageSummary[]): Claims {
  // In two steps: to put space and word together for every page would take longer than all the rest.
  const claims = new Map<Space, Map<Word, PageSummary[]>>();
  const contested: (readonly [Space, Word])[] = [];
  let page: PageSummary;
  const claim = (space: Space, word: Word): void => {
    let words = claims.get(space);
    if (!words) claims.set(space, (words = new Map()));
    const claimants = words.get(word);
    if (!claimants) words.set(word, [page]);
    else if (claimants.at(-1) !== page && claimants.push(page) === 2) contested.push([space, word]);
  };
  for (page of pages) eachKey(page, claim);
  let moments: readonly Instant[] | undefined;
  let ids: ReadonlySet<Id> | undefined;
  return {
    *words() {
      for (const [space, words] of claims) for (const word of words.keys()) yield [space, word];
    },
    contested: () => contested,
    has: (id) => (ids ??= new Set(pages.map((page) => page.id))).has(id),
    claimants: (space, word) => claims.get(space)?.get(word) ?? NONE,
    scheduled: pages.filter(isScheduled),
    nextMoment(after) {
      moments ??= [...new Set(pages.flatMap(momentsOf))].sort();
      return firstAfter(moments, after);
    },
  };
}

const NONE: readonly PageSummary[] = [];

const isScheduled = (page: PageSummary): boolean =>
  Object.values(page.drafts).some((draft) => draft.scheduled_for !== null);

const momentsOf = (page: PageSummary): Instant[] => [
  ...Object.values(page.translations).flatMap((text) => text.published_at ?? []),
  ...Object.values(page.drafts).flatMap((draft) => draft.scheduled_for ?? []),
];

const earliest = (moments: readonly (Instant | undefined)[]): Instant | undefined =>
  moments.filter((moment) => moment !== undefined).sort()[0];

/** The same in every clone, and whichever way the look-ups came to be. */
const oldest = (pages: readonly PageSummary[]): PageSummary | undefined =>
  pages.length < 2
    ? pages[0]
    : [...pages].sort((a, b) => compareCreated(a.date_created, b.date_created) || a.id - b.id)[0];

const firstAfter = (sorted: readonly Instant[], after: Instant): Instant | undefined =>
  sorted[firstWhere(sorted.length, (place) => sorted[place]! > after)];
