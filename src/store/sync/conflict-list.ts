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

/** The newest merge first. */
export async function openConflicts(source: ConflictSource): Promise<OpenConflict[]> {
  const found: OpenConflict[] = [];
  for (const past of await unresolvedConflicts(source.repo, source.history)) {
    const place = placeOf(source.kinds, past.path);
    const entry = place && source.current.table(place.kind).byBase.get(place.base);
    const conflict = await describe(source, past, place?.kind);
    const open = { past, kind: place?.kind, entry, ...conflict };
    if (await isOpen(source, open)) found.push(open);
  }
  return found;
}

async function describe(source: ConflictSource, past: PastConflict, kind: AnyKind | undefined) {
  const { repo } = source;
  const value = past.kind === "field" ? await fieldConflict(source, past, kind) : undefined;
  return {
    field: value?.field ?? null,
    language: value?.language ?? null,
    ours: { value: value?.ours, ...(await lastChange(repo, past.ours, past.base, past.path)) },
    theirs: { value: value?.theirs, ...(await lastChange(repo, past.theirs, past.base, past.path)) },
  };
}

/** The merge of the file is done again: its trailer has no values. */
async function fieldConflict(
  { repo, locales }: ConflictSource,
  { base, ours, theirs, path, at }: PastConflict,
  kind: AnyKind | undefined,
): Promise<Pick<FieldConflict, "field" | "language" | "ours" | "theirs"> | undefined> {
  const [from, our, their] = [
    await bytesAt(repo, base, path),
    await bytesAt(repo, ours, path),
    await bytesAt(repo, theirs, path),
  ];
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
async function isOpen({ repo, current }: ConflictSource, { past, entry, theirs }: OpenConflict): Promise<boolean> {
  if (past.draft !== undefined) return (entry?.record as Page | undefined)?.drafts[past.draft] !== undefined;
  if (current.commit === null) return false;
  const bytes = await bytesAt(repo, current.commit, past.path);
  if (past.kind === "deleted") return bytes !== null;
  if (bytes === null) return false;
  if (past.kind === "file") {
    const merged = await bytesAt(repo, past.merge, past.path);
    return merged !== null && Buffer.from(bytes).equals(merged);
  }
  try {
    return sameJson(valueAt(decodeFile(past.path, bytes).data, past.at ?? []), theirs.value);
  } catch {
    return true; // a file that does not load decides nothing
  }
}
