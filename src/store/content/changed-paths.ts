/** Loads what changed at given paths: costs what these hold, not what the site has. */
import { mayBeMisdecoded, nameProblem } from "../git/worktree/unsupported-names.ts";
import { pace } from "../../time-slices.ts";
import type { Path, WorkingFile } from "../repo.ts";
import { follow, type Loaded } from "./advance.ts";
import { countBy } from "./indexes/counts.ts";
import { loadGroups, type Loader, type Look } from "./load-group.ts";
import { contentPaths, isSameContent, placeOf } from "./load.ts";
import type { AnyKind, Base, Part } from "../records/record-type.ts";

/** A scan of some paths. */
export interface PathsLook extends Look {
  /** The files at or below these paths from which the content was loaded. */
  readonly served: ReadonlyMap<Path, WorkingFile>;
}

/** With more paths than this and a quarter of the site's files, a scan of the whole tree costs little more. */
const FEW_PATHS = 500;

/** Number of files below each folder, to know without a pass over all files whether a path was a folder. */
const FILES_BELOW = countBy<Path, WorkingFile, Path>((path) => foldersAbove(path));

/** @returns undefined if only a scan of the whole tree tells what is at these paths */
export async function lookAtPaths(
  { repo, kinds }: Loader,
  { files }: Loaded,
  paths: ReadonlySet<Path>,
): Promise<PathsLook | undefined> {
  if (paths.size > Math.max(FEW_PATHS, files.size / 4)) return undefined;
  const dirs = contentPaths(kinds);
  const except = kinds.flatMap((kind) => kind.except ?? []);
  const wanted: Path[] = [];
  for (const path of paths) {
    if (dirs.some((dir) => dir.startsWith(`${path}/`)) || isUnsupported(path)) return undefined;
    // What is in a submodule, or behind a symbolic link, is not content: the folder counts as one unreadable file.
    if (foldersAbove(path).some((folder) => files.has(folder))) return undefined;
    if (isBelow(path, dirs) && !isBelow(path, except) && !isHidden(path)) wanted.push(path);
  }
  const { head } = await repo.state();
  const read = new Map<Path, Uint8Array>();
  const found = await repo.files(wanted, except, read);
  const served = new Map<Path, WorkingFile>();
  // A file was no folder: most changes are of files, and to make the index takes a pass over all of them.
  const folders = wanted.filter((path) => !files.has(path) && files.index(FILES_BELOW).has(path));
  const isServed = (path: Path): boolean => folders.length > 0 && isBelow(path, folders);
  if (folders.length > 0) for (const [path, file] of files) if (isServed(path)) served.set(path, file);
  for (const path of wanted) {
    const file = files.get(path);
    if (file) served.set(path, file);
  }
  return { head, files: found, read, served };
}

function foldersAbove(path: Path): Path[] {
  const folders: Path[] = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders;
}

const isBelow = (path: Path, folders: readonly Path[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

const isHidden = (path: Path): boolean => path.split("/").some((name) => name.startsWith("."));

const isUnsupported = (path: Path): boolean =>
  mayBeMisdecoded(path) || path.split("/").some((name) => nameProblem(name) !== undefined);

/** As `load`, for a look at some paths. */
export async function loadPaths(loader: Loader, before: Loaded, look: PathsLook): Promise<Loaded> {
  const { head, served, files: seen } = look;
  const groups = await changedGroups(loader.kinds, before, look);
  const looked = new Set(served.keys());
  for (const bases of groups.values())
    for (const [base, parts] of bases) for (const part of parts) looked.add(base + part);
  for (const path of looked) if (!served.has(path)) addIfMissing(seen, path, before.files);
  const loaded = await loadGroups(loader, before, look, groups);
  const gone = [...looked].filter((path) => !seen.has(path));
  const files = before.files.with([...seen, ...gone.map((path) => [path, undefined] as const)]);
  return follow(loader, before, { ...loaded, head, files });
}

function addIfMissing(seen: Map<Path, WorkingFile>, path: Path, files: ReadonlyMap<Path, WorkingFile>): void {
  const file = seen.has(path) ? undefined : files.get(path);
  if (file) seen.set(path, file);
}

export type Groups = Map<AnyKind, Map<Base, Set<Part>>>;

/** The groups of files in which a file was added, removed or changed, each with all parts it has now. */
async function changedGroups(kinds: readonly AnyKind[], before: Loaded, { served, files }: PathsLook): Promise<Groups> {
  const paths = new Set([...served.keys(), ...files.keys()]);
  const changed = [...paths].filter((path) => !isSameContent(served.get(path), files.get(path)));
  const places = changed.flatMap((path) => {
    const place = placeOf(kinds, path);
    return place ? [{ ...place, file: files.get(path) }] : [];
  });
  const groups: Groups = new Map();
  const unknown: Groups = new Map();
  for (const { kind, base } of places) {
    await pace();
    const parts = partsOfEntry(before, kind, base);
    groupIn(parts ? groups : unknown, kind, base, parts);
  }
  await findParts(kinds, before.files, unknown);
  for (const [kind, bases] of unknown) for (const [base, parts] of bases) groupIn(groups, kind, base, parts);
  for (const { kind, base, part, file } of places) {
    const parts = groupIn(groups, kind, base);
    if (file && !file.unreadable) parts.add(part);
    else parts.delete(part);
  }
  return groups;
}

/** The parts of a record. @param parts those it has if it is not in the groups yet */
export function groupIn(groups: Groups, kind: AnyKind, base: Base, parts: Iterable<Part> = []): Set<Part> {
  const bases = groups.get(kind) ?? new Map<Base, Set<Part>>();
  groups.set(kind, bases);
  const group = bases.get(base) ?? new Set(parts);
  bases.set(base, group);
  return group;
}

/** The parts that a record was loaded from; undefined if not all of its files did load, or there is no record. */
function partsOfEntry({ snapshot, failures }: Loaded, kind: AnyKind, base: Base): Iterable<Part> | undefined {
  const entry = snapshot.table(kind).byBase.get(base);
  return entry && !entry.broken && !failures.get(kind)?.has(base) ? entry.files.keys() : undefined;
}

/** Adds the parts of the groups among all files. */
async function findParts(
  kinds: readonly AnyKind[],
  files: ReadonlyMap<Path, WorkingFile>,
  groups: Groups,
): Promise<void> {
  if (groups.size === 0) return;
  for (const [path, { unreadable }] of files) {
    await pace();
    const place = unreadable ? undefined : placeOf(kinds, path);
    if (place) groups.get(place.kind)?.get(place.base)?.add(place.part);
  }
}
