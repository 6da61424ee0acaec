/**
 * The pages of a table with the permalinks that their files leave out, kept with the table and followed by its changes.
 *
 * A permalink is derived from the page's title, its parent's permalink, and the answers whether the permalinks it was
 * compared with are taken by a page that has priority. A change therefore concerns the pages for which one of these
 * differs; they are derived again in the order in which all would be, so that the result is the one made anew.
 *
 * A permalink stated in a file has priority, then comes that of the page which is first in the order (order.ts). Each
 * language is derived by itself.
 */
import sortedBTree from "sorted-btree";
import { derivePermalink, lacksPermalinks, permalinkKey } from "../../../model/address/omitted-permalinks.ts";
import type { Lang, Locales } from "../../../model/language/locale.ts";
import { permalinkIn, type Id, type Page, type PageSummary } from "../../../model/page/page.ts";
import { pace } from "../../../time-slices.ts";
import { PAGE_KEYS, pageIn, type KeyIndex } from "../key-index.ts";
import type { Base, Completion, Entry, Since } from "../record-type.ts";
import { CHILDREN, permalinksOf } from "../page-keys.ts";
import { SharedMap } from "../../maps/shared-map.ts";
import { completedEntry, isLacking, NOTHING_DERIVED, type Derived } from "./derived.ts";
import { comparePlaces, DerivationOrder, type PlaceInOrder } from "./order.ts";

const BTree = sortedBTree.default;

/** How many entries change at a time: with the map, the look-ups over it are brought up to date. */
const STEP = 100;

const IN_NO_COMMIT: Since = async () => Infinity;

/** @param above the pages that may be above those of the table, if these are of another kind */
export const derivedPermalinks = (
  locales: Locales,
  since: Since = IN_NO_COMMIT,
  above: Derived["above"] = NOTHING_DERIVED.above,
): Completion => ({
  isSelfContained: (record) => !lacksPermalinks(record as Page, locales),
  follow({ byId, completed }, byBase, changes) {
    // This function alone makes what is completed.
    const before = completed ? (completed as Derived) : { ...NOTHING_DERIVED, byId };
    return new DerivedChange(before, byBase, locales, since, above).run(changes);
  },
});

type Changed = ReadonlyMap<Id, Entry | undefined>;

/** The pages after some changes, while they are computed. */
class DerivedChange {
  readonly #locales: Locales;
  readonly #before: Derived;
  readonly #byBase: ReadonlyMap<Base, Entry>;
  readonly #since: Since;
  readonly #above: Derived["above"];
  readonly #keys: KeyIndex;
  #lacking: SharedMap<Id, Entry>;
  /** The lists of `asked` and `askers` that change. */
  readonly #asked = new Map<Id, readonly string[]>();
  readonly #askers = new Map<string, Set<Id>>();
  /** The entries that differ from those before; undefined for removed pages. */
  readonly #entries = new Map<Id, Entry | undefined>();
  #hasNewRanks = false;

  readonly #ranks = new Map<Lang, Map<Id, number>>();
  /** The language that is derived. */
  #lang: Lang = "";
  #order: DerivationOrder;
  /** The pages to derive. */
  readonly #queue = new BTree<PlaceInOrder, true>(undefined, comparePlaces);
  /** Those that were derived. */
  readonly #done = new Set<Id>();

  constructor(
    before: Derived,
    byBase: ReadonlyMap<Base, Entry>,
    locales: Locales,
    since: Since,
    above: Derived["above"],
  ) {
    this.#before = before;
    this.#byBase = byBase;
    this.#locales = locales;
    this.#since = since;
    this.#above = above;
    this.#keys = before.byId.index(PAGE_KEYS).copy();
    this.#lacking = before.lacking;
    this.#order = new DerivationOrder("", before.lacking, new Map());
  }

