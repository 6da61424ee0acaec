/**
 * Loads records from files: the next snapshot has what changed on disk since the last one.
 *
 * A file that does not load never removes a record: the last version that loaded stays, taken from the snapshot before
 * or, at the start, from HEAD, and the file is reported as a problem.
 */
import type { Env } from "../../env.ts";
import { CmsError } from "../../errors.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Locales } from "../../model/locale.ts";
import type { Problem } from "../../model/problem.ts";
import { openPace, type Pace } from "../../time-slices.ts";
import type { FileContent } from "../codec/codec.ts";
import type { FileCodec } from "../codec/file-codec.ts";
import { FileError } from "../codec/file-error.ts";
import { inPartOrder, mainPart, type AnyKind, type Base, type Entity, type Part } from "./record-type.ts";
import type { ContentCache } from "../cache/content-cache.ts";
import { follow, type Loaded } from "./advance.ts";
import type { History } from "../history/history.ts";
import { refuseConflicts } from "../merge/unresolved.ts";
import type { Oid, Path, Repo, WorkingFile } from "../repo.ts";
import { problemsOfFiles } from "./load-problem.ts";
import { SharedMap } from "./shared-map.ts";
import { filesKey, filesKeyOfOne, keyOfEntry, type Entry } from "./snapshot.ts";

export interface Loader {
  /** See `OwnershipContext`. */
  readonly isPast?: boolean;
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
  readonly cache: ContentCache;
  readonly codec: FileCodec;
  readonly examine: Examine;
  readonly log: Env["log"];
  /** Finds which of several files was committed first; without it, the dates in the records decide. */
  readonly history?: History | undefined;
}

/** Detects the properties of a binary file: equal for equal bytes. It does not throw for files it cannot decode. */
export type Examine = (path: Path, file: WorkingFile) => Promise<JsonObject>;

/** The folders and files that hold records. */
export const contentPaths = (kinds: readonly AnyKind[]): Path[] => [...new Set(kinds.map((kind) => kind.dir))];

/** A scan of the working tree, before any content is parsed. */
export interface Look {
  readonly head: Oid | null;
  readonly files: ReadonlyMap<Path, WorkingFile>;
  /** Bytes of files that the scan had to read, in the version of `files`. */
  readonly read: ReadonlyMap<Path, Uint8Array>;
}

export async function lookAt({ repo, kinds }: Loader): Promise<Look> {
  const { head } = await repo.state();
  const read = new Map<Path, Uint8Array>();
  return {
    head,
    files: await repo.files(
      contentPaths(kinds),
      kinds.flatMap((kind) => kind.except ?? []),
      read,
    ),
    read,
  };
}

/**
 * Loads what differs from the snapshot before.
 *
 * @param before null at the start
 */
export async function load(loader: Loader, before: Loaded | null, { head, files, read }: Look): Promise<Loaded> {
  const failures = new Map(before?.failures);
  const seen = new Map(files);
  const changed = new Map<AnyKind, Map<Base, Entry | null>>();
  const pace = openPace();
  const differing = new Set(before ? await differingFiles(before.files, files, pace) : []);
  const groups = before ? await changedGroups(loader.kinds, before.files, files, differing, pace) : undefined;
  for (const [kind, bases] of groups ?? (await groupsOf(loader.kinds, files, pace))) {
    const known = before?.snapshot.table(kind).byBase;
    const entries = new Map<Base, Entry | null>();
    const failed = new Map(failures.get(kind));
    for (const [base, parts] of bases) {
      await pace();
      // A file may be changed between the look and its reading, which `seen` then has.
      for (const part of before ? parts : []) differing.add(base + part);
      const kept = cachedRecord(loader, kind, base, parts, seen);
      const loaded = kept
        ? { entry: kept }
        : await loadGroup(loader, kind, base, parts, head, known?.get(base), seen, read);
      failed.delete(base);
      if (loaded.problems) failed.set(base, loaded.problems);
      entries.set(base, loaded.entry ?? null);
    }
    changed.set(kind, entries);
    failures.set(kind, failed);
  }
  const now = before
    ? before.files.with(Array.from(differing, (path) => [path, seen.get(path)] as const))
    : new SharedMap(seen);
  return follow(loader, before, head, changed, { files: now, failures });
}

