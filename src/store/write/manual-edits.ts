/**
 * What a person changed by hand in files about to be written goes first into a commit of its own, in that person's
 * name, so that neither side's work is lost or mixed. Other files of that person are left exactly as they are.
 */
import type { Instant } from "../../model/instant.ts";
import { openPace } from "../git/time-slices.ts";
import { decode, placeOf, type Loaded, type Loader } from "../content/load.ts";
import { mainPart, type AnyKind, type Base, type Part } from "../content/record-type.ts";
import type { CommitPlan, Oid, Path, WorkingFile } from "../repo.ts";

/** Working files, each the same at every call. */
interface Files {
  look(path: Path): Promise<Oid | null>;
  read(path: Path): Promise<{ readonly bytes: Uint8Array } | undefined>;
}

/**
 * @param paths that are about to be written
 * @returns undefined when these files are as they were committed
 */
export async function adoption(
  loader: Loader,
  loaded: Loaded,
  head: Oid | null,
  paths: Iterable<Path>,
  at: Instant,
  files: Files,
): Promise<CommitPlan | undefined> {
  const changes = await changedByHand(loader, head, [...paths], files);
  const added = [...changes].flatMap(([path, bytes]) => (bytes ? [path] : []));
  const moves = await otherHalves(loader, loaded, head, added);
  for (const [path, bytes] of await changedByHand(loader, head, moves, files)) changes.set(path, bytes);
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
  files: Files,
): Promise<Map<Path, Uint8Array | null>> {
  const committed = paths.length > 0 ? await repo.committed(head, paths) : new Map<Path, Oid | null>();
  const changes = new Map<Path, Uint8Array | null>();
  const pace = openPace();
  for (const path of paths) {
    await pace();
    if ((await files.look(path)) !== (committed.get(path) ?? null))
      changes.set(path, (await files.read(path))?.bytes ?? null);
  }
  return changes;
}

/**
 * A file moved by hand is one that came and one that went. Were only the first committed, a clone would have the
 * record twice.
 *
 * @param added files that are not in the commit
 * @returns the files of the same records that went, and those that came with them
 */
async function otherHalves(
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
  // Once for each kind: thousands of pages may have come, and each look goes through the whole tree.
  const wentOf = new Map<AnyKind, ReadonlyMap<unknown, readonly Went[]>>();
  const pace = openPace();
  for (const [base, kind] of bases) {
    await pace();
    const entry = snapshot.table(kind).byBase.get(base);
    if (!entry || head === null) continue;
    const went = wentOf.get(kind) ?? (await goneById(loader, kind, head, files));
    wentOf.set(kind, went);
    for (const { from, parts } of went.get(entry.record.id) ?? []) {
      if (from === base) continue;
      found.push(
        ...[...parts.keys()].map((part) => from + part),
        ...[...entry.files.keys()].map((part) => base + part),
      );
    }
  }
  return found;
}

/** A record of the commit whose files are gone. */
interface Went {
  readonly from: Base;
  readonly parts: ReadonlyMap<Part, Oid>;
}

/** What is gone of a kind, by the id that each record states itself. */
async function goneById(
  loader: Loader,
  kind: AnyKind,
  head: Oid,
  files: ReadonlyMap<Path, WorkingFile>,
): Promise<Map<unknown, Went[]>> {
  const byId = new Map<unknown, Went[]>();
  const pace = openPace();
  for (const [from, parts] of await gone(loader, kind, head, files)) {
    await pace();
    const id = await idIn(loader, kind, from, parts);
    const went = byId.get(id) ?? [];
    went.push({ from, parts });
    byId.set(id, went);
  }
  return byId;
}

/** The records of a kind that stand in the commit, and none of whose files stand in the working tree. */
async function gone(
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

/** The id a committed record states itself; one derived from its path moves with the path. */
async function idIn(loader: Loader, kind: AnyKind, base: Base, parts: ReadonlyMap<Part, Oid>): Promise<unknown> {
  const main = mainPart(parts.keys());
  if (main === undefined) return undefined;
  try {
    return (await decode(loader, kind, base + main, await loader.repo.blob(parts.get(main)!))).data.id;
  } catch {
    return undefined; // it does not load, so it is nobody's other half
  }
}
