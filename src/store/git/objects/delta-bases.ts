import type { GitObject } from "./object.ts";

/**
 * Bases of deltas in packs, so that a chain of deltas is not read from its beginning for each object. The limit is that
 * of all packs together; the oldest bases of the pack that got none for longest are the first to go.
 */
export class DeltaBases<Pack extends object> {
  readonly #max: number;
  readonly #byPack = new Map<Pack, Map<number, GitObject>>();
  #bytes = 0;

  /** @param max in bytes */
  constructor(max: number) {
    this.#max = max;
  }

  get(pack: Pack, offset: number): GitObject | undefined {
    return this.#byPack.get(pack)?.get(offset);
  }

  add(pack: Pack, offset: number, object: GitObject): void {
    const bases = this.#byPack.get(pack) ?? new Map<number, GitObject>();
    if (bases.has(offset)) return;
    this.#byPack.delete(pack);
    this.#byPack.set(pack, bases.set(offset, object));
    this.#bytes += object.content.length;
    for (const [from, others] of this.#byPack) {
      for (const [oldest, { content }] of others) {
        if (this.#bytes <= this.#max) return;
        others.delete(oldest);
        this.#bytes -= content.length;
      }
      this.#byPack.delete(from);
    }
  }

  forget(pack: Pack): void {
    for (const { content } of this.#byPack.get(pack)?.values() ?? []) this.#bytes -= content.length;
    this.#byPack.delete(pack);
  }
}
