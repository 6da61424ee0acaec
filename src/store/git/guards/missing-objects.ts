/**
 * Finds the objects of HEAD's commit that are not stored, and rebuilds them where their content is known elsewhere.
 *
 * The content of a blob may be in its working file; a tree may be cached or follow from the index. Nothing is written
 * under an id that does not match its content.
 */
import { CmsError } from "../../../errors.ts";
import type { Oid, Path } from "../../repo.ts";
import { parseCommit } from "../objects/commits.ts";
import { entryMode, entryOid, stageOf } from "../index/index-entry.ts";
import { entriesIn } from "../index/entry-list.ts";
import { usableIndex } from "../index/index-file.ts";
import { newObject, type NewObject } from "../objects/object.ts";
import { pace } from "../../../time-slices.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";
import { fromBytewise, isFolder, parseTree, treeEntries, treeOf, type TreeEntry } from "../objects/tree-format.ts";

export interface MissingObject {
  readonly oid: Oid;
  readonly type: "commit" | "tree" | "blob";
  /** Path of the file or folder; empty for the commit and its root tree. */
  readonly path: Path;
}

export interface IntegrityReport {
  readonly missing: readonly MissingObject[];
  readonly restored: readonly MissingObject[];
}

const SUBMODULE = "160000";

/**
 * Checks every object of HEAD's commit, which takes microseconds each. Yields to other requests.
 *
 * @param restores whether to write the objects that can be rebuilt
 */
export async function findMissingObjects(repo: RepoContext, restores: boolean): Promise<IntegrityReport> {
  const missing: MissingObject[] = [];
  const restored: MissingObject[] = [];
  const { head } = await readState(repo.fs, repo.gitDir);
  if (!head) return { missing, restored };
  const rebuild = openRebuild(repo);

  /** @returns the rebuilt object, if it can be rebuilt */
  async function handleMissing(object: MissingObject): Promise<NewObject | undefined> {
    const rebuilt = await rebuild(object);
    if (rebuilt && restores) {
      await repo.objects.put([rebuilt]);
      restored.push(object);
    } else missing.push(object);
    return rebuilt;
  }

  async function contentOf(object: MissingObject): Promise<Uint8Array | undefined> {
    return (await readIfIntact(repo, object.oid)) ?? (await handleMissing(object))?.content;
  }

  async function checkTree(oid: Oid, path: Path): Promise<void> {
    const content = await contentOf({ oid, type: "tree", path });
    if (!content) return;
    for (const [name, entry] of treeEntries(parseTree(Buffer.from(content)))) {
      await pace();
      const entryPath = path ? `${path}/${fromBytewise(name)}` : fromBytewise(name);
      if (isFolder(entry)) await checkTree(entry.oid, entryPath);
      // The commit of a submodule is in another repository.
      else if (entry.mode !== SUBMODULE && !(await repo.objects.has(entry.oid)))
        await handleMissing({ oid: entry.oid, type: "blob", path: entryPath });
    }
  }

  const commit = await contentOf({ oid: head, type: "commit", path: "" });
  if (commit) await checkTree(parseCommit(Buffer.from(commit)).tree, "");
  return { missing, restored };
}

/** undefined for an object that is missing or damaged. */
async function readIfIntact(repo: RepoContext, oid: Oid): Promise<Buffer | undefined> {
  try {
    return (await repo.objects.read(oid))?.content;
  } catch (error) {
    if (error instanceof CmsError) return undefined;
    throw error;
  }
}

function openRebuild(repo: RepoContext): (object: MissingObject) => Promise<NewObject | undefined> {
  let indexTrees: Promise<ReadonlyMap<Oid, NewObject>> | undefined;
  return async (object) => {
    if (object.type === "blob") return fromWorkingFile(repo, object);
    if (object.type === "commit") return undefined;
    return fromCache(repo, object.oid) ?? (await (indexTrees ??= treesOfIndex(repo))).get(object.oid);
  };
}

async function fromWorkingFile(
  { worktree }: RepoContext,
  { oid, path }: MissingObject,
): Promise<NewObject | undefined> {
  try {
    const file = await worktree.read(path);
    return file?.oid === oid ? newObject("blob", Buffer.from(file.bytes)) : undefined;
  } catch (error) {
    if (error instanceof CmsError) return undefined;
    throw error;
  }
}

function fromCache({ trees }: RepoContext, oid: Oid): NewObject | undefined {
  const cached = trees.cached(oid);
  const object = cached && newObject("tree", cached.bytes);
  return object?.oid === oid ? object : undefined;
}

interface Folder {
  readonly files: Map<string, TreeEntry>;
  readonly folders: Map<string, Folder>;
}

/** The trees that `git write-tree` would write for the index; none if it has conflicts. */
async function treesOfIndex(repo: RepoContext): Promise<ReadonlyMap<Oid, NewObject>> {
  const trees = new Map<Oid, NewObject>();
  const root: Folder = { files: new Map(), folders: new Map() };
  for (const entry of entriesIn((await usableIndex(repo.index)).entries)) {
    if (stageOf(entry) !== 0) return trees;
    const segments = entry.name.split("/");
    const name = segments.pop() ?? "";
    let folder = root;
    for (const segment of segments) {
      const below: Folder = folder.folders.get(segment) ?? { files: new Map(), folders: new Map() };
      folder.folders.set(segment, below);
      folder = below;
    }
    folder.files.set(name, { mode: entryMode(entry), oid: entryOid(entry) });
  }
  const addTree = ({ files, folders }: Folder): Oid => {
    const below = [...folders].map(([name, folder]) => [name, { mode: "40000", oid: addTree(folder) }] as const);
    const object = newObject("tree", treeOf([...files, ...below]).bytes);
    trees.set(object.oid, object);
    return object.oid;
  };
  addTree(root);
  return trees;
}
