/** The order in which permalinks are derived (model/address/derived-permalinks.ts), while pages change. */
import type { Id } from "../../../model/page/page.ts";
import { pageIn, type KeyIndex } from "../key-index.ts";
import type { Entry } from "../record-type.ts";
import { CHILDREN } from "../page-keys.ts";
import type { SharedMap } from "../../maps/shared-map.ts";
import { byAge } from "../../snapshot.ts";
import type { Derived } from "./derived.ts";

export class DerivationOrder {
  /** Those that leave permalinks out, as their files have them. The caller adds pages before it attaches them. */
  readonly lacking: SharedMap<Id, Entry>;
  readonly firsts: SharedMap<Id, Id>;
  /** Pages whose `first` was determined again: their place in the order may have changed. */
  readonly moved = new Set<Id>();
  readonly #keys: KeyIndex;
  /** Pages known not to be their own ancestors. */
  readonly #acyclic = new Set<Id>();
  readonly #depths = new Map<Id, number>();

  /** @param keys of the pages as they are now; the caller changes them */
  constructor(before: Derived, keys: KeyIndex) {
    this.lacking = before.lacking.copy();
    this.firsts = before.firsts.copy();
    this.#keys = keys;
  }

  /** Takes a page out of those that leave permalinks out. */
  detach(id: Id): void {
    const entry = this.lacking.get(id);
    if (!entry) return;
    const first = this.firsts.get(id)!;
    this.lacking.delete(id);
    this.firsts.delete(id);
    for (let at = this.#parentOf(entry); at !== undefined && this.firsts.get(at) === first; at = this.#above(at))
      this.#setFirst(at, this.#firstBelow(at));
  }

  /** Determines the place of a page in the order, and with it those of its ancestors. @returns false in a circle */
  attach(id: Id): boolean {
    const chain = new Set<Id>();
    for (let at: Id | undefined = id; at !== undefined && !this.#acyclic.has(at); at = this.#above(at)) {
      if (chain.has(at)) return false;
      chain.add(at);
    }
    for (const each of chain) this.#acyclic.add(each);
    const first = this.#firstBelow(id);
    this.#setFirst(id, first);
    for (let at = this.#above(id); at !== undefined; at = this.#above(at)) {
      const known = this.firsts.get(at);
      // Unknown: it is attached later, together with what is below it.
      if (known === undefined || !this.#precedes(first, known)) break;
      this.#setFirst(at, first);
    }
    return true;
  }

  /** The order in which permalinks are derived. */
  compare(a: Id, b: Id): number {
    if (a === b) return 0;
    const [first, second] = [this.firsts.get(a)!, this.firsts.get(b)!];
    if (first !== second) return this.#precedes(first, second) ? -1 : 1;
    return this.#depth(a) - this.#depth(b);
  }

  #setFirst(id: Id, first: Id): void {
    this.firsts.set(id, first);
    this.moved.add(id);
  }

  /** The earliest page among a page and those below it, from what is known of its children. */
  #firstBelow(id: Id): Id {
    let first = id;
    for (const child of this.#keys.claimants(CHILDREN, id)) {
      const below = this.firsts.get(child);
      if (below !== undefined && this.#precedes(below, first)) first = below;
    }
    return first;
  }

  #precedes(a: Id, b: Id): boolean {
    return byAge(this.lacking.get(a)!, this.lacking.get(b)!) < 0;
  }

  /** The parent of a page, where it leaves permalinks out, too. */
  #parentOf(entry: Entry): Id | undefined {
    const parent = pageIn(entry).parent_page;
    return parent !== null && this.lacking.has(parent) ? parent : undefined;
  }

  #above(id: Id): Id | undefined {
    return this.#parentOf(this.lacking.get(id)!);
  }

  #depth(id: Id): number {
    const chain: Id[] = [];
    let at: Id | undefined = id;
    for (; at !== undefined && !this.#depths.has(at); at = this.#above(at)) chain.push(at);
    let depth = at === undefined ? 0 : this.#depths.get(at)!;
    for (const each of chain.reverse()) this.#depths.set(each, ++depth);
    return depth;
  }
}
