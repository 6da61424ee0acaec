/** What lies in a folder. Looking into tens of thousands takes a while, so it can be done beside other work. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { builtFolder, fileIn } from "./place.ts";
import { everyAt, type State } from "./state.ts";

/** Plain values, which pass from thread to thread. */
export interface Look {
  /** Paths of files, each ended by NUL, which no name can hold; in the order of `sizes`. Those of intact pages are left out. */
  readonly files: string;
  /** In bytes. */
  readonly sizes: Float64Array;
  /** Paths of folders, and of whatever is neither, as `files`. */
  readonly folders: string;
  readonly others: string;
  /** By the place of a page in the state: whether all its files have the sizes they had. */
  readonly intact: Uint8Array;
  /** Which state that was; "" for none. */
  readonly state: string;
}

/**
 * @param except names at the top that do not count
 * @param state what a build has left there
 */
export function lookInto(dir: string, except: readonly string[], state?: State): Look {
  const found = new Map<string, number>();
  let [folders, others] = ["", ""];
  const look = (below: string): void => {
    for (const entry of readdirSync(join(dir, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (except.includes(path)) continue;
      if (entry.isDirectory()) {
        folders += `${path}\0`;
        look(path);
      } else if (entry.isFile()) found.set(path, lstatSync(`${dir}/${path}`).size);
      else others += `${path}\0`;
    }
  };
  look("");
  const intact = state ? takeIntact(found, state) : new Uint8Array();
  let files = "";
  for (const path of found.keys()) files += `${path}\0`;
  return { files, sizes: Float64Array.from(found.values()), folders, others, intact, state: nameOfState(state) };
}

/** Tells states apart that lay in a folder one after the other. */
export const nameOfState = (state: State | undefined): string => (state ? `${state.fingerprint} ${state.server_time}` : "");

/** Takes the files of pages out that are as they were left. */
function takeIntact(found: Map<string, number>, { names, pages: { path, sizes } }: State): Uint8Array {
  return Uint8Array.from(path, (each, at) => {
    const folder = builtFolder(each);
    let name = 0;
    if (!everyAt(sizes, at, (size) => found.get(fileIn(folder, names[name++]!)) === size)) return 0;
    for (const file of names) found.delete(fileIn(folder, file));
    return 1;
  });
}

export const pathsIn = (ended: string): string[] => ended.split("\0").slice(0, -1);
