/**
 * Manual edits of files that a batch will write are committed first, in a commit of their own in the name of the
 * repository's user, so that the work of neither side is lost or mixed. Other edited files are not committed.
 */
import type { Instant } from "../../model/time/instant.ts";
import { pace } from "../../time-slices.ts";
import type { Loaded } from "../content/advance.ts";
import type { Loader } from "../content/load-group.ts";
import { placeOf } from "../content/load.ts";
import { mainPart, type AnyKind, type Base, type Part } from "../records/record-type.ts";
import type { CommitPlan, Oid, Path, WorkingFile } from "../repo.ts";
import type { WorkingTreeView } from "./working-tree-view.ts";

/**
 * The commit of manual edits in the files the batch writes.
 *
 * @returns undefined when these files are as they were committed
 */
export async function commitOfManualEdits(
  loader: Loader,
  loaded: Loaded,
  head: Oid | null,
  at: Instant,
  tree: WorkingTreeView,
): Promise<CommitPlan | undefined> {
  // A file that has the planned content already is committed with the batch.
  const changes = await changedByHand(loader, head, await tree.unwritten(), tree);
  const added = [...changes].flatMap(([path, bytes]) => (bytes ? [path] : []));
  const moved = await otherSidesOfMoves(loader, loaded, head, added);
  for (const [path, bytes] of await changedByHand(loader, head, moved, tree)) changes.set(path, bytes);
  if (changes.size === 0) return undefined;
  const [first] = changes.keys();
  const subject =
    changes.size === 1 ? `Adopt edits made by hand in ${first}` : `Adopt edits made by hand in ${changes.size} files`;
  return { author: await loader.repo.user(), at, message: `${subject}\n\nCms-Action: adopt`, changes };
}

async function changedByHand(
  { repo }: Loader,
  head: Oid | null,
  paths: readonly Path[],
  tree: WorkingTreeView,
): Promise<Map<Path, Uint8Array | null>> {
  const committed = paths.length > 0 ? await repo.committed(head, paths) : new Map<Path, Oid | null>();
  const changes = new Map<Path, Uint8Array | null>();
  for (const path of paths) {
    await pace();
    if ((await tree.oidOnDisk(path)) !== (committed.get(path) ?? null))
      changes.set(path, (await tree.readOnDisk(path))?.bytes ?? null);
  }
  return changes;
}

/**
 * A file moved by hand is one that was added and one that was removed. If only the first were committed, a clone would
 * have the record twice.
 *
 * @param added files that are not in HEAD
 * @returns the removed files of the same records, and the files added with them
 */
async function otherSidesOfMoves(
  loader: Loader,
  { files, snapshot }: Loaded,
  head: Oid | null,
  added: readonly Path[],
): Promise<Path[]> {
  const found: Path[] = [];
  const bases = new Map(
    added.flatMap((path) => {
      const place = placeOf(loader.kinds, path);
      return place ? [[place.base, place.kind] as const] : [];
    }),
  );
  // Once for each kind: thousands of pages may have been added, and finding the removed ones lists the whole tree.
  const removedOf = new Map<AnyKind, ReadonlyMap<unknown, readonly Removed[]>>();
  for (const [base, kind] of bases) {
    await pace();
    const entry = snapshot.table(kind).byBase.get(base);
    if (!entry || head === null) continue;
    const removed = removedOf.get(kind) ?? (await removedById(loader, kind, head, files));
    removedOf.set(kind, removed);
    for (const { from, parts } of removed.get(entry.record.id) ?? []) {
      if (from === base) continue;
      found.push(
        ...[...parts.keys()].map((part) => from + part),
        ...[...entry.files.keys()].map((part) => base + part),
      );
    }
  }
  return found;
}

/** A record of HEAD whose files are not in the working tree. */
interface Removed {
  readonly from: Base;
  readonly parts: ReadonlyMap<Part, Oid>;
}

/** The removed records of a kind, by the id in their files. */
async function removedById(
  loader: Loader,
  kind: AnyKind,
  head: Oid,
  files: ReadonlyMap<Path, WorkingFile>,
): Promise<Map<unknown, Removed[]>> {
  const byId = new Map<unknown, Removed[]>();
  for (const [from, parts] of await removedRecords(loader, kind, head, files)) {
    await pace();
    const id = await idIn(loader, from, parts);
    const removed = byId.get(id) ?? [];
    removed.push({ from, parts });
    byId.set(id, removed);
  }
  return byId;
}

/** The records of a kind in HEAD that have no file in the working tree. */
async function removedRecords(
  { repo, kinds }: Loader,
  kind: AnyKind,
  head: Oid,
  files: ReadonlyMap<Path, WorkingFile>,
): Promise<Map<Base, Map<Part, Oid>>> {
  const here = new Set([...files.keys()].map((path) => placeOf(kinds, path)?.base));
  const bases = new Map<Base, Map<Part, Oid>>();
  for (const [path, oid] of await repo.tree(head, [kind.dir])) {
    const place = placeOf(kinds, path);
    if (place?.kind !== kind || here.has(place.base)) continue;
    bases.set(place.base, (bases.get(place.base) ?? new Map<Part, Oid>()).set(place.part, oid));
  }
  return bases;
}

/** The id in a committed file; undefined where it is derived from the path, since then it changes with the path. */
async function idIn(loader: Loader, base: Base, parts: ReadonlyMap<Part, Oid>): Promise<unknown> {
  const main = mainPart(parts.keys());
  if (main === undefined) return undefined;
  try {
    return (await loader.codec.decode(base + main, await loader.repo.blob(parts.get(main)!))).data.id;
  } catch {
    return undefined; // a file that does not load cannot be matched with another
  }
}
