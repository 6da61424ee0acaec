/**
 * What the file system says of the files below a folder, found out by a thread of its own while the program starts. The
 * first look at a tree of tens of thousands is then only a comparison.
 */
import { lstatSync, readdirSync } from "node:fs";
import type { Path } from "../repo.ts";
import { factsOf } from "./looks.ts";

/** `factsOf` each file, by path. */
export type Ahead = ReadonlyMap<Path, string>;

const AFTER_FACTS = "\t";
/** No name can hold it. */
const AFTER_PATH = "\0";

/** Looks, and puts what it saw into one text, which passes to another thread in no time. What cannot be looked at is left out. */
export function lookAhead(root: string, folder: Path): string {
  const seen: string[] = [];
  const look = (below: Path): void => {
    for (const entry of readdirSync(`${root}/${below}`, { withFileTypes: true })) {
      const path = `${below}/${entry.name}`;
      if (entry.isDirectory()) look(path);
      else seen.push(`${factsOf(lstatSync(`${root}/${path}`, { bigint: true }))}${AFTER_FACTS}${path}${AFTER_PATH}`);
    }
  };
  try {
    look(folder);
  } catch {
    // Something went while it was looked at: whoever asks looks again.
  }
  return seen.join("");
}

export function readAhead(text: string): Ahead {
  const ahead = new Map<Path, string>();
  for (let at = 0; at < text.length; ) {
    const middle = text.indexOf(AFTER_FACTS, at);
    const end = text.indexOf(AFTER_PATH, middle);
    ahead.set(text.slice(middle + 1, end), text.slice(at, middle));
    at = end + 1;
  }
  return ahead;
}
