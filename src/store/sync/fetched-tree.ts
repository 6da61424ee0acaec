/**
 * Refuses what must not be taken over from a remote without a person: unsafe paths, settings with which the service would
 * not start, and the removal of most pages.
 */
import { CmsError, messageOf } from "../../errors.ts";
import { placeOf } from "../content/load.ts";
import { CONTENT, mainPart, type AnyKind } from "../records/record-type.ts";
import { MEDIA_DIR } from "../records/media/media-files.ts";
import { mayBeMisdecoded, NOT_UTF_8 } from "../git/worktree/unsupported-names.ts";
import { checkPath } from "../git/worktree/worktree.ts";
import { stateFolderInSite } from "../private/private-state.ts";
import { pace } from "../../time-slices.ts";
import {
  SUBMODULE_MODE,
  SYMLINK_MODE,
  type MergedFile,
  type Path,
  type Repo,
  type TreeChange,
  type Oid,
} from "../repo.ts";

/** A sync that must not go on by itself; the next one tries again. */
const held = (reason: string): CmsError => new CmsError("conflict", `The sync is held: ${reason}`);

const FILES_ONLY = [CONTENT, MEDIA_DIR];

interface SyncedSite {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
}

/** In bytes: what file systems allow of a name, and what leaves room for the site's folder in the 4096 of a path. */
const NAME_MAX = 255;
const PATH_MAX = 2048;
/** Characters of a long path in a message. */
const SHOWN = 60;

/**
 * @param changes of the remote's commits
 * @throws CmsError `conflict` naming the first path that cannot be checked out safely
 */
export async function refuseUnsafePaths(
  { repo }: { readonly repo: Repo },
  changes: ReadonlyMap<Path, TreeChange>,
): Promise<void> {
  const state = stateFolderInSite(repo);
  for (const [path, { after }] of changes) {
    await pace();
    if (!after) continue;
    const problem = pathProblem(path);
    if (problem !== undefined) throw held(`the remote has a path that is refused. ${problem}`);
    if (state !== undefined && isAtOrBelow(path, state))
      throw held(`${path} on the remote is in the folder of the private state, which must not be committed.`);
    const isLink = after.mode === SYMLINK_MODE || after.mode === SUBMODULE_MODE;
    if (isLink && FILES_ONLY.some((dir) => isAtOrBelow(path, dir)))
      throw held(`${path} is a symbolic link or submodule on the remote, and content must be files.`);
  }
}

const isAtOrBelow = (path: Path, folder: Path): boolean => path === folder || path.startsWith(`${folder}/`);

/** Why a file at the path could not be written, or would get another name. */
export function pathProblem(path: Path): string | undefined {
  const isTooLong = (name: string): boolean => Buffer.byteLength(name) > NAME_MAX;
  if (Buffer.byteLength(path) > PATH_MAX || path.split("/").some(isTooLong))
    return `${path.slice(0, SHOWN)}… is too long: names have up to ${NAME_MAX} bytes, paths up to ${PATH_MAX}.`;
  if (mayBeMisdecoded(path)) return `${path}: ${NOT_UTF_8}`;
  try {
    checkPath(path);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** @throws CmsError `conflict` if the merge removes more than half of all pages */
export async function refuseDeletions(
  { repo, kinds }: SyncedSite,
  ours: Oid,
  changes: ReadonlyMap<Path, MergedFile | null>,
): Promise<void> {
  const pageKinds = kinds.filter(({ family }) => family === "page");
  const isPage = (path: Path): boolean => {
    const place = placeOf(pageKinds, path);
    return place !== undefined && mainPart([place.part]) !== undefined;
  };
  const touched: [Path, MergedFile | null][] = [];
  for (const each of changes) {
    await pace();
    if (isPage(each[0])) touched.push(each);
  }
  if (touched.every(([, file]) => file !== null)) return;
  const pages = new Set<Path>();
  const dirs = pageKinds.map(({ dir }) => dir);
  for (const path of (await repo.tree(ours, dirs)).keys()) {
    await pace();
    if (isPage(path)) pages.add(path);
  }
  let removed = 0;
  for (const [path, file] of touched) {
    if (file === null && pages.has(path)) removed++;
    else if (file !== null && !pages.has(path)) removed--; // a page that was moved
  }
  if (removed * 2 <= pages.size) return;
  throw held(
    `the remote's commits remove ${removed} of ${pages.size} pages. If that is intended, run \`cms sync --accept-deletions\`.`,
  );
}

/** The files in the site's root that have its settings. One of them has to be there. */
export interface SettingsFiles {
  readonly names: readonly Path[];
  /** Why the service would not start with a version of such a file. */
  problemOf(name: Path, bytes: Uint8Array): string | undefined;
}

/** @throws CmsError `conflict` if the service would not start with the settings that a merge brings */
export async function refuseBrokenSettings(
  { repo, settings }: { readonly repo: Repo; readonly settings: SettingsFiles },
  ours: Oid,
  changes: ReadonlyMap<Path, MergedFile | null>,
): Promise<void> {
  const { names, problemOf } = settings;
  if (!names.some((name) => changes.has(name))) return;
  const before = await repo.committed(ours, names);
  const after = names.filter((name) => (changes.get(name) ?? (changes.has(name) ? null : before.get(name))) !== null);
  const refuse = (reason: string): CmsError =>
    held(`with the remote's commits the service would not start again. ${reason} Mend it on the remote.`);
  const [name, second] = after;
  if (name === undefined) throw refuse(`They remove ${names.filter((each) => changes.has(each)).join(", ")}.`);
  if (second !== undefined) throw refuse(`There are both ${name} and ${second}.`);
  const file = changes.get(name);
  // A link is followed by what reads the settings; where it leads is not known here.
  if (!file || file.mode === SYMLINK_MODE) return;
  const problem = problemOf(name, file.bytes ?? (await repo.blob(file.oid)));
  if (problem !== undefined) throw refuse(problem.endsWith(".") ? problem : `${problem}.`);
}
