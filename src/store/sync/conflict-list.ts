/** The conflicts that are still open, with both values and their authors. */
import { own, sameJson, type Json } from "../../model/json.ts";
import type { Instant } from "../../model/instant.ts";
import type { Locales } from "../../model/locale.ts";
import type { FieldConflict } from "../../model/merge/conflict.ts";
import { valueAt } from "../../model/merge/path.ts";
import type { Page } from "../../model/page.ts";
import { decodeFile } from "../codec/codec.ts";
import { placeOf } from "../content/load.ts";
import type { AnyKind, Entry } from "../content/record-type.ts";
import type { Snapshot } from "../content/snapshot.ts";
import type { History } from "../history/history.ts";
import { mergeRecordFile } from "../merge/merge-file.ts";
import type { Oid, Path, Repo } from "../repo.ts";
import { unresolvedConflicts, type PastConflict } from "./conflict-history.ts";

export interface ConflictSource {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
  readonly history: History;
  readonly current: Snapshot;
}

/** One side of a conflict: the last commit there that changed the file. */
export interface ConflictSide {
  /** undefined: the value was removed, or a whole file is in conflict. */
  readonly value: Json | undefined;
  readonly commit: Oid;
  readonly author: string | null;
  readonly at: Instant | null;
}

export interface OpenConflict {
  readonly past: PastConflict;
  /** undefined for files that are no records, or records that are gone. */
  readonly kind: AnyKind | undefined;
  readonly entry: Entry | undefined;
  readonly field: string | null;
  readonly language: string | null;
  readonly ours: ConflictSide;
  readonly theirs: ConflictSide;
}

/** What conflicts in one file share: a merge may have left thousands in it. */
interface Shared {
  readonly merged: Memo<readonly FieldConflict[]>;
  readonly changes: Memo<Omit<ConflictSide, "value">>;
  /** See `dataAt`. */
  readonly data: Memo<Json | undefined>;
}

type Memo<T> = Map<string, Promise<T>>;

function remembered<T>(memo: Memo<T>, key: string, make: () => Promise<T>): Promise<T> {
  const value = memo.get(key) ?? make();
  memo.set(key, value);
  return value;
}

/** The newest merge first. */
export async function openConflicts(source: ConflictSource): Promise<OpenConflict[]> {
  const shared: Shared = { merged: new Map(), changes: new Map(), data: new Map() };
  const found: OpenConflict[] = [];
  for (const past of await unresolvedConflicts(source.repo, source.history)) {
    const place = placeOf(source.kinds, past.path);
    const entry = place && source.current.table(place.kind).byBase.get(place.base);
    const conflict = await describe(source, shared, past, place?.kind);
    const open = { past, kind: place?.kind, entry, ...conflict };
    if (await isOpen(source, shared, open)) found.push(open);
  }
  return found;
}

async function describe(source: ConflictSource, shared: Shared, past: PastConflict, kind: AnyKind | undefined) {
  const { merge, base, path } = past;
  const conflicts =
    past.kind === "field"
      ? await remembered(shared.merged, `${merge} ${path}`, () => fieldConflicts(source, past, kind))
      : [];
  const value = conflicts.find((conflict) => sameJson(conflict.path, past.at));
  const changeOf = (commit: Oid) =>
    remembered(shared.changes, `${commit} ${base} ${path}`, () => lastChange(source.repo, commit, base, path));
  return {
    field: value?.field ?? null,
    language: value?.language ?? null,
    ours: { value: value?.ours, ...(await changeOf(past.ours)) },
    theirs: { value: value?.theirs, ...(await changeOf(past.theirs)) },
  };
}

/** The merge of the file is done again: its trailer has no values. */
async function fieldConflicts(
  { repo, locales }: ConflictSource,
  { base, ours, theirs, path }: PastConflict,
  kind: AnyKind | undefined,
): Promise<readonly FieldConflict[]> {
  const [from, our, their] = [
    await bytesAt(repo, base, path),
    await bytesAt(repo, ours, path),
    await bytesAt(repo, theirs, path),
  ];
  const merged = mergeRecordFile({ path, locales, ...(kind && { kind }) }, { base: from, ours: our, theirs: their });
  if (merged.outcome === "unreadable") return [];
  return merged.conflicts.flatMap((conflict) => (conflict.kind === "field" ? [conflict] : []));
}

async function bytesAt(repo: Repo, commit: Oid, path: Path): Promise<Uint8Array | null> {
  const oid = (await repo.committed(commit, [path])).get(path);
  return oid ? repo.blob(oid) : null;
}

async function lastChange(repo: Repo, from: Oid, base: Oid, path: Path): Promise<Omit<ConflictSide, "value">> {
  for await (const { id, author, at, changed } of repo.log(from, base, [path])) {
    if (changed.size > 0) return { commit: id, author: author.name, at };
  }
  return { commit: from, author: null, at: null };
}

/** Whether nothing has decided the conflict since: a draft that was published or discarded, or another value. */
async function isOpen(
  { repo, current }: ConflictSource,
  shared: Shared,
  { past, entry, theirs }: OpenConflict,
): Promise<boolean> {
  if (past.draft !== undefined) return own((entry?.record as Page | undefined)?.drafts ?? {}, past.draft) !== undefined;
  const { commit } = current;
  if (commit === null) return false;
  if (past.kind !== "field") {
    const bytes = await bytesAt(repo, commit, past.path);
    if (past.kind === "deleted") return bytes !== null;
    const merged = bytes && (await bytesAt(repo, past.merge, past.path));
    return bytes !== null && merged !== null && Buffer.from(bytes).equals(merged);
  }
  const data = await remembered(shared.data, past.path, () => dataAt(repo, commit, past.path));
  if (data === null) return false;
  // A file that does not load decides nothing.
  return data === undefined || sameJson(valueAt(data, past.at ?? []), theirs.value);
}

/** null: there is no such file; undefined: it does not load. */
async function dataAt(repo: Repo, commit: Oid, path: Path): Promise<Json | undefined> {
  const bytes = await bytesAt(repo, commit, path);
  if (bytes === null) return null;
  try {
    return decodeFile(path, bytes).data;
  } catch {
    return undefined;
  }
}
