/** The conflicts that are still open, with both values and their authors. */
import { own, sameJson, type Json } from "../../model/json.ts";
import type { Instant } from "../../model/instant.ts";
import type { Locales } from "../../model/locale.ts";
import type { FieldConflict } from "../../model/merge/conflict.ts";
import { valueAt } from "../../model/merge/path.ts";
import type { Page } from "../../model/page.ts";
import { decodeFile } from "../codec/codec.ts";
import { placeOf } from "../content/load.ts";
import type { AnyKind, Base } from "../content/record-type.ts";
import type { Entry, Snapshot } from "../content/snapshot.ts";
import type { History } from "../history/history.ts";
import { mergeRecordFile } from "../merge/merge-file.ts";
import type { Oid, Path, Repo } from "../repo.ts";
import { unresolvedConflicts, type PastConflict } from "./conflict-history.ts";
import type { SidePaths } from "./sync-conflict.ts";

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
  /** Of the file as it is named at present. */
  readonly path: Path;
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
    const entry = place && (await presentEntry(source, past, place));
    const conflict = await describe(source, shared, past, place?.kind);
    const path = place && entry ? entry.base + place.part : past.path;
    const open = { past, path, kind: place?.kind, entry, ...conflict };
    if (await isOpen(source, shared, open)) found.push(open);
  }
  return found;
}

/** The record of a conflict, also after it was renamed. */
async function presentEntry(
  { repo, current }: ConflictSource,
  { merge }: PastConflict,
  { kind, base }: { readonly kind: AnyKind; readonly base: Base },
): Promise<Entry | undefined> {
  const table = current.table(kind);
  const entry = table.byBase.get(base);
  if (entry) return entry;
  for (const part of MAIN_PARTS) {
    const bytes = await bytesAt(repo, merge, base + part);
    const id = bytes === null ? undefined : idOf(base + part, bytes);
    if (id !== undefined) return table.byId.get(id);
  }
  return undefined;
}

const MAIN_PARTS = [".yaml", ".yml", ".md"];

function idOf(path: Path, bytes: Uint8Array): number | undefined {
  try {
    const { id } = decodeFile(path, bytes).data;
    return typeof id === "number" ? id : undefined;
  } catch {
    return undefined; // a file that does not load
  }
}

async function describe(source: ConflictSource, shared: Shared, past: PastConflict, kind: AnyKind | undefined) {
  const { merge, base } = past;
  const conflicts =
    past.kind === "field"
      ? await remembered(shared.merged, `${merge} ${past.path}`, () => fieldConflicts(source, past, kind))
      : [];
  const value = conflicts.find((conflict) => sameJson(conflict.path, past.at));
  const changeOn = (side: "ours" | "theirs") => {
    const [commit, path] = [past[side], pathOn(past, side)];
    return remembered(shared.changes, `${commit} ${base} ${path}`, () => lastChange(source.repo, commit, base, path));
  };
  return {
    field: value?.field ?? null,
    language: value?.language ?? null,
    ours: { value: value?.ours, ...(await changeOn("ours")) },
    theirs: { value: value?.theirs, ...(await changeOn("theirs")) },
  };
}

const pathOn = ({ path, from }: PastConflict, side: keyof SidePaths): Path => from?.[side] ?? path;

/** The merge of the file is done again: its trailer has no values. */
async function fieldConflicts(
  { repo, locales }: ConflictSource,
  past: PastConflict,
  kind: AnyKind | undefined,
): Promise<readonly FieldConflict[]> {
  const [from, our, their] = [
    await bytesAt(repo, past.base, pathOn(past, "base")),
    await bytesAt(repo, past.ours, pathOn(past, "ours")),
    await bytesAt(repo, past.theirs, pathOn(past, "theirs")),
  ];
  const merged = mergeRecordFile(
    { path: past.path, locales, ...(kind && { kind }) },
    { base: from, ours: our, theirs: their },
  );
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
  { past, path, entry, theirs }: OpenConflict,
): Promise<boolean> {
  if (past.draft !== undefined) return own((entry?.record as Page | undefined)?.drafts ?? {}, past.draft) !== undefined;
  const { commit } = current;
  if (commit === null) return false;
  if (past.kind !== "field") {
    const bytes = await bytesAt(repo, commit, path);
    if (past.kind === "deleted") return bytes !== null;
    const merged = bytes && (await bytesAt(repo, past.merge, past.path));
    return bytes !== null && merged !== null && Buffer.from(bytes).equals(merged);
  }
  const data = await remembered(shared.data, path, () => dataAt(repo, commit, path));
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
