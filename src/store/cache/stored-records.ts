/** The records of a content cache, each of which is made when it is asked for. */
import type { Id } from "../../model/page/page.ts";
import type { Base, CachedParts, Entity, Entry } from "../records/record-type.ts";
import type { StoredKeys } from "../maps/stored-map.ts";
import { StoredBody, type CacheSource } from "./cache-source.ts";
import { hashedKeys, type ColumnReader, type TextColumn } from "./columns.ts";

/** A record with what is known of it without parsing its body. */
export interface CachedRecord extends CachedParts {
  readonly kind: string;
  readonly base: Base;
  readonly summary: Entity;
  /** Its entry in the content, which is made once, when the record is first found. */
  entry: Entry | undefined;
  /** The record as JSON. @throws DamagedBody */
  body(): Uint8Array;
}

/** By places from 0. */
export interface StoredRecords extends Iterable<CachedRecord> {
  readonly bases: StoredKeys<Base>;
  readonly ids: StoredKeys<Id>;
  kindAt(place: number): string;
  /** The same object each time. */
  at(place: number): CachedRecord;
  find(kind: string, base: Base): CachedRecord | undefined;
}

interface Columns {
  readonly kindNames: readonly string[];
  /** For each record, the index of its kind in `kindNames`. */
  readonly kinds: Uint32Array;
  readonly bases: StoredKeys<Base>;
  readonly filesKeys: TextColumn;
  readonly summaries: TextColumn;
  /** 1 for a record that is self-contained, else 0. */
  readonly isSelfContained: Uint32Array;
  /** In bytes. */
  readonly lengths: Uint32Array;
  readonly crcs: Uint32Array;
}

export class OpenRecords implements StoredRecords {
  readonly bases: StoredKeys<Base>;
  readonly ids: StoredKeys<Id>;
  /** Where the last body ends. */
  readonly end: number;
  readonly #columns: Columns;
  readonly #starts: Float64Array;
  readonly #source: Pick<CacheSource, "read">;
  readonly #made: (CachedRecord | undefined)[];

  /** @param reader of the columns that `openEncoder` writes */
  constructor(reader: ColumnReader, kindNames: readonly string[], seed: number, source: Pick<CacheSource, "read">) {
    const [baseColumn, filesKeys, summaries] = [reader.text(), reader.text(), reader.text()];
    const kinds = reader.integers();
    const isSelfContained = reader.integers();
    const lengths = reader.integers();
    const crcs = reader.integers();
    const idColumn = reader.numbers();
    this.bases = hashedKeys<Base>(baseColumn, reader.integers(), seed);
    this.ids = hashedKeys<Id>(idColumn, reader.integers(), seed);
    this.#columns = { kindNames, kinds, bases: this.bases, filesKeys, summaries, isSelfContained, lengths, crcs };
    this.#source = source;
    this.#starts = new Float64Array(lengths.length);
    let end = 0;
    for (let place = 0; place < lengths.length; place++) {
      this.#starts[place] = end;
      end += lengths[place]!;
    }
    this.end = end;
    this.#made = Array.from<undefined>({ length: lengths.length });
  }

  kindAt(place: number): string {
    return this.#columns.kindNames[this.#columns.kinds[place]!]!;
  }

  at(place: number): CachedRecord {
    return (this.#made[place] ??= new StoredRecord(this.#columns, place, this.kindAt(place), this.#bodyAt(place)));
  }

  find(kind: string, base: Base): CachedRecord | undefined {
    const place = this.bases.placeOf(base);
    return place === undefined || this.kindAt(place) !== kind ? undefined : this.at(place);
  }

  *[Symbol.iterator](): Generator<CachedRecord, undefined> {
    for (let place = 0; place < this.bases.length; place++) yield this.at(place);
  }

  #bodyAt(place: number): StoredBody {
    const { lengths, crcs } = this.#columns;
    return new StoredBody(this.#source, this.#starts[place]!, lengths[place]!, crcs[place]!);
  }
}

/** A class without closures: there is one for each record that is used. */
class StoredRecord implements CachedRecord {
  readonly kind: string;
  entry: Entry | undefined;
  readonly #columns: Columns;
  readonly #place: number;
  readonly #body: StoredBody;
  #summary: Entity | undefined;

  constructor(columns: Columns, place: number, kind: string, body: StoredBody) {
    this.#columns = columns;
    this.#place = place;
    this.kind = kind;
    this.#body = body;
  }

  get base(): Base {
    return this.#columns.bases.at(this.#place);
  }

  get filesKey(): string {
    return this.#columns.filesKeys.at(this.#place);
  }

  get isSelfContained(): boolean {
    return this.#columns.isSelfContained[this.#place] === 1;
  }

  get summary(): Entity {
    return (this.#summary ??= JSON.parse(this.#columns.summaries.at(this.#place)) as Entity);
  }

  body(): Uint8Array {
    return this.#body.read(this.base);
  }
}
