/**
 * What a merge could not decide.
 *
 * `theirs` is the remote: its value is live already, so it stands, and the conflict has the other one.
 */
import type { Json } from "../input/json.ts";

export type Side = "ours" | "theirs";

/** Keys and 0-based indices, outermost first. */
export type ValuePath = readonly (string | number)[];

/** Both sides changed one value differently. */
export interface FieldConflict {
  readonly kind: "field";
  /**
   * The place of the value in the merged data of the file. Empty: the record as a whole, where its two versions cannot be
   * combined. A conflict inside a list without ids has the path of the list.
   */
  readonly path: ValuePath;
  /** Absent for a field without languages. */
  readonly language?: string;
  /** The names below the language, joined by dots: `title`, `template_data.lead`, `payload.title_en`. */
  readonly field: string;
  /** undefined: the value was absent. */
  readonly base: Json | undefined;
  /**
   * The value as it would be if ours stood: changes of the remote that do not clash are in it, so that writing it loses
   * none of them. undefined: our side removed the value.
   */
  readonly ours: Json | undefined;
  /** The merged value. undefined: the remote removed it. */
  readonly theirs: Json | undefined;
}

/** One side removed a file that the other changed. The changed file stays. */
export interface DeletionConflict {
  readonly kind: "deleted";
  /** The side that removed it. */
  readonly by: Side;
}

export type MergeConflict = FieldConflict | DeletionConflict;

/** In characters. */
const SHOWN_MAX = 300;

/** A value on one line, for messages. A longer one is cut: both sides' commits have it. */
export function showValue(value: Json | undefined): string {
  const text = value === undefined ? "removed" : JSON.stringify(value).replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "?");
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text;
}
