import type { Entity } from "../records/record-type.ts";
import type { CachedRecord } from "./stored-records.ts";

interface Kept {
  readonly record: Entity;
  readonly bytes: number;
  isUsed: boolean;
}

/**
 * The records that were parsed last, up to a size. The oldest is evicted, or gets a second chance as the newest if it
 * was used since it was added: pages that readers ask for stay while another request reads the whole site.
 */
export class RecentRecords {
  readonly #max: number;
  readonly #kept = new Map<CachedRecord, Kept>();
  #bytes = 0;

  /** @param max in bytes of JSON: the objects take about twice as many */
  constructor(max: number) {
    this.#max = max;
  }

  get(key: CachedRecord): Entity | undefined {
    const kept = this.#kept.get(key);
    if (kept) kept.isUsed = true;
    return kept?.record;
  }

  /** @param bytes length of the record as JSON */
  add(key: CachedRecord, record: Entity, bytes: number): void {
    this.#kept.set(key, { record, bytes, isUsed: false });
    this.#bytes += bytes;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#max || oldest === key) break;
      this.#kept.delete(oldest);
      if (!kept.isUsed) this.#bytes -= kept.bytes;
      else {
        kept.isUsed = false;
        this.#kept.set(oldest, kept);
      }
    }
  }
}
