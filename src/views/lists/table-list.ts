/**
 * Lists of the records of a table, whose orders and matches are kept from one request to the next.
 *
 * What the records alone decide (`Reads`) is brought up to date by the records that differ, so a list costs what has
 * changed since it was last asked for, and the page that is shown. What other records decide too is found anew each time.
 * Only the records that a query needs are parsed: none, where it reads what their summaries have.
 */
import { derived } from "../../memo.ts";
import { firstWhere } from "../../model/text/bisect.ts";
import type { Instant } from "../../model/time/instant.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { Id } from "../../model/page/page.ts";
import { openComparison, openTest, type ListQuery, type Reads, type SortRow } from "../../model/lists/query.ts";
import { momentAfter } from "../../store/content/indexes/page-index.ts";
import type { Entity, Entry, Kind, Table } from "../../store/records/record-type.ts";
import type { MapChange } from "../../store/maps/shared-map.ts";
import { pinnedRecordOf, summaryOf } from "../../store/snapshot.ts";
import { loadRecords } from "../../store/content/indexes/pages-by-model.ts";
import { pace } from "../../time-slices.ts";
import { list, listPageOf, type RecordListing } from "./listing.ts";
import type { View } from "../view.ts";

type ById = Table["byId"];
type Query<T> = ListQuery<T, View>;

/** Entries in the order of a list that is not reversed, as they were in a table at a moment. */
interface Kept {
  readonly byId: ById;
  readonly entries: readonly Entry[];
  readonly now: Instant;
}

/** For each kind: each has a pointer for every record. */
const ORDERS_MAX = 6;
const MATCHES_MAX = 12;

interface Lists {
  readonly orders: Map<string, Kept>;
  readonly matches: Map<string, Kept>;
}

/** By site, which its locales stand for, and kind. */
const listsOf = derived((_locales: Locales) =>
  derived((_kind: object): Lists => ({ orders: new Map(), matches: new Map() })),
);

/**
 * The records of a kind, as `list` has them.
 *
 * @throws CmsError `invalid` for a regular expression that takes too long
 */
export async function listKind<T extends Entity>(
  kind: Kind<T>,
  query: Query<T>,
  view: View,
): Promise<RecordListing<T>> {
  const table = view.content.table?.(kind);
  if (!table || query.ordering.reads === "anything") return listSelected(kind, (all) => all, query, view);
  const pass = new Pass(listsOf(view.locales)(kind), table.byId, query, view);
  const { rows, ...paginator } = listPageOf(await pass.found(), query);
  const items: T[] = [];
  for (const entry of rows) {
    items.push(entry.record as T);
    await pace();
  }
  return query.paging ? { items, paginator } : items;
}

/** The selected records of a kind, as `list` has them. */
export async function listSelected<T extends Entity>(
  kind: Kind<T>,
  select: (all: readonly T[]) => readonly T[],
  query: Query<T>,
  view: View,
): Promise<RecordListing<T>> {
  await loadRecords(view.content, [kind]);
  return list(select(view.content.all(kind)), query, view);
}

/** One pass of a query over a table. */
class Pass<T extends Entity> {
  readonly #lists: Lists;
  readonly #byId: ById;
  readonly #query: Query<T>;
  readonly #view: View;
  readonly #compare: (a: SortRow<T>, b: SortRow<T>) => number;

  constructor(lists: Lists, byId: ById, query: Query<T>, view: View) {
    this.#lists = lists;
    this.#byId = byId;
    this.#query = query;
    this.#view = view;
    this.#compare = openComparison(query, view);
  }

  /** The matching entries in the order of a list that is not reversed. */
  async found(): Promise<readonly Entry[]> {
    const { matching, ordering, predicates } = this.#query;
    if (predicates.length === 0) return this.#ordered();
    if (matching.reads === "anything") return this.#matchingOf(await this.#ordered());
    const key = JSON.stringify([this.#view.lang, ordering.key, matching.key]);
    const { matches } = this.#lists;
    const kept = this.#usable(matches.get(key));
    const entries = kept ? this.#follow(kept, this.#test()) : undefined;
    return this.#keep(matches, key, MATCHES_MAX, entries ?? (await this.#matchingOf(await this.#ordered())));
  }

  async #ordered(): Promise<readonly Entry[]> {
    const { orders } = this.#lists;
    const key = JSON.stringify([this.#view.lang, this.#query.ordering.key]);
    const kept = orders.get(key);
    const entries = kept && this.#follow(kept, () => true);
    return this.#keep(orders, key, ORDERS_MAX, entries ?? (await this.#sorted()));
  }

  /** Matches that time alone has not changed since they were found. */
  #usable(kept: Kept | undefined): Kept | undefined {
    if (!kept || !this.#query.matching.isTimed) return kept;
    const { now } = this.#view;
    const next = momentAfter(kept.byId, kept.now);
    return now >= kept.now && (next === undefined || next > now) ? kept : undefined;
  }

  #keep(to: Map<string, Kept>, key: string, most: number, entries: readonly Entry[]): readonly Entry[] {
    to.delete(key);
    to.set(key, { byId: this.#byId, entries, now: this.#view.now });
    for (const oldest of to.keys()) {
      if (to.size <= most) break;
      to.delete(oldest);
    }
    return entries;
  }

  /** What was kept, with the changes since; undefined where so much has changed that it is found anew in less time. */
  #follow({ byId, entries }: Kept, isIn: (entry: Entry) => boolean): readonly Entry[] | undefined {
    if (byId === this.#byId) return entries;
    const changes = this.#byId.differencesFrom(byId);
    if (changes.length > FOLLOWED_MAX) return undefined;
    const next = [...entries];
    for (const change of changes) if (!this.#apply(next, change, isIn)) return undefined;
    return next;
  }

  /** @returns false where the entry before is not where it has to be */
  #apply(entries: Entry[], { before, after }: MapChange<Id, Entry>, isIn: (entry: Entry) => boolean): boolean {
    if (before && isIn(before)) {
      const at = this.#placeOf(entries, before);
      if (entries[at] !== before) return false;
      entries.splice(at, 1);
    }
    if (after && isIn(after)) entries.splice(this.#placeOf(entries, after), 0, after);
    return true;
  }

  #placeOf(entries: readonly Entry[], entry: Entry): number {
    const row = this.#row(entry);
    return firstWhere(entries.length, (at) => this.#compare(this.#row(entries[at]!), row) >= 0);
  }

  #row = (entry: Entry): SortRow<T> => ({ record: recordFor(this.#query.ordering.reads, entry), keys: [] });

  #test(): (entry: Entry) => boolean {
    const { reads } = this.#query.matching;
    const matches = openTest(this.#query, this.#view);
    return (entry) => matches(recordFor(reads, entry));
  }

  async #matchingOf(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const matches = this.#test();
    const found: Entry[] = [];
    for (const entry of entries) {
      if (matches(entry)) found.push(entry);
      const rest = pace();
      if (rest) await rest;
    }
    return found;
  }

  async #sorted(): Promise<readonly Entry[]> {
    const rows: (SortRow<T> & { readonly entry: Entry })[] = [];
    for (const entry of this.#byId.values()) {
      rows.push({ ...this.#row(entry), entry });
      const rest = pace();
      if (rest) await rest;
    }
    return rows.sort(this.#compare).map(({ entry }) => entry);
  }
}

/** With more changes than this, a list is sorted and filtered anew. */
const FOLLOWED_MAX = 256;

const recordFor = <T extends Entity>(reads: Reads, entry: Entry): T =>
  (reads === "summary" ? summaryOf(entry) : pinnedRecordOf(entry)) as T;
