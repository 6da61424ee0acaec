/**
 * Packed records as they lie in a file: what they are found by in columns, their outlines and texts one after the other.
 * None is made before somebody wants it.
 */
import {
  packNumbers,
  packTexts,
  unpackBytes,
  unpackTexts,
  type PackedNumbers,
  type PackedTexts,
} from "../../model/columns.ts";
import type { AnyKind, Base, Entity } from "../content/record-type.ts";
import type { Packed } from "../content/snapshot.ts";

/** Where records lie: in a file that stays open, or in memory. */
export interface Bytes {
  readonly length: number;
  /** The bytes there; the next call may overwrite them. @throws RangeError past the end of a file */
  read(from: number, length: number): Buffer;
}

/** Packed records of one kind, a list for each fact. Bytes are counted from where the group's outlines, or its texts, begin. */
interface Columns {
  readonly kind: string;
  readonly bases: readonly Base[];
  /** See `partsName`. */
  readonly parts: readonly string[];
  /** 1 of those that are. */
  readonly isWhole: Uint8Array;
  /** The outlines are a JSON list: where each ends. */
  readonly outlineEnds: Float64Array;
  readonly textEnds: Float64Array;
  /** How many texts the records up to each have together. */
  readonly textCounts: Int32Array;
}

/** A group's columns in JSON. */
export interface PackedColumns {
  readonly kind: string;
  readonly bases: PackedTexts;
  readonly parts: PackedTexts;
  readonly isWhole: PackedNumbers;
  readonly outlineEnds: PackedNumbers;
  readonly textEnds: PackedNumbers;
  readonly textCounts: PackedNumbers;
}

/** A record that goes into a group: as it lies in another, or its outline and texts as JSON. */
export type Packable = { readonly base: Base; readonly parts: string } & (
  | { readonly group: PackedGroup; readonly place: number }
  | { readonly outline: Entity; readonly isWhole: boolean; readonly texts: readonly string[] }
);

export class PackedGroup {
  readonly columns: Columns;
  readonly #bytes: Bytes;
  readonly #outlinesAt: number;
  readonly #textsAt: number;
  readonly #packed: Packed[] = [];
  #places: ReadonlyMap<Base, number> | undefined;
  #outlines: readonly Entity[] | undefined;

  /** @param from where the group begins */
  constructor(columns: PackedColumns, bytes: Bytes, from: number) {
    this.columns = unpackColumns(columns);
    this.#bytes = bytes;
    this.#outlinesAt = from;
    this.#textsAt = from + (this.columns.outlineEnds.at(-1) ?? 1) + 1;
  }

  /** In bytes. */
  get length(): number {
    return this.#textsAt - this.#outlinesAt + (this.columns.textEnds.at(-1) ?? 0);
  }

  placeOf(base: Base): number | undefined {
    return (this.#places ??= new Map(this.columns.bases.map((each, at) => [each, at]))).get(base);
  }

  /** Always the same for a place. */
  at(place: number): Packed {
    return (this.#packed[place] ??= this.#open(place));
  }

  /** For whoever will want most of them: read together they take a fraction of the time. */
  readOutlines(): void {
    this.#outlines ??= JSON.parse(
      this.#bytes.read(this.#outlinesAt, this.#textsAt - this.#outlinesAt).toString(),
    ) as Entity[];
  }

  /** They are at hand already. @param outlines one for each place */
  knowOutlines(outlines: readonly Entity[]): void {
    this.#outlines = outlines;
  }

  /** The outlines of a stretch of records, as they stand in the list, and all their texts. The next call may overwrite them. */
  outlineBytes(from: number, to: number): Buffer {
    const { outlineEnds } = this.columns;
    const start = from === 0 ? 1 : outlineEnds[from - 1]! + 1;
    return this.#bytes.read(this.#outlinesAt + start, outlineEnds[to - 1]! - start);
  }

  textBytes(from: number, to: number): Buffer {
    const start = this.#textEnd(from);
    return this.#bytes.read(this.#textsAt + start, this.#textEnd(to) - start);
  }

  /** Where the texts of the records before a place end. */
  #textEnd(place: number): number {
    const { textEnds, textCounts } = this.columns;
    return textEnds[(textCounts[place - 1] ?? 0) - 1] ?? 0;
  }

  #open(place: number): Packed {
    const { isWhole, textEnds, textCounts } = this.columns;
    const first = textCounts[place - 1] ?? 0;
    let outline = this.#outlines?.[place];
    return {
      isWhole: isWhole[place] === 1,
      outline: () => (outline ??= JSON.parse(this.outlineBytes(place, place + 1).toString()) as Entity),
      texts: (at) => {
        const start = textEnds[first + at - 1] ?? 0;
        return this.#bytes.read(this.#textsAt + start, textEnds[first + at]! - start).toString();
      },
    };
  }
}

