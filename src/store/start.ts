/** How a start gets its content: at rest where it may, else by looking at everything and leaving it for the next start. */
import type { Retired } from "./content-cache.ts";
import type { AnyKind, Base, Entity } from "./kind.ts";
import { factsKey, load, lookAt, type Loaded, type Loader } from "./load.ts";
import { isOf, loadAtRest } from "./rest.ts";
import { readTogether, type Sharing } from "./sharing.ts";
import { outlineOf, Snapshot, type Standing } from "./snapshot.ts";

export interface First {
  readonly loaded: Loaded;
  readonly isAtRest: boolean;
  /** Writes what the next start will be quicker with. Once. */
  leave(): Promise<void>;
}

/** @param options whether anybody may write, and who opens the same content at the same time */
export async function loadFirst(loader: Loader, { readOnly, sharing }: { readonly readOnly?: boolean; readonly sharing?: Sharing }): Promise<First> {
  const resting = readOnly && !sharing ? await loadAtRest(loader) : undefined;
  return resting ? { loaded: resting, isAtRest: true, leave: loader.cache.retire().write } : { ...(await loadWhole(loader, sharing)), isAtRest: false };
}

/** Looks at everything. */
async function loadWhole(loader: Loader, sharing: Sharing | undefined): Promise<Omit<First, "isAtRest">> {
  const { repo, kinds, cache } = loader;
  // Somebody has looked ahead, and it was of no use.
  const isWanted = (await repo.ahead?.()) !== undefined;
  if (sharing) await readTogether(loader, sharing);
  const loaded = await load(loader, null, await lookAt(loader));
  const packed = kinds.filter(({ packing }) => packing);
  let retired: Retired | undefined;
  const retire = (): Retired =>
    (retired ??= cache.retire({
      oids: () => [...loaded.files.values()].flatMap(({ oid }) => [oid, factsKey(oid)]),
      resting: () => (repo.seen && isInOrder(loaded, packed) ? packed : undefined),
      files: loaded.files,
      isWanted,
      seen: (path, oid) => repo.seen?.(path, oid),
    }));
  const { commit, problems } = loaded.snapshot;
  const standing = (): Standing | undefined => {
    const { name } = retire();
    return name === undefined ? undefined : { name, changed: new Map(), outlineAtRest: (kind, base) => outlineAt(loaded.snapshot, kind, base) };
  };
  const snapshot = new Snapshot(commit, loaded.snapshot.tables(), problems, { standing, owners: loaded.snapshot.owners });
  return { loaded: { ...loaded, snapshot }, leave: () => retire().write() };
}

/** Whether every record of these kinds stands in files of its own that load, claims nothing another claims, and none depends on another. */
const isInOrder = ({ snapshot, files, failures, rivals }: Loaded, kinds: readonly AnyKind[]): boolean =>
  snapshot.owners.size === 0 &&
  kinds.every((kind) => !snapshot.table(kind).isCompleted && !failures.get(kind)?.size && !rivals.get(kind)?.length) &&
  [...files].every(([path, file]) => !file.unreadable || !isOf(kinds, path));

function outlineAt(snapshot: Snapshot, kind: AnyKind, base: Base): Entity | undefined {
  const entry = snapshot.table(kind).byBase.get(base);
  return entry && outlineOf(entry);
}
