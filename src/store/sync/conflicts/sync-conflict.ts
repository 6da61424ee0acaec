/** What a sync could not decide, as it is listed. */
import type { FieldConflict, Side } from "../../../model/merge/conflict.ts";
import type { Oid, Path } from "../../repo.ts";

/** The paths of a file in the three commits. */
export interface SidePaths {
  readonly base: Path;
  readonly ours: Path;
  readonly theirs: Path;
}

/**
 * `path` is that of the merged file. `from` is there if another one has it in one of the commits, and `base` if the version that
 * both sides started from is in another commit than the merge base.
 */
export type SyncConflict = { readonly from?: SidePaths; readonly base?: Oid } & Undecided;

type Undecided =
  /** Both sides changed a field. With `isDrafted`, our value is in the pending draft of the page. */
  | { readonly kind: "field"; readonly path: Path; readonly value: FieldConflict; readonly isDrafted: boolean }
  /** One side removed a record, or a draft, that the other changed. It stays. */
  | { readonly kind: "deleted"; readonly path: Path; readonly by: Side }
  /** Both sides changed a file that cannot be merged. The remote's stands. */
  | { readonly kind: "file"; readonly path: Path };
