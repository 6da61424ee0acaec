/** Uncommitted edits of the files that shared payloads (`epoch-payloads.ts`) depend on. */
import { PAGE_KINDS } from "../../store/content/indexes/pages-by-model.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { Oid, Path } from "../../store/repo.ts";
import type { Store } from "../../store/write/store.ts";
import type { SharedDependencies } from "./epoch-payloads.ts";

type Files = Pick<Store, "repo" | "kinds">;

/** The paths of these files that differ from the commit of the content. */
export async function editedFiles(
  { repo, kinds }: Files,
  content: Snapshot,
  { dirs, bases }: SharedDependencies,
): Promise<Path[]> {
  const isDependency = (path: Path): boolean => dirs.some((dir) => path === dir || path.startsWith(`${dir}/`));
  const here = new Map<Path, Oid>();
  for (const kind of kinds) {
    if (!isDependency(kind.dir) && !dirs.some((dir) => dir.startsWith(`${kind.dir}/`))) continue;
    for (const { base, files } of content.table(kind).byBase.values())
      for (const [part, oid] of files) here.set(base + part, oid);
  }
  for (const kind of PAGE_KINDS) {
    for (const base of bases)
      for (const [part, oid] of content.table(kind).byBase.get(base)?.files ?? []) here.set(base + part, oid);
  }
  const committed =
    content.commit === null || dirs.length === 0 ? new Map<Path, Oid>() : await repo.tree(content.commit, dirs);
  const edited = new Set(
    [...committed.keys()].filter((path) => !here.has(path) && kinds.some((kind) => !kind.opaque && kind.split(path))),
  );
  const stored = await repo.committed(content.commit, [...here.keys()]);
  for (const [path, oid] of here) if (stored.get(path) !== oid) edited.add(path);
  for (const base of bases)
    if (!PAGE_KINDS.some((kind) => content.table(kind).byBase.has(base))) edited.add(`${base}.yaml`);
  // Git filters can make the bytes in the working tree differ from the commit without an edit.
  const files = edited.size === 0 ? new Map() : await repo.files([...edited]);
  return [...edited].filter((path) => stored.get(path) === undefined || files.get(path)?.stored !== stored.get(path));
}

/** Whether the content has other shared payloads than its commit could have. */
export async function isEdited(files: Files, content: Snapshot, dependencies: SharedDependencies): Promise<boolean> {
  // The commit may have the missing page in any file.
  const dirs = dependencies.hasMissingPage ? PAGE_KINDS.map(({ dir }) => dir) : [];
  return (await editedFiles(files, content, { ...dependencies, dirs: [...dependencies.dirs, ...dirs] })).length > 0;
}
