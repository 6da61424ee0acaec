/** The derived permalinks after a change of some pages. */
import sortedBTree from "sorted-btree";
import { derivePermalinks, permalinkKey } from "../../../model/address/derived-permalinks.ts";
import type { Lang, Locales } from "../../../model/language/locale.ts";
import { permalinkIn, type Id, type Page, type PageSummary } from "../../../model/page/page.ts";
import { openPace, type Pace } from "../../../time-slices.ts";
import { PAGE_KEYS, pageIn, type KeyIndex } from "../key-index.ts";
import type { Entry } from "../record-type.ts";
import { CHILDREN, permalinksOf } from "../page-keys.ts";
import type { SharedMap } from "../../maps/shared-map.ts";
import { comparedOf, completedEntry, isLacking, type Derived } from "./derived.ts";
import { DerivationOrder } from "./order.ts";

const BTree = sortedBTree.default;

/** How many entries change at a time: with the map, the look-ups over it are brought up to date. */
export const STEP = 100;

/** The pages after some changes, while they are computed. */
export class DerivedChange {
  readonly #locales: Locales;
  readonly #before: Derived;
  readonly #keys: KeyIndex;
  readonly #order: DerivationOrder;
  readonly #asked: SharedMap<Id, readonly string[]>;
  /** The lists of `askers` that change. */
  readonly #askers = new Map<string, Set<Id>>();
  /** The entries that differ from those before; undefined for removed pages. */
  readonly #entries = new Map<Id, Entry | undefined>();
  /** The pages to derive, in their order. */
  readonly #queue = new BTree<Id, true>(undefined, (a, b) => this.#order.compare(a, b));
  readonly #queued = new Set<Id>();
  readonly #pace = openPace();

  constructor(before: Derived, locales: Locales) {
    this.#before = before;
    this.#locales = locales;
    this.#keys = before.byId.index(PAGE_KEYS).copy();
    this.#order = new DerivationOrder(before, this.#keys);
    this.#asked = before.asked.copy();
  }

