/** A conflict of a merge in the history. */
import type { Id } from "../../../model/input/id.ts";
import type { Oid, Path } from "../../repo.ts";
import type { RecordedConflict } from "../merge-message.ts";

/** A conflict with the commits that have its values. */
export interface PastConflict extends RecordedConflict {
  /** The first 12 digits of the merge commit, and the conflict's number in it. */
  readonly id: string;
  readonly merge: Oid;
  readonly base: Oid;
  readonly ours: Oid;
  readonly theirs: Oid;
  /** Absent for a file that is no record's, and for a record without an id in its file. */
  readonly record?: { readonly kind: string; readonly id: Id };
  /** The names, the last first, that the file has had since the merge by which it is decided: the draft, where it has our value. */
  readonly paths: readonly Path[];
}
