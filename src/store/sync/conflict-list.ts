/** The conflicts that are still open, with both values and their authors. */
import type { Json } from "../../model/json.ts";
import { sameJson } from "../../model/json.ts";
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

/** The newest merge first. */
export async function openConflicts(source: ConflictSource): Promise<OpenConflict[]> {
  const found: OpenConflict[] = [];
  for (const past of await unresolvedConflicts(source.repo, source.history)) {
    const place = placeOf(source.kinds, past.path);
    const entry = place && (await presentEntry(source, past, place));
    const conflict = await describe(source, past, place?.kind);
    const path = place && entry ? entry.base + place.part : past.path;
    const open = { past, path, kind: place?.kind, entry, ...conflict };
    if (await isOpen(source, open)) found.push(open);
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

async function describe(source: ConflictSource, past: PastConflict, kind: AnyKind | undefined) {
  const { repo } = source;
  const value = past.kind === "field" ? await fieldConflict(source, past, kind) : undefined;
  return {
    field: value?.field ?? null,
    language: value?.language ?? null,
    ours: { value: value?.ours, ...(await lastChange(repo, past.ours, past.base, pathOn(past, "ours"))) },
    theirs: { value: value?.theirs, ...(await lastChange(repo, past.theirs, past.base, pathOn(past, "theirs"))) },
  };
}

const pathOn = ({ path, from }: PastConflict, side: keyof SidePaths): Path => from?.[side] ?? path;

/** The merge of the file is done again: its trailer has no values. */
async function fieldConflict(
  { repo, locales }: ConflictSource,
  past: PastConflict,
  kind: AnyKind | undefined,
): Promise<Pick<FieldConflict, "field" | "language" | "ours" | "theirs"> | undefined> {
  const [from, our, their] = [
    await bytesAt(repo, past.base, pathOn(past, "base")),
    await bytesAt(repo, past.ours, pathOn(past, "ours")),
    await bytesAt(repo, past.theirs, pathOn(past, "theirs")),
  ];
  const { path, at } = past;
  const merged = mergeRecordFile({ path, locales, ...(kind && { kind }) }, { base: from, ours: our, theirs: their });
  if (merged.outcome === "unreadable") return undefined;
  const fields = merged.conflicts.flatMap((conflict) => (conflict.kind === "field" ? [conflict] : []));
  return fields.find((conflict) => sameJson(conflict.path, at));
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
  { past, path, entry, theirs }: OpenConflict,
): Promise<boolean> {
  if (past.draft !== undefined) return (entry?.record as Page | undefined)?.drafts[past.draft] !== undefined;
  if (current.commit === null) return false;
  const bytes = await bytesAt(repo, current.commit, path);
  if (past.kind === "deleted") return bytes !== null;
  if (bytes === null) return false;
  if (past.kind === "file") {
    const merged = await bytesAt(repo, past.merge, past.path);
    return merged !== null && Buffer.from(bytes).equals(merged);
  }
  try {
    return sameJson(valueAt(decodeFile(path, bytes).data, past.at ?? []), theirs.value);
  } catch {
    return true; // a file that does not load decides nothing
  }
}
