/**
 * The pages of a table with the permalinks that their files leave out, kept with the table and followed by its changes.
 *
 * A permalink is derived from the page's title, its parent's permalink, and the answers whether the permalinks it was
 * compared with are taken by a page that has priority. A change therefore concerns the pages for which one of these
 * differs; they are derived again in the order in which all would be (model/derived-permalinks.ts), so that the result is
 * the one made anew.
 */
import sortedBTree from "sorted-btree";
import {
  deriveAllPermalinks,
  derivePermalinks,
  lacksPermalinks,
  permalinkKey,
} from "../../model/derived-permalinks.ts";
import type { Lang, Locales } from "../../model/locale.ts";
import { permalinkIn, type Id, type Page, type PageSummary } from "../../model/page.ts";
import { openPace } from "../../time-slices.ts";
import { PAGE_WORDS, pageIn, type PageWords } from "./indexes/page-words.ts";
import type { Completed, Completion, Entry, Table } from "./record-type.ts";
import { CHILDREN, permalinksOf } from "./records/page-keys.ts";
import { SharedMap } from "./shared-map.ts";
import { byAge } from "./snapshot.ts";

const BTree = sortedBTree.default;

export const derivedPermalinks = (locales: Locales): Completion => ({
  isSelfContained: (record) => !lacksPermalinks(record as Page, locales),
  complete: (own) => deriveAll(own, locales),
  open: (byId) => new DerivedPermalinks(locales, { ...NOTHING_DERIVED, byId }),
});

interface Derived {
  /** Every page, with derived permalinks. */
  readonly byId: Table["byId"];
  /** The pages that leave permalinks out, as their files have them. */
  readonly lacking: SharedMap<Id, Entry>;
  /** See `DerivedPage.first`. */
  readonly firsts: SharedMap<Id, Id>;
  /** The permalinks each page was compared with, where it did not get the first; and the pages by these permalinks. */
  readonly asked: SharedMap<Id, readonly string[]>;
  readonly askers: SharedMap<string, readonly Id[]>;
  /** Whether a page is its own ancestor. The order of the pages then depends on where the circle is entered. */
  readonly hasCircle: boolean;
}

const NOTHING_DERIVED: Omit<Derived, "byId"> = {
  lacking: new SharedMap(),
  firsts: new SharedMap(),
  asked: new SharedMap(),
  askers: new SharedMap(),
  hasCircle: false,
};

async function deriveAll(own: ReadonlyMap<Id, Entry>, locales: Locales): Promise<DerivedPermalinks> {
  const pace = openPace();
  const lacking = new Map<Id, Entry>();
  const stated = new Set<string>();
  for (const [id, entry] of own) {
    await pace();
    for (const lang of locales.codes) {
      const permalink = permalinkIn(pageIn(entry), lang);
      if (permalink !== null) stated.add(permalinkKey(lang, permalink));
    }
    if (isLacking(entry, locales)) lacking.set(id, entry);
  }
  const byId = new Map(own);
  const firsts = new Map<Id, Id>();
  const asked = new Map<Id, readonly string[]>();
  const askers = new Map<string, Id[]>();
  let hasCircle = false;
  const inPrecedence: Page[] = [];
  for (const entry of [...lacking.values()].sort(byAge)) {
    await pace();
    inPrecedence.push(entry.record as Page);
  }
  const site = {
    locales,
    find: (id: Id) => pageIn(own.get(id)),
    isStated: (lang: Lang, permalink: string) => stated.has(permalinkKey(lang, permalink)),
  };
  for (const each of deriveAllPermalinks(inPrecedence, site)) {
    await pace();
    const { id } = each.page;
    byId.set(id, completedEntry(lacking.get(id)!, each.page));
    firsts.set(id, each.first);
    hasCircle ||= each.isInCircle;
    const compared = comparedOf(each.page, each.asked, locales);
    if (compared.length === 0) continue;
    asked.set(id, compared);
    for (const key of compared) {
      const known = askers.get(key);
      if (known) known.push(id);
      else askers.set(key, [id]);
    }
  }
  return new DerivedPermalinks(locales, {
    byId: new SharedMap(byId),
    lacking: new SharedMap(lacking),
    firsts: new SharedMap(firsts),
    asked: new SharedMap(asked),
    askers: new SharedMap(askers),
    hasCircle,
  });
}

const isLacking = (entry: Entry, locales: Locales): boolean =>
  !(entry.cached?.isSelfContained ?? !lacksPermalinks(entry.record as Page, locales));

