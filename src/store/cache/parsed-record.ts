import type { AnyKind, Base, Entity } from "../records/record-type.ts";
import { filesKey, type Entry } from "../snapshot.ts";
import type { CachedRecord } from "./stored-records.ts";
import type { StoredBody } from "./cache-source.ts";

/** A record that was parsed in this process. It is in memory until it is in a file. */
export class ParsedRecord implements CachedRecord {
  readonly kind: string;
  readonly base: Base;
  readonly filesKey: string;
  readonly isSelfContained: boolean;
  readonly summary: Entity;
  entry: Entry | undefined;
  #record: Entity | undefined;
  #stored: StoredBody | undefined;

  constructor(kind: AnyKind, { base, files, record }: Entry, isSelfContained: boolean) {
    this.kind = kind.name;
    this.base = base;
    this.filesKey = filesKey(files);
    this.isSelfContained = isSelfContained;
    // A substring keeps the whole text that V8 cut it from in memory: strings made by JSON.parse are copies.
    this.summary = JSON.parse(JSON.stringify(kind.summaries!.summarize(record))) as Entity;
    this.#record = record;
  }

  /** undefined once it is in a file. */
  get record(): Entity | undefined {
    return this.#record;
  }

  body(): Uint8Array {
    return this.#stored?.read(this.base) ?? Buffer.from(JSON.stringify(this.#record));
  }

  moveTo(stored: StoredBody): void {
    this.#stored = stored;
    this.#record = undefined;
  }
}
