/** What a thread sees of the files of a tree, as columns: an object for each takes both threads longer to pass on. */
import type { Path } from "../../repo.ts";
import type { DirectoryListing } from "./directory-listing.ts";
import type { Stat } from "./saved-stats.ts";

export interface ScanRequest {
  readonly root: string;
  readonly folders: readonly Path[];
  /** Folders that are not listed. */
  readonly except: readonly Path[];
}

/** What a scan needs of a stat. */
export interface SeenStat extends Stat {
  readonly mtimeMs: bigint | number;
}

export interface ScanColumns {
  /** The paths of the listing, with a NUL between. */
  readonly paths: Uint8Array<ArrayBuffer>;
  /** The numbers of each file's stat, once it was looked at; NaN for one that was removed meanwhile. */
  readonly numbers: Float64Array<SharedArrayBuffer>;
  readonly others: Omit<DirectoryListing, "files">;
}

const NAMES = ["size", "mtimeNs", "ctimeNs", "ino", "mtimeMs"] as const;
const SEPARATOR = "\0";
/** The main thread is notified each time this many files have been looked at. */
const PROGRESS_COUNT = 2048;

export function encodeListing({ files, ...others }: DirectoryListing): ScanColumns {
  const bytes = files.length * NAMES.length * Float64Array.BYTES_PER_ELEMENT;
  return {
    paths: new TextEncoder().encode(files.join(SEPARATOR)),
    numbers: new Float64Array(new SharedArrayBuffer(bytes)),
    others,
  };
}

/**
 * Fills in the numbers.
 *
 * @param look at one of the files
 * @param onProgress called with the count of files whose numbers are there, the last time with that of all files
 */
export async function lookAtEach(
  files: readonly Path[],
  numbers: ScanColumns["numbers"],
  look: (path: Path) => Promise<SeenStat | undefined>,
  onProgress: (count: number) => void,
): Promise<void> {
  let at = 0;
  for (const [place, path] of files.entries()) {
    const stat = await look(path);
    for (const name of NAMES) numbers[at++] = stat ? Number(stat[name]) : Number.NaN;
    if ((place + 1) % PROGRESS_COUNT === 0) onProgress(place + 1);
  }
  onProgress(files.length);
}

export function decodeListing({ paths, others }: ScanColumns): DirectoryListing {
  const text = Buffer.from(paths.buffer, paths.byteOffset, paths.length).toString();
  return { ...others, files: text === "" ? [] : text.split(SEPARATOR) };
}

/**
 * The stats of the files in a listing, by their place, while the thread is still looking at them. The thread writes the
 * numbers of a file before it sends a count that includes it, so those below the count are complete.
 */
export class SeenStats {
  readonly #numbers: ScanColumns["numbers"];
  #count = 0;
  #isOver = false;
  #more: Promise<void> | undefined;
  #resolveMore: () => void = () => undefined;

  constructor(numbers: ScanColumns["numbers"]) {
    this.#numbers = numbers;
  }

  get isComplete(): boolean {
    return this.#count * NAMES.length === this.#numbers.length;
  }

  /** The numbers of so many files are there. */
  advance(count: number): void {
    this.#count = count;
    this.#notify();
  }

  /** No more files are looked at. */
  end(): void {
    this.#isOver = true;
    this.#notify();
  }

  /** Resolves when more files have been looked at, or the thread has ended; undefined if there is nothing to await. */
  until(place: number): Promise<void> | undefined {
    if (place < this.#count || this.#isOver) return undefined;
    return (this.#more ??= new Promise((resolve) => (this.#resolveMore = resolve)));
  }

  /** undefined for a file that was not looked at. */
  at(place: number): SeenStat | undefined {
    if (place >= this.#count) return undefined;
    const numbers = this.#numbers;
    const at = place * NAMES.length;
    return {
      size: numbers[at]!,
      mtimeNs: numbers[at + 1]!,
      ctimeNs: numbers[at + 2]!,
      ino: numbers[at + 3]!,
      mtimeMs: numbers[at + 4]!,
    };
  }

  #notify(): void {
    this.#more = undefined;
    this.#resolveMore();
  }
}
