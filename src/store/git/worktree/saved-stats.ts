/**
 * The entries of the stat cache as a start reads them from its file: columns, since an object for each file takes
 * longer to make than the look at the file.
 *
 *     head (JSON, see `Head`), line feed | four 64-bit floats a file | blob ids | paths with a NUL between
 *
 * Numbers are in the byte order of the machine, whose files they are about.
 */
import type { Oid, Path } from "../../repo.ts";

/**
 * The stat key (stat-key.ts) as numbers, which are compared in a fifth of the time that its text takes. Times in
 * nanoseconds are exact to 256, a hundred thousandth of the resolution that `set` waits for.
 */
export interface StatNumbers {
  readonly size: number;
  readonly mtimeNs: number;
  readonly ctimeNs: number;
  readonly ino: number;
}

export interface StatEntry extends StatNumbers {
  readonly oid: Oid;
}

/** A stat, or what a thread has sent of one. */
export type Stat = Readonly<Record<keyof StatNumbers, bigint | number>>;

const numbersOf = ({ size, mtimeNs, ctimeNs, ino }: Stat): StatNumbers => ({
  size: Number(size),
  mtimeNs: Number(mtimeNs),
  ctimeNs: Number(ctimeNs),
  ino: Number(ino),
});

export const statEntry = (oid: Oid, stat: Stat): StatEntry => ({ oid, ...numbersOf(stat) });

/** Whether a file has not changed since it had these numbers. */
export function isOf(known: StatNumbers, stat: Stat): boolean {
  const now = numbersOf(stat);
  return (
    known.size === now.size && known.mtimeNs === now.mtimeNs && known.ctimeNs === now.ctimeNs && known.ino === now.ino
  );
}

interface Head {
  readonly format: string;
  /** The fingerprint of the conversions that the ids were made with. */
  readonly fingerprint: string;
  readonly count: number;
  /** The length of all that follows: a file that was cut off is not used. */
  readonly bytes: number;
}

const FORMAT = "git-cms stat-cache 2";
const LINE_FEED = 10;
const OID_BYTES = 40;
const COLUMNS = 4;
const NUMBER_BYTES = COLUMNS * Float64Array.BYTES_PER_ELEMENT;
const SEPARATOR = "\0";
/** An estimate for one file: its path has some thirty. */
export const BYTES_PER_FILE = NUMBER_BYTES + OID_BYTES + 30;

export class SavedStats {
  readonly #paths: readonly Path[];
  readonly #numbers: Float64Array;
  /** One after the other. */
  readonly #oids: string;
  readonly #isUsed: Uint8Array;
  #places: ReadonlyMap<Path, number> | undefined;
  /** Behind the place that was found last: files are mostly asked for in the order in which they were saved. */
  #next = 0;

  constructor(paths: readonly Path[], numbers: Float64Array, oids: string) {
    this.#paths = paths;
    this.#numbers = numbers;
    this.#oids = oids;
    this.#isUsed = new Uint8Array(paths.length);
  }

  /** The blob id of a file if it has not changed since it was recorded. */
  use(path: Path, stat: Stat): Oid | undefined {
    const place = this.#placeOf(path);
    if (place === undefined || !isOf(this.#numbersAt(place), stat)) return undefined;
    this.#isUsed[place] = 1;
    return this.#oidAt(place);
  }

  /** Those that `use` has found. */
  used(): Map<Path, StatEntry> {
    const found = new Map<Path, StatEntry>();
    for (const [place, path] of this.#paths.entries()) {
      if (this.#isUsed[place] === 0) continue;
      found.set(path, { oid: this.#oidAt(place), ...this.#numbersAt(place) });
    }
    return found;
  }

  #numbersAt(place: number): StatNumbers {
    const numbers = this.#numbers;
    const at = place * COLUMNS;
    return { size: numbers[at]!, mtimeNs: numbers[at + 1]!, ctimeNs: numbers[at + 2]!, ino: numbers[at + 3]! };
  }

  #oidAt(place: number): Oid {
    return this.#oids.slice(place * OID_BYTES, (place + 1) * OID_BYTES);
  }

  #placeOf(path: Path): number | undefined {
    const isNext = this.#paths[this.#next] === path;
    if (!isNext) this.#places ??= new Map(this.#paths.map((each, place) => [each, place]));
    const place = isNext ? this.#next : this.#places!.get(path);
    if (place !== undefined) this.#next = place + 1;
    return place;
  }
}

export const NO_STATS = new SavedStats([], new Float64Array(), "");

export function encodeStats(fingerprint: string, entries: ReadonlyMap<Path, StatEntry>): Uint8Array {
  const numbers = new Float64Array(entries.size * COLUMNS);
  let at = 0;
  for (const { size, mtimeNs, ctimeNs, ino } of entries.values()) {
    numbers.set([size, mtimeNs, ctimeNs, ino], at);
    at += COLUMNS;
  }
  const oids = Buffer.from(Array.from(entries.values(), ({ oid }) => oid).join(""), "latin1");
  const paths = Buffer.from([...entries.keys()].join(SEPARATOR));
  const bytes = numbers.byteLength + oids.length + paths.length;
  const head: Head = { format: FORMAT, fingerprint, count: entries.size, bytes };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), new Uint8Array(numbers.buffer), oids, paths]);
}

/** @returns undefined for another version or other conversions. @throws Error for what is malformed */
export function decodeStats(bytes: Buffer, expected: string): SavedStats | undefined {
  const start = bytes.indexOf(LINE_FEED) + 1;
  const { format, fingerprint, count, bytes: length } = JSON.parse(bytes.toString("utf8", 0, start)) as Head;
  if (format !== FORMAT || fingerprint !== expected || start + length !== bytes.length) return undefined;
  const oidsAt = start + count * NUMBER_BYTES;
  const pathsAt = oidsAt + count * OID_BYTES;
  const numbers = new Float64Array(Uint8Array.from(bytes.subarray(start, oidsAt)).buffer);
  const paths = count === 0 ? [] : bytes.toString("utf8", pathsAt).split(SEPARATOR);
  if (paths.length !== count) return undefined;
  return new SavedStats(paths, numbers, bytes.toString("latin1", oidsAt, pathsAt));
}
