/**
 * Whether everything that HEAD's commit names is stored, and what can be made again where it is not.
 *
 * An object that is missing can be known elsewhere: a blob is the content of its working file, a tree is in memory or
 * follows from the index. Nothing is ever put back under an id that its bytes do not have.
 */
import type { Log } from "../../../env.ts";
import { CmsError } from "../../../errors.ts";
import type { Oid, Path } from "../../repo.ts";
import { parseCommit } from "./commits.ts";
import { unlessMissing } from "../fs.ts";
import { entryOid, stageOf } from "../index/index-format.ts";
import { usableIndex } from "../index/index-file.ts";
import { newObject, type NewObject } from "./object.ts";
import { openPace } from "../time-slices.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";
import { encodeTree, fromBytewise, inGitOrder, isFolder, parseTree, type Tree, type TreeEntry } from "./trees.ts";

/** One object that HEAD's commit names and that is nowhere. */
export interface MissingObject {
  readonly oid: Oid;
  readonly type: "commit" | "tree" | "blob";
  /** What it is the content of; empty for the commit and its topmost tree. */
  readonly path: Path;
}

export interface Found {
  readonly missing: readonly MissingObject[];
  /** What was made again. */
  readonly restored: readonly MissingObject[];
}

/**
 * Looks for every object that HEAD's commit names: some microseconds each, in short turns.
 *
 * @param isRestoring whether what can be made again is written
 */
export async function checkIntegrity(site: RepoContext, isRestoring: boolean): Promise<Found> {
  const missing: MissingObject[] = [];
  const restored: MissingObject[] = [];
  const { head } = await readState(site.fs, site.gitDir);
  if (!head) return { missing, restored };
  const pace = openPace();
  let staged: Promise<ReadonlyMap<Oid, NewObject>> | undefined;

  /** @returns the object made again, when it is missing and can be */
  async function make(object: MissingObject): Promise<NewObject | undefined> {
    const made =
      object.type === "blob"
        ? await fromWorkingFile(site, object)
        : object.type === "tree"
          ? (fromMemory(site, object.oid) ?? (await (staged ??= treesOfIndex(site))).get(object.oid))
          : undefined;
    if (!made || !isRestoring) {
      missing.push(object);
      return made;
    }
    await site.objects.put([made]);
    restored.push(object);
    return made;
  }

  async function contentOf(object: MissingObject): Promise<Uint8Array | undefined> {
    return (await read(site, object.oid)) ?? (await make(object))?.content;
  }

  async function checkTree(oid: Oid, path: Path): Promise<void> {
    const content = await contentOf({ oid, type: "tree", path });
    if (!content) return;
    for (const [name, entry] of parseTree(Buffer.from(content))) {
      await pace();
      const at = path ? `${path}/${fromBytewise(name)}` : fromBytewise(name);
      if (isFolder(entry)) await checkTree(entry.oid, at);
      // What a submodule names is in another repository.
      else if (entry.mode !== SUBMODULE && !(await site.objects.has(entry.oid)))
        await make({ oid: entry.oid, type: "blob", path: at });
    }
  }

  const commit = await contentOf({ oid: head, type: "commit", path: "" });
  if (commit) await checkTree(parseCommit(Buffer.from(commit)).tree, "");
  return { missing, restored };
}

export interface Integrity {
  /**
   * What is missing, as a sentence with the way out; null when nothing is. Looked at anew once a minute at most, and only
   * when the branch or a folder of objects has changed.
   *
   * @param isRestoring whether what can be made again is written
   */
  check(isRestoring: boolean): Promise<string | null>;
}

const EVERY_MS = 60_000;