/** Adds to the cache what `load` would have to parse. */
export async function readAhead(loader: Loader, { head, files, read }: Look): Promise<void> {
  const { cache } = loader;
  const seen = new Map(files);
  for (const [kind, bases] of await groupsOf(loader.kinds, files, openPace())) {
    const isKnown = (path: Path): boolean => cache.get(nameInCache(kind, files.get(path)!)) !== undefined;
    for (const [base, parts] of bases) {
      const isRead = kind.summaries
        ? cache.has(kind, base, filesKeyNow(base, parts, seen))
        : parts.every((part) => isKnown(base + part));
      if (!isRead) await loadGroup(loader, kind, base, parts, head, undefined, seen, read);
    }
  }
}

/** The paths of files that were added, removed or changed. */
async function differingFiles(before: Files, now: Files, pace: Pace): Promise<Path[]> {
  const found: Path[] = [];
  for (const [path, file] of now) {
    const turn = pace();
    if (turn) await turn;
    if (!isSameFile(before.get(path), file)) found.push(path);
  }
  for (const path of before.keys()) {
    const turn = pace();
    if (turn) await turn;
    if (!now.has(path)) found.push(path);
  }
  return found;
}

const isSameFile = (a: WorkingFile | undefined, b: WorkingFile): boolean =>
  a !== undefined &&
  a.oid === b.oid &&
  a.size === b.size &&
  a.mtimeMs === b.mtimeMs &&
  a.unreadable === b.unreadable &&
  a.stored === b.stored;

/** A file of Git LFS has the blob id of its pointer, also while only the pointer is there. */
export const isSameContent = (a: WorkingFile | undefined, b: WorkingFile | undefined): boolean =>
  a?.oid === b?.oid && a?.size === b?.size;

type Files = ReadonlyMap<Path, WorkingFile>;
type Groups = Map<AnyKind, Map<Base, Part[]>>;

/**
 * The groups of files in which a file was added or removed, or its content changed, each with all of its present files.
 *
 * @param differing paths of files
 */
async function changedGroups(
  kinds: readonly AnyKind[],
  before: Files,
  now: Files,
  differing: Iterable<Path>,
  pace: Pace,
): Promise<Groups> {
  const touched = new Map<AnyKind, Set<Base>>();
  for (const path of differing) {
    const at = isSameContent(before.get(path), now.get(path)) ? undefined : placeOf(kinds, path);
    if (at) touched.set(at.kind, (touched.get(at.kind) ?? new Set()).add(at.base));
  }
  if (touched.size === 0) return new Map();
  const groups = await groupsOf(kinds, now, pace);
  return new Map(
    [...touched].map(([kind, bases]) => [
      kind,
      new Map([...bases].map((base) => [base, groups.get(kind)?.get(base) ?? []])),
    ]),
  );
}

/** All groups of files. A file that cannot be read is left out of its group. */
async function groupsOf(kinds: readonly AnyKind[], now: Files, pace: Pace): Promise<Groups> {
  const groups: Groups = new Map();
  for (const [path, file] of now) {
    const turn = pace();
    if (turn) await turn;
    const at = placeOf(kinds, path);
    if (!at) continue;
    let bases = groups.get(at.kind);
    if (!bases) groups.set(at.kind, (bases = new Map()));
    let parts = bases.get(at.base);
    if (!parts) bases.set(at.base, (parts = []));
    if (!file.unreadable) parts.push(at.part);
  }
  return groups;
}

/** Which record of which kind a file belongs to; undefined when it belongs to none. */
export function placeOf(kinds: readonly AnyKind[], path: Path): { kind: AnyKind; base: Base; part: Part } | undefined {
  for (const kind of kinds) {
    const at = kind.split(path);
    if (at) return { kind, ...at };
  }
  return undefined;
}

interface GroupLoaded {
  readonly entry?: Entry;
  readonly problems?: readonly Problem[];
}

/** The record of a group of files, or why there is none. @param seen has the files of the group */
export async function loadGroup(
  loader: Loader,
  kind: AnyKind,
  base: Base,
  parts: readonly Part[],
  head: Oid | null,
  before: Entry | undefined,
  seen: Map<Path, WorkingFile>,
  read: Look["read"],
): Promise<GroupLoaded> {
  if (parts.length === 0) return {};
  try {
    const contents = new Map<Part, FileContent>();
    const oids = new Map<Part, Oid>();
    for (const part of inPartOrder(parts)) {
      const path = base + part;
      const file = await readContent(loader, kind, path, seen, read);
      // Removed between scan and read: the next scan finds that.
      if (!file) continue;
      contents.set(part, file.content);
      oids.set(part, file.oid);
    }
    if (contents.size === 0) return {};
    const record = kind.fromFiles(base, contents, loader.locales) as Entity;
    const isWhole = kind.completion?.(loader.locales).isSelfContained(record) ?? true;
    return { entry: loader.cache.setRecord(kind, { record, base, files: oids }, isWhole) };
  } catch (error) {
    const problems = await problemsOfFiles(loader, error, base, parts);
    // Without its main file a record was deleted, whatever drafts are left: nothing stands in for it, as after a restart.
    if (!kind.opaque && mainPart(parts) === undefined) return { problems };
    const lastGood = before ?? (await committedEntry(loader, kind, base, parts, head));
    return {
      problems,
      ...(lastGood && {
        entry: { record: lastGood.record, base: lastGood.base, files: lastGood.files, broken: problems[0] },
      }),
    };
  }
}

