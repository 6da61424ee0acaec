/**
 * The output folder of a build.
 *
 * Until the build ends, the folder has a list of the files that it may change: after a killed build the next one trusts
 * none of them.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf, setup } from "../../errors.ts";
import { OutputFiles, partialOf, replaceText } from "./output-files.ts";
import { builtFolder, fileIn, folderAbove } from "./output-path.ts";
import { scanOutput } from "./output-scan.ts";
import { STATE_FILE } from "../state/state-file.ts";
import type { State } from "../state/state.ts";

/** The files that the running build may change. */
const CHANGES_FILE = ".cms-building";
/** Files in the output that are not part of the site. */
const OWN: readonly string[] = [STATE_FILE, CHANGES_FILE];

export interface Output {
  readonly files: OutputFiles;
  readonly dir: string;
  /** Sizes by path of the files that were there at the start, without those of intact pages. */
  readonly found: ReadonlyMap<string, number>;
  /** Paths that are neither file nor folder, which no build made. */
  readonly links: ReadonlySet<string>;
  /** Whether the files of a page are there with the sizes they had. @param at its position in the last state */
  isIntact(at: number): boolean;
  /** Files that a killed build may have changed. */
  readonly unsure: ReadonlySet<string>;
  /** Records the files that may change. Must be called before any does. */
  announce(paths: readonly string[]): void;
  /** Ends the build: all files and the state are written. */
  settle(): void;
}

/**
 * Scans the folder, and creates it when it is missing.
 *
 * @param state of the last build
 * @throws CmsError `setup` when the folder has files, and none is of a build
 */
export function openOutput(dir: string, state: State | undefined): Output {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw setup(`${dir} cannot be made: ${messageOf(error)}`, error);
  }
  const { files: found, others: links, intact } = scanOutput(dir, OWN, state);
  const isBelowLink = (path: string): boolean =>
    links.size > 0 && path !== "" && (links.has(path) || isBelowLink(folderAbove(path)));
  for (const path of found.keys()) if (isBelowLink(path)) found.delete(path);
  const changes = readChanges(dir);
  const unsure = changes ?? new Set<string>();
  for (const partial of [`${STATE_FILE}.part`, `${CHANGES_FILE}.part`, ...Array.from(unsure, partialOf)]) {
    if (found.delete(partial)) rmSync(join(dir, partial), { force: true });
  }
  if (!state && !changes && found.size + links.size > 0 && !existsSync(join(dir, STATE_FILE))) {
    throw setup(`${dir} holds files that no build has made. Empty it, or name another folder with --out.`);
  }
  return {
    dir,
    files: new OutputFiles(dir),
    found,
    links,
    unsure,
    isIntact(at) {
      const path = state?.pages[at]?.path;
      if (path === undefined || intact[at] === 0) return false;
      const folder = builtFolder(path);
      return !isBelowLink(folder) && !state?.names.some((name) => unsure.has(fileIn(folder, name)));
    },
    announce: (paths) => replaceText(join(dir, CHANGES_FILE), [...unsure, ...paths].join("\n")),
    settle: () => rmSync(join(dir, CHANGES_FILE), { force: true }),
  };
}

function readChanges(dir: string): Set<string> | undefined {
  try {
    return new Set(readFileSync(join(dir, CHANGES_FILE), "utf8").split("\n").filter(Boolean));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
