/** Refuses what must not be taken over from a remote without a person: unsafe paths, and the removal of most pages. */
import { CmsError, messageOf } from "../../errors.ts";
import { placeOf } from "../content/load.ts";
import { CONTENT, mainPart, type AnyKind } from "../content/record-type.ts";
import { MEDIA_DIR } from "../content/records/media-files.ts";
import { checkPath } from "../git/worktree/worktree.ts";
import { openPace } from "../git/time-slices.ts";
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

/**
 * @param changes of the remote's commits
 * @throws CmsError `conflict` naming the first path that cannot be checked out safely
 */
export async function refuseUnsafePaths(changes: ReadonlyMap<Path, TreeChange>): Promise<void> {
  const pace = openPace();
  for (const [path, { after }] of changes) {
    await pace();
    if (!after) continue;
    try {
      checkPath(path);
    } catch (error) {
      throw held(`the remote has a path that is refused. ${messageOf(error)}`);
    }
    const tooLong = lengthProblem(path);
    if (tooLong) throw held(`the remote has a path that is refused. ${tooLong}`);
    const isLink = after.mode === SYMLINK_MODE || after.mode === SUBMODULE_MODE;
    if (isLink && FILES_ONLY.some((dir) => path === dir || path.startsWith(`${dir}/`)))
      throw held(`${path} is a symbolic link or submodule on the remote, and content must be files.`);
  }
}

/** The limits of Linux and macOS, less what precedes the path: a file beyond them could not be written after the merge. */
const NAME_BYTES = 255;
const PATH_BYTES = 900;

function lengthProblem(path: Path): string | undefined {
  const isLong = path.split("/").some((name) => Buffer.byteLength(name) > NAME_BYTES);
  if (!isLong && Buffer.byteLength(path) <= PATH_BYTES) return undefined;
  return `${path.slice(0, 80)}... has a name of more than ${NAME_BYTES} bytes, or more than ${PATH_BYTES} in all.`;
}

/** @throws CmsError `conflict` if the merge removes more than half of all pages */
export async function refuseDeletions(
  { repo, kinds }: { readonly repo: Repo; readonly kinds: readonly AnyKind[] },
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
