/**
 * The order in which pages get the permalinks that their files leave out, in one language: parents before their children,
 * then by the history, then by age.
 *
 * The history is asked about pages that claim a permalink with others only. No other page refuses one to another, so the
 * permalinks are those of an order in which it was asked about all, whichever were asked about before.
 */
import type { Lang } from "../../../model/language/locale.ts";
import { permalinkIn, type Id } from "../../../model/page/page.ts";
import { pageIn } from "../key-index.ts";
import type { Entry } from "../record-type.ts";
import type { SharedMap } from "../../maps/shared-map.ts";
import { byAge } from "../../snapshot.ts";

export interface PlaceInOrder {
  readonly id: Id;
  readonly level: number;
  readonly rank: number;
  readonly entry: Entry;
}

export const comparePlaces = (a: PlaceInOrder, b: PlaceInOrder): number => {
  if (a.id === b.id) return 0;
  if (a.level !== b.level) return a.level - b.level;
  return a.rank === b.rank ? byAge(a.entry, b.entry) : a.rank < b.rank ? -1 : 1;
};

export class DerivationOrder {
  readonly #lang: Lang;
  readonly #lacking: SharedMap<Id, Entry>;
  readonly #ranks: ReadonlyMap<Id, number>;
  readonly #places = new Map<Id, PlaceInOrder | undefined>();
  readonly #levels = new Map<Id, number>();

  /**
   * @param lacking the pages that leave permalinks out, as their files have them
   * @param ranks see `Derived.ranks`
   */
  constructor(lang: Lang, lacking: SharedMap<Id, Entry>, ranks: ReadonlyMap<Id, number>) {
    this.#lang = lang;
    this.#lacking = lacking;
    this.#ranks = ranks;
  }

  /** undefined for a page whose permalink in this language is not derived. */
  placeOf(id: Id): PlaceInOrder | undefined {
    if (this.#places.has(id)) return this.#places.get(id);
    const entry = this.#lacking.get(id);
    const isDerived = entry !== undefined && permalinkIn(pageIn(entry), this.#lang) === null;
    const place = isDerived ? { id, level: this.#level(id), rank: this.#ranks.get(id) ?? Infinity, entry } : undefined;
    this.#places.set(id, place);
    return place;
  }

  /** Whether a page is its own ancestor: none of these has a permalink below its parent's. */
  isInCircle(id: Id): boolean {
    return this.#above(id) !== undefined && this.#level(id) === 0;
  }

  /** The parent of a page, where it leaves permalinks out, too. */
  #above(id: Id): Id | undefined {
    const { parent_page: parent } = pageIn(this.#lacking.get(id)!);
    return parent !== null && this.#lacking.has(parent) ? parent : undefined;
  }

  #level(id: Id): number {
    const chain = new Set<Id>();
    let at: Id | undefined = id;
    for (; at !== undefined && !this.#levels.has(at) && !chain.has(at); at = this.#above(at)) chain.add(at);
    for (; at !== undefined && !this.#levels.has(at); at = this.#above(at)) {
      this.#levels.set(at, 0);
      chain.delete(at);
    }
    let level = at === undefined ? -1 : this.#levels.get(at)!;
    for (const each of [...chain].reverse()) this.#levels.set(each, ++level);
    return this.#levels.get(id)!;
  }
}
