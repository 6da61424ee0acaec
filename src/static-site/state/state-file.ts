/** The state file in the output folder: JSON, of which `jq .pages[7]` shows a page with the numbers of its dependencies. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../model/input/json.ts";
import { replaceText } from "../output/output-files.ts";
import type { State } from "./state.ts";

export const STATE_FILE = ".cms-manifest.json";
/** Increased whenever the format or the meaning of a value changes: a state of another version is ignored. */
const VERSION = 13;

/** @returns undefined when the folder has no readable state of this version */
export function readBuildState(out: string): State | undefined {
  try {
    const stored: unknown = JSON.parse(readFileSync(join(out, STATE_FILE), "utf8"));
    if (!isObject(stored)) return undefined;
    const { version, ...state } = stored;
    // The file is replaced as a whole, so a file of this version has this shape.
    return version === VERSION ? (state as unknown as State) : undefined;
  } catch {
    return undefined; // absent or damaged: every page is built again
  }
}

/** Replaces the file as a whole: after a killed build the folder has the former state. */
export const writeState = (out: string, state: State): void =>
  replaceText(join(out, STATE_FILE), JSON.stringify({ version: VERSION, ...state }));
