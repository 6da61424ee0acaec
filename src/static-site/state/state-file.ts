/**
 * The state file in the output folder: JSON with one list for each field of the pages, in the order of the pages.
 *
 * `jq '.pages.path[7], .pages.payloadDeps[7]'` shows a page and the numbers of the dependencies of its payload.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../model/input/json.ts";
import { replaceText } from "../output/output-files.ts";
import { numbersAt, type Lists, type PageColumns, type State } from "./state.ts";

export const STATE_FILE = ".cms-manifest.json";
/** Increased whenever the format or the meaning of a value changes: a state of another version is ignored. */
const VERSION = 11;

/** @returns undefined when the folder has no readable state of this version */
export function readBuildState(out: string): State | undefined {
  try {
    const stored: unknown = JSON.parse(readFileSync(join(out, STATE_FILE), "utf8"));
    if (!isObject(stored)) return undefined;
    const { version, ...state } = stored;
    // The file is replaced as a whole, so a file of this version has this shape.
    return version === VERSION ? unpackState(state as unknown as StoredState) : undefined;
  } catch {
    return undefined; // absent or damaged: every page is built again
  }
}

/** Replaces the file as a whole: after a killed build the folder has the former state. */
export const writeState = (out: string, state: State): void =>
  replaceText(join(out, STATE_FILE), JSON.stringify({ version: VERSION, ...packState(state) }));

/** A state with plain lists. */
type StoredState = Omit<State, "pages" | "lastScan"> & {
  readonly pages: { readonly [Name in keyof PageColumns]: Stored<PageColumns[Name]> };
  readonly lastScan: { readonly began: number; readonly unchangedDirs: readonly number[] };
};

type Stored<Column> = Column extends Lists
  ? readonly (readonly number[])[]
  : Column extends Float64Array | Int32Array
    ? readonly number[]
    : Column;

const packState = ({ pages, lastScan, ...rest }: State): StoredState => ({
  ...rest,
  pages: {
    ...pages,
    id: [...pages.id],
    templates: [...pages.templates],
    payloadDeps: packLists(pages.payloadDeps),
    renderDeps: packLists(pages.renderDeps),
    sizes: packLists(pages.sizes),
  },
  lastScan: { ...lastScan, unchangedDirs: [...lastScan.unchangedDirs] },
});

/** @throws where a list is missing or is not as long as the others */
function unpackState({ pages, lastScan, ...rest }: StoredState): State {
  if (Object.values(pages).some(({ length }) => length !== pages.path.length)) throw new Error("a list is cut short");
  return {
    ...rest,
    pages: {
      ...pages,
      id: Float64Array.from(pages.id),
      templates: Int32Array.from(pages.templates),
      payloadDeps: unpackLists(pages.payloadDeps),
      renderDeps: unpackLists(pages.renderDeps),
      sizes: unpackLists(pages.sizes),
    },
    lastScan: { ...lastScan, unchangedDirs: Float64Array.from(lastScan.unchangedDirs) },
  };
}

const packLists = (lists: Lists): readonly (readonly number[])[] =>
  Array.from({ length: lists.ends.length }, (_, at) => [...numbersAt(lists, at)]);

function unpackLists(stored: readonly (readonly number[])[]): Lists {
  let end = 0;
  return { numbers: Int32Array.from(stored.flat()), ends: Int32Array.from(stored, ({ length }) => (end += length)) };
}
