/**
 * The record of a group of files: read, decoded and made, or taken from the cache.
 *
 * A file that does not load never removes a record: the last version that loaded stays, taken from the snapshot before
 * or, at the start, from the newest commit that has one, and the file is reported as a problem.
 */
import type { Env } from "../../env.ts";
import { CmsError } from "../../errors.ts";
import type { JsonObject } from "../../model/input/json.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { Problem } from "../../model/text/problem.ts";
import { pace } from "../../time-slices.ts";
import type { ContentCache } from "../cache/content-cache.ts";
import type { FileContent } from "../codec/codec.ts";
import { FileError } from "../codec/file-error.ts";
import type { FileCodec } from "../codec/file-codec.ts";
import { codeOf } from "../git/fs.ts";
import type { History } from "../history/history.ts";
import type { Oid, Path, Repo, WorkingFile } from "../repo.ts";
import type { Loaded, NextState } from "./advance.ts";
import { lastGoodEntry } from "./last-good.ts";
import { problemsOfFiles } from "./load-problem.ts";
import { inPartOrder, mainPart, type AnyKind, type Base, type Entity, type Part } from "../records/record-type.ts";
import { filesKey, filesKeyOfOne, type Entry } from "../snapshot.ts";

export interface Loader {
  /** See `OwnershipContext`. */
  readonly decidesAnew?: boolean;
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
  readonly cache: ContentCache;
  readonly codec: FileCodec;
  readonly examine: Examine;
  readonly log: Env["log"];
  /** Finds which of several files was committed first; without it, the dates in the records decide. */
  readonly history?: History | undefined;
  /** Finds the entry of a record that was made of exactly these files before; instead of that of the cache. */
  readonly reuse?: ContentCache["find"];
}

/** Detects the properties of a binary file: equal for equal bytes. It does not throw for files it cannot decode. */
export type Examine = (path: Path, file: WorkingFile) => Promise<JsonObject>;

/** A scan of the working tree, before any content is parsed. */
export interface Look {
  readonly head: Oid | null;
  /**
   * Loading puts there the blob id of a file that was changed between the scan and its reading, and removes one that could
   * not be read then. Otherwise the next scan, which may find the file as it was, would take its record for loaded.
   */
  readonly files: Map<Path, WorkingFile>;
  /** Bytes of files that the scan had to read, in the version of `files`. */
  readonly read: ReadonlyMap<Path, Uint8Array>;
}

/** What loading some groups of files changes in the content. */
export type GroupsLoaded = Pick<NextState, "changed" | "failures">;

/**
 * Loads groups of files, in slices.
 *
 * @param before null at the start
 * @param look has the files of all groups
 */
export async function loadGroups(
  loader: Loader,
  before: Loaded | null,
  look: Look,
  groups: ReadonlyMap<AnyKind, ReadonlyMap<Base, Iterable<Part>>>,
): Promise<GroupsLoaded> {
  const failures = new Map(before?.failures);
  const changed = new Map<AnyKind, Map<Base, Entry | null>>();
  // Files that are read without waiting, as those of a commit, would otherwise be loaded in one turn of the event loop.
  for (const [kind, bases] of groups) {
    const served = loader.decidesAnew ? undefined : before?.snapshot.table(kind).byBase;
    const entries = new Map<Base, Entry | null>();
    const failed = new Map(failures.get(kind));
    for (const [base, each] of bases) {
      const rest = pace();
      if (rest) await rest;
      const parts = Array.isArray(each) ? (each as readonly Part[]) : [...each];
      const kept = cachedRecord(loader, kind, base, parts, look.files);
      const loaded = kept ? { entry: kept } : await loadGroup(loader, look, { kind, base, parts }, served?.get(base));
      failed.delete(base);
      if (loaded.problems) failed.set(base, loaded.problems);
      entries.set(base, loaded.entry ?? null);
    }
    changed.set(kind, entries);
    failures.set(kind, failed);
  }
  return { changed, failures };
}

interface GroupLoaded {
  readonly entry?: Entry;
  readonly problems?: readonly Problem[];
}

/** The files of one record. */
export interface FileGroup {
  readonly kind: AnyKind;
  readonly base: Base;
  readonly parts: readonly Part[];
}

