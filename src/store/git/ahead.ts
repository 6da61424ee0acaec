/**
 * What the file system says of the files below a folder, found out by a thread of its own while the program starts. The
 * first look at a tree of tens of thousands is then only a comparison.
 */
import { lstatSync, readdirSync } from "node:fs";
import type { Path } from "../repo.ts";
import { lineOf, linesIn } from "../seen.ts";
import { factsOf } from "./looks.ts";

export interface Ahead {
  /** See `Repo`. */
  readonly seen: string;
  /** `factsOf` each file, by path. */
  readonly files: ReadonlyMap<Path, string>;
}

/**
 * Looks at all but hidden files below a folder.
 *
 * @returns what was seen, as `Repo.ahead` has it; undefined where not all could be looked at
 */
export function lookAhead(root: string, folder: Path): string | undefined {
  const seen: string[] = [];
  const look = (below: Path): void => {
    const entries = readdirSync(`${root}/${below}`, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      // A repository of its own: its files are not this site's.
      if (entry.name === ".git") throw new Error(`${below} is a repository`);
      if (entry.name.startsWith(".")) continue;
      const path = `${below}/${entry.name}`;
      if (entry.isDirectory()) look(path);
      else seen.push(lineOf(path, factsOf(lstatSync(`${root}/${path}`, { bigint: true }))));
    }
  };
  try {
    // Nobody follows a link to it.
    if (!lstatSync(`${root}/${folder}`).isDirectory()) return undefined;
    look(folder);
    return seen.join("");
  } catch {
    return undefined; // something went while it was looked at, too: whoever asks looks again
  }
}

export function aheadOf(seen: string): Ahead {
  let files: ReadonlyMap<Path, string> | undefined;
  return {
    seen,
    get files() {
      return (files ??= new Map(linesIn(seen)));
    },
  };
}
