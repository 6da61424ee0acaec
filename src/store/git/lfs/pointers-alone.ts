/** Finds files of Git LFS whose objects were not fetched. */
import type { Path, TreeFile } from "../../repo.ts";
import type { RepoContext } from "../context.ts";
import { pace } from "../../../time-slices.ts";
import { parsePointer } from "./pointer.ts";

/** As `Repo.pointersAlone`. */
export async function pointersAlone(
  { worktree, attributes, objects, lfs }: RepoContext,
  files: ReadonlyMap<Path, TreeFile | null>,
): Promise<Path[]> {
  await worktree.updateConversions(files.keys());
  const alone: Path[] = [];
  for (const [path, file] of files) {
    await pace();
    if (!file || !attributes.of(path).isLfs) continue;
    const blob = await objects.read(file.oid);
    const pointer = blob && parsePointer(blob.content);
    if (pointer && !(await lfs.find(pointer))) alone.push(path);
  }
  return alone;
}