/** A page that got what it asked first is found by its permalink. */
const comparedOf = (page: Page, asked: readonly string[], { codes }: Locales): readonly string[] => {
  const own = new Set(codes.map((lang) => permalinkKey(lang, permalinkIn(page, lang) ?? "")));
  return [...new Set(asked)].filter((key) => !own.has(key));
};

const completedEntry = ({ base, files, broken }: Entry, record: Page): Entry => ({
  record,
  base,
  files,
  ...(broken && { broken }),
});

/** Immutable. */
class DerivedPermalinks implements Completed {
  readonly #locales: Locales;
  readonly #derived: Derived;

  constructor(locales: Locales, derived: Derived) {
    this.#locales = locales;
    this.#derived = derived;
  }

  get byId(): Table["byId"] {
    return this.#derived.byId;
  }

  own(id: Id): Entry | undefined {
    return this.#derived.lacking.get(id) ?? this.byId.get(id);
  }

  async follow(changes: ReadonlyMap<Id, Entry | undefined>): Promise<DerivedPermalinks | undefined> {
    if (this.#derived.hasCircle || changes.size > Math.max(STEP, this.byId.size / 4)) return undefined;
    const next = await new Following(this.#derived, this.#locales).run(changes);
    return next && new DerivedPermalinks(this.#locales, next);
  }
}

/** How many entries change at a time: with the map, the look-ups over it are brought up to date. */
const STEP = 100;

/** The pages after some changes, while they are computed. */
class Following {
  readonly #locales: Locales;
  readonly #before: Derived;
  readonly #words: PageWords;
  readonly #lacking: SharedMap<Id, Entry>;
  readonly #firsts: SharedMap<Id, Id>;
  readonly #asked: SharedMap<Id, readonly string[]>;
  /** The lists of `askers` that change. */
  readonly #askers = new Map<string, Set<Id>>();
  /** The entries that differ from those before; undefined for removed pages. */
  readonly #entries = new Map<Id, Entry | undefined>();
  /** Pages whose `first` was determined again: their place in the order may have changed. */
  readonly #moved = new Set<Id>();
  /** Pages known not to be their own ancestors. */
  readonly #acyclic = new Set<Id>();
  readonly #depths = new Map<Id, number>();
  /** The pages to derive, in their order. */
  readonly #queue = new BTree<Id, true>(undefined, (a, b) => this.#compare(a, b));
  readonly #queued = new Set<Id>();
  readonly #pace = openPace();

  constructor(before: Derived, locales: Locales) {
    this.#before = before;
    this.#locales = locales;
    this.#words = before.byId.index(PAGE_WORDS).copy();
    this.#lacking = before.lacking.copy();
    this.#firsts = before.firsts.copy();
    this.#asked = before.asked.copy();
  }

  /** @returns undefined if a page becomes its own ancestor */
  async run(changes: ReadonlyMap<Id, Entry | undefined>): Promise<Derived | undefined> {
    for (const id of changes.keys()) {
      await this.#pace();
      this.#detach(id);
      this.#put(id, undefined);
    }
    for (const [id, entry] of changes) {
      await this.#pace();
      if (!entry) continue;
      this.#put(id, entry);
      if (isLacking(entry, this.#locales)) this.#lacking.set(id, entry);
    }
    for (const id of changes.keys()) {
      await this.#pace();
      if (this.#lacking.has(id) && !this.#attach(id)) return undefined;
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
    this.#words.replace(id, this.#page(id), pageIn(entry));
    this.#entries.set(id, entry);
  }

  /** Takes a page out of those that leave permalinks out. */
  #detach(id: Id): void {
    const entry = this.#lacking.get(id);
    if (!entry) return;
    const first = this.#firsts.get(id)!;
    this.#lacking.delete(id);
    this.#firsts.delete(id);
    this.#compareWith(id, []);
    for (let at = this.#parentOf(entry); at !== undefined && this.#firsts.get(at) === first; at = this.#above(at))
      this.#setFirst(at, this.#firstBelow(at));
  }

  /** Determines the place of a page in the order, and with it those of its ancestors. @returns false in a circle */
  #attach(id: Id): boolean {
    const chain = new Set<Id>();
    for (let at: Id | undefined = id; at !== undefined && !this.#acyclic.has(at); at = this.#above(at)) {
      if (chain.has(at)) return false;
      chain.add(at);
    }
    for (const each of chain) this.#acyclic.add(each);
    const first = this.#firstBelow(id);
    this.#setFirst(id, first);
    for (let at = this.#above(id); at !== undefined; at = this.#above(at)) {
      const known = this.#firsts.get(at);
      // Unknown: it is attached later, together with what is below it.
      if (known === undefined || !this.#precedes(first, known)) break;
      this.#setFirst(at, first);
    }
    return true;
  }

  #setFirst(id: Id, first: Id): void {
    this.#firsts.set(id, first);
    this.#moved.add(id);
  }

  /** The earliest page among a page and those below it, from what is known of its children. */
  #firstBelow(id: Id): Id {
    let first = id;
    for (const child of this.#words.claimants(CHILDREN, id)) {
      const below = this.#firsts.get(child);
      if (below !== undefined && this.#precedes(below, first)) first = below;
    }
    return first;
  }

  #precedes(a: Id, b: Id): boolean {
    return byAge(this.#lacking.get(a)!, this.#lacking.get(b)!) < 0;
  }

  /** The parent of a page, where it leaves permalinks out, too. */
  #parentOf(entry: Entry): Id | undefined {
    const parent = pageIn(entry).parent_page;
    return parent !== null && this.#lacking.has(parent) ? parent : undefined;
  }

  #above(id: Id): Id | undefined {
    return this.#parentOf(this.#lacking.get(id)!);
  }

  /** The order in which permalinks are derived. */
  #compare(a: Id, b: Id): number {
    if (a === b) return 0;
    const [first, second] = [this.#firsts.get(a)!, this.#firsts.get(b)!];
    if (first !== second) return this.#precedes(first, second) ? -1 : 1;
    return this.#depth(a) - this.#depth(b);
  }

  #depth(id: Id): number {
    const chain: Id[] = [];
    let at: Id | undefined = id;
    for (; at !== undefined && !this.#depths.has(at); at = this.#above(at)) chain.push(at);
    let depth = at === undefined ? 0 : this.#depths.get(at)!;
    for (const each of chain.reverse()) this.#depths.set(each, ++depth);
    return depth;
  }

  async #enqueueConcerned(changed: Iterable<Id>): Promise<void> {
    for (const id of new Set([...changed, ...this.#moved])) {
      await this.#pace();
      const [before, after] = [pageIn(this.#before.byId.get(id)), this.#page(id)];
      this.#enqueue(id);
      for (const page of [before, after]) if (page) this.#enqueueRivals(page);
      if (!this.#lacking.has(id) && this.#differ(before, after)) this.#enqueueChildren(id);
    }
  }

  /** @param after only pages that come after this one */
  #enqueue(id: Id, after?: Id): void {
    if (this.#queued.has(id) || !this.#lacking.has(id)) return;
    if (after !== undefined && this.#compare(after, id) >= 0) return;
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
      for (const id of this.#words.claimants(permalinksOf(lang), permalink)) this.#enqueue(id, after);
    }
  }

  #enqueueChildren(id: Id): void {
    for (const child of this.#words.claimants(CHILDREN, id)) this.#enqueue(child);
  }

  #differ(a: PageSummary | undefined, b: PageSummary | undefined): boolean {
    return this.#locales.codes.some((lang) => (a ? permalinkIn(a, lang) : null) !== (b ? permalinkIn(b, lang) : null));
  }

  #derive(id: Id, isChanged: boolean): void {
    const entry = this.#lacking.get(id)!;
    const own = entry.record as Page;
    const asked: string[] = [];
    const parent = own.parent_page === null ? undefined : this.#page(own.parent_page);
    const page = derivePermalinks(own, parent, this.#locales, (lang, permalink) => {
      asked.push(permalinkKey(lang, permalink));
      return this.#words.claimants(permalinksOf(lang), permalink).some((other) => this.#hasPriority(other, id, lang));
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
    const entry = this.#lacking.get(other);
    return !entry || permalinkIn(pageIn(entry), lang) !== null || this.#compare(other, id) < 0;
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
    const entries = [...this.#entries];
    let { byId } = this.#before;
    // A change of a large part makes a plain map again, once.
    const step = entries.length > byId.size / 4 ? entries.length : STEP;
    for (let at = 0; at < entries.length; at += step) {
      await this.#pace();
      byId = byId.with(entries.slice(at, at + step));
    }
    const askers = Array.from(this.#askers, ([key, ids]) => [key, ids.size > 0 ? [...ids] : undefined] as const);
    return {
      byId,
      lacking: this.#lacking,
      firsts: this.#firsts,
      asked: this.#asked,
      askers: this.#before.askers.with(askers),
      hasCircle: false,
    };
  }
}
