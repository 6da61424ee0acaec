/** Loads records from files: the next snapshot has what changed on disk since the last one. */
import { pace } from "../../time-slices.ts";
import type { Path, WorkingFile } from "../repo.ts";
import { follow, type Loaded } from "./advance.ts";
import { factsKey, seenFilesKey, loadGroup, loadGroups, type Loader, type Look } from "./load-group.ts";
import type { AnyKind, Base, Part } from "../records/record-type.ts";
import { SharedMap } from "../maps/shared-map.ts";
import { keyOfEntry } from "../snapshot.ts";

/** The folders and files that hold records. */
export const contentPaths = (kinds: readonly AnyKind[]): Path[] => [...new Set(kinds.map((kind) => kind.dir))];

export async function lookAt({ repo, kinds }: Pick<Loader, "repo" | "kinds">): Promise<Look> {
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
export async function load(loader: Loader, before: Loaded | null, look: Look): Promise<Loaded> {
  const { head, files } = look;
  if (!before) {
    const groups = await groupsOf(loader.kinds, files);
    return follow(loader, null, {
      ...(await loadGroups(loader, null, look, groups)),
      head,
      files: new SharedMap(files),
    });
  }
  const differing = new Set(await differingFiles(before.files, files));
  const groups = await changedGroups(loader.kinds, before.files, files, differing);
  const loaded = await loadGroups(loader, before, look, groups);
  for (const bases of groups.values())
    for (const [base, parts] of bases) for (const part of parts) differing.add(base + part);
  const now = before.files.with(Array.from(differing, (path) => [path, files.get(path)] as const));
  return follow(loader, before, { ...loaded, head, files: now });
}

/** Adds to the cache what `load` would have to parse. */
export async function readAhead(loader: Loader, look: Look): Promise<void> {
  const { cache } = loader;
  const { files } = look;
  for (const [kind, bases] of await groupsOf(loader.kinds, files)) {
    const isKnown = (path: Path): boolean => cache.get(nameInCache(kind, files.get(path)!)) !== undefined;
    for (const [base, parts] of bases) {
      const isRead = kind.summaries
        ? cache.has(kind, base, seenFilesKey(base, parts, files))
        : parts.every((part) => isKnown(base + part));
      if (!isRead) await loadGroup(loader, look, { kind, base, parts });
    }
  }
}

/** The paths of files that were added, removed or changed. */
async function differingFiles(before: Files, now: Files): Promise<Path[]> {
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
): Promise<Groups> {
  const touched = new Map<AnyKind, Set<Base>>();
  for (const path of differing) {
    const at = isSameContent(before.get(path), now.get(path)) ? undefined : placeOf(kinds, path);
    if (at) touched.set(at.kind, (touched.get(at.kind) ?? new Set()).add(at.base));
  }
  if (touched.size === 0) return new Map();
  const groups = await groupsOf(kinds, now);
  return new Map(
    [...touched].map(([kind, bases]) => [
      kind,
      new Map([...bases].map((base) => [base, groups.get(kind)?.get(base) ?? []])),
    ]),
  );
}

/** All groups of files. A file that cannot be read is left out of its group. */
async function groupsOf(kinds: readonly AnyKind[], now: Files): Promise<Groups> {
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
