/** The conflicts that are still open, with both values and their authors. */
import { sameJson, type Json } from "../../../model/input/json.ts";
import type { Instant } from "../../../model/time/instant.ts";
import type { Locales } from "../../../model/language/locale.ts";
import type { FieldConflict } from "../../../model/merge/conflict.ts";
import { valueAt } from "../../../model/merge/path.ts";
import { placeOf } from "../../content/load.ts";
import type { AnyKind, Base } from "../../records/record-type.ts";
import type { Entry, Snapshot } from "../../snapshot.ts";
import type { History } from "../../history/history.ts";
import { mergeRecordFile } from "../../merge/merge-file.ts";
import { dataIn } from "../../codec/codec.ts";
import type { Oid, Path, Repo } from "../../repo.ts";
import { bytesAt, dataAt } from "./conflict-files.ts";
import { undecidedConflicts } from "./conflict-history.ts";
import type { PastConflict } from "./past-conflict.ts";
import type { SidePaths } from "./sync-conflict.ts";

export interface ConflictSource {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
  readonly history: History;
  readonly current: Snapshot;
}

/** One side of a conflict, with the last commit there that changed the file. */
export interface ConflictSide {
  /** undefined: the value was removed, or a whole file is in conflict. */
  readonly value: Json | undefined;
  readonly commit: Oid;
  readonly author: string | null;
  readonly at: Instant | null;
}

export interface OpenConflict {
  readonly past: PastConflict;
  /** The path of the file as it is named at present. */
  readonly path: Path;
  /** undefined for files that are no records, or records that are gone. */
  readonly kind: AnyKind | undefined;
  readonly entry: Entry | undefined;
  readonly field: string | null;
  readonly language: string | null;
  readonly ours: ConflictSide;
  /** What stands: the remote's value, or one that another clone gave the field beside the merge. */
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
  for (const past of await undecidedConflicts(source, source.history)) {
    const place = placeOf(source.kinds, past.path);
    const entry = place && presentEntry(source, past, place);
    const path = place && entry ? entry.base + place.part : past.path;
    const sides = await describe(source, shared, { past, path, kind: place?.kind });
    if (sides) found.push({ past, path, kind: place?.kind, entry, ...sides });
  }
  return found;
}

/** The record of a conflict, also after it was renamed. */
function presentEntry({ current }: ConflictSource, { record }: PastConflict, { kind, base }: Place): Entry | undefined {
  const table = current.table(kind);
  return record ? table.byId.get(record.id) : table.byBase.get(base);
}

interface Place {
  readonly kind: AnyKind;
  readonly base: Base;
}

/** @returns undefined for a field that both sides did not change: anyone can write the message of a merge */
async function describe(
  source: ConflictSource,
  shared: Shared,
  { past, path, kind }: Pick<OpenConflict, "past" | "path" | "kind">,
): Promise<Pick<OpenConflict, "field" | "language" | "ours" | "theirs"> | undefined> {
  const { merge, base } = past;
  const changeOn = (commit: Oid, at: Path): Promise<Omit<ConflictSide, "value">> =>
    remembered(shared.changes, `${commit} ${base} ${at}`, () => lastChange(source.repo, commit, base, at));
  const [ourChange, theirChange] = await Promise.all([
    changeOn(past.ours, pathOn(past, "ours")),
    changeOn(past.theirs, pathOn(past, "theirs")),
  ]);
  if (past.kind !== "field")
    return {
      field: null,
      language: null,
      ours: { value: undefined, ...ourChange },
      theirs: { value: undefined, ...theirChange },
    };
  const conflicts = await remembered(shared.merged, `${merge} ${past.path}`, () => fieldConflicts(source, past, kind));
  const value = conflicts.find((conflict) => sameJson(conflict.path, past.at));
  if (!value) return undefined;
  const { commit } = source.current;
  const data =
    commit === null ? undefined : await remembered(shared.data, path, () => dataAt(source.repo, commit, path));
  const live = data === undefined ? value.theirs : valueAt(data, past.at ?? []);
  // Another clone, which did not have the merge, may have replaced the value that stood.
  const isReplaced = commit !== null && !sameJson(live, value.theirs);
  const change = isReplaced ? await changeTo(source.repo, commit, past, path, live) : theirChange;
  const { field, language = null, ours } = value;
  return { field, language, ours: { value: ours, ...ourChange }, theirs: { value: live, ...change } };
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

async function lastChange(repo: Repo, from: Oid, base: Oid, path: Path): Promise<Omit<ConflictSide, "value">> {
  for await (const { id, author, at, changed } of repo.log(from, base, [path])) {
    if (changed.size > 0) return { commit: id, author: author.name, at };
  }
  return { commit: from, author: null, at: null };
}

/** The last commit after the merge base, other than merges, that gave the field a value. */
async function changeTo(
  repo: Repo,
  from: Oid,
  { base, at: place }: PastConflict,
  path: Path,
  value: Json | undefined,
): Promise<Omit<ConflictSide, "value">> {
  for await (const { id, parents, author, at, changed } of repo.log(from, base, [path])) {
    const after = changed.get(path)?.after;
    if (parents.length > 1 || after === undefined) continue;
    const data = after === null ? null : dataIn(path, await repo.blob(after));
    if (data !== undefined && sameJson(valueAt(data, place ?? []), value))
      return { commit: id, author: author.name, at };
  }
  return { commit: from, author: null, at: null };
}