/** The record from the cache, if it was parsed from exactly these files. */
export function cachedRecord(
  { cache }: Loader,
  kind: AnyKind,
  base: Base,
  parts: readonly Part[],
  seen: ReadonlyMap<Path, WorkingFile>,
): Entry | undefined {
  return kind.summaries && parts.length > 0 ? cache.find(kind, base, filesKeyNow(base, parts, seen)) : undefined;
}

/** The `filesKey` of a record in the working tree. */
function filesKeyNow(base: Base, parts: readonly Part[], seen: ReadonlyMap<Path, WorkingFile>): string {
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
  kind: AnyKind,
  path: Path,
  seen: Map<Path, WorkingFile>,
  read: Look["read"],
): Promise<{ content: FileContent; oid: Oid } | undefined> {
  const known = seen.get(path);
  if (kind.opaque) return known && { content: await factsOf(loader, path, known), oid: known.oid };
  const cached = known && loader.cache.get(known.oid);
  if (cached) return { content: cached, oid: known.oid };
  const bytes = known && read.get(path);
  const file = bytes ? { bytes, oid: known.oid } : await loader.repo.read(path);
  if (!file) return undefined;
  const content = await decode(loader, kind, path, file.bytes);
  if (!kind.summaries) loader.cache.set(file.oid, content);
  if (known && known.oid !== file.oid) seen.set(path, { ...known, oid: file.oid });
  return { content, oid: file.oid };
}

async function factsOf({ cache, examine, repo }: Loader, path: Path, file: WorkingFile): Promise<FileContent> {
  const cached = cache.get(factsKey(file));
  if (cached) return cached;
  const content: FileContent = { data: { ...(await examine(path, file)), oid: file.oid, size: file.size } };
  // Invariant 6 of the content cache: the file may have changed since it was scanned.
  if ((await repo.oid(path)) === file.oid) cache.set(factsKey(file), content);
  return content;
}

/**
 * The same bytes can be a record at one path and an opaque file at another. A file of Git LFS and its pointer have one blob
 * id, and different sizes.
 */
const factsKey = ({ oid, size }: Pick<WorkingFile, "oid" | "size">): string => `${oid} facts ${size}`;

/** The keys in the content cache of everything the content consists of. */
export function* cacheKeys({ snapshot, files }: Loaded): Generator<string> {
  for (const file of files.values()) {
    yield file.oid;
    yield factsKey(file);
  }
  for (const [kind, { byBase }] of snapshot.tables()) {
    if (kind.summaries) for (const entry of byBase.values()) yield keyOfEntry(kind, entry);
  }
}

const nameInCache = ({ opaque }: AnyKind, file: WorkingFile): string => (opaque ? factsKey(file) : file.oid);

/** @throws FileError also for a file with conflicts of a merge */
export async function decode(
  { codec }: Pick<Loader, "codec">,
  kind: AnyKind,
  path: Path,
  bytes: Uint8Array,
): Promise<FileContent> {
  const content = kind.decode?.(path, bytes) ?? (await codec.decode(path, bytes));
  refuseConflicts(path, bytes, content);
  return content;
}

/** The record in HEAD: at the start there is no snapshot with a version that loads. */
async function committedEntry(
  loader: Loader,
  kind: AnyKind,
  base: Base,
  parts: readonly Part[],
  head: Oid | null,
): Promise<Entry | undefined> {
  const committed = await loader.repo.committed(
    head,
    parts.map((part) => base + part),
  );
  try {
    const contents = new Map<Part, FileContent>();
    const oids = new Map<Part, Oid>();
    for (const part of parts) {
      const oid = committed.get(base + part);
      if (!oid) continue;
      contents.set(part, await decode(loader, kind, base + part, await loader.repo.blob(oid)));
      oids.set(part, oid);
    }
    if (contents.size === 0) return undefined;
    return { record: kind.fromFiles(base, contents, loader.locales), base, files: oids };
  } catch (error) {
    if (error instanceof FileError || error instanceof CmsError) return undefined; // HEAD has no version that loads
    throw error;
  }
}
