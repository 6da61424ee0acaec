/**
 * Look-ups over all pages, kept with the tables of a snapshot (`PAGE_KEYS`) and updated with them. Inside a
 * transaction they are updated as each page is put, so that moving a page with thousands of descendants reads each of
 * them once.
 */
import { derived } from "../../../memo.ts";
import { compareCreated, type Instant } from "../../../model/time/instant.ts";
import { isOrWillBePublic } from "../../../model/page/lifecycle.ts";
import type { Lang, Locales } from "../../../model/language/locale.ts";
import { byOrdering } from "../../../model/page/page-order.ts";
import type { Id, Page, PageSummary } from "../../../model/page/page.ts";
import {
  qualifiedKey,
  type Kind,
  type Owners,
  type Reader,
  type IndexName,
  type IndexKey,
} from "../../records/record-type.ts";
import { aliasesOf, CHILDREN, identifiersOf, permalinksOf } from "../../records/page-keys.ts";
import { ARTICLES, PAGES } from "../../records/pages.ts";
import { NO_OWNERS, type Entry, type Snapshot, type Table } from "../../snapshot.ts";
import { countBy } from "./counts.ts";
import { PAGE_KINDS, pageOf } from "./pages-by-model.ts";
import { PAGE_KEYS, pageIn, TransactionKeyIndex, type KeyIndex } from "../../records/key-index.ts";
import { releaseMomentAfter } from "./releases.ts";

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
  /** Unique within a page model. */
  byIdentifier(model: string, identifier: string): Page | undefined;
  /** All pages that claim a key, by id. */
  claimants(index: IndexName, key: IndexKey): readonly PageSummary[];
}

/** The pages of one kind. */
interface Part {
  readonly keys: Pick<KeyIndex, "claimants">;
  summary(id: Id): PageSummary | undefined;
}

/** The look-ups over the content of a reader. Repeated calls are cheap, also between the changes of a transaction. */
export function pageIndex(reader: Reader): PageIndex {
  return reader.delta ? transactionIndex(reader) : snapshotIndex(reader);
}

/** The page at whose address a redirect begins, if the page is public or will be: the redirect takes its place. */
export function replacedPage(
  reader: Reader,
  { from, language }: { readonly from: string; readonly language?: Lang },
  { default: first }: Locales,
): Page | undefined {
  const lang = language ?? first;
  const page = pageIndex(reader).byPermalink(lang, from);
  return page && isOrWillBePublic(page, lang) ? page : undefined;
}

/** The unique keys that several pages of any model claim. Reads all pages. */
export function findContestedKeys(reader: Reader): (readonly [IndexName, IndexKey])[] {
  const parts = PAGE_KINDS.map((kind) => entriesOf(reader, kind).index(PAGE_KEYS));
  const found = new Map<string, readonly [IndexName, IndexKey]>();
  for (const [at, part] of parts.entries()) {
    for (const index of part.names()) {
      if (!PAGES.summaries!.isUnique(index)) continue;
      const above = parts.slice(0, at).filter((each) => each.has(index));
      for (const key of part.contested(index, above)) found.set(qualifiedKey(index, key), [index, key]);
    }
  }
  return [...found.values()];
}

/** Pages with any draft that is scheduled, by id within each kind. */
export const scheduledPages = (content: Snapshot): readonly Page[] =>
  PAGE_KINDS.flatMap((kind) => {
    const { byId } = content.table(kind);
    const ids = [...byId.index(SCHEDULED).keys()].sort((a, b) => a - b);
    return ids.map((id) => byId.get(id)!.record as Page);
  });

/** The next time after the given one at which a page changes by schedule, alone or in a release. */
export const nextMoment = (content: Snapshot, after: Instant): Instant | undefined =>
  [...PAGE_KINDS.map((kind) => momentAfter(content.table(kind).byId, after)), releaseMomentAfter(content, after)]
    .filter((moment) => moment !== undefined)
    .sort()[0];

/** The same of the pages of one kind. */
export const momentAfter = (pages: Table["byId"], after: Instant): Instant | undefined =>
  pages.index(MOMENTS).keyAfter(after);
/** How many drafts are scheduled for a moment up to the given one, the first of these moments, and the first later one. */
export function scheduleAt(
  content: Snapshot,
  now: Instant,
): { readonly due: number; readonly oldest: Instant | undefined; readonly next: Instant | undefined } {
  let due = 0;
  const first: Instant[] = [];
  const later: Instant[] = [];
  for (const kind of PAGE_KINDS) {
    const drafts = content.table(kind).byId.index(SCHEDULE);
    let moment = drafts.keyAfter("" as Instant);
    if (moment !== undefined && moment <= now) first.push(moment);
    for (; moment !== undefined && moment <= now; moment = drafts.keyAfter(moment)) due += drafts.get(moment) ?? 0;
    if (moment !== undefined) later.push(moment);
  }
  return { due, oldest: first.sort()[0], next: later.sort()[0] };
}

/** The highest ordering of the pages of a kind; 0 without any. */
export function highestOrdering(reader: Reader, kind: Kind<Page>): number {
  const delta = reader.delta?.(kind);
  const lowest =
    entriesOf(delta?.base ?? reader, kind)
      .index(NEGATED_ORDERINGS)
      .keyAfter(-Infinity) ?? 0;
  const changed = [...(delta?.changes.values() ?? [])].map((page) => page?.ordering ?? 0);
  return changed.reduce((highest, ordering) => Math.max(highest, ordering), Math.max(0, -lowest));
}

