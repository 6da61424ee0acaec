/** Refuses what must not be taken over from a remote without a person: unsafe paths, and the removal of most pages. */
import { CmsError, messageOf } from "../../errors.ts";
import { placeOf } from "../content/load.ts";
import { CONTENT, mainPart, type AnyKind } from "../content/record-type.ts";
import { MEDIA_DIR } from "../content/records/media-files.ts";
import { mayBeMisdecoded, NOT_UTF_8 } from "../git/worktree/unsupported-names.ts";
import { checkPath } from "../git/worktree/worktree.ts";
import { stateFolderInSite } from "../private/private-state.ts";
import { openPace } from "../../time-slices.ts";
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
  const pace = openPace();
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
  if (![...changes].some(([path, file]) => file === null && isPage(path))) return;
  const pages = new Set(
    [
      ...(
        await repo.tree(
          ours,
          pageKinds.map(({ dir }) => dir),
        )
      ).keys(),
    ].filter(isPage),
  );
  let removed = 0;
  for (const [path, file] of changes) {
    if (file === null && pages.has(path)) removed++;
    else if (file !== null && isPage(path) && !pages.has(path)) removed--; // a page that was moved
  }
  if (removed * 2 <= pages.size) return;
  throw held(
    `the remote's commits remove ${removed} of ${pages.size} pages. If that is intended, run \`cms sync --accept-deletions\`.`,
  );
}