/** The record of a group of files, or why there is none. @param before stands in for one that does not load */
export async function loadGroup(
  loader: Loader,
  look: Look,
  { kind, base, parts }: FileGroup,
  before?: Entry,
): Promise<GroupLoaded> {
  if (parts.length === 0) return {};
  const recordOf = async (present: readonly Part[]): Promise<{ record: Entity; files: Map<Part, Oid> } | undefined> => {
    const contents = new Map<Part, FileContent>();
    const files = new Map<Part, Oid>();
    for (const part of inPartOrder(present)) {
      const file = await readContent(loader, look, kind, base + part);
      if (!file) {
        look.files.delete(base + part);
        continue;
      }
      contents.set(part, file.content);
      files.set(part, file.oid);
    }
    return contents.size === 0
      ? undefined
      : { record: kind.fromFiles(base, contents, loader.locales) as Entity, files };
  };
  /** A file that cannot be parsed does not hide what is wrong with the others. */
  const problemsOf = async (error: unknown, present: readonly Part[]): Promise<readonly [Problem, ...Problem[]]> => {
    const found = await problemsOfFiles(loader, error, base, present);
    const others = present.filter((part) => !(error instanceof FileError) || base + part !== error.path);
    if (others.length === 0 || others.length === present.length) return found;
    try {
      await recordOf(others);
    } catch (next) {
      // Of drafts alone, only that they cannot be parsed: the page beside them is there.
      if (next instanceof FileError || mainPart(others) !== undefined)
        return [...found, ...(await problemsOf(next, others))];
    }
    return found;
  };
  try {
    const loaded = await recordOf(parts);
    if (!loaded) return {};
    const isWhole = kind.completion?.(loader.locales).isSelfContained(loaded.record) ?? true;
    return { entry: loader.cache.setRecord(kind, { ...loaded, base }, isWhole) };
  } catch (error) {
    const problems = await problemsOf(error, parts);
    if (mayPass(error)) for (const part of parts) look.files.delete(base + part);
    // Without its main file a record was deleted, whatever drafts are left: nothing stands in for it, as after a restart.
    if (!kind.opaque && mainPart(parts) === undefined) return { problems };
    const lastGood = before ?? (await lastGoodEntry(loader, kind, base, parts, look.head));
    return {
      problems,
      ...(lastGood && {
        entry: { record: lastGood.record, base: lastGood.base, files: lastGood.files, broken: problems[0] },
      }),
    };
  }
}

/** Whether the same files may be read the next time, as after an error of the disk. */
const mayPass = (error: unknown): boolean =>
  error instanceof CmsError ? error.code === "unavailable" : codeOf(error) !== undefined;

/** The record from the cache, if it was parsed from exactly these files. */
function cachedRecord(
  { cache, reuse }: Loader,
  kind: AnyKind,
  base: Base,
  parts: readonly Part[],
  seen: ReadonlyMap<Path, WorkingFile>,
): Entry | undefined {
  if (parts.length === 0 || !(reuse || kind.summaries)) return undefined;
  const key = seenFilesKey(base, parts, seen);
  return reuse ? reuse(kind, base, key) : cache.find(kind, base, key);
}

/** The `filesKey` of a record in the working tree. */
export function seenFilesKey(base: Base, parts: readonly Part[], seen: ReadonlyMap<Path, WorkingFile>): string {
  // Nearly every record is one file; a start asks this of all.
  const only = parts.length === 1 ? seen.get(base + parts[0]!) : undefined;
  if (only) return filesKeyOfOne(parts[0]!, only.oid);
  const files: [Part, Oid][] = [];
  for (const part of parts) {
    const file = seen.get(base + part);
    if (file) files.push([part, file.oid]);
  }
  return filesKey(files);
}

async function readContent(
  loader: Loader,
  look: Look,
  kind: AnyKind,
  path: Path,
): Promise<{ content: FileContent; oid: Oid } | undefined> {
  const { files: seen, read } = look;
  const known = seen.get(path);
  if (kind.opaque) return known && { content: await factsOf(loader, look, path, known), oid: known.oid };
  const cached = known && loader.cache.get(known.oid);
  if (cached) return { content: cached, oid: known.oid };
  const bytes = known && read.get(path);
  const file = bytes ? { bytes, oid: known.oid } : await loader.repo.read(path);
  if (!file) return undefined;
  const content = await loader.codec.decode(path, file.bytes);
  if (!kind.summaries) loader.cache.set(file.oid, content);
  if (known && known.oid !== file.oid) seen.set(path, { ...known, oid: file.oid });
  return { content, oid: file.oid };
}

async function factsOf(
  { cache, examine, repo }: Loader,
  { files: seen }: Look,
  path: Path,
  file: WorkingFile,
): Promise<FileContent> {
  const cached = cache.get(factsKey(file));
  if (cached) return cached;
  const content: FileContent = { data: { ...(await examine(path, file)), oid: file.oid, size: file.size } };
  // Invariant 6 of the content cache: the file may have changed since it was scanned.
  if ((await repo.oid(path)) === file.oid) cache.set(factsKey(file), content);
  else seen.delete(path);
  return content;
}

/**
 * The same bytes can be a record at one path and an opaque file at another. A file of Git LFS and its pointer have one blob
 * id, and different sizes.
 */
export const factsKey = ({ oid, size }: Pick<WorkingFile, "oid" | "size">): string => `${oid} facts ${size}`;