function entriesOf(reader: Reader, kind: Kind<Page>): Table["byId"] {
  const table = reader.table?.(kind);
  if (!table) throw new Error("Only a snapshot has look-ups.");
  return table.byId;
}

function snapshotIndex(reader: Reader): PageIndex {
  return indexOfTables(entriesOf(reader, PAGES))(entriesOf(reader, ARTICLES))(reader.owners ?? NO_OWNERS);
}

const indexOfTables = derived((pages: Table["byId"]) =>
  derived((articles: Table["byId"]) => {
    const parts = [pages, articles].filter(({ size }) => size > 0).map(partOf);
    return derived((owners: Owners) => indexOver(parts, owners));
  }),
);

const partOf = (entries: Table["byId"]): Part => ({
  keys: entries.index(PAGE_KEYS),
  summary: (id) => pageIn(entries.get(id)),
});

/** Updates the look-ups of a transaction with the pages put since their last use. */
function transactionIndex(reader: Reader): PageIndex {
  const { parts, index } = partsOfTransaction(reader);
  for (const part of parts) part.follow();
  return index;
}

const partsOfTransaction = derived((reader: Reader) => {
  const parts = PAGE_KINDS.map((kind) => new TransactionPart(reader, kind));
  return { parts, index: indexOver(parts, reader.delta!(PAGES).base.owners) };
});

class TransactionPart implements Part {
  readonly keys: TransactionKeyIndex;
  readonly #reader: Reader;
  readonly #kind: Kind<Page>;
  readonly #stored: Table["byId"];
  /** The changed pages as `keys` has them. */
  readonly #laid = new Map<Id, PageSummary | undefined>();
  #seen = 0;

  constructor(reader: Reader, kind: Kind<Page>) {
    this.#reader = reader;
    this.#kind = kind;
    this.#stored = entriesOf(reader.delta!(kind).base, kind);
    this.keys = new TransactionKeyIndex(this.#stored.index(PAGE_KEYS));
  }

  summary(id: Id): PageSummary | undefined {
    return this.#laid.has(id) ? this.#laid.get(id) : pageIn(this.#stored.get(id));
  }

  follow(): void {
    const { changes, log } = this.#reader.delta!(this.#kind);
    for (; this.#seen < log.length; this.#seen++) {
      const id = log[this.#seen]!;
      const changed = changes.get(id);
      const after = changed === undefined ? pageIn(this.#stored.get(id)) : (changed ?? undefined);
      this.keys.replace(id, this.summary(id), after);
      this.#laid.set(id, after);
    }
  }
}

function indexOver(parts: readonly Part[], owners: Owners | undefined): PageIndex {
  const all = (index: IndexName, key: IndexKey): PageSummary[] => {
    const found: PageSummary[] = [];
    for (const part of parts) for (const id of part.keys.claimants(index, key)) found.push(part.summary(id)!);
    return found;
  };
  const find = (index: IndexName, key: IndexKey): PageSummary | undefined => {
    const found = all(index, key);
    if (found.length < 2) return found[0];
    const owner = owners?.get(qualifiedKey(index, key));
    return found.find(({ id }) => id === owner) ?? oldest(found);
  };
  const summaryByPermalink = (lang: Lang, permalink: string): PageSummary | undefined =>
    find(permalinksOf(lang), permalink);
  const childSummaries = (id: Id): readonly PageSummary[] => all(CHILDREN, id).sort(byOrdering);
  return {
    byPermalink: (lang, permalink) => pageOf(summaryByPermalink(lang, permalink)),
    summaryByPermalink,
    byAlias: (lang, permalink) => pageOf(find(aliasesOf(lang), permalink)),
    byIdentifier: (model, identifier) => pageOf(find(identifiersOf(model), identifier)),
    children: (id) => childSummaries(id).map((summary) => pageOf(summary)),
    childSummaries,
    claimants: (index, key) => all(index, key).sort((a, b) => a.id - b.id),
    has: (id) => parts.some((part) => part.summary(id) !== undefined),
  };
}

export const SCHEDULED = countBy<Id, Entry, Id>((id, entry) =>
  Object.values(pageIn(entry).drafts).some((draft) => draft.scheduled_for !== null) ? [id] : [],
);

export const MOMENTS = countBy<Id, Entry, Instant>((_id, entry) => momentsOf(pageIn(entry)));

export const SCHEDULE = countBy<Id, Entry, Instant>((_id, entry) =>
  Object.values(pageIn(entry).drafts).flatMap((draft) => draft.scheduled_for ?? []),
);

/** Negated, so that the first is that of the highest. */
export const NEGATED_ORDERINGS = countBy<Id, Entry, number>((_id, entry) => [-pageIn(entry).ordering]);

/** Asked of every page at a start. */
function momentsOf({ translations, drafts }: PageSummary): Instant[] {
  const found: Instant[] = [];
  for (const lang in translations) {
    const { published_at } = translations[lang]!;
    if (published_at) found.push(published_at);
  }
  for (const lang in drafts) {
    const { scheduled_for } = drafts[lang]!;
    if (scheduled_for) found.push(scheduled_for);
  }
  return found;
}

/** The same in every clone, and independent of how the look-ups were built. */
const oldest = (pages: readonly PageSummary[]): PageSummary | undefined =>
  [...pages].sort((a, b) => compareCreated(a.date_created, b.date_created) || a.id - b.id)[0];