  /** @returns undefined if a page becomes its own ancestor */
  async run(changes: ReadonlyMap<Id, Entry | undefined>): Promise<Derived | undefined> {
    for (const [id, entry] of changes) {
      await this.#pace();
      if (this.#order.lacking.has(id)) this.#compareWith(id, []);
      this.#order.detach(id);
      if (!entry) this.#put(id, undefined);
    }
    for (const [id, entry] of changes) {
      await this.#pace();
      if (!entry) continue;
      this.#put(id, entry);
      if (isLacking(entry, this.#locales)) this.#order.lacking.set(id, entry);
    }
    for (const id of changes.keys()) {
      await this.#pace();
      if (this.#order.lacking.has(id) && !this.#order.attach(id)) return undefined;
    }
    await this.#enqueueConcerned(changes.keys());
    for (let id = this.#queue.minKey(); id !== undefined; id = this.#queue.minKey()) {
      await this.#pace();
      this.#queue.delete(id);
      this.#queued.delete(id);
      this.#derive(id, changes.has(id));
    }
    return this.#result();
  }

  #page(id: Id): PageSummary | undefined {
    return pageIn(this.#entries.has(id) ? this.#entries.get(id) : this.#before.byId.get(id));
  }

  #put(id: Id, entry: Entry | undefined): void {
    this.#keys.replace(id, this.#page(id), pageIn(entry));
    this.#entries.set(id, entry);
  }

  async #enqueueConcerned(changed: Iterable<Id>): Promise<void> {
    for (const id of new Set([...changed, ...this.#order.moved])) {
      await this.#pace();
      const [before, after] = [pageIn(this.#before.byId.get(id)), this.#page(id)];
      this.#enqueue(id);
      for (const page of [before, after]) if (page) this.#enqueueRivals(page);
      if (!this.#order.lacking.has(id) && this.#differ(before, after)) this.#enqueueChildren(id);
    }
  }

  /** @param after only pages that come after this one */
  #enqueue(id: Id, after?: Id): void {
    if (this.#queued.has(id) || !this.#order.lacking.has(id)) return;
    if (after !== undefined && this.#order.compare(after, id) >= 0) return;
    this.#queued.add(id);
    this.#queue.set(id, true);
  }

  /** The pages that have, or were compared with, a permalink of this page. */
  #enqueueRivals(page: PageSummary, after?: Id): void {
    for (const lang of this.#locales.codes) {
      const permalink = permalinkIn(page, lang);
      if (permalink === null) continue;
      const key = permalinkKey(lang, permalink);
      for (const id of this.#askers.get(key) ?? this.#before.askers.get(key) ?? []) this.#enqueue(id, after);
      for (const id of this.#keys.claimants(permalinksOf(lang), permalink)) this.#enqueue(id, after);
    }
  }

  #enqueueChildren(id: Id): void {
    for (const child of this.#keys.claimants(CHILDREN, id)) this.#enqueue(child);
  }

  #differ(a: PageSummary | undefined, b: PageSummary | undefined): boolean {
    return this.#locales.codes.some((lang) => (a ? permalinkIn(a, lang) : null) !== (b ? permalinkIn(b, lang) : null));
  }

  #derive(id: Id, isChanged: boolean): void {
    const entry = this.#order.lacking.get(id)!;
    const own = entry.record as Page;
    const asked: string[] = [];
    const parent = own.parent_page === null ? undefined : this.#page(own.parent_page);
    const page = derivePermalinks(own, parent, this.#locales, (lang, permalink) => {
      asked.push(permalinkKey(lang, permalink));
      return this.#keys.claimants(permalinksOf(lang), permalink).some((other) => this.#hasPriority(other, id, lang));
    });
    this.#compareWith(id, comparedOf(page, asked, this.#locales));
    const before = pageIn(this.#before.byId.get(id));
    const isOther = this.#differ(before, page);
    if (isChanged || isOther) this.#put(id, completedEntry(entry, page));
    if (!isOther) return;
    for (const each of [before, page]) if (each) this.#enqueueRivals(each, id);
    this.#enqueueChildren(id);
  }

  /** Whether another page keeps its permalink if this one wants it, too. */
  #hasPriority(other: Id, id: Id, lang: Lang): boolean {
    if (other === id) return false;
    const entry = this.#order.lacking.get(other);
    return !entry || permalinkIn(pageIn(entry), lang) !== null || this.#order.compare(other, id) < 0;
  }

  #compareWith(id: Id, asked: readonly string[]): void {
    for (const key of this.#asked.get(id) ?? []) this.#askersOf(key).delete(id);
    for (const key of asked) this.#askersOf(key).add(id);
    if (asked.length > 0) this.#asked.set(id, asked);
    else this.#asked.delete(id);
  }

  #askersOf(key: string): Set<Id> {
    let askers = this.#askers.get(key);
    if (!askers) this.#askers.set(key, (askers = new Set(this.#before.askers.get(key))));
    return askers;
  }

  async #result(): Promise<Derived> {
    const byId = await changedInSteps(this.#before.byId, [...this.#entries], this.#pace);
    const askers = Array.from(this.#askers, ([key, ids]) => [key, ids.size > 0 ? [...ids] : undefined] as const);
    return {
      byId,
      lacking: this.#order.lacking,
      firsts: this.#order.firsts,
      asked: this.#asked,
      askers: this.#before.askers.with(askers),
      hasCircle: false,
    };
  }
}

/** @param entries undefined for removed pages */
export async function changedInSteps(
  before: Derived["byId"],
  entries: readonly (readonly [Id, Entry | undefined])[],
  pace: Pace,
): Promise<Derived["byId"]> {
  // A change of a large part makes a plain map again, once.
  const step = entries.length > before.size / 4 ? entries.length : STEP;
  let byId = before;
  for (let at = 0; at < entries.length; at += step) {
    await pace();
    byId = byId.with(entries.slice(at, at + step));
  }
  return byId;
}