/** Bytes put together from many small pieces. */
export interface Spool {
  text(text: string): void;
  bytes(bytes: Buffer): void;
  readonly parts: readonly Buffer[];
}

/** In characters. A call for each text would take most of the time. */
const TOGETHER = 64 * 1024;
const PART_BYTES = 1024 * 1024;
/** Of one unit of a string in UTF-8, at most. */
const BYTES_PER_UNIT = 3;

export function openSpool(): Spool {
  const full: Buffer[] = [];
  let part = Buffer.alloc(0);
  let end = 0;
  let waiting = "";
  const makeRoom = (length: number): void => {
    if (end + length <= part.length) return;
    full.push(part.subarray(0, end));
    part = Buffer.allocUnsafe(Math.max(PART_BYTES, length));
    end = 0;
  };
  const settle = (): void => {
    makeRoom(waiting.length * BYTES_PER_UNIT);
    end += part.write(waiting, end);
    waiting = "";
  };
  return {
    text(text) {
      waiting += text;
      if (waiting.length > TOGETHER) settle();
    },
    bytes(bytes) {
      settle();
      makeRoom(bytes.length);
      end += bytes.copy(part, end);
    },
    get parts() {
      settle();
      return [...full, part.subarray(0, end)];
    },
  };
}

/** Writes a group. */
export function packGroup(kind: AnyKind, records: readonly Packable[], spool: Spool): PackedColumns {
  const outlineEnds: number[] = [];
  const textEnds: number[] = [];
  const textCounts: number[] = [];
  const stretches = stretchesOf(records);
  let [at, end] = [0, 0];
  spool.text("[");
  for (const stretch of stretches) {
    if (at > 0) spool.text(",");
    at++;
    if ("group" in stretch) {
      const { outlineEnds: ends } = stretch.group.columns;
      const start = stretch.from === 0 ? 1 : ends[stretch.from - 1]! + 1;
      for (let place = stretch.from; place < stretch.to; place++) outlineEnds.push(at + ends[place]! - start);
      spool.bytes(stretch.group.outlineBytes(stretch.from, stretch.to));
    } else {
      const text = JSON.stringify(stretch.outline);
      outlineEnds.push(at + Buffer.byteLength(text));
      spool.text(text);
    }
    at = outlineEnds.at(-1)!;
  }
  spool.text("]");
  for (const stretch of stretches) {
    if ("group" in stretch) {
      const { textEnds: ends, textCounts: counts } = stretch.group.columns;
      const first = counts[stretch.from - 1] ?? 0;
      const [before, had] = [ends[first - 1] ?? 0, textEnds.length];
      for (let text = first; text < counts[stretch.to - 1]!; text++) textEnds.push(end + ends[text]! - before);
      for (let place = stretch.from; place < stretch.to; place++) textCounts.push(had + counts[place]! - first);
      spool.bytes(stretch.group.textBytes(stretch.from, stretch.to));
    } else {
      let length = end;
      for (const text of stretch.texts) {
        spool.text(text);
        textEnds.push((length += Buffer.byteLength(text)));
      }
      textCounts.push(textEnds.length);
    }
    end = textEnds.at(-1) ?? 0;
  }
  return {
    kind: kind.name,
    bases: packTexts(records.map(({ base }) => base)),
    parts: packTexts(records.map(({ parts }) => parts)),
    isWhole: packNumbers(
      Uint8Array.from(records, (record) =>
        ("group" in record ? record.group.at(record.place).isWhole : record.isWhole) ? 1 : 0,
      ),
    ),
    outlineEnds: packNumbers(Float64Array.from(outlineEnds)),
    textEnds: packNumbers(Float64Array.from(textEnds)),
    textCounts: packNumbers(Int32Array.from(textCounts)),
  };
}

/** Records that lie one after the other in a group are copied as one. */
type Stretch =
  | { readonly group: PackedGroup; readonly from: number; to: number }
  | Extract<Packable, { readonly outline: Entity }>;

function stretchesOf(records: readonly Packable[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const record of records) {
    const last = stretches.at(-1);
    if (!("group" in record)) stretches.push(record);
    else if (last && "group" in last && last.group === record.group && last.to === record.place) last.to++;
    else stretches.push({ group: record.group, from: record.place, to: record.place + 1 });
  }
  return stretches;
}

export const outlineOfPackable = (record: Packable): Entity =>
  "group" in record ? record.group.at(record.place).outline() : record.outline;

const unpackColumns = ({ kind, bases, parts, isWhole, outlineEnds, textEnds, textCounts }: PackedColumns): Columns => ({
  kind,
  bases: unpackTexts(bases),
  parts: unpackTexts(parts),
  isWhole: new Uint8Array(unpackBytes(isWhole)),
  outlineEnds: new Float64Array(unpackBytes(outlineEnds)),
  textEnds: new Float64Array(unpackBytes(textEnds)),
  textCounts: new Int32Array(unpackBytes(textCounts)),
});
