/**
 * What the file system says of the files below a folder, found out by a thread of its own while the program starts. The
 * first look at a tree of tens of thousands is then only a comparison.
 */
import { lstatSync, readdirSync } from "node:fs";
import type { Path } from "../repo.ts";
import { lineOf, linesIn } from "../seen.ts";
import { ATTRIBUTES_FILE } from "./attributes-file.ts";
import { factsOf } from "./facts.ts";
import { isDoubtful, nameTrouble } from "./names.ts";
import { taking, type Turns } from "./turns.ts";

export interface Ahead {
  /** See `Repo`. */
  readonly seen: string;
  /** `factsOf` each file, by path. */
  readonly files: ReadonlyMap<Path, string>;
}

/** What one has seen of the files below a folder who shares the look. */
export interface Share {
  /** All paths, in the order in which folders are walked, each ended by NUL, which no name can hold. */
  readonly paths: string;
  /** What was seen of stretches of them, by their numbers; those of others are left out. */
  readonly seen: readonly (readonly [stretch: number, text: string])[];
}

/** Files looked at in one turn. */
const STRETCH = 256;

/**
 * Looks at all but hidden files below a folder.
 *
 * @param turns where others look too: each sees what nobody else has
 * @returns undefined where not all could be looked at
 */
export function lookAhead(root: string, folder: Path, turns?: Turns): Share | undefined {
  const paths: Path[] = [];
  const walk = (below: Path): void => {
    const entries = readdirSync(`${root}/${below}`, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      // A repository of its own: its files are not this site's.
      if (entry.name === ".git") throw new Error(`${below} is a repository`);
      // Which ids of an earlier start still count is not known here.
      if (entry.name === ATTRIBUTES_FILE) throw new Error(`${below} has attributes`);
      if (entry.name.startsWith(".")) continue;
      // The scan of the tree reports it as a problem.
      if (nameTrouble(entry.name) !== undefined || isDoubtful(entry.name)) throw new Error(`${below} has an odd name`);
      const path = `${below}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else paths.push(path);
    }
  };
  try {
    // Nobody follows a link to it.
    if (!lstatSync(`${root}/${folder}`).isDirectory()) return undefined;
    walk(folder);
    const seen: [number, string][] = [];
    const next = taking(turns);
    for (let turn = next(); turn * STRETCH < paths.length; turn = next()) {
      const stretch = paths.slice(turn * STRETCH, (turn + 1) * STRETCH);
      seen.push([turn, stretch.map((path) => lineOf(path, factsOf(lstatSync(`${root}/${path}`, { bigint: true })))).join("")]);
    }
    return { paths: paths.map((path) => `${path}\0`).join(""), seen };
  } catch {
    return undefined; // something went while it was looked at, too: whoever asks looks again
  }
}

/** What all have seen together who shared a look; undefined where that is not all there is. */
export function aheadOf(shares: readonly (Share | undefined)[]): Ahead | undefined {
  const [first] = shares;
  // Who has found other files has counted others, too.
  if (!first || !shares.every((share) => share?.paths === first.paths)) return undefined;
  const seen = shares.flatMap((share) => share!.seen).sort(([a], [b]) => a - b).map(([, text]) => text).join("");
  let files: ReadonlyMap<Path, string> | undefined;
  return {
    seen,
    get files() {
      return (files ??= new Map(linesIn(seen)));
    },
  };
}
