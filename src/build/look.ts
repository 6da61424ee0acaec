/** What lies in a folder. Looking into tens of thousands takes a while, so it can be done beside other work. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Plain values, which pass from thread to thread. */
export interface Look {
  /** Paths of files, each ended by NUL, which no name can hold; in the order of `sizes`. */
  readonly files: string;
  /** In bytes. */
  readonly sizes: Float64Array;
  /** Paths of folders, and of whatever is neither, as `files`. */
  readonly folders: string;
  readonly others: string;
}

/** @param except names at the top that do not count */
export function lookInto(dir: string, except: readonly string[]): Look {
  const sizes: number[] = [];
  let [files, folders, others] = ["", "", ""];
  const look = (below: string): void => {
    for (const entry of readdirSync(join(dir, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (except.includes(path)) continue;
      if (entry.isDirectory()) {
        folders += `${path}\0`;
        look(path);
      } else if (entry.isFile()) {
        files += `${path}\0`;
        sizes.push(lstatSync(`${dir}/${path}`).size);
      } else others += `${path}\0`;
    }
  };
  look("");
  return { files, sizes: Float64Array.from(sizes), folders, others };
}

export const pathsIn = (ended: string): string[] => ended.split("\0").slice(0, -1);