export function openIntegrity(site: RepoContext, now: () => number = Date.now): Integrity {
  let last: { readonly stamp: string; readonly at: number; readonly damage: string | null } | undefined;
  let running: Promise<string | null> | undefined;

  async function look(isRestoring: boolean): Promise<string | null> {
    const at = now();
    const stamp = await stampOf(site);
    if (last?.stamp === stamp && !last.damage) {
      last = { ...last, at };
      return null;
    }
    const { missing, restored } = await checkIntegrity(site, isRestoring);
    const damage = describeDamage(missing);
    const { log } = site.env;
    if (restored.length > 0) {
      log.warn(
        `Made ${restored.length} missing objects again, the first of ${restored[0]!.path || "the topmost folder"}: see \`git fsck\`.`,
      );
    }
    if (damage && damage !== last?.damage) log.error(damage);
    last = { stamp, at, damage };
    return damage;
  }

  return {
    check(isRestoring) {
      if (last && now() - last.at < EVERY_MS) return Promise.resolve(last.damage);
      running ??= look(isRestoring).finally(() => (running = undefined));
      return running;
    },
  };
}

/** Other whenever the branch has moved, or an object has come or gone. */
async function stampOf({ fs, gitDir }: RepoContext): Promise<string> {
  const { head } = await readState(fs, gitDir);
  const times = [head ?? ""];
  for (const { name } of (await unlessMissing(fs.readdir(`${gitDir}/objects`))) ?? []) {
    const stat = await unlessMissing(fs.lstat(`${gitDir}/objects/${name}`));
    times.push(`${name} ${stat?.mtimeNs ?? 0n}`);
  }
  return times.sort().join("\n");
}

const SUBMODULE = "160000";

/** undefined for one that is missing, or damaged so that it cannot be read. */
async function read(site: RepoContext, oid: Oid): Promise<Buffer | undefined> {
  try {
    return (await site.objects.read(oid))?.content;
  } catch (error) {
    if (error instanceof CmsError) return undefined;
    throw error;
  }
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

function fromMemory({ trees }: RepoContext, oid: Oid): NewObject | undefined {
  const known = trees.known(oid);
  const object = known && newObject("tree", encodeTree(known));
  return object?.oid === oid ? object : undefined;
}

interface Folder {
  readonly files: Map<string, TreeEntry>;
  readonly folders: Map<string, Folder>;
}

/** Every tree that the index would be committed as, as `git write-tree` makes them. */
async function treesOfIndex(site: RepoContext): Promise<ReadonlyMap<Oid, NewObject>> {
  const made = new Map<Oid, NewObject>();
  const root: Folder = { files: new Map(), folders: new Map() };
  for (const entry of (await usableIndex(site.index)).entries) {
    if (stageOf(entry) !== 0) return made;
    const segments = entry.name.split("/");
    const name = segments.pop() ?? "";
    let folder = root;
    for (const segment of segments) {
      const below: Folder = folder.folders.get(segment) ?? { files: new Map(), folders: new Map() };
      folder.folders.set(segment, below);
      folder = below;
    }
    folder.files.set(name, { mode: entry.head.readUInt32BE(MODE_AT).toString(8), oid: entryOid(entry) });
  }
  const treeOf = ({ files, folders }: Folder): Oid => {
    const tree: Tree = new Map([
      ...files,
      ...[...folders].map(([name, below]) => [name, { mode: "40000", oid: treeOf(below) }] as const),
    ]);
    const object = newObject("tree", encodeTree(inGitOrder(tree)));
    made.set(object.oid, object);
    return object.oid;
  };
  treeOf(root);
  return made;
}

/** Of the mode in an index entry. */
const MODE_AT = 24;

/** One line for what a prune had removed. */
export function reportRestored(log: Log, oids: readonly Oid[]): void {
  if (oids.length === 0) return;
  log.warn(`Put back ${oids.length} objects of recent commits that a \`git prune\` had removed.`);
}

/** What `/healthz` and the log say of a repository that is not whole, with the way out. */
export function describeDamage(missing: readonly MissingObject[]): string | null {
  const [first] = missing;
  if (!first) return null;
  const what = first.path ? `${first.type} ${first.oid} of ${first.path}` : `${first.type} ${first.oid}`;
  const more = missing.length > 1 ? ` and ${missing.length - 1} more objects are` : " is";
  return (
    `The repository is damaged: ${what}${more} missing. See \`git fsck\`, and copy the files in .git/objects/pack of a ` +
    "clone that has them into the same folder here."
  );
}