  async run(changes: Changed): Promise<Derived> {
    const concerned = new Set(changes.keys());
    for (const id of await this.#applied(changes)) concerned.add(id);
    for (const id of await this.#belowOthers()) concerned.add(id);
    if (concerned.size === 0 && !this.#before.isContested) return this.#before;
    for (const lang of this.#locales.codes) {
      this.#lang = lang;
      await this.#settle(concerned);
    }
    return concerned.size > 0 || this.#hasNewRanks ? this.#result() : this.#before;
  }

  /** The pages whose parent is of another kind and has another permalink than before. */
  async #belowOthers(): Promise<readonly Id[]> {
    const { above: before } = this.#before;
    const found: Id[] = [];
    if (before === this.#above) return found;
    for (const [id, entry] of this.#lacking) {
      await pace();
      const { parent_page: parent } = pageIn(entry);
      if (parent === null || this.#page(parent)) continue;
      const [old, now] = [pageIn(before.get(parent)), pageIn(this.#above.get(parent))];
      const isSame = (lang: Lang): boolean => (old && permalinkIn(old, lang)) === (now && permalinkIn(now, lang));
      if (!this.#locales.codes.every(isSame)) found.push(id);
    }
    return found;
  }

  /** @returns the pages that may have another place in the order: those that have another parent, and all below them */
  async #applied(changes: Changed): Promise<ReadonlySet<Id>> {
    const moved = new Set<Id>();
    const lacking: [Id, Entry | undefined][] = [];
    for (const [id, entry] of changes) {
      await pace();
      const [before, wasLacking] = [this.#page(id), this.#lacking.has(id)];
      this.#put(id, entry);
      const own = entry && isLacking(entry, this.#locales) ? entry : undefined;
      if (own || wasLacking) lacking.push([id, own]);
      if (!own) this.#compareWith(id, []);
      const isSame = (own !== undefined) === wasLacking && before?.parent_page === pageIn(entry)?.parent_page;
      if (!isSame) moved.add(id);
    }
    this.#lacking = this.#before.lacking.with(lacking);
    for (const id of moved) {
      await pace();
      for (const child of this.#keys.claimants(CHILDREN, id)) if (this.#lacking.has(child)) moved.add(child);
    }
    return moved;
  }

  async #settle(concerned: ReadonlySet<Id>): Promise<void> {
    const ranks = new Map(this.#before.ranks.get(this.#lang));
    this.#ranks.set(this.#lang, ranks);
    this.#done.clear();
    this.#order = new DerivationOrder(this.#lang, this.#lacking, ranks);
    await this.#rank([...ranks.keys()], (id) => (concerned.has(id) ? undefined : ranks.get(id)));
    await this.#enqueueConcerned(concerned);
    for (let claimants: readonly Id[] | undefined; claimants?.length !== 0;) {
      for (let place = this.#queue.minKey(); place; place = this.#queue.minKey()) {
        await pace();
        this.#queue.delete(place);
        this.#derive(place);
      }
      claimants = await this.#newClaimants();
      await this.#rank(claimants);
    }
    for (const id of ranks.keys()) {
      await pace();
      if (this.#otherClaimants(id).next().done) ranks.delete(id);
    }
  }

  /** Asks the history about pages, while none is to be derived. @param knownOf see `Since` */
  async #rank(ids: readonly Id[], knownOf: (id: Id) => number | undefined = () => undefined): Promise<void> {
    const ranks = this.#ranks.get(this.#lang)!;
    const changed: Id[] = [];
    for (const id of ids) {
      await pace();
      const own = this.#lacking.get(id);
      const rank = own ? await this.#since(this.#byBase.get(own.base) ?? own, this.#lang, knownOf(id)) : Infinity;
      if (rank !== (ranks.get(id) ?? Infinity)) changed.push(id);
      ranks.set(id, rank);
    }
    if (changed.length === 0) return;
    this.#hasNewRanks = true;
    this.#order = new DerivationOrder(this.#lang, this.#lacking, ranks);
    await this.#enqueueConcerned(changed);
  }

  /** The pages that claim a permalink with others, and did not before. */
  async #newClaimants(): Promise<readonly Id[]> {
    const ranks = this.#ranks.get(this.#lang)!;
    const found = new Set<Id>();
    for (const id of this.#done) {
      await pace();
      for (const other of this.#otherClaimants(id))
        for (const each of [id, other]) if (!ranks.has(each)) found.add(each);
    }
    return [...found];
  }

  /** The pages that have a permalink this one was compared with, or were compared with its own. */
  *#otherClaimants(id: Id): Generator<Id> {
    if (!this.#order.placeOf(id)) return;
    for (const key of this.#askedBy(id)) {
      if (!this.#isOfLanguage(key)) continue;
      for (const each of this.#keys.claimants(permalinksOf(this.#lang), key.slice(this.#lang.length)))
        if (this.#order.placeOf(each)) yield each;
    }
    yield* this.#askersOf(this.#permalink(this.#page(id))!);
  }

  #page(id: Id): PageSummary | undefined {
    return pageIn(this.#entry(id));
  }

  #entry(id: Id): Entry | undefined {
    return this.#entries.has(id) ? this.#entries.get(id) : this.#before.byId.get(id);
  }

  #permalink(page: PageSummary | undefined): string | null {
    return page ? permalinkIn(page, this.#lang) : null;
  }

  #put(id: Id, entry: Entry | undefined): void {
    this.#keys.replace(id, this.#page(id), pageIn(entry));
    this.#entries.set(id, entry);
  }

  async #enqueueConcerned(ids: Iterable<Id>): Promise<void> {
    for (const id of ids) {
      await pace();
      const [before, after] = [this.#permalink(pageIn(this.#before.byId.get(id))), this.#permalink(this.#page(id))];
      this.#enqueue(id);
      this.#enqueueClaimants(before);
      this.#enqueueClaimants(after);
      if (before !== after && !this.#order.placeOf(id)) this.#enqueueChildren(id);
    }
  }

  /** @param after only pages that come after this place */
  #enqueue(id: Id, after?: PlaceInOrder): void {
    const place = this.#order.placeOf(id);
    if (place && (after === undefined || comparePlaces(after, place) < 0)) this.#queue.set(place, true);
  }

  /** The pages that have, or were compared with, a permalink. */
  #enqueueClaimants(permalink: string | null, after?: PlaceInOrder): void {
    if (permalink === null) return;
    for (const id of this.#askersOf(permalink)) this.#enqueue(id, after);
    for (const id of this.#keys.claimants(permalinksOf(this.#lang), permalink)) this.#enqueue(id, after);
  }

  #enqueueChildren(id: Id): void {
    for (const child of this.#keys.claimants(CHILDREN, id)) this.#enqueue(child);
  }

  #derive(place: PlaceInOrder): void {
    const { id } = place;
    const own = this.#entry(id)!.record as Page;
    const before = this.#done.has(id) ? own : pageIn(this.#before.byId.get(id));
    this.#done.add(id);
    const page = this.#derived(own, place);
    if (this.#permalink(own) !== this.#permalink(page)) this.#put(id, completedEntry(this.#lacking.get(id)!, page));
    if (this.#permalink(before) === this.#permalink(page)) return;
    this.#enqueueClaimants(this.#permalink(before), place);
    this.#enqueueClaimants(this.#permalink(page), place);
    this.#enqueueChildren(id);
  }

  #derived(own: Page, place: PlaceInOrder): Page {
    const [lang, { id }] = [this.#lang, place];
    const isAtTop = own.parent_page === null || this.#order.isInCircle(id);
    const compared = new Set<string>();
    const page = derivePermalink(own, {
      lang,
      locales: this.#locales,
      parent: isAtTop ? undefined : (this.#page(own.parent_page!) ?? pageIn(this.#above.get(own.parent_page!))),
      isTaken: (permalink) => {
        compared.add(permalinkKey(lang, permalink));
        return this.#keys.claimants(permalinksOf(lang), permalink).some((other) => this.#hasPriority(other, place));
      },
    });
    compared.delete(permalinkKey(lang, this.#permalink(page)!));
    for (const key of this.#askedBy(id)) if (!this.#isOfLanguage(key)) compared.add(key);
    this.#compareWith(id, [...compared]);
    return page;
  }

  /** Whether another page keeps its permalink if this one wants it, too. */
  #hasPriority(other: Id, place: PlaceInOrder): boolean {
    const theirs = this.#order.placeOf(other);
    return other !== place.id && (!theirs || comparePlaces(theirs, place) < 0);
  }

  #isOfLanguage(key: string): boolean {
    return key.startsWith(permalinkKey(this.#lang, "/"));
  }

  #compareWith(id: Id, asked: readonly string[]): void {
    for (const key of this.#askedBy(id)) this.#changedAskers(key).delete(id);
    for (const key of asked) this.#changedAskers(key).add(id);
    if (asked.length > 0 || this.#before.asked.has(id)) this.#asked.set(id, asked);
    else this.#asked.delete(id);
  }

  #askedBy(id: Id): readonly string[] {
    return this.#asked.get(id) ?? this.#before.asked.get(id) ?? [];
  }

  #askersOf(permalink: string): Iterable<Id> {
    const key = permalinkKey(this.#lang, permalink);
    return this.#askers.get(key) ?? this.#before.askers.get(key) ?? [];
  }

  #changedAskers(key: string): Set<Id> {
    let askers = this.#askers.get(key);
    if (!askers) this.#askers.set(key, (askers = new Set(this.#before.askers.get(key))));
    return askers;
  }

  async #result(): Promise<Derived> {
    const askers = Array.from(this.#askers, ([key, ids]) => [key, ids.size > 0 ? [...ids] : undefined] as const);
    return {
      byId: await changedInSteps(this.#before.byId, [...this.#entries]),
      lacking: this.#lacking,
      above: this.#above,
      asked: this.#before.asked.with(Array.from(this.#asked, ([id, keys]) => [id, keys.length > 0 ? keys : undefined])),
      askers: this.#before.askers.with(askers),
      ranks: this.#ranks,
      isContested: [...this.#ranks.values()].some(({ size }) => size > 0),
    };
  }
}

/** @param entries undefined for removed pages */
async function changedInSteps(
  before: Derived["byId"],
  entries: readonly (readonly [Id, Entry | undefined])[],
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
