/** What a thread sees of the files of a tree, as columns: an object for each takes both threads longer to pass on. */
import type { Path } from "../../repo.ts";
import type { DirectoryListing } from "./directory-listing.ts";
import type { Stat } from "./saved-stats.ts";

/** What a scan needs of a stat. */
export interface SeenStat extends Stat {
  readonly mtimeMs: bigint | number;
}

export interface ScanColumns {
  /** The paths of the listing, with a NUL between. */
  readonly paths: Uint8Array<ArrayBuffer>;
  /** Of each file the numbers of its stat; NaN for one that was removed meanwhile. */
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly others: Omit<DirectoryListing, "files">;
}

const NAMES = ["size", "mtimeNs", "ctimeNs", "ino", "mtimeMs"] as const;
const SEPARATOR = "\0";

/** @param look at one of the files of the listing */
export async function encodeScan(
  { files, ...others }: DirectoryListing,
  look: (path: Path) => Promise<SeenStat | undefined>,
): Promise<ScanColumns> {
  const numbers = new Float64Array(files.length * NAMES.length);
  let at = 0;
  for (const path of files) {
    const stat = await look(path);
    for (const name of NAMES) numbers[at++] = stat ? Number(stat[name]) : Number.NaN;
  }
  return { paths: new TextEncoder().encode(files.join(SEPARATOR)), numbers, others };
}

/** @returns the listing, with what was seen of each file, by its place */
export function decodeScan({
  paths,
  numbers,
  others,
}: ScanColumns): DirectoryListing & { stat(place: number): SeenStat } {
  const text = Buffer.from(paths.buffer, paths.byteOffset, paths.length).toString();
  return {
    ...others,
    files: text === "" ? [] : text.split(SEPARATOR),
    stat(place) {
      const at = place * NAMES.length;
      return {
        size: numbers[at]!,
        mtimeNs: numbers[at + 1]!,
        ctimeNs: numbers[at + 2]!,
        ino: numbers[at + 3]!,
        mtimeMs: numbers[at + 4]!,
      };
    },
  };
}
