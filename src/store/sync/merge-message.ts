/**
 * The message of a merge commit, with a trailer for each conflict.
 *
 * Every clone derives the same list of conflicts from it, so none needs state of its own.
 */
import { isObject } from "../../model/input/json.ts";
import type { ValuePath } from "../../model/merge/conflict.ts";
import type { Lang } from "../../model/language/locale.ts";
import { ACTION_KEY, trailersOf } from "../../model/text/trailers.ts";
import type { Oid, Path } from "../repo.ts";
import type { SidePaths, SyncConflict } from "./conflicts/sync-conflict.ts";

/** The actions of commits with the trailers below. */
const SYNC = "sync";
export const RESOLVE_CONFLICT = "resolve-conflict";
const CONFLICT_KEY = "Cms-Conflict";
const BASE_KEY = "Cms-Merge-Base";
/** In a later commit: the conflict of this id has been decided. */
export const RESOLVED_KEY = "Cms-Resolves";
const TITLES_MAX = 5;
const OID = /^[0-9a-f]{40}$/;

/** A conflict as the trailer has it: without its values, which are in the commits. */
export interface RecordedConflict {
  readonly kind: SyncConflict["kind"];
  readonly path: Path;
  /** Where its record was renamed: the paths in the three commits. */
  readonly from?: SidePaths;
  /** The commit with the version that both sides started from, where that is not the merge base. */
  readonly base?: Oid;
  /** Where the value is, for a conflict about a field. */
  readonly at?: ValuePath;
  /** The language of the draft that holds our value. */
  readonly draft?: Lang;
  /** The side that removed the file, for a deletion. */
  readonly by?: "ours" | "theirs";
}

export interface MergeNote {
  readonly base: Oid;
  readonly conflicts: readonly RecordedConflict[];
}

/** @param settled a line for each id or permalink that the merge replaced */
export function mergeMessage(
  from: string,
  base: Oid,
  conflicts: readonly SyncConflict[],
  settled: readonly string[],
  fallback: Lang,
): string {
  const recorded = conflicts.map((conflict) => recordOf(conflict, fallback));
  const paths = [...new Set(recorded.map(({ path }) => path))];
  const listed =
    paths.slice(0, TITLES_MAX).join(", ") + (paths.length > TITLES_MAX ? ` and ${paths.length - TITLES_MAX} more` : "");
  const body = paths.length === 0 ? [] : [`Both sides changed: ${listed}`, ""];
  const replaced = settled.length === 0 ? [] : [...settled, ""];
  const found = recorded.map((each) => `${CONFLICT_KEY}: ${JSON.stringify(each)}`);
  const trailers = [`${ACTION_KEY}: ${SYNC}`, `${BASE_KEY}: ${base}`, ...found];
  return [`Merge ${from}`, "", ...body, ...replaced, ...trailers].join("\n");
}

function recordOf(conflict: SyncConflict, fallback: Lang): RecordedConflict {
  const { kind, path, from, base } = conflict;
  const file = { kind, path, ...(from && { from }), ...(base && { base }) };
  if (conflict.kind === "deleted") return { ...file, by: conflict.by };
  if (conflict.kind === "file") return file;
  const { value, isDrafted } = conflict;
  return { ...file, at: value.path, ...(isDrafted && { draft: value.language ?? fallback }) };
}

/** @returns undefined for a commit that is no merge of a sync */
export function readMergeMessage(message: string): MergeNote | undefined {
  const trailers = trailersOf(message, SYNC);
  const [base] = trailers.get(BASE_KEY) ?? [];
  if (base === undefined || !OID.test(base)) return undefined;
  return { base, conflicts: (trailers.get(CONFLICT_KEY) ?? []).flatMap(readConflict) };
}

/** The ids of the conflicts that a commit decides. */
export const resolvedBy = (message: string): readonly string[] =>
  trailersOf(message, RESOLVE_CONFLICT).get(RESOLVED_KEY) ?? [];

/** Anyone can write a commit message: what is no such trailer is left out. */
function readConflict(text: string): RecordedConflict[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (!isObject(value) || typeof value.path !== "string") return [];
  const { kind, path, at, draft, by } = value;
  const from = sidePathsIn(value.from);
  const base = typeof value.base === "string" && OID.test(value.base) ? value.base : undefined;
  const file = { path, ...(from && { from }), ...(base !== undefined && { base }) };
  if (kind === "file") return [{ kind, ...file }];
  if (kind === "deleted" && (by === "ours" || by === "theirs")) return [{ kind, ...file, by }];
  const isKey = (key: unknown): key is string | number => typeof key === "string" || typeof key === "number";
  if (kind !== "field" || !Array.isArray(at) || !at.every(isKey)) return [];
  return [{ kind, ...file, at, ...(typeof draft === "string" && { draft }) }];
}

function sidePathsIn(value: unknown): SidePaths | undefined {
  if (!isObject(value)) return undefined;
  const { base, ours, theirs } = value;
  if (typeof base !== "string" || typeof ours !== "string" || typeof theirs !== "string") return undefined;
  return { base, ours, theirs };
}
