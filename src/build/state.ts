/**
 * What a build leaves beside its files, so that the next one knows what it may keep.
 *
 * It is the change manifest of that moment with, for each page, what its payload and its HTML were made of. It is
 * written last; a state that cannot be read is none, and everything is built again.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../model/json.ts";
import type { Lang } from "../model/locale.ts";
import type { Manifest } from "../views/manifest.ts";

export const STATE_FILE = ".cms-manifest.json";
const VERSION = 1;

/** Something the content was asked while a page was made: a name, the language it was asked in, the arguments. */
export type Asked = readonly [question: string, lang: Lang, ...args: Word[]];

/** What questions ask about is named by keys and ids. */
export type Word = string | number | null;

/** What of a page is needed beyond its payload's hash: for sitemaps, and to tell who its relatives are. */
export interface Facts {
  readonly id: number;
  readonly updated: string;
  /** Root-relative, percent-encoded. */
  readonly url: string;
}

export interface BuiltPage extends Facts {
  readonly path: string;
  readonly permalink: string;
  readonly language_code: Lang;
  readonly hash: string;
  /** Indexes into `questions`: what the payload was made of. */
  readonly reads: readonly number[];
  /** Indexes into `questions`: what its templates asked. */
  readonly asks: readonly number[];
  /** Index into `templates`; -1 when something outside the content had a say, so that the page is always rendered. */
  readonly templates: number;
  /** In bytes, by file name: what a look at the folder is compared with. */
  readonly files: Readonly<Record<string, number>>;
}

export interface State {
  /** Of everything that all pages depend on: program, settings, options. */
  readonly fingerprint: string;
  readonly server_time: string;
  readonly epoch: string | null;
  readonly pages: readonly BuiltPage[];
  readonly redirects: Manifest["redirects"];
  readonly questions: readonly { readonly asked: Asked; readonly digest: string }[];
  /** Sets of templates used together: name to digest of the file. */
  readonly templates: readonly (readonly (readonly [name: string, digest: string])[])[];
  /** Files that belong to no page, by path: size in bytes and, of media, what the source was. */
  readonly files: Readonly<Record<string, readonly [size: number, source?: string]>>;
}

/** @returns undefined when the folder holds no state, or none of this version that can be read */
export async function readState(out: string): Promise<State | undefined> {
  try {
    const stored: unknown = JSON.parse(await readFile(join(out, STATE_FILE), "utf8"));
    // We wrote it ourselves, whole or not at all; the version says how.
    return isObject(stored) && stored.version === VERSION ? (stored as unknown as State) : undefined;
  } catch {
    return undefined; // absent or damaged: the same as never built
  }
}

/** All of it or nothing. */
export async function writeState(out: string, state: State): Promise<void> {
  const partial = join(out, `${STATE_FILE}.part`);
  await writeFile(partial, JSON.stringify({ version: VERSION, ...state }));
  await rename(partial, join(out, STATE_FILE));
}
